// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor run evalmult on the streaming cores.
#include "heliodor/cli/run_evalmult.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "heliodor/cli/internal/command_fixture.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;

class RunEvalmult : public testing::TestWithParam<std::string> {};

TEST_P(RunEvalmult, its_results_are_the_references_and_its_cycles_the_predicted_ones) {
  const Outcome outcome =
      heliodor_command({"run", "evalmult", "--limbs", "2", "--target", GetParam(), "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["equal"], true);
  EXPECT_EQ(json["target"]["name"], GetParam());
  EXPECT_EQ(json["target"]["cycles"], json["target"]["predicted_cycles"]);
}

INSTANTIATE_TEST_SUITE_P(RunEvalmultTest, RunEvalmult,
                         testing::Values("stream:session", "stream:relinearize"),
                         [](const auto& test) { return test.param.substr(7); });

TEST(RunEvalmultTest, other_targets_run_the_whole_product) {
  const Outcome outcome =
      heliodor_command({"run", "evalmult", "--limbs", "2", "--target", "cpu:portable"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\"multiply\""));
}

TEST(RunEvalmultTest, limbs_that_the_core_has_no_room_for_are_refused) {
  const Outcome outcome =
      heliodor_command({"run", "evalmult", "--limbs", "13", "--target", "stream:relinearize"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("limb count times degree 53248"));
}

#ifdef HELIODOR_RTL_TARGETS
TEST(RunEvalmultTest, the_rtl_gives_the_references_results) {
  for (const char* target : {"stream:session", "stream:relinearize"}) {
    const Outcome outcome =
        heliodor_command({"run", "evalmult", "--limbs", "2", "--target", target, "--rtl"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(std::string(target) + " (RTL)"));
  }
}
#else
TEST(RunEvalmultTest, without_the_rtl_it_says_how_to_build_it) {
  const Outcome outcome =
      heliodor_command({"run", "evalmult", "--target", "stream:relinearize", "--rtl"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("-DHELIODOR_RTL_TARGETS=ON"));
}
#endif

TEST(RunEvalmultTest, there_is_no_rtl_of_other_targets) {
  const Outcome outcome = heliodor_command({"run", "evalmult", "--target", "cpu", "--rtl"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("RTL of target 'cpu'"));
}

}  // namespace
}  // namespace heliodor::cli
