// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Four 64-bit lanes (AVX2).
//
// Only files compiled with the AVX2 flags include this header. They include nothing else of ours
// but plain structs, so that no inline function is compiled twice under one name.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#define HELIODOR_LANES inline __attribute__((always_inline))

namespace heliodor::cpu::avx2 {

using Word = std::uint64_t;
using Vec = __m256i;

inline constexpr std::size_t kLanes = 4;

HELIODOR_LANES Vec broadcast(Word x) { return _mm256_set1_epi64x(static_cast<long long>(x)); }
HELIODOR_LANES Vec load(const Word* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
HELIODOR_LANES void store(Word* p, Vec x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), x); }
HELIODOR_LANES Vec add(Vec a, Vec b) { return _mm256_add_epi64(a, b); }
HELIODOR_LANES Vec sub(Vec a, Vec b) { return _mm256_sub_epi64(a, b); }

/// negative where the top bit of `sign` is set, else other.
HELIODOR_LANES Vec select_by_sign(Vec sign, Vec negative, Vec other) {
  return _mm256_castpd_si256(_mm256_blendv_pd(
      _mm256_castsi256_pd(other), _mm256_castsi256_pd(negative), _mm256_castsi256_pd(sign)));
}

/// x >= bound ? x - bound : x, for x and bound below 2^63.
HELIODOR_LANES Vec subtract_if_above(Vec x, Vec bound) {
  const Vec difference = sub(x, bound);
  return select_by_sign(difference, x, difference);
}

}  // namespace heliodor::cpu::avx2
