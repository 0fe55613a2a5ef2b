// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "heliodor/cli/internal/command_fixture.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PlanTest : public CommandTest {};

TEST_F(PlanTest, file_is_described_and_shown_on_request) {
  const std::string file = write("product.limb", kProductText);
  const Outcome brief = heliodor_command({"plan", file});
  EXPECT_EQ(brief.code, 0) << brief.err;
  EXPECT_THAT(brief.out, HasSubstr("program \"product\": 2 instructions, degree 4, 1 moduli"));
  EXPECT_THAT(brief.out, HasSubstr("predicted"));
  EXPECT_THAT(brief.out, Not(HasSubstr("step 0")));
  const Outcome shown = heliodor_command({"plan", file, "--show"});
  EXPECT_THAT(shown.out, HasSubstr("step 0"));
  EXPECT_THAT(shown.out, HasSubstr("mul %0 %1"));
}

TEST_F(PlanTest, built_in_workloads_go_by_name_and_take_sizes) {
  for (const char* name : {"ntt", "intt", "dot", "baseconv", "keyswitch", "evalmult"}) {
    const Outcome outcome =
        heliodor_command({"plan", name, "--degree", "64", "--bits", "30", "--show"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("degree 64"));
    EXPECT_THAT(outcome.out, HasSubstr("step 0"));
  }
  const Outcome small = heliodor_command({"plan", "keyswitch", "--degree", "16", "--bits", "30",
                                          "--limbs", "2", "--special", "1", "--digits", "2"});
  EXPECT_THAT(small.out, HasSubstr("3 moduli"));
}

TEST_F(PlanTest, json_holds_the_same) {
  const Outcome outcome =
      heliodor_command({"plan", "ntt", "--degree", "64", "--show", "--json", "--threads", "2"});
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["command"], "plan");
  EXPECT_EQ(json["program"], "ntt");
  EXPECT_EQ(json["degree"], 64);
  EXPECT_EQ(json["instructions"], 1);
  EXPECT_GT(json["predicted_seconds"].get<double>(), 0);
  EXPECT_THAT(json["plan"].get<std::string>(), HasSubstr("threads 2"));
  EXPECT_FALSE(json.contains("predicted_cycles"));
}

TEST_F(PlanTest, explain_lists_candidates_of_each_limb_count_cheapest_first) {
  const std::vector<std::string> request = {"plan",    "keyswitch", "--explain", "--degree", "64",
                                            "--limbs", "4",         "--digits",  "2"};
  const Outcome table = heliodor_command(request);
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("hybrid/2+2/4"));
  EXPECT_THAT(table.out, HasSubstr("klss/2+2/4/"));
  std::vector<std::string> with_json = request;
  with_json.push_back("--json");
  const auto choices = nlohmann::json::parse(heliodor_command(with_json).out)["choices"];
  ASSERT_EQ(choices.size(), 4U);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    EXPECT_EQ(choices[i]["limb_count"], 4 - i);
    const auto& candidates = choices[i]["candidates"];
    ASSERT_GE(candidates.size(), 2U);
    EXPECT_LE(candidates[0]["predicted_seconds"].get<double>(),
              candidates[1]["predicted_seconds"].get<double>());
  }
}

TEST_F(PlanTest, explain_takes_keyswitch_alone_and_chooses_p) {
  const Outcome other = heliodor_command({"plan", "ntt", "--explain"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("keyswitch"));
  const Outcome special = heliodor_command({"plan", "keyswitch", "--explain", "--special", "2"});
  EXPECT_EQ(special.code, 2);
  EXPECT_THAT(special.err, HasSubstr("--special 2"));
}

TEST_F(PlanTest, other_targets_plan_too) {
  const Outcome machine = heliodor_command(
      {"plan", write("product.limb", kProductText), "--target", "machine:tutorial", "--json"});
  EXPECT_EQ(machine.code, 0) << machine.err;
  EXPECT_GT(nlohmann::json::parse(machine.out)["predicted_cycles"].get<std::uint64_t>(), 0U);
}

TEST_F(PlanTest, bad_requests_say_what_is_wrong) {
  const Outcome missing = heliodor_command({"plan", path("missing.limb")});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("missing.limb"));
  EXPECT_EQ(heliodor_command({"plan", "ntt", "--target", "cpu:none"}).code, 3);
  const Outcome refused =
      heliodor_command({"plan", "dot", "--digits", "64", "--target", "machine:tutorial"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("scratchpad"));
  const Outcome degree = heliodor_command({"plan", "ntt", "--degree", "3"});
  EXPECT_EQ(degree.code, 2);
  EXPECT_THAT(degree.out, IsEmpty());
}

}  // namespace
}  // namespace heliodor::cli
