// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Eight 64-bit lanes and the 52-bit multiplier (AVX-512 IFMA).
//
// With M = 2^52, IFMA multiplies the low 52 bits of its factors and adds the low or high 52 bits of
// the product to a 64-bit accumulator. A register therefore *represents* the integer (register mod
// M); whatever piles up above bit 52 is never read. Sums and differences wrap modulo M, so no mask
// or correction is needed as long as the true integer stays in [0, M).
//
// Only files compiled with the AVX-512 flags include this header. They include nothing else of ours
// but plain structs, so that no inline function is compiled twice under one name.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#define HELIODOR_LANES inline __attribute__((always_inline))

namespace heliodor::cpu::avx512 {

using Word = std::uint64_t;
using Vec = __m512i;

inline constexpr std::size_t kLanes = 8;
inline constexpr std::size_t kLineBytes = 64;
inline constexpr unsigned kWordBits = 52;
inline constexpr Word kWordModulus = Word{1} << kWordBits;

HELIODOR_LANES Vec broadcast(Word x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
HELIODOR_LANES Vec load(const Word* p) { return _mm512_loadu_si512(p); }
HELIODOR_LANES Vec load(const std::uint32_t* p) {
  return _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
HELIODOR_LANES void store(Word* p, Vec x) { _mm512_storeu_si512(p, x); }
/// How far ahead kernels ask for limbs that may come from far away, in more streams than the
/// hardware follows.
inline constexpr std::size_t kPrefetchWords = 256;

/// Asks for words that will be read soon. Any address will do, also one past the end of an array.
HELIODOR_LANES void prefetch(const void* p) { _mm_prefetch(p, _MM_HINT_T1); }
HELIODOR_LANES Vec add(Vec a, Vec b) { return _mm512_add_epi64(a, b); }
HELIODOR_LANES Vec sub(Vec a, Vec b) { return _mm512_sub_epi64(a, b); }

/// accumulator + low / high 52 bits of a*b.
HELIODOR_LANES Vec mul_low(Vec accumulator, Vec a, Vec b) {
  return _mm512_madd52lo_epu64(accumulator, a, b);
}
HELIODOR_LANES Vec mul_high(Vec accumulator, Vec a, Vec b) {
  return _mm512_madd52hi_epu64(accumulator, a, b);
}

/// x >= bound ? x - bound : x, for x and bound below 2^52, on a pipe that IFMA leaves free: a
/// negative difference is the bit pattern of a NaN, for which vminpd returns its second operand;
/// two non-negative values are small doubles and order like integers. Requires that denormals are
/// not flushed (MXCSR.DAZ off) and that -ffast-math is off.
HELIODOR_LANES Vec subtract_if_above(Vec x, Vec bound) {
  return _mm512_castpd_si512(
      _mm512_min_pd(_mm512_castsi512_pd(sub(x, bound)), _mm512_castsi512_pd(x)));
}

/// The same for any 64-bit words with x - bound or x below 2^63; on the multiplier's pipe.
HELIODOR_LANES Vec subtract_if_above_wide(Vec x, Vec bound) {
  return _mm512_min_epu64(sub(x, bound), x);
}

/// 2x by a shift: compilers rewrite the intrinsic as an addition, which competes with IFMA for its
/// pipes.
HELIODOR_LANES Vec twice(Vec x) {
  Vec result;
  asm("vpsllq $1, %1, %0" : "=v"(result) : "v"(x));
  return result;
}

HELIODOR_LANES Vec low_52(Vec x) { return _mm512_and_si512(x, broadcast(kWordModulus - 1)); }

/// A factor and its companion.
struct Factor {
  Vec w, companion;
};

/// Constants of one modulus q < 2^50, broadcast.
struct Constants {
  Vec q;
  Vec two_q;
  Vec negative_q;  ///< M - q
  Vec mu;          ///< floor(M/q)
  Vec zero;
  Vec one;

  HELIODOR_LANES Constants(Word q_value, Word mu_value)
      : q(broadcast(q_value)),
        two_q(broadcast(2 * q_value)),
        negative_q(broadcast(kWordModulus - q_value)),
        mu(broadcast(mu_value)),
        zero(_mm512_setzero_si512()),
        one(broadcast(1)) {}
};

/// Barrett: x - floor(x*mu/M)*q + K*q with the accumulator started at -K ("bias"); represents a
/// value in [K*q, (K + 1 + x/M)*q) congruent to x.
HELIODOR_LANES Vec reduce(Vec x, Vec bias, const Constants& c) {
  return mul_low(x, mul_high(bias, x, c.mu), c.negative_q);
}

/// The factor w in (0, q) from its companion w' = floor(w*M/q): w*M = w'*q + r with 0 < r < q < M
/// (r is not 0, as the odd prime q divides neither w nor M), so floor(w'*q/M) = w - 1.
HELIODOR_LANES Vec factor_of(Vec companion, const Constants& c) {
  return mul_high(c.one, companion, c.q);
}

/// The canonical residue of any represented integer.
HELIODOR_LANES Vec canonical(Vec x, const Constants& c) {
  return subtract_if_above(low_52(reduce(x, c.zero, c)), c.q);
}

/// Represents x*w mod q in [0, (1 + x/M)*q), within [0, 2q), for w_shoup = floor(w*M/q).
HELIODOR_LANES Vec mul_shoup(Vec x, Vec w, Vec w_shoup, const Constants& c) {
  return mul_low(mul_low(c.zero, x, w), mul_high(c.zero, x, w_shoup), c.negative_q);
}

}  // namespace heliodor::cpu::avx512
