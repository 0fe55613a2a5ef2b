// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx512/pointwise.h"

#include "heliodor/targets/cpu/avx512/lanes.h"

namespace heliodor::cpu::avx512 {

void add_words(Word q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept {
  const Vec bound = broadcast(q);
  for (std::size_t i = 0; i < n; i += kLanes) {
    store(result + i, subtract_if_above_wide(add(load(a + i), load(b + i)), bound));
  }
}

// a - b wraps to a huge word when negative, and then a - b + q is the smaller of the two.
void sub_words(Word q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept {
  const Vec bound = broadcast(q);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec difference = sub(load(a + i), load(b + i));
    store(result + i, _mm512_min_epu64(difference, add(difference, bound)));
  }
}

void neg_words(Word q, const Word* a, Word* result, std::size_t n) noexcept {
  const Vec bound = broadcast(q);
  for (std::size_t i = 0; i < n; i += kLanes) {
    store(result + i, subtract_if_above_wide(sub(bound, load(a + i)), bound));
  }
}

void add_constant(Word q, const Word* a, Word c, Word* result, std::size_t n) noexcept {
  const Vec bound = broadcast(q), constant = broadcast(c);
  for (std::size_t i = 0; i < n; i += kLanes) {
    store(result + i, subtract_if_above_wide(add(load(a + i), constant), bound));
  }
}

// Barrett on z = a*b < 2^(2*bits): floor(floor(z/2^(bits-1)) * mu / 2^52) falls short of z/q by
// less than mu/2^52 + (z/2^(bits-1))/2^52 + 1 < 2.5, so the remainder is below 3q < 2^52.
void mul_words(Word q, unsigned bits, Word mu, const Word* a, const Word* b, Word* result,
               std::size_t n) noexcept {
  const Constants c(q, kWordModulus / q);
  const Vec reciprocal = broadcast(mu);
  const Vec left = broadcast(53 - bits), right = broadcast(bits - 1);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec x = load(a + i), y = load(b + i);
    prefetch(a + i + kPrefetchWords);
    prefetch(b + i + kPrefetchWords);
    const Vec low = mul_low(c.zero, x, y), high = mul_high(c.zero, x, y);
    const Vec top = _mm512_or_si512(_mm512_sllv_epi64(high, left), _mm512_srlv_epi64(low, right));
    const Vec estimate = mul_high(c.zero, top, reciprocal);
    const Vec remainder = low_52(mul_low(low, estimate, c.negative_q));
    store(result + i, subtract_if_above(subtract_if_above(remainder, c.two_q), c.q));
  }
}

void mul_constant(Word q, const Word* a, Word c, Word c_shoup, Word* result,
                  std::size_t n) noexcept {
  const Constants constants(q, kWordModulus / q);
  const Vec w = broadcast(c), w_shoup = broadcast(c_shoup);
  for (std::size_t i = 0; i < n; i += kLanes) {
    store(result + i,
          subtract_if_above(low_52(mul_shoup(load(a + i), w, w_shoup, constants)), constants.q));
  }
}

// The difference is raised by q: in (0, 2q), below 2^51.
void mul_difference(Word q, const Word* a, const Word* b, Word c, Word c_shoup, Word* result,
                    std::size_t n) noexcept {
  const Constants constants(q, kWordModulus / q);
  const Vec w = broadcast(c), w_shoup = broadcast(c_shoup);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec difference = add(sub(load(a + i), load(b + i)), constants.q);
    const Vec product = mul_shoup(difference, w, w_shoup, constants);
    store(result + i, subtract_if_above(low_52(product), constants.q));
  }
}

// half - a is negative, with its upper bits set, exactly where the word stands for a - source: its
// sign selects the shift.
void lift_words(const Lift52& lift, const Word* a, Word* result, std::size_t n) noexcept {
  const Constants c(lift.q, kWordModulus / lift.q);
  const Vec half = broadcast(lift.half), shift = broadcast(lift.shift);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec x = load(a + i);
    const Vec negative = _mm512_and_si512(_mm512_srai_epi64(sub(half, x), 63), shift);
    store(result + i, subtract_if_above(add(canonical(x, c), negative), c.q));
  }
}

}  // namespace heliodor::cpu::avx512
