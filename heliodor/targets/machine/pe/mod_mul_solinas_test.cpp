// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/mod_mul_solinas.h"

#include <gtest/gtest.h>

#include <random>

namespace heliodor::machine::pe {
namespace {

__extension__ typedef unsigned __int128 Uint128;

constexpr std::uint64_t kModulus = kModMulSolinasModulus;

std::uint64_t product_by_division(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(Uint128{a} * b % kModulus);
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent % 2 == 1) {
      result = product_by_division(result, base);
    }
    base = product_by_division(base, base);
  }
  return result;
}

TEST(ModMulSolinasTest, modulus_is_a_strong_probable_prime_to_the_first_twelve_bases) {
  // Deterministic below 2^64 (Sorenson, Webster, 2015).
  const std::uint64_t odd = (kModulus - 1) >> 25;
  ASSERT_EQ(odd % 2, 1u);
  constexpr std::uint64_t kBases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (const std::uint64_t base : kBases) {
    std::uint64_t x = power(base, odd);
    bool passes = x == 1;
    for (unsigned i = 0; i < 25; ++i) {
      passes = passes || x == kModulus - 1;
      x = product_by_division(x, x);
    }
    EXPECT_TRUE(passes) << base;
  }
}

TEST(ModMulSolinasTest, product_of_corner_and_random_operands_equals_division) {
  std::mt19937_64 random(0x736f6c);
  for (const std::uint64_t a : {std::uint64_t{0}, std::uint64_t{1}, kModulus / 2, kModulus - 1}) {
    for (const std::uint64_t b : {std::uint64_t{0}, std::uint64_t{1}, kModulus / 2, kModulus - 1}) {
      ASSERT_EQ(mod_mul_solinas({a, b}), product_by_division(a, b)) << a << ' ' << b;
    }
  }
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t a = random() % kModulus;
    const std::uint64_t b = random() % kModulus;
    ASSERT_EQ(mod_mul_solinas({a, b}), product_by_division(a, b)) << a << ' ' << b;
  }
}

TEST(ModMulSolinasTest, unreduced_operands_are_not_accepted) {
  EXPECT_TRUE(mod_mul_solinas_accepts({kModulus - 1, kModulus - 1}));
  EXPECT_FALSE(mod_mul_solinas_accepts({kModulus, 0}));
  EXPECT_FALSE(mod_mul_solinas_accepts({0, kModulus}));
}

}  // namespace
}  // namespace heliodor::machine::pe
