// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bfv/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/ring/primes.h"
#include "heliodor/rlwe/noise_growth.h"

namespace heliodor::bfv {
namespace {

constexpr std::uint64_t kDegree = 16;
// The worst norm of coefficients of 1, of a uniform ternary secret too at this degree.
const double kWorst = 1 / std::sin(M_PI / (2 * kDegree));

// Sizes at which long double holds every intermediate number.
Parameters small_parameters(std::uint64_t t, std::optional<std::size_t> weight = {}) {
  rlwe::Parameters::Description d;
  for (const std::uint64_t q : ring::generate_primes(20, kDegree, 2)) d.q.emplace_back(q, kDegree);
  d.gadgets = {{1, 0, 2}};
  d.secret_weight = weight;
  d.security = rlwe::SecurityLevel::none;
  return Parameters(d, t);
}

double value(rlwe::NoiseBound bound) { return std::exp2(bound.log2()); }

rlwe::NoiseBound of(double x) { return rlwe::NoiseBound::of(x); }

TEST(BfvNoiseTest, limit_is_q_over_2t_less_a_sliver) {
  for (const std::uint64_t t : {2U, 17U, 257U}) {
    const Parameters parameters = small_parameters(t);
    double q = 1;
    for (std::size_t l = 1; l <= 2; ++l) {
      q *= static_cast<double>(parameters.rlwe().q()[l - 1].value());
      const double limit = value(error_limit(parameters, l));
      EXPECT_LT(limit, q / (2.0 * static_cast<double>(t)));
      EXPECT_GT(limit, q / (2.0 * static_cast<double>(t)) * (1 - 0x1p-28));
    }
  }
}

// From the worst factors that the formula allows: u = +-(t*W/2)(1+S), both errors at their bounds.
TEST(BfvNoiseTest, product_error_is_at_least_the_sum_of_its_worst_terms_and_hardly_more) {
  for (const auto weight : {std::optional<std::size_t>(), std::optional<std::size_t>(5)}) {
    const Parameters parameters = small_parameters(17, weight);
    const double t = 17, s = weight ? 5 : kWorst;
    const double q = static_cast<double>(parameters.rlwe().q()[0].value()) *
                     static_cast<double>(parameters.rlwe().q()[1].value());
    for (const auto& [x, y] : {std::pair{1.0, 1.0}, {1000.0, 3.0}, {1e6, 1e6}}) {
      const double wrapped = t * kWorst / 2 * (1 + s);
      const double least = (wrapped + t / q * x) * y + (wrapped + t / q * y) * x + t / q * x * y +
                           kWorst / 2 * (1 + s + s * s);
      const double bound = value(product_error(parameters, 2, of(x), of(y)));
      EXPECT_GE(bound, least);
      EXPECT_LE(bound, least * (1 + 1e-9));
      EXPECT_EQ(product_error(parameters, 2, of(x), of(y)).log2(),
                product_error(parameters, 2, of(y), of(x)).log2());
    }
  }
}

TEST(BfvNoiseTest, a_ciphertext_at_the_limit_is_refused_and_one_below_it_is_not) {
  const Parameters parameters = small_parameters(17);
  rlwe::Ciphertext c{rlwe::LimbMatrix(2, 2, kDegree), {}};
  const rlwe::NoiseBound limit = error_limit(parameters, 2);
  c.bounds.error = limit * of(0.999);
  EXPECT_NO_THROW(check_error(parameters, c));
  c.bounds.error = limit;
  try {
    check_error(parameters, c);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::noise_overflow);
  }
}

TEST(BfvNoiseTest, fresh_ciphertexts_carry_encoding_and_encryption) {
  const Parameters parameters = small_parameters(17);
  EXPECT_GE(value(encoding_error(parameters)), kWorst / 2 * (1 - 1e-15));
  EXPECT_NEAR(value(encoding_error(parameters)), kWorst / 2, 1e-9);
  const double encryption = value(rlwe::encryption_error(parameters.rlwe()));
  EXPECT_NEAR(value(fresh_error(parameters)), encryption + kWorst / 2, 1e-6 * encryption);
}

TEST(BfvNoiseTest, a_limb_goes_when_its_rounding_is_no_more_than_the_error_and_never_the_last) {
  const Parameters parameters = small_parameters(17);
  const rlwe::NoiseBound rounding = rlwe::mod_switch_error(parameters.rlwe(), 2);
  const rlwe::NoiseBound border =
      rounding * of(static_cast<double>(parameters.rlwe().q()[1].value()));
  EXPECT_TRUE(drops_limb(parameters, 2, border * of(1.001)));
  EXPECT_FALSE(drops_limb(parameters, 2, border * of(0.999)));
  EXPECT_FALSE(drops_limb(parameters, 1, border * border));
  EXPECT_FALSE(drops_limb(parameters, 2, error_limit(parameters, 2)));  // one limb cannot hold it
  const rlwe::NoiseBound after = switched_error(parameters, 2, border, 2);
  EXPECT_NEAR(after.log2(), rounding.log2() + 1, 1e-9);  // as much again: one bit
}

TEST(BfvNoiseTest, depth_is_none_without_room_and_grows_with_q) {
  std::size_t last = 0;
  for (const unsigned bits : {20U, 30U, 40U, 50U, 60U}) {
    rlwe::Parameters::Description d;
    for (const std::uint64_t q : ring::generate_primes(bits, kDegree, 4))
      d.q.emplace_back(q, kDegree);
    d.gadgets = {{1, 0, 4}};
    d.security = rlwe::SecurityLevel::none;
    const Parameters parameters(d, 65537);
    const auto supported = supported_depth(parameters, 1, 100);
    ASSERT_TRUE(supported);
    const std::size_t depth = *supported;
    EXPECT_GE(depth, last);
    EXPECT_LE(supported_depth(parameters, 1000, 100), depth);
    EXPECT_EQ(supported_depth(parameters, 1, depth + 1), depth);
    last = depth;
  }
  EXPECT_GE(last, 3U);
  EXPECT_FALSE(supported_depth(small_parameters(std::uint64_t{1} << 40), 1, 3));
  EXPECT_FALSE(supported_depth(small_parameters(std::uint64_t{1} << 40), 1, 0));
}

TEST(BfvNoiseTest, budgets_go_down_to_the_last_depth_that_is_supported) {
  const Parameters parameters =
      Parameters::for_depth({.t = 257, .depth = 3, .security = rlwe::SecurityLevel::none});
  const auto budgets = noise_budgets(parameters, 1, 100);
  ASSERT_EQ(budgets.size(), *supported_depth(parameters, 1, 100) + 1);
  EXPECT_EQ(budgets.front().limb_count, parameters.rlwe().q().size());
  EXPECT_EQ(budgets.front().noise, fresh_error(parameters));
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    EXPECT_EQ(budgets[i].limit, error_limit(parameters, budgets[i].limb_count));
    EXPECT_GT(budgets[i].bits(), 0);
    if (i == 0) continue;
    EXPECT_LT(budgets[i].bits(), budgets[i - 1].bits());
    EXPECT_LE(budgets[i].limb_count, budgets[i - 1].limb_count);
  }
  EXPECT_EQ(noise_budgets(parameters, 1, 1).size(), 2U);
}

}  // namespace
}  // namespace heliodor::bfv
