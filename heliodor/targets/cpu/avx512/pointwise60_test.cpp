// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The products of two residues from 32-bit halves (mul_words60 of both instruction sets), emulated
// in 64-bit words and compared with exact integers, on products just below multiples of the
// modulus.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "heliodor/ring/primes.h"
#include "heliodor/targets/cpu/internal/kernel_inputs.h"
#include "heliodor/targets/cpu/kernel_modulus.h"

namespace heliodor::cpu {
namespace {

using ring::Uint128;

constexpr Word kLowHalf = 0xffffffff;

/// What the lanes compute before the conditional subtractions; checks that nothing overflows.
Word remainder(const KernelModulus& q, Word x, Word y) {
  const Word x1 = x >> 32, y1 = y >> 32, x0 = x & kLowHalf, y0 = y & kLowHalf;
  const Uint128 middle = Uint128{x1} * y0 + Uint128{x0} * y1 + ((x0 * y0) >> 32);
  EXPECT_LT(middle, Uint128{1} << 62);
  const Uint128 top = (Uint128{x1 * y1} << (66 - q.bits())) + (middle >> (q.bits() - 34));
  EXPECT_EQ(top, (Uint128{x} * y) >> (q.bits() - 2));
  EXPECT_LT(top, Uint128{1} << 62);
  const Word mu = q.product_inverse_63();
  const auto t = static_cast<Word>(top);
  const Word t1 = t >> 32, t0 = t & kLowHalf, m1 = mu >> 32, m0 = mu & kLowHalf;
  const Uint128 cross = Uint128{t1} * m0 + Uint128{t0} * m1;
  EXPECT_EQ(cross >> 64, Uint128{0});
  const Word estimate = 2 * (t1 * m1) + (static_cast<Word>(cross) >> 31);
  return x * y - estimate * q.value();
}

/// Pairs of words: extremes, pairs with a product just below a multiple of q, and pairs whose
/// product divided by 2^(bits-2) ends in many ones, which loses most in the estimate.
std::vector<std::pair<Word, Word>> pairs(const KernelModulus& q) {
  base::RandomStream random(base::TestSeed(q.value()), "pointwise60 test");
  const Word top = q.value() - 1;
  std::vector<std::pair<Word, Word>> list = {{0, 0}, {top, top}, {top, 1}, {1, 1}};
  for (Word k = 0; k < 2000; ++k) {
    const Word x = k % 2 == 0 ? top - random.below(q.value() / 64) : 1 + random.below(top);
    list.emplace_back(x, q.modulus().mul(top - k % 5, q.modulus().inverse(x)));
    list.emplace_back(x, top - random.below(q.value() / 64));
    const Uint128 top_half = random.below(Word{1} << (q.bits() - 31));
    list.emplace_back(x, static_cast<Word>((((top_half + 1) << 32) << (q.bits() - 2)) / x));
  }
  std::erase_if(list, [&](const auto& pair) { return pair.second > top; });
  return list;
}

TEST(Pointwise60Test, remainder_is_congruent_and_below_4q) {
  for (unsigned bits = 51; bits <= 60; ++bits) {
    for (const ring::Modulus& modulus : internal::ends_of_size(bits, 4096)) {
      const KernelModulus q(modulus);
      for (const auto& [x, y] : pairs(q)) {
        const Word r = remainder(q, x, y);
        ASSERT_LT(r / 4, q.value()) << x << '*' << y;
        ASSERT_LT(r, 4 * q.value()) << x << '*' << y;
        ASSERT_EQ(r % q.value(), static_cast<Word>(Uint128{x} * y % q.value()));
      }
    }
  }
}

// Both conditional subtractions are needed: just above 2^59 the low half of the reciprocal is all
// ones, too.
TEST(Pointwise60Test, remainder_reaches_beyond_2q) {
  const KernelModulus q(internal::ends_of_size(60, 4096)[0]);
  Word largest = 0;
  for (const auto& [x, y] : pairs(q)) largest = std::max(largest, remainder(q, x, y));
  EXPECT_GT(largest, 2 * q.value());
}

TEST(Pointwise60Test, constants_are_the_stated_floors) {
  for (const ring::Modulus& modulus : internal::moduli_of_all_sizes(64)) {
    const KernelModulus q(modulus);
    const Uint128 value = q.value();
    EXPECT_EQ(q.inverse_63(), static_cast<Word>((Uint128{1} << 63) / value));
    EXPECT_EQ(q.product_inverse_63(), static_cast<Word>((Uint128{1} << (61 + q.bits())) / value));
    EXPECT_EQ(q.carry_60(), static_cast<Word>((Uint128{1} << 60) % value));
    EXPECT_EQ(q.carry_companion_60(), static_cast<Word>((Uint128{q.carry_60()} << 63) / value));
    EXPECT_EQ(q.quotient_reciprocal(), static_cast<Word>((Uint128{1} << (q.bits() + 48)) / value));
  }
}

}  // namespace
}  // namespace heliodor::cpu
