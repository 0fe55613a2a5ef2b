// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Products of 60-bit numbers in 64-bit lanes, without a 64-bit high multiply: 32-bit halves and
// vpmuludq.
//
// The companion of w is w' = floor(w * 2^63 / q), so that its high half is below 2^31; with y <
// 2^63 so is y's, and the cross sum of two products cannot overflow. Then
//     estimate = 2*(y1*w1') + ((y1*w0' + y0*w1') >> 31)      y = y1:y0, w' = w1':w0'
// falls short of y*w/q by less than 1 (companion) * y/2^63 + 2 (the dropped y0*w0') + 1 (shift) so
// that
//     T = y*w - estimate*q  is in [0, (3 + y/2^63)*q), below 4q.
#pragma once

#include "heliodor/targets/cpu/avx512/lanes.h"

namespace heliodor::cpu::avx512 {

HELIODOR_LANES Vec high_half(Vec x) {
  return _mm512_shuffle_epi32(x, static_cast<_MM_PERM_ENUM>(0xf5));
}

HELIODOR_LANES Vec estimate_63(Vec y, Vec companion) {
  const Vec y1 = high_half(y), w1 = high_half(companion);
  const Vec high = _mm512_mul_epu32(y1, w1);
  const Vec cross = add(_mm512_mul_epu32(y1, companion), _mm512_mul_epu32(y, w1));
  return add(add(high, high), _mm512_srli_epi64(cross, 31));
}

/// y*w mod q in [0, 4q) for y < 2^63, w < q < 2^60.
HELIODOR_LANES Vec mul_shoup_63(Vec y, Vec w, Vec companion, Vec q) {
  return sub(_mm512_mullo_epi64(y, w), _mm512_mullo_epi64(estimate_63(y, companion), q));
}

}  // namespace heliodor::cpu::avx512
