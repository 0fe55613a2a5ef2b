// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/mod_add.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heliodor::machine::pe {
namespace {

TEST(ModAddTest, sum_and_difference_of_all_residues_of_small_and_largest_moduli_equal_division) {
  for (const std::uint32_t q : {1u, 2u, 3u, 16u, 97u, 0xfffffff0u, 0xffffffffu}) {
    for (std::uint32_t i = 0; i < std::min(q, 97u); ++i) {
      for (std::uint32_t j = 0; j < std::min(q, 97u); ++j) {
        // Both ends of the range, where there is more than one.
        const std::uint32_t a = i % 2 == 0 ? i : q - i;
        const std::uint32_t b = j % 3 == 0 ? q - 1 - j : j;
        ASSERT_TRUE(mod_add_accepts({a, b, q}));
        ASSERT_EQ(mod_add({a, b, q}), (std::uint64_t{a} + b) % q) << a << ' ' << b << ' ' << q;
        ASSERT_EQ(mod_sub({a, b, q}), (std::uint64_t{a} + q - b) % q) << a << ' ' << b << ' ' << q;
      }
    }
  }
}

TEST(ModAddTest, unreduced_operands_are_not_accepted) {
  EXPECT_FALSE(mod_add_accepts({7, 0, 7}));
  EXPECT_FALSE(mod_add_accepts({0, 7, 7}));
  EXPECT_FALSE(mod_add_accepts({0, 0, 0}));
}

TEST(ModAddTest, result_leaves_one_clock_after_its_operands_unless_reset) {
  ModAdd model;
  EXPECT_FALSE(model.step({true, true, {5, 6, 7}}).valid);
  const ModAdd::Outputs outputs = model.step({true, true, {1, 1, 7}});
  EXPECT_TRUE(outputs.valid);
  EXPECT_EQ(outputs.result, 4u);
  EXPECT_FALSE(model.step({false, true, {1, 1, 7}}).valid);
  EXPECT_FALSE(model.step({true, false, {}}).valid);
}

}  // namespace
}  // namespace heliodor::machine::pe
