// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/formats/container/object_reader.h"
#include "heliodor/formats/container/object_writer.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/schemes/bgv/context.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;

class InspectTest : public CommandTest {
 protected:
  std::string write_keys() {
    const auto context = std::make_shared<const bgv::Context>(
        bgv::Parameters::for_depth({.t = 65537, .depth = 1, .security = rlwe::SecurityLevel::none}),
        registry::make_target("cpu"));
    rlwe::KeyGenerator keys(context->rlwe(), base::TestSeed(1));
    const rlwe::SecretKey secret = keys.secret_key();
    formats::ObjectWriter out(context->parameters().rlwe());
    out.add(keys.relinearization_keys(secret));
    const auto bytes = out.finish();
    return write("keys.hld", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
};

TEST_F(InspectTest, limbs_of_keys_are_not_read) {
  const std::string file = write_keys();
  const Outcome whole = heliodor_command({"inspect", file, "--json"});
  ASSERT_EQ(whole.code, 0) << whole.err;
  EXPECT_EQ(nlohmann::json::parse(whole.out)["objects"][0]["type"], "relinearization_key");

  // A damaged limb would be found by its checksum, if it were read.
  std::string bytes = read("keys.hld");
  const formats::Container container = formats::Container::open(file);
  const auto sections = container.sections();
  const auto limbs =
      std::ranges::find(sections, formats::SectionKind::limbs, &formats::Container::Section::kind);
  ASSERT_NE(limbs, sections.end());
  bytes[limbs->offset + limbs->length / 2] ^= 1;
  write("keys.hld", bytes);
  const Outcome damaged = heliodor_command({"inspect", file, "--json"});
  EXPECT_EQ(damaged.code, 0) << damaged.err;
  EXPECT_EQ(damaged.out, whole.out);
}

TEST_F(InspectTest, errors_name_the_file) {
  std::string bytes;
  {
    write_keys();
    bytes = read("keys.hld");
  }
  const Outcome outcome = heliodor_command({"inspect", write("cut.hld", bytes.substr(0, 100))});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cut.hld: "));
}

TEST_F(InspectTest, a_program_may_come_through_a_pipe) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes early must fail the test, not end it
  std::thread writer([&] { std::ofstream(path("pipe")) << kProductText; });
  const Outcome outcome = heliodor_command({"inspect", path("pipe")});
  writer.join();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("LimbProgram \"product\", degree 4"));
}

TEST_F(InspectTest, traces_of_other_tools_are_recognised_by_what_they_hold) {
  for (const auto& [name, format] :
       {std::pair("recorded.fhetch", "fhetch"), {"tensor.csv", "p-isa"}}) {
    const std::string file = std::string("tests/vectors/traces/") + name;
    const auto json = nlohmann::json::parse(heliodor_command({"inspect", file, "--json"}).out);
    EXPECT_EQ(json["kind"], "trace");
    EXPECT_EQ(json["format"], format);
    EXPECT_GT(json["instruction_count"], 0);
  }
}

TEST_F(InspectTest, text_is_for_programs) {
  const Outcome outcome = heliodor_command({"inspect", write_keys(), "--text"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--text prints programs only"));
}

}  // namespace
}  // namespace heliodor::cli
