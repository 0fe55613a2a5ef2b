// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Products of 60-bit numbers in 64-bit lanes from 32-bit halves.
//
// The companion of w is w' = floor(w * 2^63 / q), so that its high half is below 2^31; with y <
// 2^63 so is y's, and the cross sum of two products cannot overflow. Then
//     estimate = 2*(y1*w1') + ((y1*w0' + y0*w1') >> 31)      y = y1:y0, w' = w1':w0'
// falls short of y*w/q by less than y/2^63 (companion) + 2 (the dropped y0*w0') + 1 (shift), so
//     T = y*w - estimate*q  is in [0, (3 + y/2^63)*q), below 4q.
#pragma once

#include "heliodor/targets/cpu/avx2/lanes.h"

namespace heliodor::cpu::avx2 {

HELIODOR_LANES Vec high_half(Vec x) { return _mm256_shuffle_epi32(x, 0xf5); }
HELIODOR_LANES Vec swap_halves(Vec x) { return _mm256_shuffle_epi32(x, 0xb1); }

/// floor(y*companion/2^63) less at most 2.
HELIODOR_LANES Vec estimate_63(Vec y, Vec companion) {
  const Vec y1 = high_half(y), w1 = high_half(companion);
  const Vec high = _mm256_mul_epu32(y1, w1);
  const Vec cross = add(_mm256_mul_epu32(y1, companion), _mm256_mul_epu32(y, w1));
  return add(add(high, high), _mm256_srli_epi64(cross, 31));
}

/// (both 32-bit halves of x added, modulo 2^32) * 2^32.
HELIODOR_LANES Vec add_halves_high(Vec x) {
  return _mm256_blend_epi32(_mm256_setzero_si256(), _mm256_add_epi32(x, _mm256_slli_epi64(x, 32)),
                            0xaa);
}

/// a*b mod 2^64.
HELIODOR_LANES Vec mul_low(Vec a, Vec b) {
  return add(_mm256_mul_epu32(a, b), add_halves_high(_mm256_mullo_epi32(a, swap_halves(b))));
}

/// a*b - c*d mod 2^64.
HELIODOR_LANES Vec mul_sub_low(Vec a, Vec b, Vec c, Vec d) {
  const Vec cross = _mm256_sub_epi32(_mm256_mullo_epi32(a, swap_halves(b)),
                                     _mm256_mullo_epi32(c, swap_halves(d)));
  return add(sub(_mm256_mul_epu32(a, b), _mm256_mul_epu32(c, d)), add_halves_high(cross));
}

/// y*w mod q in [0, 4q) for y < 2^63, w < q < 2^60.
HELIODOR_LANES Vec mul_shoup_63(Vec y, Vec w, Vec companion, Vec q) {
  return mul_sub_low(y, w, estimate_63(y, companion), q);
}

/// x mod q in [0, 4q) for x < 2^63 and inverse = floor(2^63/q).
HELIODOR_LANES Vec reduce_63(Vec x, Vec inverse, Vec q) {
  return sub(x, mul_low(estimate_63(x, inverse), q));
}

/// The canonical residue of x below 4q.
HELIODOR_LANES Vec below_4q_to_canonical(Vec x, Vec two_q, Vec q) {
  return subtract_if_above(subtract_if_above(x, two_q), q);
}

}  // namespace heliodor::cpu::avx2
