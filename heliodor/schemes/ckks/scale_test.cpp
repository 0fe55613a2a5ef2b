// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The oracle holds scales as fractions of GMP integers.

#include "heliodor/schemes/ckks/scale.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "heliodor/schemes/ckks/internal/testing.h"

namespace heliodor::ckks {
namespace {

using testing::error_of;

mpz_class power(std::uint64_t base, unsigned exponent) {
  mpz_class result;
  mpz_ui_pow_ui(result.get_mpz_t(), base, exponent);
  return result;
}

mpq_class fraction(const Scale& scale) {
  mpq_class result = 1;
  for (const auto& [base, exponent] : scale.factors()) {
    const auto e = static_cast<int>(exponent);
    const mpq_class factor = power(base, static_cast<unsigned>(std::abs(e)));
    if (e > 0) {
      result *= factor;
    } else {
      result /= factor;
    }
  }
  return result;
}

// |a/b - 1|, without leaving the range of doubles.
double relative_distance(const mpq_class& a, const mpq_class& b) {
  return std::abs(mpq_class(a / b - 1).get_d());
}

constexpr std::uint64_t kPrime = 1125899906826241, kOther = 1125899906949121;

TEST(ScaleTest, doubles_are_taken_exactly) {
  for (const double value : {1.0, 0x1p40, 3.0, 0x1p-1074, 1e300, 0.1, 1099511480321.0}) {
    EXPECT_EQ(fraction(Scale(value)), mpq_class(value));
    EXPECT_EQ(Scale(value).value(), value);
  }
}

TEST(ScaleTest, what_is_no_positive_number_is_refused) {
  for (const double value : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(error_of([&] { Scale{value}; }), ErrorCode::out_of_range);
  }
  EXPECT_EQ(error_of([] { Scale::of_integer(0); }), ErrorCode::out_of_range);
}

TEST(ScaleTest, random_products_and_quotients_equal_fractions) {
  std::mt19937_64 random(1);
  // Small composite integers meet common factors all the time.
  const auto draw = [&] { return Scale::of_integer(1 + random() % 60); };
  for (int trial = 0; trial < 300; ++trial) {
    Scale a, b;
    for (int i = 0; i < 6; ++i) {
      a = random() % 2 ? a * draw() : a / draw();
      b = random() % 2 ? b * draw() : b / draw();
    }
    EXPECT_EQ(fraction(a * b), fraction(a) * fraction(b));
    EXPECT_EQ(fraction(a / b), fraction(a) / fraction(b));
    EXPECT_EQ(a == b, fraction(a) == fraction(b));
    EXPECT_EQ(a * b / b, a);
    EXPECT_EQ(Scale(), b / b);
  }
}

TEST(ScaleTest, equality_sees_through_composite_bases) {
  EXPECT_EQ(Scale::of_integer(15), Scale::of_integer(3) * Scale::of_integer(5));
  EXPECT_EQ(Scale::of_integer(12) * Scale::of_integer(18), Scale::of_integer(216));
  EXPECT_NE(Scale::of_integer(kPrime), Scale::of_integer(kOther));
  const std::uint64_t square = 2147483647ULL * 2147483647ULL;
  EXPECT_EQ(Scale::of_integer(square) / Scale::of_integer(2147483647),
            Scale::of_integer(2147483647));
}

TEST(ScaleTest, bases_stay_pairwise_coprime_and_ascending) {
  const Scale scale = Scale::of_integer(30) * Scale::of_integer(42) / Scale::of_integer(70);
  const auto& factors = scale.factors();
  for (std::size_t i = 0; i < factors.size(); ++i) {
    EXPECT_NE(factors[i].exponent, 0);
    for (std::size_t k = i + 1; k < factors.size(); ++k) {
      EXPECT_LT(factors[i].base, factors[k].base);
      EXPECT_EQ(std::gcd(factors[i].base, factors[k].base), 1U);
    }
  }
}

TEST(ScaleTest, a_difference_below_the_precision_of_doubles_is_a_difference) {
  // (p * r) / (p' * r') with products that agree in 53 bits and more.
  const Scale a = Scale::of_integer((std::uint64_t{1} << 59) + 1);
  const Scale b = Scale::of_integer((std::uint64_t{1} << 59) + 3);
  EXPECT_EQ(a.value(), b.value());
  EXPECT_NE(a, b);
}

TEST(ScaleTest, values_are_within_two_units_even_when_exponents_cancel) {
  // S -> S^2 / q doubles the exponents; the value stays near 2^50.
  Scale scale = Scale::power_of_two(50);
  mpq_class exact = fraction(scale);
  for (int level = 0; level < 12; ++level) {
    const std::uint64_t q = level % 2 ? kPrime : kOther;
    scale = scale * scale / Scale::of_integer(q);
    exact = exact * exact / mpq_class(mpz_class(std::to_string(q)));
    EXPECT_LE(relative_distance(mpq_class(scale.value()), exact), 0x1p-52);
    EXPECT_EQ(fraction(scale), exact);
    const double log2 = std::log2(exact.get_d());
    EXPECT_LT(std::abs(scale.log2() - log2), 0x1p-44);
  }
}

// The oracle squares and divides in 2000-bit floats. Dropped moduli near S^2 / 2^50 keep S near
// 2^50 while its exponents grow to 100 bits.
TEST(ScaleTest, a_hundred_levels_keep_their_value) {
  constexpr mp_bitcnt_t precision = 2000;
  Scale scale = Scale::power_of_two(50);
  mpf_class oracle(0x1p50, precision);
  for (int level = 0; level < 100; ++level) {
    const auto modulus = static_cast<std::uint64_t>(scale.value() * (scale.value() * 0x1p-50)) + 3;
    scale = scale * scale / Scale::of_integer(modulus);
    oracle = oracle * oracle / mpf_class(std::to_string(modulus), precision);
    const mpf_class relative = mpf_class(scale.value(), precision) / oracle - 1;
    ASSERT_LE(std::abs(relative.get_d()), 0x1p-52) << "level " << level;
  }
}

TEST(ScaleTest, a_hundred_levels_keep_equality) {
  // With q = S the scale is a fixed point.
  Scale scale = Scale::of_integer(kPrime);
  for (int level = 0; level < 100; ++level) scale = scale * scale / Scale::of_integer(kPrime);
  EXPECT_EQ(scale, Scale::of_integer(kPrime));
  EXPECT_EQ(scale.value(), static_cast<double>(kPrime));
}

TEST(ScaleTest, values_outside_the_range_of_doubles_keep_their_logarithm) {
  EXPECT_EQ(Scale::power_of_two(5000).value(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Scale::power_of_two(-5000).value(), 0);
  EXPECT_EQ(Scale::power_of_two(5000).log2(), 5000);
}

TEST(ScaleTest, exponents_that_do_not_fit_are_refused) {
  Scale scale = Scale::of_integer(3);
  EXPECT_EQ(error_of([&] {
              for (int i = 0; i < 130; ++i) scale = scale * scale;
            }),
            ErrorCode::out_of_range);
}

TEST(ScaleTest, text_is_the_exact_product) {
  EXPECT_EQ(Scale().to_string(), "1");
  EXPECT_EQ((Scale::power_of_two(80) / Scale::of_integer(kPrime)).to_string(),
            "2^80 * 1125899906826241^-1");
  EXPECT_EQ(Scale::of_integer(7).to_string(), "7");
}

}  // namespace
}  // namespace heliodor::ckks
