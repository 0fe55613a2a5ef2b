// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The exactness and the ranges of arithmetic in double precision (real.h, ntt50.cpp, dot50.cpp),
// emulated lane by lane with std::fma and compared with exact integers, on operands that drive
// every step to its bound.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/ring/primes.h"

namespace heliodor::cpu::avx2 {
namespace {

__extension__ using Int128 = __int128;
using Int = std::int64_t;

constexpr Int kLargestFactor = Int{1} << 52;

/// The largest and the smallest prime of each size from 20 to 50 bits.
std::vector<Int> primes() {
  std::vector<Int> list;
  for (unsigned bits = 20; bits <= 50; ++bits) {
    list.push_back(static_cast<Int>(ring::generate_primes(bits, 64, 1)[0]));
    std::uint64_t q = (std::uint64_t{1} << (bits - 1)) + 1;
    while (!ring::is_prime(q)) q += 128;
    list.push_back(static_cast<Int>(q));
  }
  return list;
}

/// Whether a double is this integer.
bool is(double x, Int128 integer) {
  return static_cast<Int128>(x) == integer && x == std::trunc(x);
}

double nearest_product(double x, double f) {
  const double offset = 0x1.8p52;
  return std::fma(x, f, offset) - offset;
}

/// x*w - b*q by the steps of real.h; checks that each is exact.
double product_less(Int x, Int w, Int q, double b) {
  const double h = static_cast<double>(x) * static_cast<double>(w);
  const double l = std::fma(static_cast<double>(x), static_cast<double>(w), -h);
  EXPECT_TRUE(is(l, Int128{x} * w - static_cast<Int128>(h)));
  const double c = std::fma(-b, static_cast<double>(q), h);
  EXPECT_TRUE(is(c, static_cast<Int128>(h) - static_cast<Int128>(b) * q));
  const double r = c + l;
  EXPECT_TRUE(is(r, Int128{x} * w - static_cast<Int128>(b) * q)) << x << '*' << w << " mod " << q;
  return r;
}

/// Factors within q/2 of zero: ends, random ones, and those with w/q near a tie of the quotient.
std::vector<Int> factors(Int q, base::RandomStream& random) {
  std::vector<Int> list = {0, 1, -1, q / 2, -(q / 2), q / 2 - 1, q / 3, -(q / 3)};
  for (int i = 0; i < 24; ++i)
    list.push_back(static_cast<Int>(random.below(static_cast<std::uint64_t>(q))) - q / 2);
  return list;
}

/// Integers up to `bound` in absolute value, most of them at its ends.
std::vector<Int> words(Int bound, base::RandomStream& random) {
  std::vector<Int> list = {0, 1, -1};
  for (Int k = 0; k < 24; ++k) {
    list.push_back(bound - k * 0x1357);
    list.push_back(k * 0x1357 - bound);
    list.push_back(static_cast<Int>(random.below(static_cast<std::uint64_t>(bound))) - bound / 2);
  }
  std::erase_if(list, [&](Int x) { return std::abs(x) > bound; });
  return list;
}

TEST(RealTest, products_are_exact_and_within_their_bound_up_to_the_largest_factor) {
  base::RandomStream random(base::TestSeed(1), "real test");
  for (const Int q : primes()) {
    for (const Int w : factors(q, random)) {
      const double f = static_cast<double>(w) / static_cast<double>(q);
      for (const Int bound : {q - 1, std::min(4 * q, kLargestFactor - 1), kLargestFactor - 1}) {
        for (const Int x : words(bound, random)) {
          const double b = nearest_product(static_cast<double>(x), f);
          ASSERT_LE(std::abs(b), 0x1p51);
          const double r = product_less(x, w, q, b);
          // |r| <= q/2 + |x|*q/2^54, doubled.
          const Int128 limit = q + (Int128{std::abs(x)} * q >> 53) + 2;
          ASSERT_LE(static_cast<Int128>(2 * std::abs(r)), limit) << x << '*' << w << " mod " << q;
        }
      }
    }
  }
}

TEST(RealTest, products_of_two_residues_are_exact_and_below_three_quarters_of_the_modulus) {
  base::RandomStream random(base::TestSeed(2), "real test");
  for (const Int q : primes()) {
    for (const Int x : words(q - 1, random)) {
      for (const Int y : words(q - 1, random)) {
        if (x < 0 || y < 0) continue;
        const double h = static_cast<double>(x) * static_cast<double>(y);
        const double b = nearest_product(h, 1 / static_cast<double>(q));
        ASSERT_LE(std::abs(product_less(x, y, q, b)), 0.75 * static_cast<double>(q));
      }
    }
  }
}

TEST(RealTest, reduction_is_exact_and_within_half_the_modulus_up_to_2_to_the_53) {
  base::RandomStream random(base::TestSeed(3), "real test");
  for (const Int q : primes()) {
    for (const Int x : words(2 * kLargestFactor, random)) {
      const double b = nearest_product(static_cast<double>(x), 1 / static_cast<double>(q));
      const double r = std::fma(-b, static_cast<double>(q), static_cast<double>(x));
      ASSERT_TRUE(is(r, Int128{x} - static_cast<Int128>(b) * q));
      ASSERT_LE(std::abs(r), static_cast<double>(q / 2 + 1));
    }
  }
}

/// The largest |y| after stages of forward butterflies, doubled so that halves are integers: a
/// stage adds q/2 + y*q/2^54. Checks that multiplicands and sums fit.
Int128 after_stages(Int128 q, Int128 u, Int128 y, unsigned stages) {
  for (unsigned s = 0; s < stages; ++s) {
    EXPECT_LE(y, Int128{2} * kLargestFactor) << "multiplicand";
    const Int128 r = q + (y * q >> 54) + 2;
    u += r;
    y = u;
    EXPECT_LE(y, Int128{4} * kLargestFactor) << "sum";
  }
  return y;
}

TEST(RealTest, forward_stages_never_leave_the_range_up_to_47_bits_without_reductions) {
  const Int q = static_cast<Int>(ring::generate_primes(47, 64, 1)[0]);
  EXPECT_LT(after_stages(q, 2 * q, 2 * q, 17), Int128{2} * 11 * q);
}

TEST(RealTest, forward_stages_never_leave_the_range_up_to_50_bits_with_reductions_at_each_pass) {
  const Int128 q = static_cast<Int>(ring::generate_primes(50, 64, 1)[0]);
  Int128 y = after_stages(q, 2 * q, 2 * q, 3);
  for (int pass = 0; pass < 6; ++pass) {
    y = after_stages(q, q + 2, y, 3);
    EXPECT_LT(y, 6 * q);
  }
  EXPECT_LT(after_stages(q, 2 * q, 2 * q, 2), 6 * q);
}

/// The accumulators of dot50.cpp for products below 2^p, filled with the largest terms and with
/// terms whose rests are largest: the two together are the exact sum.
TEST(RealTest, sums_are_exact_when_the_accumulators_are_full) {
  for (unsigned p = 40; p <= 102; ++p) {
    const unsigned k = p / 2 + 1;
    const std::size_t terms =
        std::min<std::size_t>(std::size_t{1} << std::min(52 + k - p, 54 - k), 4096);
    const unsigned y_bits = std::min(p / 2, 50u), x_bits = p - y_bits;
    const Int x_top = (Int{1} << x_bits) - 1, y_top = (Int{1} << y_bits) - 1;
    const double start = std::ldexp(1.0, static_cast<int>(52 + k));
    for (const Int step : {Int{0}, Int{1}, Int{12345}, y_top / 3}) {
      double high = start, low = 0;
      Int128 exact = 0;
      for (std::size_t i = 0; i < terms; ++i) {
        const Int y = std::max<Int>(y_top - static_cast<Int>(i % 7) * step, 0);
        const double next = std::fma(static_cast<double>(x_top), static_cast<double>(y), high);
        const double rest =
            std::fma(static_cast<double>(x_top), static_cast<double>(y), -(next - high));
        ASSERT_LE(std::abs(rest), std::ldexp(1.0, static_cast<int>(k) - 1));
        low += rest;
        high = next;
        exact += Int128{x_top} * y;
      }
      ASSERT_LE(high, 2 * start) << p;
      ASSERT_LE(std::abs(low), 0x1p53) << p;
      ASSERT_TRUE(static_cast<Int128>(high - start) + static_cast<Int128>(low) == exact) << p;
    }
  }
}

}  // namespace
}  // namespace heliodor::cpu::avx2
