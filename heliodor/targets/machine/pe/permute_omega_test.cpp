// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/permute_omega.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace heliodor::machine::pe {
namespace {

std::vector<std::size_t> affine(std::size_t lanes, std::size_t a, std::size_t b, std::size_t c) {
  std::vector<std::size_t> targets(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    targets[lane] = (lane * a + b) % lanes ^ c;
  }
  return targets;
}

TEST(PermuteOmegaTest, network_brings_every_affine_permutation_of_small_sizes_home) {
  for (const std::size_t lanes : {2u, 4u, 8u, 16u}) {
    for (std::size_t a = 1; a < lanes; a += 2) {
      for (std::size_t b = 0; b < lanes; ++b) {
        for (std::size_t c = 0; c < lanes; ++c) {
          const std::vector<std::size_t> targets = affine(lanes, a, b, c);
          const auto lane_at = omega_route(targets);
          ASSERT_TRUE(lane_at.has_value()) << lanes << ' ' << a << ' ' << b << ' ' << c;
          for (std::size_t line = 0; line < lanes; ++line) {
            ASSERT_EQ(targets[(*lane_at)[line]], line);
          }
        }
      }
    }
  }
}

TEST(PermuteOmegaTest, network_of_2048_lanes_passes_random_affine_permutations) {
  std::mt19937_64 random(0x6f6d656761);
  for (int i = 0; i < 40; ++i) {
    const auto targets = affine(2048, random() % 2048 | 1, random() % 2048, random() % 2048);
    EXPECT_TRUE(omega_route(targets).has_value());
  }
}

TEST(PermuteOmegaTest, network_refuses_even_factors_and_a_shuffled_permutation) {
  EXPECT_FALSE(omega_route(affine(16, 2, 0, 0)).has_value());
  std::vector<std::size_t> targets(2048);
  std::iota(targets.begin(), targets.end(), 0);
  std::ranges::shuffle(targets, std::mt19937_64(7));
  EXPECT_FALSE(omega_route(targets).has_value());
}

TEST(PermuteOmegaTest, element_moves_each_lane_to_its_target) {
  PermuteOmegaOperands operands{5, 3, 9, {}};
  std::iota(operands.data.begin(), operands.data.end(), 100u);
  ASSERT_TRUE(permute_omega_accepts(operands));
  const PermuteOmegaLanes lanes = permute_omega(operands);
  for (std::uint32_t lane = 0; lane < kPermuteOmegaLanes; ++lane) {
    EXPECT_EQ(lanes[((lane * 5 + 3) % kPermuteOmegaLanes) ^ 9], 100 + lane);
  }
  operands.a = 4;
  EXPECT_FALSE(permute_omega_accepts(operands));
}

}  // namespace
}  // namespace heliodor::machine::pe
