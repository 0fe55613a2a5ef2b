// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The accumulators of sums in 30-bit halves (dot60.cpp of both instruction sets), filled with the
// largest terms on top of the largest folded word, in exact integers.
#include <gtest/gtest.h>

#include <algorithm>

#include "heliodor/ring/primes.h"
#include "heliodor/targets/cpu/kernel_modulus.h"

namespace heliodor::cpu {
namespace {

using ring::Uint128;

constexpr unsigned kHalfBits = 30;
constexpr Word kHalfMask = (Word{1} << kHalfBits) - 1;
constexpr Word kLargestFolded = (Word{1} << 63) - 1;

struct Sums {
  Uint128 low, middle, high;  // after `terms` products, before carrying
};

/// The largest that each accumulator can reach: halves at most kHalfMask, upper ones at most those
/// of the largest words.
Sums largest_sums(Word x, Word y, std::size_t terms) {
  const Word x1 = x >> kHalfBits, y1 = y >> kHalfBits;
  const Word x0 = std::min(x, kHalfMask), y0 = std::min(y, kHalfMask);
  Sums sums{kHalfMask, kLargestFolded >> kHalfBits, 0};
  sums.low += Uint128{terms} * x0 * y0;
  sums.middle += Uint128{terms} * (Uint128{x1} * y0 + Uint128{x0} * y1);
  sums.high += Uint128{terms} * x1 * y1;
  return sums;
}

bool fits(const Sums& sums) {
  const Uint128 middle = sums.middle + (sums.low >> kHalfBits);
  return (sums.low | middle) >> 64 == 0;
}

/// The part from 2^60 on of the exact largest sum.
Uint128 high_part(Word x, Word y, std::size_t terms) {
  return (Uint128{x} * y * terms + kLargestFolded) >> (2 * kHalfBits);
}

TEST(Dot60Test, accumulators_hold_the_stated_terms_for_every_size_of_words_and_moduli) {
  for (unsigned bits = 20; bits <= 60; ++bits) {
    const KernelModulus q(ring::Modulus(ring::generate_primes(bits, 64, 1)[0], 64));
    for (unsigned source_bits = 2; source_bits <= 60; ++source_bits) {
      const Word bound = Word{1} << source_bits;
      const std::size_t terms = q.terms_60(bound);
      ASSERT_GE(terms, 8u);
      const Word x = bound - 1, y = q.value() - 1;
      EXPECT_TRUE(fits(largest_sums(x, y, terms))) << bits << ' ' << source_bits;
      EXPECT_LT(high_part(x, y, terms), Uint128{1} << 63) << bits << ' ' << source_bits;
    }
  }
}

TEST(Dot60Test, one_term_more_would_overflow_for_words_of_60_bits) {
  const KernelModulus q(ring::Modulus(ring::generate_primes(60, 64, 1)[0], 64));
  const Word x = (Word{1} << 60) - 1, y = q.value() - 1;
  EXPECT_EQ(q.terms_60(x + 1), 8u);
  EXPECT_FALSE(fits(largest_sums(x, y, 9)));
  EXPECT_GE(high_part(x, y, 9), Uint128{1} << 63);
}

// high*(2^60 mod q) lazily below 4q, and low below 2^60.
TEST(Dot60Test, folded_sums_stay_below_2_to_the_63) {
  for (unsigned bits = 20; bits <= 60; ++bits) {
    const Word q = ring::generate_primes(bits, 64, 1)[0];
    EXPECT_LE(Uint128{4} * q + (Uint128{1} << 60), Uint128{kLargestFolded} + 1);
  }
}

}  // namespace
}  // namespace heliodor::cpu
