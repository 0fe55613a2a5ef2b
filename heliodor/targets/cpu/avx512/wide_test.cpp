// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The ranges of the 60-bit transforms (wide.h, ntt60_forward.cpp, ntt60_inverse.cpp), emulated in
// 64-bit words and compared with exact integers, on words and factors that drive products and
// butterflies to their bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/ring/modulus.h"
#include "heliodor/ring/primes.h"

namespace heliodor::cpu::avx512 {
namespace {

using ring::Uint128;
using Word = std::uint64_t;

constexpr Word kLowHalf = 0xffffffff;

/// The largest and the smallest prime of each size from 51 to 60 bits.
std::vector<Word> primes() {
  std::vector<Word> list;
  for (unsigned bits = 51; bits <= 60; ++bits) {
    list.push_back(ring::generate_primes(bits, 64, 1)[0]);
    Word q = (Word{1} << (bits - 1)) + 1;
    while (!ring::is_prime(q)) q += 128;
    list.push_back(q);
  }
  return list;
}

/// A factor with the companion of wide.h, multiplied as eight lanes do.
class Factor {
 public:
  Factor(Word q, Word w) : q_(q), w_(w), companion_(static_cast<Word>((Uint128{w} << 63) / q)) {}

  Word companion() const { return companion_; }

  /// The 64-bit word that comes out for y*w mod q; counts what the lanes would lose.
  Word product(Word y) const {
    const Word y1 = y >> 32, y0 = y & kLowHalf, w1 = companion_ >> 32, w0 = companion_ & kLowHalf;
    const Uint128 cross = Uint128{y1} * w0 + Uint128{y0} * w1;
    EXPECT_EQ(cross >> 64, Uint128{0}) << "the cross sum wraps";
    const Word estimate = 2 * (y1 * w1) + (static_cast<Word>(cross) >> 31);
    return y * w_ - estimate * q_;
  }

  /// What the proof says of it: congruent to y*w, and below (3 + y/2^63)*q.
  bool is_in_range(Word y) const {
    const Word t = product(y);
    const Word residue = static_cast<Word>(Uint128{y} * w_ % q_);
    const Uint128 whole = t / q_, part = t % q_;  // t < (3 + y/2^63)q exactly, without overflow
    return part == residue && (whole < 3 || (whole == 3 && (part << 63) < Uint128{y} * q_));
  }

 private:
  Word q_, w_, companion_;
};

/// Ends of the range, and factors whose companions lose almost a whole unit or end in many ones.
std::vector<Factor> worst_factors(Word q) {
  std::vector<Factor> factors;
  for (const Word w : {Word{0}, Word{1}, q / 2, q - 2, q - 1}) factors.emplace_back(q, w);
  const ring::Modulus modulus(q, 64);
  const Word inverse = modulus.inverse(static_cast<Word>((Uint128{1} << 63) % q));
  for (Word loss = 1; loss <= 24; ++loss)  // w * 2^63 = q - loss modulo q
    factors.emplace_back(q, modulus.mul(q - loss, inverse));
  base::RandomStream random(base::TestSeed(q), "wide test");
  std::vector<Factor> sampled;
  for (int i = 0; i < 4096; ++i) sampled.emplace_back(q, random.below(q));
  const auto low_half = [](const Factor& factor) { return factor.companion() & kLowHalf; };
  std::ranges::partial_sort(sampled, sampled.begin() + 24, std::greater<>(), low_half);
  factors.insert(factors.end(), sampled.begin(), sampled.begin() + 24);
  return factors;
}

/// Words below `bound`: its ends, and words near it whose low halves are all ones.
std::vector<Word> worst_words(Word bound) {
  std::vector<Word> words = {0, 1, bound / 2, bound - 2, bound - 1};
  for (Word k = 0; k < 48; ++k) {
    const Word top = (bound >> 32) * (48 - k) / 48;
    if (top > 0) words.push_back(((top - 1) << 32) | kLowHalf);
    if (top > k) words.push_back(((top - 1 - k) << 32) | (kLowHalf - k));
    words.push_back(bound - 1 - k * 0x1234567);
  }
  std::erase_if(words, [&](Word word) { return word >= bound; });
  return words;
}

Word subtract_if_above(Word x, Word bound) { return std::min(x - bound, x); }

/// The residue that three conditional subtractions leave of x < 8q.
Word leave(Word x, Word q) {
  return subtract_if_above(subtract_if_above(subtract_if_above(x, 4 * q), 2 * q), q);
}

TEST(WideTest, product_is_congruent_and_below_its_bound_for_every_word_below_2_to_the_63) {
  for (const Word q : primes()) {
    for (const Factor& factor : worst_factors(q)) {
      for (const Word bound : {q, 4 * q, 8 * q, Word{1} << 63}) {
        for (const Word y : worst_words(bound)) ASSERT_TRUE(factor.is_in_range(y)) << q << ' ' << y;
      }
    }
  }
}

// The bound 4q is needed: with 3q the butterflies below would not be safe.
TEST(WideTest, product_reaches_beyond_3q) {
  const Word q = primes()[18];  // just below 2^60
  ASSERT_EQ(q >> 59, 1u);
  Word largest = 0;
  for (const Factor& factor : worst_factors(q)) {
    for (const Word y : worst_words(8 * q)) largest = std::max(largest, factor.product(y));
  }
  EXPECT_GT(largest, 3 * q);
  EXPECT_LT(largest, 4 * q);
}

TEST(WideTest, eight_times_the_largest_modulus_stays_below_2_to_the_63) {
  for (const Word q : primes()) EXPECT_LE(Uint128{8} * q, Uint128{1} << 63);
}

// u in [0, 8q) is reduced to [0, 4q); with T in [0, 4q), u + T and u + 4q - T are in [0, 8q).
TEST(WideTest, forward_butterflies_keep_their_words_below_8q) {
  for (const Word q : primes()) {
    for (const Factor& factor : worst_factors(q)) {
      for (const Word y : worst_words(8 * q)) {
        const Word t = factor.product(y);
        for (const Word u : {Word{0}, q, 4 * q - 1, 4 * q, 8 * q - 1}) {
          const Word reduced = subtract_if_above(u, 4 * q);
          ASSERT_LT(reduced, 4 * q);
          const Word sum = reduced + t, difference = reduced + (4 * q - t);
          ASSERT_LT(sum, 8 * q);
          ASSERT_LT(difference, 8 * q);
          ASSERT_EQ(leave(sum, q), (u % q + t % q) % q);
          ASSERT_EQ(leave(difference, q), (u % q + q - t % q) % q);
        }
      }
    }
  }
}

// u, v in [0, 4q): the raised difference is in (0, 8q), the reduced sum and the product in [0, 4q).
TEST(WideTest, inverse_butterflies_keep_their_words_below_4q) {
  for (const Word q : primes()) {
    const std::vector<Word> ends = {0, 1, q - 1, 2 * q, 4 * q - 1};
    for (const Factor& factor : worst_factors(q)) {
      for (const Word u : worst_words(4 * q)) {
        for (const Word v : ends) {
          const Word difference = u - v + 4 * q;
          ASSERT_GT(difference, 0u);
          ASSERT_LT(difference, 8 * q);
          ASSERT_TRUE(factor.is_in_range(difference));
          ASSERT_LT(factor.product(difference), 4 * q);
          const Word sum = subtract_if_above(u + v, 4 * q);
          ASSERT_LT(sum, 4 * q);
          ASSERT_EQ(sum % q, (u % q + v % q) % q);
        }
      }
    }
  }
}

// The scale of the last stage multiplies sums that are still below 4q.
TEST(WideTest, two_conditional_subtractions_make_a_product_canonical) {
  for (const Word q : primes()) {
    for (const Factor& factor : worst_factors(q)) {
      for (const Word x : worst_words(4 * q)) {
        const Word t = factor.product(x);
        ASSERT_EQ(subtract_if_above(subtract_if_above(t, 2 * q), q), t % q);
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::cpu::avx512
