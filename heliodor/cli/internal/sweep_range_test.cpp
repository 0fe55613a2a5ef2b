// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/sweep_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heliodor/base/error.h"

namespace heliodor::cli {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(SweepRangeTest, equal_steps_hold_both_ends) {
  const SweepRange sweep = parse_sweep("memory.dram.bandwidth=25..200:8");
  EXPECT_EQ(sweep.key, "memory.dram.bandwidth");
  EXPECT_THAT(sweep.values, ElementsAre("25", "50", "75", "100", "125", "150", "175", "200"));
  EXPECT_THAT(parse_sweep("k=0.5..1.5:3").values, ElementsAre("0.5", "1", "1.5"));
  EXPECT_THAT(parse_sweep("k=1..100").values, SizeIs(8));
}

TEST(SweepRangeTest, whole_ends_give_whole_numbers_each_once) {
  EXPECT_THAT(parse_sweep("k=1..4:8").values, ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(parse_sweep("k=7..7").values, ElementsAre("7"));
}

TEST(SweepRangeTest, factors_multiply_up_to_the_end) {
  EXPECT_THAT(parse_sweep("units.ntt.ntt.lanes=64..1024:x2").values,
              ElementsAre("64", "128", "256", "512", "1024"));
  EXPECT_THAT(parse_sweep("k=1..30:x3").values, ElementsAre("1", "3", "9", "27"));
}

TEST(SweepRangeTest, other_forms_are_refused) {
  for (const char* text : {"",
                           "k",
                           "=1..2",
                           "k=",
                           "k=1",
                           "k=1-2",
                           "k=..2",
                           "k=1..",
                           "k=a..2",
                           "k=1..2x",
                           "k=2..1",
                           "k=0..1",
                           "k=-1..2",
                           "k=1..inf",
                           "k=1..nan",
                           "k=1..2:",
                           "k=1..2:1",
                           "k=1..2:1001",
                           "k=1..2:2.5",
                           "k=1..2:x1",
                           "k=1..2:x",
                           "k=1..2:x0.5",
                           "k=1..1e300:x1.0001"}) {
    EXPECT_THROW(parse_sweep(text), Error) << text;
  }
}

TEST(SweepRangeTest, settings_end_at_the_first_equals_sign) {
  EXPECT_EQ(parse_setting("name=\"a=b\"").second, "\"a=b\"");
  EXPECT_EQ(parse_setting("clock_mhz=").second, "");
  EXPECT_THROW(parse_setting("clock_mhz"), Error);
  EXPECT_THROW(parse_setting("=1"), Error);
}

}  // namespace
}  // namespace heliodor::cli
