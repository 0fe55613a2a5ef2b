// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/noise_bound.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <random>
#include <vector>

#include "heliodor/ring/sampler.h"

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

/// The canonical norm of coefficients, root by root.
double canonical_norm(const std::vector<double>& a) {
  const std::size_t n = a.size();
  double norm = 0;
  for (std::size_t odd = 1; odd < 2 * n; odd += 2) {
    std::complex<double> sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      sum += a[k] * std::polar(1.0, M_PI * static_cast<double>(odd * k % (2 * n)) /
                                        static_cast<double>(n));
    }
    norm = std::max(norm, std::abs(sum));
  }
  return norm;
}

TEST(NoiseBoundTest, worst_norm_is_reached_and_never_exceeded) {
  std::mt19937_64 random(2);
  for (const std::size_t degree : {1U, 2U, 4U, 16U, 64U}) {
    const double bound = std::exp2(worst_norm(degree, NoiseBound::of(3)).log2());
    std::vector<double> a(degree);
    for (int round = 0; round < 100; ++round) {
      for (double& x : a) x = random() % 2 == 0 ? 3 : -3;
      ASSERT_LE(canonical_norm(a), bound * (1 + 1e-12));
    }
    // Against the largest that signs can do at one root: all terms in one half plane.
    const auto n = static_cast<double>(degree);
    for (std::size_t k = 0; k < degree; ++k)
      a[k] = std::cos(M_PI * (static_cast<double>(3 * k) + 0.5) / n) < 0 ? -3 : 3;
    EXPECT_NEAR(canonical_norm(a), bound, 1e-9 * bound) << degree;
  }
}

TEST(NoiseBoundTest, sampled_norm_fails_with_a_probability_of_at_most_2_to_minus_140) {
  for (const double log_degree : {1.0, 10.0, 13.0, 17.0}) {
    for (const double s : {0.5, std::sqrt(2.0 / 3), 3.2}) {
      const double degree = std::exp2(log_degree);
      const NoiseBound bound = sampled_norm(static_cast<std::uint64_t>(degree), s);
      const double x = std::exp2(bound.log2()) * std::cos(M_PI / 32);
      const double pairs_of_roots = degree / 2, directions = 32;
      const double log2_of_failure =
          std::log2(pairs_of_roots * directions) - x * x / (s * s * degree) / M_LN2;
      EXPECT_LE(log2_of_failure, -140);
      EXPECT_NEAR(log2_of_failure, -140, 1e-6);
    }
  }
}

// At -140 + `bits` of that logarithm failures can be counted.
TEST(NoiseBoundTest, samples_exceed_scaled_bounds_no_more_often_than_the_tail_says) {
  constexpr std::size_t degree = 64;
  constexpr int draws = 2000;
  constexpr double log_degree = 6, bits = 138;  // failures in a quarter of the draws
  const auto failures = [&](double s, const auto& sample) {
    const double shrink = std::sqrt((144 - bits + log_degree) / (144 + log_degree));
    const double bound = std::exp2(sampled_norm(degree, s).log2()) * shrink;
    int count = 0;
    std::vector<std::int8_t> small(degree);
    for (int draw = 0; draw < draws; ++draw) {
      sample(small);
      count += canonical_norm({small.begin(), small.end()}) > bound ? 1 : 0;
    }
    return count;
  };
  base::RandomStream random(base::TestSeed(1), "norms");
  const ring::GaussianSampler gaussian;
  const auto ternary = [&](std::span<std::int8_t> out) { ring::sample_ternary(random, out); };
  const auto sparse = [&](std::span<std::int8_t> out) {
    ring::sample_ternary_fixed_weight(random, 16, out);
  };
  const auto error = [&](std::span<std::int8_t> out) { gaussian.sample(random, out); };
  for (const int count : {failures(std::sqrt(2.0 / 3), ternary), failures(0.5, sparse),
                          failures(gaussian.sub_gaussian_parameter(), error)}) {
    EXPECT_LE(count, draws / 4);
    EXPECT_GT(count, 0);  // the bound is not far off either
  }
}

TEST(NoiseBoundTest, bounds_may_exceed_every_double) {
  const NoiseBound large = NoiseBound::of_log2(5000);
  EXPECT_NEAR((large + large).log2(), 5001, 1e-8);
  EXPECT_NEAR((large * large).log2(), 10000, 1e-7);
  EXPECT_NEAR((large / 1024).log2(), 4990, 1e-8);
}

}  // namespace
}  // namespace heliodor::rlwe
