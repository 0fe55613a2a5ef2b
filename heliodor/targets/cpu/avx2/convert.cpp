// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// floor(x*r/2^b) for x < 2^b and r <= 2^49.
//
// b <= 52: in double precision with f = r/2^b, exact. t = x*f + 2^52 rounds to 2^52 + n for an
// integer n within 1/2 of x*f < 2^50; the rest x*f - n, fused, is exact (a multiple of 2^-b of at
// most 52 bits), and its sign tells whether n is one too large. The bits of t are those of 2^52
// plus n.
//
// Beyond: x is shifted to b = 60. With halves of 32 bits, x*r/2^60 = (high*2^32 + middle)/2^28
// where high = x1*r1 and middle = x1*r0 + x0*r1 + floor(x0*r0/2^32) < 2^62; what is dropped is
// below one unit of middle and so never changes the floor.
#include "heliodor/targets/cpu/avx2/convert.h"

#include "heliodor/targets/cpu/avx2/real.h"
#include "heliodor/targets/cpu/avx2/wide.h"

namespace heliodor::cpu::avx2 {
namespace {

constexpr unsigned kMaxRealBits = 52;
constexpr unsigned kWideBits = 60;
constexpr double kUnit = 0x1p52;

// 2^-bits.
double inverse_power(unsigned bits) { return 1 / static_cast<double>(Word{1} << bits); }

// sum + floor(x*f) + the bits of 2^52.
HELIODOR_LANES Vec add_floor(Vec sum, Real x, Real f) {
  const Real unit = broadcast_real(kUnit);
  const Real rounded = _mm256_fmadd_pd(x, f, unit);
  const Real rest = _mm256_fmsub_pd(x, f, _mm256_sub_pd(rounded, unit));
  return sub(add(sum, as_bits(rounded)), _mm256_srli_epi64(as_bits(rest), 63));
}

// sum + floor(x*r/2^60).
HELIODOR_LANES Vec add_floor_60(Vec sum, Vec x, Vec r, Vec r1) {
  const Vec x1 = high_half(x);
  const Vec high = _mm256_mul_epu32(x1, r1);
  const Vec cross = add(_mm256_mul_epu32(x1, r), _mm256_mul_epu32(x, r1));
  const Vec middle = add(cross, _mm256_srli_epi64(_mm256_mul_epu32(x, r), 32));
  return add(sum, add(_mm256_slli_epi64(high, 4), _mm256_srli_epi64(middle, 28)));
}

template <std::size_t vectors>
HELIODOR_LANES void sum_quotients_at(const QuotientSource* sources, std::size_t count, Word bias,
                                     unsigned shift, Word* result, std::size_t i) {
  const Vec unit_bits = as_bits(broadcast_real(kUnit));
  Vec sum[vectors];
#pragma GCC unroll 4
  for (std::size_t v = 0; v < vectors; ++v) sum[v] = broadcast(bias);
  for (std::size_t k = 0; k < count; ++k) {
    const Word* words = sources[k].words + i;
    const unsigned bits = sources[k].bits;
    if (bits <= kMaxRealBits) {
      const Real f =
          broadcast_real(static_cast<double>(sources[k].reciprocal) * inverse_power(bits));
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) {
        sum[v] = add_floor(sub(sum[v], unit_bits), to_real(load(words + kLanes * v)), f);
      }
    } else {
      const __m128i left = _mm_cvtsi32_si128(static_cast<int>(kWideBits - bits));
      const Vec r = broadcast(sources[k].reciprocal), r1 = high_half(r);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) {
        const Vec x = _mm256_sll_epi64(load(words + kLanes * v), left);
        sum[v] = add_floor_60(sum[v], x, r, r1);
      }
    }
  }
#pragma GCC unroll 4
  for (std::size_t v = 0; v < vectors; ++v) {
    store(result + i + kLanes * v,
          _mm256_srl_epi64(sum[v], _mm_cvtsi32_si128(static_cast<int>(shift))));
  }
}

}  // namespace

void sum_quotients(const QuotientSource* sources, std::size_t count, Word bias, unsigned shift,
                   Word* result, std::size_t n) noexcept {
  constexpr std::size_t vectors = 4;
  std::size_t i = 0;
  for (; i + vectors * kLanes <= n; i += vectors * kLanes)
    sum_quotients_at<vectors>(sources, count, bias, shift, result, i);
  for (; i < n; i += kLanes) sum_quotients_at<1>(sources, count, bias, shift, result, i);
}

}  // namespace heliodor::cpu::avx2
