// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/mod_mul_barrett.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace heliodor::machine::pe {
namespace {

__extension__ typedef unsigned __int128 Uint128;

constexpr unsigned kWidth = kModMulBarrettWidth;
constexpr std::uint32_t kLowestModulus = (1u << (kWidth - 1)) + 1;
constexpr std::uint32_t kHighestModulus = (1u << kWidth) - 1;

ModMulBarrettOperands with_reciprocal(std::uint32_t a, std::uint32_t b, std::uint32_t q) {
  return {a, b, q, mod_mul_barrett_reciprocal(q)};
}

// By division, the one thing that the multiplier avoids.
std::uint32_t product_by_division(std::uint32_t a, std::uint32_t b, std::uint32_t q) {
  return static_cast<std::uint32_t>(Uint128{a} * b % q);
}

// Both ends of the range, primes that OpenFHE chooses, and the neighbourhood of 2^30 - 2^15, where
// the quotient bound is tightest.
std::vector<std::uint32_t> corner_moduli() {
  std::vector<std::uint32_t> moduli = {1073692673, 1073668097, 3u << (kWidth - 2)};
  for (std::uint32_t i = 0; i < 8; ++i) {
    moduli.push_back(kLowestModulus + i);
    moduli.push_back(kHighestModulus - i);
    moduli.push_back((1u << kWidth) - (1u << (kWidth / 2)) - 4 + i);
  }
  return moduli;
}

std::vector<std::uint32_t> corner_operands(std::uint32_t q) {
  return {0, 1, 2, q / 2, q / 2 + 1, 1u << (kWidth / 2), 1u << (kWidth - 1), q - 2, q - 1};
}

// The largest floor(z/q) - t over every q of the width and every z below q^2, which includes all
// products. An estimate that is too large anywhere makes it huge.
std::uint64_t worst_quotient_error(unsigned width, unsigned dropped_bits) {
  std::uint64_t worst = 0;
  for (std::uint64_t q = (1u << (width - 1)) + 1; q < (1u << width); ++q) {
    const std::uint64_t mu = (std::uint64_t{1} << (2 * width)) / q;
    for (std::uint64_t z = 0; z < q * q; ++z) {
      worst = std::max(worst, z / q - barrett_quotient_estimate(z, mu, width, dropped_bits));
    }
  }
  return worst;
}

TEST(ModMulBarrettTest,
     quotient_is_at_most_one_too_small_for_all_moduli_and_products_of_small_widths) {
  for (const unsigned width : {4u, 6u, 8u}) {
    for (unsigned dropped_bits = 0; dropped_bits <= width / 2 - 1; ++dropped_bits) {
      EXPECT_EQ(worst_quotient_error(width, dropped_bits), 1u) << width << ' ' << dropped_bits;
    }
  }
}

TEST(ModMulBarrettTest, quotient_is_two_too_small_when_too_many_bits_are_dropped) {
  EXPECT_EQ(worst_quotient_error(6, 5), 2u);
  EXPECT_EQ(worst_quotient_error(8, 6), 2u);
}

// z/q - z*mu/2^(2W) - (dropped part)*mu/2^(2W) < 1, multiplied by q*2^(2W), at the largest z and
// dropped part. Further from 2^W the bound has room to spare (README of the block).
TEST(ModMulBarrettTest,
     error_of_the_real_quotient_is_below_one_for_every_modulus_near_the_upper_end) {
  const Uint128 scale = Uint128{1} << (2 * kWidth);
  const Uint128 dropped = (Uint128{1} << kModMulBarrettDroppedBits) - 1;
  for (std::uint32_t q = kHighestModulus; q > kHighestModulus - (1u << (kWidth / 2 + 2)); --q) {
    const Uint128 mu = mod_mul_barrett_reciprocal(q);
    const Uint128 z = Uint128{q - 1} * (q - 1);
    ASSERT_TRUE(z * (scale - mu * q) + dropped * mu * q < scale * q) << "q " << q;
  }
}

TEST(ModMulBarrettTest, reciprocal_is_the_floor_of_the_quotient_and_fits_its_port) {
  for (const std::uint32_t q : corner_moduli()) {
    const Uint128 mu = mod_mul_barrett_reciprocal(q);
    EXPECT_TRUE(mu * q <= Uint128{1} << (2 * kWidth)) << "q " << q;
    EXPECT_TRUE((mu + 1) * q > Uint128{1} << (2 * kWidth)) << "q " << q;
    EXPECT_TRUE(mu < Uint128{1} << kModMulBarrettReciprocalWidth) << "q " << q;
  }
}

TEST(ModMulBarrettTest, product_of_corner_operands_equals_division) {
  for (const std::uint32_t q : corner_moduli()) {
    for (const std::uint32_t a : corner_operands(q)) {
      for (const std::uint32_t b : corner_operands(q)) {
        const ModMulBarrettOperands operands = with_reciprocal(a % q, b % q, q);
        ASSERT_TRUE(mod_mul_barrett_accepts(operands)) << a << ' ' << b << ' ' << q;
        ASSERT_EQ(mod_mul_barrett(operands), product_by_division(a % q, b % q, q))
            << a << ' ' << b << ' ' << q;
      }
    }
  }
}

TEST(ModMulBarrettTest, product_of_a_million_random_operands_equals_division) {
  std::mt19937_64 random(0x6d6f646d756c);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto q = static_cast<std::uint32_t>(kLowestModulus +
                                              random() % (kHighestModulus - kLowestModulus + 1));
    const auto a = static_cast<std::uint32_t>(random() % q);
    const auto b = static_cast<std::uint32_t>(random() % q);
    ASSERT_EQ(mod_mul_barrett(with_reciprocal(a, b, q)), product_by_division(a, b, q))
        << a << ' ' << b << ' ' << q;
  }
}

TEST(ModMulBarrettTest, operands_outside_the_preconditions_are_not_accepted) {
  const std::uint32_t q = 1073692673;
  const std::uint32_t mu = mod_mul_barrett_reciprocal(q);
  EXPECT_TRUE(mod_mul_barrett_accepts({q - 1, q - 1, q, mu}));
  EXPECT_FALSE(mod_mul_barrett_accepts({q, 0, q, mu}));
  EXPECT_FALSE(mod_mul_barrett_accepts({0, q, q, mu}));
  EXPECT_FALSE(mod_mul_barrett_accepts({0, 0, q, mu - 1}));
  EXPECT_FALSE(mod_mul_barrett_accepts({0, 0, q, mu + 1}));
  EXPECT_FALSE(mod_mul_barrett_accepts(with_reciprocal(0, 0, kLowestModulus - 1)));
  EXPECT_FALSE(mod_mul_barrett_accepts(with_reciprocal(0, 0, kHighestModulus + 1)));
  EXPECT_FALSE(mod_mul_barrett_accepts({0, 0, 0, 0}));
}

TEST(ModMulBarrettTest, result_leaves_exactly_one_latency_after_its_operands) {
  ModMulBarrett model;
  const ModMulBarrettOperands operands = with_reciprocal(123456789, 987654321, 1073692673);
  for (unsigned clock = 0; clock < 3 * ModMulBarrett::kLatency; ++clock) {
    const ModMulBarrett::Outputs outputs = model.step({true, clock == 0, operands});
    EXPECT_EQ(outputs.valid, clock == ModMulBarrett::kLatency) << "clock " << clock;
    if (outputs.valid) {
      EXPECT_EQ(outputs.p, product_by_division(123456789, 987654321, 1073692673));
    }
  }
}

TEST(ModMulBarrettTest, reset_clears_what_is_in_flight_and_what_enters_with_it) {
  ModMulBarrett model;
  const ModMulBarrettOperands operands = with_reciprocal(5, 7, 1073692673);
  for (unsigned clock = 0; clock < ModMulBarrett::kLatency; ++clock) {
    EXPECT_FALSE(model.step({true, true, operands}).valid);
  }
  EXPECT_FALSE(model.step({false, true, operands}).valid);
  for (unsigned clock = 0; clock < 2 * ModMulBarrett::kLatency; ++clock) {
    EXPECT_FALSE(model.step({true, false, operands}).valid) << "clock " << clock;
  }
}

}  // namespace
}  // namespace heliodor::machine::pe
