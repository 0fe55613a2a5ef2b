// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The formulas by hand; tests/exact/evaluator_test.cpp and noise_norms_test.cpp measure that noise
// stays below them.
#include "heliodor/rlwe/noise_growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "heliodor/ring/sampler.h"
#include "heliodor/rlwe/internal/test_moduli.h"

namespace heliodor::rlwe {
namespace {

constexpr double kTau = 5;
constexpr double kClose = 1e-9;  // of log2; bounds round upwards

// At this degree a ternary polynomial has its worst case for a norm, an error is well below.
constexpr std::uint64_t kDegree = 16;
const double kWorst = 1 / std::sin(M_PI / 32);
const double kSecret = kWorst;

double sampled(double degree, double s) {
  return s * std::sqrt(degree * std::log(2) * (144 + std::log2(degree))) / std::cos(M_PI / 32);
}

double error_norm(double degree) {
  return sampled(degree, ring::GaussianSampler(3.2).sub_gaussian_parameter());
}

Parameters make_parameters(DigitLift lift, std::optional<std::size_t> weight = std::nullopt,
                           std::uint64_t degree = kDegree) {
  Parameters::Description d;
  const std::vector<ring::Modulus> all = internal::moduli(30, degree, 7);
  d.q.assign(all.begin(), all.begin() + 5);
  d.p.assign(all.begin() + 5, all.end());
  d.gadgets = {{2, 2, 5}, {1, 0, 5}};
  d.error_scale = static_cast<std::uint64_t>(kTau);
  d.lift = lift;
  d.secret_weight = weight;
  d.security = SecurityLevel::none;
  return Parameters(std::move(d));
}

double q(const Parameters& parameters, std::size_t i) {
  return static_cast<double>(parameters.q()[i].value());
}

void expect_just_above(double value, NoiseBound bound) {
  EXPECT_GE(bound.log2(), std::log2(value) - 1e-13);
  EXPECT_LE(bound.log2(), std::log2(value) + kClose);
}

TEST(NoiseGrowthTest, digits_are_as_large_as_their_present_limbs_and_lift_make_them) {
  const Parameters fast = make_parameters(DigitLift::fast),
                   exact = make_parameters(DigitLift::exact);
  const Gadget pairs{2, 2, 5}, bv{1, 0, 5};
  const double two = std::log2(q(fast, 2)) + std::log2(q(fast, 3)), one = std::log2(q(fast, 4));
  EXPECT_NEAR(log2_of_digit(fast, pairs, 5, 1), two + 1, kClose);
  EXPECT_NEAR(log2_of_digit(exact, pairs, 5, 1), two - 1, kClose);
  EXPECT_NEAR(log2_of_digit(fast, pairs, 5, 2), one, kClose);
  EXPECT_NEAR(log2_of_digit(exact, pairs, 5, 2), one - 1, kClose);
  EXPECT_NEAR(log2_of_digit(fast, pairs, 3, 1), std::log2(q(fast, 2)), kClose);
  EXPECT_NEAR(log2_of_digit(fast, bv, 5, 4), one - 1, kClose);
}

TEST(NoiseGrowthTest, secrets_have_the_least_of_their_bounds) {
  const auto norm = [](std::uint64_t degree, std::optional<std::size_t> weight) {
    return secret_norm(make_parameters(DigitLift::fast, weight, degree));
  };
  expect_just_above(1 / std::sin(M_PI / 32), norm(16, {}));
  expect_just_above(sampled(8192, std::sqrt(2.0 / 3)), norm(8192, {}));
  expect_just_above(3, norm(16, 3));
  expect_just_above(1 / std::sin(M_PI / 32), norm(16, 15));
  expect_just_above(64, norm(8192, 64));
  expect_just_above(sampled(8192, std::sqrt(1.0 / 4)), norm(8192, 2048));
}

TEST(NoiseGrowthTest, encryption_multiplies_both_errors_and_both_ternary_polynomials) {
  const double e = error_norm(8192), s = sampled(8192, std::sqrt(2.0 / 3));
  const Parameters uniform = make_parameters(DigitLift::fast, {}, 8192),
                   sparse = make_parameters(DigitLift::fast, 64, 8192);
  expect_just_above(kTau * e, encryption_error(uniform, false));
  expect_just_above(kTau * (e * s + e + s * e), encryption_error(uniform));
  expect_just_above(kTau * (e * s + e + 64 * e), encryption_error(sparse));
}

TEST(NoiseGrowthTest, bv_sums_the_errors_of_centred_digits) {
  const Parameters parameters = make_parameters(DigitLift::fast);
  double digits = 0;
  for (std::size_t i = 0; i < 3; ++i) digits += q(parameters, i) / 2;
  expect_just_above(kWorst * digits * kTau * error_norm(kDegree),
                    key_switch_error(parameters, {1, 0, 5}, 3));
}

TEST(NoiseGrowthTest, hybrid_divides_by_p_and_rounds_two_parts) {
  for (const DigitLift lift : {DigitLift::fast, DigitLift::exact}) {
    const Parameters parameters = make_parameters(lift);
    const double factor = lift == DigitLift::fast ? 2 : 0.5,
                 last = lift == DigitLift::fast ? 1 : 0.5;
    const double digits = factor * q(parameters, 0) * q(parameters, 1) +
                          factor * q(parameters, 2) * q(parameters, 3) + last * q(parameters, 4);
    const double p = static_cast<double>(parameters.p()[0].value()) *
                     static_cast<double>(parameters.p()[1].value());
    expect_just_above(
        kWorst * digits * kTau * error_norm(kDegree) / p + kWorst * kTau * factor * (1 + kSecret),
        key_switch_error(parameters, {2, 2, 5}, 5));
  }
}

TEST(NoiseGrowthTest, mod_switch_rounds_every_part_to_half) {
  const Parameters full = make_parameters(DigitLift::fast),
                   sparse = make_parameters(DigitLift::fast, 3);
  expect_just_above(kWorst * kTau / 2 * (1 + kSecret), mod_switch_error(full, 2));
  expect_just_above(kWorst * kTau / 2 * (1 + kSecret + kSecret * kSecret),
                    mod_switch_error(full, 3));
  expect_just_above(kWorst * kTau / 2 * (1 + 3), mod_switch_error(sparse, 2));
}

TEST(NoiseGrowthTest, bounds_of_sums_products_and_quotients) {
  const Bounds a{NoiseBound::of(100), NoiseBound::of(3)}, b{NoiseBound::of(50), NoiseBound::of(2)};
  expect_just_above(150, sum_bounds(a, b).phase);
  expect_just_above(5, sum_bounds(a, b).error);
  expect_just_above(5000, product_bounds(a, b).phase);
  expect_just_above(100 * 2 + (50 + 2) * 3, product_bounds(a, b).error);
  expect_just_above(107, with_error(a, NoiseBound::of(7)).phase);
  expect_just_above(10, with_error(a, NoiseBound::of(7)).error);
  expect_just_above(100.0 / 7, quotient_bounds(a, 7).phase);
  expect_just_above(3.0 / 7, quotient_bounds(a, 7).error);
}

}  // namespace
}  // namespace heliodor::rlwe
