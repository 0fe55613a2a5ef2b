// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// 8 x 8 transposes between eight rows in memory and one column per register: loads that pair row r
// with row r+4 leave two shuffles per register, and lane l ends up with row kBlockOfLane[l].
// Shuffles are what the multiplier has to wait for; merging loads run on any port.
#pragma once

#include "heliodor/targets/cpu/avx512/lanes.h"

namespace heliodor::cpu::avx512 {

/// Four words from each address. The words read after those at `low` and those skipped before
/// `high` belong to neighbouring rows of the same limb.
HELIODOR_LANES Vec load_halves(const Word* low, const Word* high) {
  return _mm512_mask_loadu_epi64(load(low), 0xf0, high - 4);
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
  Vec pairs[2][4];  // of the even and of the odd rows: columns 2k and 2k+1 of four rows
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    pairs[0][k] = _mm512_unpacklo_epi64(x[2 * k], x[2 * k + 1]);
    pairs[1][k] = _mm512_unpackhi_epi64(x[2 * k], x[2 * k + 1]);
  }
#pragma GCC unroll 2
  for (int odd = 0; odd < 2; ++odd) {
    const Vec* pair = pairs[odd];
    const Vec low01 = _mm512_shuffle_i64x2(pair[0], pair[1], 0x44);
    const Vec low23 = _mm512_shuffle_i64x2(pair[2], pair[3], 0x44);
    const Vec high01 = _mm512_shuffle_i64x2(pair[0], pair[1], 0xee);
    const Vec high23 = _mm512_shuffle_i64x2(pair[2], pair[3], 0xee);
    Word* first = rows + (odd != 0 ? row : 0);
    store(first, _mm512_shuffle_i64x2(low01, low23, 0x88));
    store(first + 4 * row, _mm512_shuffle_i64x2(low01, low23, 0xdd));
    store(first + 2 * row, _mm512_shuffle_i64x2(high01, high23, 0x88));
    store(first + 6 * row, _mm512_shuffle_i64x2(high01, high23, 0xdd));
  }
}

}  // namespace heliodor::cpu::avx512
