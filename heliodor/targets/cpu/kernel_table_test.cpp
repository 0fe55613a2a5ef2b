// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/kernel_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <set>
#include <string>

#include "heliodor/base/cpu_features.h"
#include "heliodor/base/error.h"

namespace heliodor::cpu {
namespace {

using testing::HasSubstr;

/// Sets HELIODOR_CPU for one scope.
class ForcedTable {
 public:
  explicit ForcedTable(const char* name) {
    if (const char* old = std::getenv(kName); old != nullptr) old_ = old;
    name != nullptr ? setenv(kName, name, 1) : unsetenv(kName);
  }
  ~ForcedTable() { old_ ? setenv(kName, old_->c_str(), 1) : unsetenv(kName); }
  ForcedTable(const ForcedTable&) = delete;
  ForcedTable& operator=(const ForcedTable&) = delete;

 private:
  static constexpr const char* kName = "HELIODOR_CPU";
  std::optional<std::string> old_;
};

template <typename Call>
void expect_unavailable(Call call, const std::string& asked) {
  try {
    call();
    ADD_FAILURE() << "no error for '" << asked << "'";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unavailable);
    EXPECT_THAT(error.what(), HasSubstr("'" + asked + "'"));
    for (const KernelTable* table : supported_kernel_tables()) {
      EXPECT_THAT(error.what(), HasSubstr(std::string(table->name)));
    }
  }
}

TEST(KernelTableTest, portable_table_is_always_supported_and_first) {
  ASSERT_FALSE(supported_kernel_tables().empty());
  EXPECT_EQ(supported_kernel_tables().front()->name, "portable");
  EXPECT_TRUE(kernel_table("portable").supported());
}

TEST(KernelTableTest, ifma_table_is_listed_exactly_where_the_cpu_has_it) {
  const base::CpuFeatures& features = base::cpu_features();
  bool listed = false;
  for (const KernelTable* table : supported_kernel_tables()) {
    listed |= table->name == "avx512ifma";
  }
  EXPECT_EQ(listed, features.avx512 && features.avx512_ifma);
}

TEST(KernelTableTest, listed_tables_are_supported_and_have_distinct_names) {
  std::set<std::string_view> names;
  for (const KernelTable* table : supported_kernel_tables()) {
    EXPECT_TRUE(table->supported()) << table->name;
    EXPECT_TRUE(names.insert(table->name).second) << table->name;
    EXPECT_EQ(&kernel_table(table->name), table);
  }
}

TEST(KernelTableTest, tables_are_complete) {
  for (const KernelTable* table : supported_kernel_tables()) {
    SCOPED_TRACE(table->name);
    EXPECT_NE(table->make_ntt, nullptr);
    EXPECT_NE(table->add, nullptr);
    EXPECT_NE(table->sub, nullptr);
    EXPECT_NE(table->neg, nullptr);
    EXPECT_NE(table->mul, nullptr);
    EXPECT_NE(table->add_scalar, nullptr);
    EXPECT_NE(table->mul_scalar, nullptr);
    EXPECT_NE(table->sub_mul_scalar, nullptr);
    EXPECT_NE(table->reduce, nullptr);
    EXPECT_NE(table->dot, nullptr);
    EXPECT_NE(table->dot_scalar, nullptr);
    EXPECT_NE(table->quotient, nullptr);
    EXPECT_NE(table->permute_eval, nullptr);
    EXPECT_NE(table->permute_coeff, nullptr);
    EXPECT_NE(table->uniform, nullptr);
    EXPECT_NE(table->rate_loops, nullptr);
  }
}

TEST(KernelTableTest, unknown_name_is_unavailable_and_the_message_lists_the_tables) {
  expect_unavailable([] { kernel_table("avx1024"); }, "avx1024");
  expect_unavailable([] { kernel_table("Portable"); }, "Portable");
  expect_unavailable([] { kernel_table(""); }, "");
}

TEST(KernelTableTest, environment_forces_each_supported_table) {
  for (const KernelTable* table : supported_kernel_tables()) {
    const ForcedTable forced(std::string(table->name).c_str());
    EXPECT_EQ(&chosen_kernel_table(), table);
  }
}

TEST(KernelTableTest, fastest_table_is_chosen_when_nothing_or_the_empty_name_is_forced) {
  for (const char* name : {static_cast<const char*>(nullptr), ""}) {
    const ForcedTable forced(name);
    EXPECT_EQ(&chosen_kernel_table(), supported_kernel_tables().back());
  }
}

TEST(KernelTableTest, environment_that_names_no_table_is_unavailable) {
  const ForcedTable forced("neon");
  expect_unavailable([] { chosen_kernel_table(); }, "neon");
}

}  // namespace
}  // namespace heliodor::cpu
