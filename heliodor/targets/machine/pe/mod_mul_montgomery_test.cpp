// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/mod_mul_montgomery.h"

#include <gtest/gtest.h>

#include <random>

namespace heliodor::machine::pe {
namespace {

constexpr std::uint32_t kHighest = (1u << kModMulMontgomeryHighWidth) - 1;

TEST(ModMulMontgomeryTest, factor_in_montgomery_form_makes_the_plain_product_for_every_modulus) {
  std::mt19937_64 random(0x6d6f6e74);
  for (std::uint32_t q_high = 1; q_high <= kHighest; ++q_high) {
    const std::uint32_t q = mod_mul_montgomery_modulus(q_high);
    const auto a = static_cast<std::uint32_t>(random() % q);
    const auto b = static_cast<std::uint32_t>(random() % q);
    const std::uint32_t operands[][2] = {{a, b}, {q - 1, q - 1}, {q - 1, a}, {0, b}, {1, 1}};
    for (const auto& [x, y] : operands) {
      const ModMulMontgomeryOperands set = {mod_mul_montgomery_form(x, q), y, q_high};
      ASSERT_TRUE(mod_mul_montgomery_accepts(set));
      ASSERT_EQ(mod_mul_montgomery(set), std::uint64_t{x} * y % q) << x << ' ' << y << ' ' << q;
    }
  }
}

TEST(ModMulMontgomeryTest, operands_outside_the_preconditions_are_not_accepted) {
  const std::uint32_t q = mod_mul_montgomery_modulus(kHighest);
  EXPECT_TRUE(mod_mul_montgomery_accepts({q - 1, q - 1, kHighest}));
  EXPECT_FALSE(mod_mul_montgomery_accepts({q, 0, kHighest}));
  EXPECT_FALSE(mod_mul_montgomery_accepts({0, q, kHighest}));
  EXPECT_FALSE(mod_mul_montgomery_accepts({0, 0, 0}));
  EXPECT_FALSE(mod_mul_montgomery_accepts({0, 0, kHighest + 1}));
}

}  // namespace
}  // namespace heliodor::machine::pe
