// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/registry/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>

#include "heliodor/base/error.h"
#include "heliodor/base/temporary_folder.h"
#include "heliodor/targets/cpu/kernel_table.h"
#include "heliodor/targets/machine/shipped_machines.h"

namespace heliodor::registry {
namespace {

using testing::HasSubstr;

// Sets HELIODOR_CPU for one test and puts back what was there.
class CpuVariable {
 public:
  explicit CpuVariable(const char* value) {
    if (const char* old = std::getenv(kName)) old_ = old;
    set(value);
  }
  ~CpuVariable() { set(old_ ? old_->c_str() : nullptr); }
  CpuVariable(const CpuVariable&) = delete;
  CpuVariable& operator=(const CpuVariable&) = delete;

 private:
  static constexpr const char* kName = "HELIODOR_CPU";

  static void set(const char* value) {
    if (value == nullptr) {
      unsetenv(kName);
    } else {
      setenv(kName, value, 1);
    }
  }

  std::optional<std::string> old_;
};

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const auto& target : present_targets()) list.push_back(target->name());
  return list;
}

std::size_t count_with_prefix(const std::vector<std::string>& list, std::string_view prefix) {
  std::size_t count = 0;
  for (const std::string& name : list) count += name.starts_with(prefix) ? 1 : 0;
  return count;
}

Error error_of(std::string_view name) {
  try {
    static_cast<void>(make_target(name));
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "made a target named " << name;
  return {ErrorCode::io, ""};
}

TEST(RegistryTest, all_kernel_tables_and_machines_are_present_under_unique_names) {
  const CpuVariable none(nullptr);
  const auto list = names();
  EXPECT_EQ(list.front(), "reference");
  EXPECT_EQ(count_with_prefix(list, "cpu:"), cpu::supported_kernel_tables().size());
  EXPECT_EQ(count_with_prefix(list, "machine:"), machine::shipped_machines().size());
  EXPECT_EQ(std::set<std::string>(list.begin(), list.end()).size(), list.size());
}

TEST(RegistryTest, every_present_target_can_be_made_by_its_name) {
  for (const std::string& name : names()) EXPECT_EQ(make_target(name)->name(), name);
}

TEST(RegistryTest, a_forced_kernel_table_is_the_only_cpu_target) {
  const CpuVariable portable("portable");
  const auto list = names();
  EXPECT_EQ(count_with_prefix(list, "cpu:"), 1U);
  EXPECT_EQ(count_with_prefix(list, "cpu:portable"), 1U);
  EXPECT_EQ(make_target("cpu")->name(), "cpu:portable");
}

TEST(RegistryTest, a_forced_kernel_table_that_does_not_exist_is_unavailable) {
  const CpuVariable missing("abacus");
  EXPECT_EQ(error_of("cpu").code(), ErrorCode::unavailable);
  EXPECT_THAT(error_of("cpu").what(), HasSubstr("abacus"));
  EXPECT_THROW(present_targets(), Error);
}

TEST(RegistryTest, an_unknown_name_lists_what_is_present) {
  for (const char* name : {"abacus", "", "cpu:", "cpu:abacus", "machine:abacus", "Reference"}) {
    const Error error = error_of(name);
    EXPECT_EQ(error.code(), ErrorCode::unavailable) << name;
    EXPECT_THAT(error.what(), HasSubstr("'" + std::string(name) + "'"));
    EXPECT_THAT(error.what(), HasSubstr("reference, cpu, cpu:portable"));
    EXPECT_THAT(error.what(), HasSubstr("machine:tutorial"));
  }
}

TEST(RegistryTest, streaming_cores_are_made_by_name_but_are_not_for_every_program) {
  EXPECT_EQ(make_target("stream:session")->name(), "stream:session");
  EXPECT_EQ(make_target("stream:relinearize")->name(), "stream:relinearize");
  EXPECT_EQ(count_with_prefix(names(), "stream:"), 0U);
  EXPECT_THAT(error_of("stream:abacus").what(), HasSubstr("stream:session, stream:relinearize"));
}

TEST(RegistryTest, a_described_machine_is_read_from_its_file) {
  std::string text(machine::shipped_text("tutorial"));
  text.replace(text.find("\"tutorial\""), std::string("\"tutorial\"").size(), "\"mine\"");
  const base::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "mine.toml";
  std::ofstream(path) << text;
  EXPECT_EQ(make_target("machine:" + path.string())->name(), "machine:mine");
}

TEST(RegistryTest, a_malformed_description_is_diagnosed_with_its_place) {
  const base::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "bad.toml";
  std::ofstream(path) << "name = \"bad\"\nword_bits = [\n";
  const Error error = error_of("machine:" + path.string());
  EXPECT_EQ(error.code(), ErrorCode::invalid_description);
  EXPECT_THAT(error.what(), HasSubstr("bad.toml:"));
}

TEST(RegistryTest, a_missing_description_is_an_io_error) {
  EXPECT_EQ(error_of("machine:/nowhere/at/all.toml").code(), ErrorCode::io);
}

}  // namespace
}  // namespace heliodor::registry
