// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/schemes/ckks/parameters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heliodor/schemes/ckks/internal/testing.h"

namespace heliodor::ckks {
namespace {

using testing::error_of;

TEST(ParametersTest, every_level_has_the_square_of_the_last_scale_by_the_dropped_modulus) {
  const Parameters parameters = Parameters::for_depth({.depth = 5});
  EXPECT_EQ(parameters.depth(), 5U);
  EXPECT_EQ(parameters.scale(parameters.limb_count()), Scale::power_of_two(45));
  for (std::size_t l = parameters.limb_count(); l > parameters.base_limbs(); --l) {
    EXPECT_EQ(parameters.scale(l) * parameters.scale(l),
              parameters.scale(l - 1) * Scale::of_integer(parameters.rlwe().q()[l - 1].value()));
  }
}

TEST(ParametersTest, scales_stay_near_the_wanted_one_at_every_depth) {
  for (const unsigned scale_bits : {40U, 45U, 47U}) {
    const Parameters parameters = Parameters::for_depth({.depth = 26,
                                                         .scale_bits = scale_bits,
                                                         .security = rlwe::SecurityLevel::none,
                                                         .degree = 65536});
    for (std::size_t l = parameters.base_limbs(); l <= parameters.limb_count(); ++l)
      EXPECT_LT(std::abs(parameters.scale(l).log2() - scale_bits), 0x1p-10) << l;
  }
}

TEST(ParametersTest, limbs_fit_the_fast_kernels_and_the_base_holds_the_integer_part) {
  for (const unsigned scale_bits : {30U, 40U, 47U}) {
    for (const unsigned integer_bits : {0U, 6U, 20U}) {
      const Parameters parameters = Parameters::for_depth(
          {.depth = 4, .scale_bits = scale_bits, .integer_bits = integer_bits});
      for (const ring::Modulus& q : parameters.rlwe().q().moduli())
        EXPECT_LT(q.value(), std::uint64_t{1} << 48);
      const std::size_t base = parameters.base_limbs();
      EXPECT_LE(base, 2U);
      EXPECT_GT(parameters.rlwe().q().prefix(base).log2(), scale_bits + integer_bits);
      EXPECT_GE(parameters.rlwe().security(), rlwe::SecurityLevel::bits128);
    }
  }
}

TEST(ParametersTest, special_primes_cover_every_digit) {
  const Parameters parameters = Parameters::for_depth({.depth = 26,
                                                       .scale_bits = 47,
                                                       .integer_bits = 0,
                                                       .security = rlwe::SecurityLevel::none,
                                                       .degree = 65536});
  const rlwe::Gadget& gadget = parameters.rlwe().gadgets()[0];
  double p = 0, largest = 0;
  for (std::size_t i = 0; i < gadget.special_count; ++i)
    p += std::log2(static_cast<double>(parameters.rlwe().p()[i].value()));
  const auto& q = parameters.rlwe().q();
  for (std::size_t first = 0; first < q.size(); first += gadget.digit_size) {
    double digit = 0;
    for (std::size_t i = first; i < std::min(first + gadget.digit_size, q.size()); ++i)
      digit += std::log2(static_cast<double>(q[i].value()));
    largest = std::max(largest, digit);
  }
  EXPECT_GE(p, largest);
}

TEST(ParametersTest, the_degree_is_the_smallest_that_is_secure) {
  const Parameters parameters = Parameters::for_depth({.depth = 3, .scale_bits = 40});
  const double limit = *rlwe::max_log_qp(rlwe::SecurityLevel::bits128, parameters.degree() / 2);
  EXPECT_GT(parameters.rlwe().log_qp(), limit);
  EXPECT_EQ(
      error_of([&] {
        Parameters::for_depth({.depth = 3, .scale_bits = 40, .degree = parameters.degree() / 2});
      }),
      ErrorCode::insecure);
}

TEST(ParametersTest, requirements_outside_their_ranges_are_refused) {
  const auto refusal = [](const Requirements& r) {
    return error_of([&] { Parameters::for_depth(r); });
  };
  EXPECT_EQ(refusal({.depth = 1, .scale_bits = 19}), ErrorCode::out_of_range);
  EXPECT_EQ(refusal({.depth = 1, .scale_bits = 48}), ErrorCode::out_of_range);
  EXPECT_EQ(refusal({.depth = 1, .integer_bits = 41}), ErrorCode::out_of_range);
  EXPECT_EQ(refusal({.depth = 101}), ErrorCode::out_of_range);
  EXPECT_EQ(refusal({.depth = 90}), ErrorCode::out_of_range);  // no degree is secure
  EXPECT_EQ(refusal({.depth = 1, .value_bound = 0}), ErrorCode::out_of_range);
}

TEST(ParametersTest, explicit_moduli_take_any_scale) {
  rlwe::Parameters::Description description = rlwe::choose_moduli({1024, {50, 40, 40}, 3, 1});
  description.security = rlwe::SecurityLevel::none;
  const Parameters parameters(description, Scale(1000.5), 2);
  EXPECT_EQ(parameters.depth(), 1U);
  EXPECT_EQ(parameters.scale(3), Scale(1000.5));
  EXPECT_EQ(parameters.scale(2) * Scale::of_integer(description.q[2].value()),
            Scale(1000.5) * Scale(1000.5));
  EXPECT_EQ(error_of([&] { parameters.scale(1); }), ErrorCode::out_of_range);
  EXPECT_EQ(error_of([&] { parameters.scale(4); }), ErrorCode::out_of_range);
  EXPECT_EQ(error_of([&] { Parameters(description, Scale(), 4); }), ErrorCode::out_of_range);
  EXPECT_EQ(error_of([&] { Parameters(description, Scale(), 0); }), ErrorCode::out_of_range);
  description.error_scale = 257;
  EXPECT_EQ(error_of([&] { Parameters(description, Scale()); }), ErrorCode::out_of_range);
}

}  // namespace
}  // namespace heliodor::ckks
