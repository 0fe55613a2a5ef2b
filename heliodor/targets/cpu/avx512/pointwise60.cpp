// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx512/pointwise60.h"

#include "heliodor/targets/cpu/avx512/lanes.h"
#include "heliodor/targets/cpu/avx512/wide.h"

namespace heliodor::cpu::avx512 {
namespace {

// The canonical residue of x below 4q.
HELIODOR_LANES Vec below_4q_to_canonical(Vec x, Vec two_q, Vec q) {
  return subtract_if_above_wide(subtract_if_above_wide(x, two_q), q);
}

}  // namespace

// Barrett on z = a*b = high*2^64 + middle*2^32 + .. < 2^(2*bits): with top = floor(z/2^(bits-2)) <
// 2^62 and mu <= 2^62 the product top*mu/2^63 falls short of z/q by less than mu/2^63 + top/2^63 <=
// 1, and its estimate in halves by less than 3 more, so the remainder is below 4q.
void mul_words60(Word q, unsigned bits, Word mu, const Word* a, const Word* b, Word* result,
                 std::size_t n) noexcept {
  const Vec modulus = broadcast(q), two_q = broadcast(2 * q), reciprocal = broadcast(mu);
  const Vec left = broadcast(66 - bits), right = broadcast(bits - 34);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec x = load(a + i), y = load(b + i);
    const Vec x1 = high_half(x), y1 = high_half(y);
    const Vec low = _mm512_mul_epu32(x, y), high = _mm512_mul_epu32(x1, y1);
    const Vec cross = add(_mm512_mul_epu32(x1, y), _mm512_mul_epu32(x, y1));
    const Vec middle = add(cross, _mm512_srli_epi64(low, 32));
    const Vec top = add(_mm512_sllv_epi64(high, left), _mm512_srlv_epi64(middle, right));
    const Vec product = add(low, _mm512_slli_epi64(cross, 32));
    const Vec remainder = sub(product, _mm512_mullo_epi64(estimate_63(top, reciprocal), modulus));
    store(result + i, below_4q_to_canonical(remainder, two_q, modulus));
  }
}

void mul_constant60(Word q, const Word* a, Word c, Word companion, Word* result,
                    std::size_t n) noexcept {
  const Vec modulus = broadcast(q), two_q = broadcast(2 * q);
  const Vec w = broadcast(c), w_companion = broadcast(companion);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec product = mul_shoup_63(load(a + i), w, w_companion, modulus);
    store(result + i, below_4q_to_canonical(product, two_q, modulus));
  }
}

// The difference is raised by q: in (0, 2q), below 2^61.
void mul_difference60(Word q, const Word* a, const Word* b, Word c, Word companion, Word* result,
                      std::size_t n) noexcept {
  const Vec modulus = broadcast(q), two_q = broadcast(2 * q);
  const Vec w = broadcast(c), w_companion = broadcast(companion);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec difference = add(sub(load(a + i), load(b + i)), modulus);
    const Vec product = mul_shoup_63(difference, w, w_companion, modulus);
    store(result + i, below_4q_to_canonical(product, two_q, modulus));
  }
}

// 1 is a factor like any other: a - floor(a/q)*q with its companion floor(2^63/q) is below 4q. The
// sign of half - a selects the shift.
void lift_words60(const Lift60& lift, const Word* a, Word* result, std::size_t n) noexcept {
  const Vec q = broadcast(lift.q), two_q = broadcast(2 * lift.q);
  const Vec inverse = broadcast(lift.inverse);
  const Vec half = broadcast(lift.half), shift = broadcast(lift.shift);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec x = load(a + i);
    const Vec negative = _mm512_and_si512(_mm512_srai_epi64(sub(half, x), 63), shift);
    const Vec remainder = sub(x, _mm512_mullo_epi64(estimate_63(x, inverse), q));
    const Vec residue = below_4q_to_canonical(remainder, two_q, q);
    store(result + i, subtract_if_above_wide(add(residue, negative), q));
  }
}

}  // namespace heliodor::cpu::avx512
