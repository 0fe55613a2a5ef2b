// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// 8 x 8 transposes between eight rows in memory and one column per register, in two shuffles per
// register: half-vector loads pair row r with row r+4, so that lane l ends up with row
// kBlockOfLane[l].
#pragma once

#include "heliodor/targets/cpu/avx512/lanes.h"

namespace heliodor::cpu::avx512 {

HELIODOR_LANES Vec load_halves(const Word* low, const Word* high) {
  return _mm512_inserti64x4(
      _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(low))),
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(high)), 1);
}

HELIODOR_LANES void store_halves(Word* low, Word* high, Vec x) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(low), _mm512_castsi512_si256(x));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(high), _mm512_extracti64x4_epi64(x, 1));
}

/// The 128-bit lanes a0, b0, a2, b2.
HELIODOR_LANES Vec even_lanes(Vec a, Vec b) {
  return _mm512_mask_shuffle_i64x2(a, 0xcc, b, b, 0xa0);
}

/// The 128-bit lanes a1, b1, a3, b3.
HELIODOR_LANES Vec odd_lanes(Vec a, Vec b) {
  return _mm512_mask_shuffle_i64x2(b, 0x33, a, a, 0xf5);
}

/// x[c] = column c of eight rows that start `row` words apart.
HELIODOR_LANES void transpose_load(Vec* x, const Word* rows, std::size_t row) {
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    const Word* p = rows + 4 * half;
    const Vec a0 = load_halves(p, p + 4 * row);
    const Vec a1 = load_halves(p + row, p + 5 * row);
    const Vec a2 = load_halves(p + 2 * row, p + 6 * row);
    const Vec a3 = load_halves(p + 3 * row, p + 7 * row);
    const Vec low01 = _mm512_unpacklo_epi64(a0, a1), high01 = _mm512_unpackhi_epi64(a0, a1);
    const Vec low23 = _mm512_unpacklo_epi64(a2, a3), high23 = _mm512_unpackhi_epi64(a2, a3);
    x[4 * half + 0] = _mm512_shuffle_i64x2(low01, low23, 0x88);
    x[4 * half + 1] = _mm512_shuffle_i64x2(high01, high23, 0x88);
    x[4 * half + 2] = _mm512_shuffle_i64x2(low01, low23, 0xdd);
    x[4 * half + 3] = _mm512_shuffle_i64x2(high01, high23, 0xdd);
  }
}

/// The inverse of transpose_load.
HELIODOR_LANES void transpose_store(const Vec* x, Word* rows, std::size_t row) {
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    Word* p = rows + 4 * half;
    const Vec low01 = _mm512_unpacklo_epi64(x[4 * half], x[4 * half + 1]);
    const Vec high01 = _mm512_unpackhi_epi64(x[4 * half], x[4 * half + 1]);
    const Vec low23 = _mm512_unpacklo_epi64(x[4 * half + 2], x[4 * half + 3]);
    const Vec high23 = _mm512_unpackhi_epi64(x[4 * half + 2], x[4 * half + 3]);
    // Of each pair the even, or the odd, 128-bit lanes: rows (0, 2), (4, 6), (1, 3), (5, 7) in
    // halves.
    store_halves(p, p + 2 * row, even_lanes(low01, low23));
    store_halves(p + 4 * row, p + 6 * row, odd_lanes(low01, low23));
    store_halves(p + row, p + 3 * row, even_lanes(high01, high23));
    store_halves(p + 5 * row, p + 7 * row, odd_lanes(high01, high23));
  }
}

}  // namespace heliodor::cpu::avx512
