// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx2/pointwise.h"
#include "heliodor/targets/cpu/avx2/wide.h"

namespace heliodor::cpu::avx2 {

// Barrett on z = a*b = high*2^64 + middle*2^32 + .. < 2^(2*bits): with top = floor(z/2^(bits-2)) <
// 2^62 and mu <= 2^62 the product top*mu/2^63 falls short of z/q by less than mu/2^63 + top/2^63 <=
// 1, and its estimate in halves by less than 3 more, so the remainder is below 4q.
void mul_words60(Word q, unsigned bits, Word mu, const Word* a, const Word* b, Word* result,
                 std::size_t n) noexcept {
  const Vec modulus = broadcast(q), two_q = broadcast(2 * q), reciprocal = broadcast(mu);
  const __m128i left = _mm_cvtsi32_si128(static_cast<int>(66 - bits));
  const __m128i right = _mm_cvtsi32_si128(static_cast<int>(bits - 34));
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec x = load(a + i), y = load(b + i);
    const Vec x1 = high_half(x), y1 = high_half(y);
    const Vec low = _mm256_mul_epu32(x, y), high = _mm256_mul_epu32(x1, y1);
    const Vec cross = add(_mm256_mul_epu32(x1, y), _mm256_mul_epu32(x, y1));
    const Vec middle = add(cross, _mm256_srli_epi64(low, 32));
    const Vec top = add(_mm256_sll_epi64(high, left), _mm256_srl_epi64(middle, right));
    const Vec product = add(low, _mm256_slli_epi64(cross, 32));
    const Vec remainder = sub(product, mul_low(estimate_63(top, reciprocal), modulus));
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

void lift_words60(const Lift60& lift, const Word* a, Word* result, std::size_t n) noexcept {
  const Vec q = broadcast(lift.q), two_q = broadcast(2 * lift.q);
  const Vec inverse = broadcast(lift.inverse);
  const Vec half = broadcast(lift.half), shift = broadcast(lift.shift);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec x = load(a + i);
    const Vec above = _mm256_and_si256(_mm256_cmpgt_epi64(x, half), shift);
    const Vec residue = below_4q_to_canonical(reduce_63(x, inverse, q), two_q, q);
    store(result + i, subtract_if_above(add(residue, above), q));
  }
}

}  // namespace heliodor::cpu::avx2
