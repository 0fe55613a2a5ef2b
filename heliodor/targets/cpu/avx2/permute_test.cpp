// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the permute kernels of AVX2 and AVX-512 build on.
#include <gtest/gtest.h>

#include "heliodor/ring/automorphism.h"
#include "heliodor/targets/cpu/kernel_modulus.h"

namespace heliodor::cpu {
namespace {

TEST(AutomorphismGroupsTest, aligned_groups_of_four_and_eight_come_from_aligned_groups) {
  for (const std::uint64_t degree : {8u, 16u, 64u, 256u}) {
    for (std::uint64_t g = 1; g < 2 * degree; g += 2) {
      const std::vector<std::uint32_t> sources = ring::automorphism_eval_sources(g, degree);
      for (std::size_t i = 0; i < degree; ++i) {
        ASSERT_EQ(sources[i] / 4, sources[i - i % 4] / 4) << "degree " << degree << ", g " << g;
        ASSERT_EQ(sources[i] / 8, sources[i - i % 8] / 8) << "degree " << degree << ", g " << g;
      }
    }
  }
}

TEST(AutomorphismGroupsTest, inverse_modulo_a_power_of_two_undoes_every_galois_element) {
  for (std::uint64_t g = 1; g < std::uint64_t{1} << 18; g += 2) {
    ASSERT_EQ(static_cast<std::uint32_t>(g) * inverse_modulo_2_32(g), 1u) << g;
  }
}

}  // namespace
}  // namespace heliodor::cpu
