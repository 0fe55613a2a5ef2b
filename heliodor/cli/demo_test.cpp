// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/cli/internal/target_run.h"
#include "heliodor/program/builder.h"
#include "heliodor/targets/machine/shipped_machines.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;

class DemoTest : public CommandTest {
 protected:
  std::string machine_with_word_bits(const std::string& bits) {
    std::string text(machine::shipped_text("tutorial"));
    text.replace(text.find("\"tutorial\""), 10, "\"narrow\"");
    text.replace(text.find("word_bits = 64"), 14, "word_bits = " + bits);
    return write("narrow.toml", text);
  }
};

TEST_F(DemoTest, every_present_target_is_equal) {
  const Outcome outcome = heliodor_command({"demo"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("test seed 1"));
  EXPECT_THAT(outcome.out, HasSubstr("Security: 128 bits"));
  EXPECT_THAT(outcome.out, HasSubstr("8192 of 8192 slots decrypt to the product: right"));
  for (const auto& target : registry::present_targets()) {
    EXPECT_THAT(outcome.out, testing::ContainsRegex(target->name() + " .* yes\n"));
  }
}

TEST_F(DemoTest, json_lists_every_target) {
  for (const std::string degree : {"2", "64", "1024"}) {
    const Outcome outcome =
        heliodor_command({"demo", "--degree", degree, "--seed", "5", "--threads", "2", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["degree"], std::stoull(degree));
    EXPECT_EQ(json["test_seed"], 5);
    EXPECT_EQ(json["security"], "none");
    EXPECT_EQ(json["targets"].size(), registry::present_targets().size());
    EXPECT_EQ(json["equal"], true);
    EXPECT_EQ(json["decrypted"]["slots"], std::stoull(degree));
    EXPECT_EQ(json["decrypted"]["right"], std::stoull(degree));
  }
}

TEST_F(DemoTest, a_described_machine_takes_part_with_primes_that_fit_it) {
  const Outcome outcome = heliodor_command(
      {"demo", "--degree", "256", "--machine", machine_with_word_bits("32"), "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["targets"].back()["name"], "machine:narrow");
  EXPECT_EQ(json["targets"].back()["equal"], true);
  EXPECT_LT(json["moduli"][0], std::uint64_t{1} << 32);
}

TEST_F(DemoTest, a_machine_that_can_take_no_part_is_not_available) {
  std::string text(machine::shipped_text("tutorial"));
  const std::size_t unit = text.find("[units.ntt]");
  text.erase(unit, text.find("[units.permutation]") - unit);
  const Outcome outcome =
      heliodor_command({"demo", "--degree", "64", "--machine", write("no_ntt.toml", text)});
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("refused: "));
  EXPECT_THAT(outcome.out, HasSubstr("needs a unit for ntt"));
}

TEST_F(DemoTest, toy_parameters_are_loud) {
  const Outcome outcome = heliodor_command({"demo", "--degree", "64"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Security: none - TOY PARAMETERS"));
}

TEST(TargetRunTest, an_unequal_word_is_found_and_named) {
  program::Builder b({ring::Modulus(17, 4)});
  b.output("z", b.neg(b.operand("x", 0, program::Domain::eval)));
  const auto program = b.build();
  reference::UniformSource source(1);
  const reference::RunInputs inputs(program, 1, source);
  const auto target = registry::make_target("reference");
  const TargetRun expected = run_on(*target, program, inputs, 1);
  TargetRun actual = run_on(*target, program, inputs, 1);
  EXPECT_FALSE(compare(expected, actual).has_value());
  EXPECT_TRUE(actual.right());
  actual.outputs->limb(0, 0)[2] ^= 1;
  const auto difference = compare(expected, actual);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->word, 2U);
  EXPECT_FALSE(actual.right());
  EXPECT_EQ(table_row(actual).back(), "NO");
}

TEST(TargetRunTest, a_fault_is_not_right) {
  TargetRun run;
  run.fault = program::Fault{.cycle = 5, .instruction = 1, .reason = "bank conflict"};
  EXPECT_FALSE(run.right());
  EXPECT_EQ(table_row(run).back(), "fault");
}

}  // namespace
}  // namespace heliodor::cli
