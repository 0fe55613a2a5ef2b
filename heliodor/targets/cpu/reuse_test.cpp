// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/reuse.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <set>
#include <vector>

namespace heliodor::cpu {
namespace {

TEST(ReuseDistancesTest, first_touch_has_no_distance_and_a_second_in_the_step_has_zero) {
  ReuseDistances reuse(2, 3);
  EXPECT_EQ(reuse.touch(1, 100, 0), ReuseDistances::kNever);
  EXPECT_EQ(reuse.touch(1, 100, 0), 0U);
  EXPECT_EQ(reuse.touch(0, 7, 2), ReuseDistances::kNever);
}

TEST(ReuseDistancesTest, distance_counts_each_place_once_and_both_steps) {
  ReuseDistances reuse(3, 5);
  reuse.touch(0, 10, 0);
  reuse.touch(1, 200, 0);
  reuse.touch(2, 3000, 1);
  reuse.touch(2, 3000, 2);
  EXPECT_EQ(reuse.touch(0, 10, 3), 3210U);
  EXPECT_EQ(reuse.touch(0, 10, 4), 10U);
  EXPECT_EQ(reuse.touch(1, 200, 4), 3210U);
  EXPECT_EQ(reuse.touch(1, 200, 4), 0U);
}

// By definition: the distinct places of all steps from that of the last touch on, this one
// included.
TEST(ReuseDistancesTest, agrees_with_a_search_through_the_history) {
  constexpr std::size_t kPlaces = 12, kSteps = 40;
  std::mt19937 random(1);
  const auto bytes = [](std::size_t place) { return 100 + 7 * place; };
  ReuseDistances reuse(kPlaces, kSteps);
  std::vector<std::set<std::size_t>> history(kSteps);
  for (std::size_t step = 0; step < kSteps; ++step) {
    for (int touches = 0; touches < 4; ++touches) {
      const std::size_t place = random() % kPlaces;
      std::optional<std::size_t> last;
      for (std::size_t s = 0; s <= step; ++s) {
        if (history[s].contains(place)) last = s;
      }
      std::set<std::size_t> between;
      for (std::size_t s = last.value_or(step); s <= step; ++s)
        between.insert(history[s].begin(), history[s].end());
      std::size_t expected = 0;
      for (const std::size_t other : between) expected += bytes(other);
      if (!last) expected = ReuseDistances::kNever;
      if (last == step) expected = 0;
      ASSERT_EQ(reuse.touch(place, bytes(place), step), expected) << step << " " << place;
      history[step].insert(place);
    }
  }
}

}  // namespace
}  // namespace heliodor::cpu
