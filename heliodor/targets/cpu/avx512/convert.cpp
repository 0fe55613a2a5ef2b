// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Up to 52 bits, floor(x*r/2^b) is the high half of (x << (52-b))*r on the 52-bit multiplier.
// Beyond, with s = b - 52 and x = x1*2^s + x0, it is floor((x1*r + floor(x0*r/2^s))/2^52): the high
// half of x1*r and a carry; x0 < 2^8, so x0*r < 2^57, and the low half of x1*r on top of x0*r/2^s <
// 2^49 does not overflow.
#include "heliodor/targets/cpu/avx512/convert.h"

#include "heliodor/targets/cpu/avx512/lanes.h"

namespace heliodor::cpu::avx512 {
namespace {

template <std::size_t vectors>
HELIODOR_LANES void sum_quotients_at(const QuotientSource* sources, std::size_t count,
                                     std::uint64_t bias, unsigned shift, Word* result,
                                     std::size_t i) {
  Vec sum[vectors];
#pragma GCC unroll 4
  for (std::size_t v = 0; v < vectors; ++v) sum[v] = broadcast(bias);
  for (std::size_t k = 0; k < count; ++k) {
    const Word* words = sources[k].words + i;
    const Vec reciprocal = broadcast(sources[k].reciprocal);
    if (sources[k].bits <= kWordBits) {
      const __m128i left = _mm_cvtsi32_si128(static_cast<int>(kWordBits - sources[k].bits));
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) {
        sum[v] = mul_high(sum[v], _mm512_sll_epi64(load(words + kLanes * v), left), reciprocal);
      }
    } else {
      const unsigned right = sources[k].bits - kWordBits;
      const __m128i right_shift = _mm_cvtsi32_si128(static_cast<int>(right));
      const Vec mask = broadcast((Word{1} << right) - 1);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) {
        const Vec x = load(words + kLanes * v), x1 = _mm512_srl_epi64(x, right_shift);
        const Vec rest = _mm512_mullo_epi64(_mm512_and_si512(x, mask), reciprocal);
        const Vec low = mul_low(_mm512_srl_epi64(rest, right_shift), x1, reciprocal);
        sum[v] = add(mul_high(sum[v], x1, reciprocal), _mm512_srli_epi64(low, kWordBits));
      }
    }
  }
#pragma GCC unroll 4
  for (std::size_t v = 0; v < vectors; ++v) {
    store(result + i + kLanes * v,
          _mm512_srl_epi64(sum[v], _mm_cvtsi32_si128(static_cast<int>(shift))));
  }
}

}  // namespace

void sum_quotients(const QuotientSource* sources, std::size_t count, std::uint64_t bias,
                   unsigned shift, Word* result, std::size_t n) noexcept {
  constexpr std::size_t vectors = 4;
  std::size_t i = 0;
  for (; i + vectors * kLanes <= n; i += vectors * kLanes)
    sum_quotients_at<vectors>(sources, count, bias, shift, result, i);
  for (; i < n; i += kLanes) sum_quotients_at<1>(sources, count, bias, shift, result, i);
}

}  // namespace heliodor::cpu::avx512
