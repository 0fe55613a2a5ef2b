// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/noise_bound.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <random>

namespace heliodor::rlwe {
namespace {

/// Whether 2^log2 >= value, decided in 256-bit floating point: 2^(integer part) is exact, and the
/// fractional part is rounded down by less than the margin that is asked of bounds.
bool covers(double log2, const mpf_class& value) {
  const double whole = std::floor(log2);
  mpf_class power(std::exp2(log2 - whole) * (1 + 0x1p-50), 256);
  if (whole >= 0) {
    mpf_mul_2exp(power.get_mpf_t(), power.get_mpf_t(), static_cast<mp_bitcnt_t>(whole));
  } else {
    mpf_div_2exp(power.get_mpf_t(), power.get_mpf_t(), static_cast<mp_bitcnt_t>(-whole));
  }
  return power >= value;
}

TEST(NoiseBoundTest, the_default_is_zero_and_neutral_in_sums) {
  const NoiseBound zero;
  const NoiseBound three = NoiseBound::of(3);
  EXPECT_EQ(zero.log2(), -INFINITY);
  EXPECT_EQ(zero, NoiseBound::of(0));
  EXPECT_EQ(three + zero, three);
  EXPECT_EQ(zero + three, three);
  EXPECT_EQ(three * zero, zero);
  EXPECT_EQ(zero / 4, zero);
  EXPECT_TRUE(zero < three);
  EXPECT_FALSE(zero < zero);
}

TEST(NoiseBoundTest, an_unknown_bound_stays_unknown_and_below_nothing) {
  const NoiseBound unknown = NoiseBound::of_log2(INFINITY);
  const NoiseBound three = NoiseBound::of(3);
  for (const NoiseBound sum : {unknown + unknown, unknown + three, three + unknown})
    EXPECT_EQ(sum, unknown);
  EXPECT_EQ(unknown * unknown, unknown);
  EXPECT_EQ(unknown * three, unknown);
  EXPECT_EQ(unknown / 4, unknown);
  EXPECT_FALSE(unknown < NoiseBound::of_log2(1e300));
}

TEST(NoiseBoundTest, powers_of_two_are_exact) {
  EXPECT_EQ(NoiseBound::of(1).log2(), 0);
  EXPECT_EQ(NoiseBound::of(1024).log2(), 10);
  EXPECT_EQ(NoiseBound::of(0.25).log2(), -2);
  EXPECT_EQ(NoiseBound::of(7) * NoiseBound::of(1), NoiseBound::of(7));
  EXPECT_EQ(NoiseBound::of(7) / 1, NoiseBound::of(7));
}

TEST(NoiseBoundTest, sums_and_products_are_never_below_the_exact_ones) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mantissa(1, 2);
  std::uniform_int_distribution<int> exponent(-60, 60);
  for (int round = 0; round < 2000; ++round) {
    const double x = std::ldexp(mantissa(random), exponent(random));
    const double y = std::ldexp(mantissa(random), exponent(random));
    const NoiseBound a = NoiseBound::of(x);
    const NoiseBound b = NoiseBound::of(y);
    const mpf_class exact_x(x, 256);
    const mpf_class exact_y(y, 256);
    ASSERT_TRUE(covers(a.log2(), exact_x));
    ASSERT_TRUE(covers((a + b).log2(), exact_x + exact_y)) << x << " + " << y;
    ASSERT_TRUE(covers((a * b).log2(), exact_x * exact_y)) << x << " * " << y;
    ASSERT_TRUE(covers((a / y).log2(), exact_x / exact_y)) << x << " / " << y;
    ASSERT_NEAR((a + b).log2(), std::log2(x + y), 1e-9);
    ASSERT_NEAR((a * b).log2(), std::log2(x) + std::log2(y), 1e-9);
    ASSERT_NEAR((a / y).log2(), std::log2(x) - std::log2(y), 1e-9);
  }
}

TEST(NoiseBoundTest, a_sum_exceeds_its_larger_term_however_small_the_other) {
  const NoiseBound large = NoiseBound::of_log2(3000.3);
  EXPECT_TRUE(large < large + NoiseBound::of_log2(-3000));
}

TEST(NoiseBoundTest, bounds_may_exceed_every_double) {
  const NoiseBound large = NoiseBound::of_log2(5000);
  EXPECT_NEAR((large + large).log2(), 5001, 1e-8);
  EXPECT_NEAR((large * large).log2(), 10000, 1e-7);
  EXPECT_NEAR((large / 1024).log2(), 4990, 1e-8);
}

}  // namespace
}  // namespace heliodor::rlwe
