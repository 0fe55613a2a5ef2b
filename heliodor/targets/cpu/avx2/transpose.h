// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// 4 x 4 transposes between four rows in memory and one column per register, in one shuffle per
// register: half-vector loads pair row r with row r+2.
#pragma once

#include "heliodor/targets/cpu/avx2/lanes.h"

namespace heliodor::cpu::avx2 {

HELIODOR_LANES Vec load_halves(const Word* low, const Word* high) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low))),
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(high)), 1);
}

HELIODOR_LANES void store_halves(Word* low, Word* high, Vec x) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(low), _mm256_castsi256_si128(x));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(high), _mm256_extracti128_si256(x, 1));
}

/// x[c] = column c of four rows that start `row` words apart.
HELIODOR_LANES void transpose_load(Vec* x, const Word* rows, std::size_t row) {
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    const Word* p = rows + 2 * half;
    const Vec rows02 = load_halves(p, p + 2 * row);
    const Vec rows13 = load_halves(p + row, p + 3 * row);
    x[2 * half] = _mm256_unpacklo_epi64(rows02, rows13);
    x[2 * half + 1] = _mm256_unpackhi_epi64(rows02, rows13);
  }
}

/// The inverse of transpose_load.
HELIODOR_LANES void transpose_store(const Vec* x, Word* rows, std::size_t row) {
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    Word* p = rows + 2 * half;
    store_halves(p, p + 2 * row, _mm256_unpacklo_epi64(x[2 * half], x[2 * half + 1]));
    store_halves(p + row, p + 3 * row, _mm256_unpackhi_epi64(x[2 * half], x[2 * half + 1]));
  }
}

}  // namespace heliodor::cpu::avx2
