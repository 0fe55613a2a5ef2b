// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Assembly, because a compiler would see that the results are not used. 24 registers hide the
// latency of four cycles six times over.
#include "heliodor/targets/cpu/avx512/rates.h"

#include <immintrin.h>

#define HELIODOR_ZMM_0_TO_23                                                                    \
  "zmm0", "zmm1", "zmm2", "zmm3", "zmm4", "zmm5", "zmm6", "zmm7", "zmm8", "zmm9", "zmm10",      \
      "zmm11", "zmm12", "zmm13", "zmm14", "zmm15", "zmm16", "zmm17", "zmm18", "zmm19", "zmm20", \
      "zmm21", "zmm22", "zmm23"
#define HELIODOR_24_REGISTERS "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23"

namespace heliodor::cpu::avx512 {

void multiply_52(std::size_t rounds) noexcept {
  for (std::size_t i = 0; i < rounds; ++i) {
    asm volatile(".irp r," HELIODOR_24_REGISTERS
                 "\n vpmadd52luq %%zmm30, %%zmm31, %%zmm\\r\n .endr\n" ::
                     : HELIODOR_ZMM_0_TO_23);
  }
}

void add_64(std::size_t rounds) noexcept {
  for (std::size_t i = 0; i < rounds; ++i) {
    asm volatile(".irp r," HELIODOR_24_REGISTERS
                 "\n vpaddq %%zmm30, %%zmm\\r, %%zmm\\r\n .endr\n" ::
                     : HELIODOR_ZMM_0_TO_23);
  }
}

std::uint64_t read_words(const std::uint64_t* words, std::size_t count) noexcept {
  __m512i sum[8] = {};
  for (std::size_t i = 0; i < count; i += 64) {
    for (std::size_t k = 0; k < 8; ++k)
      sum[k] = _mm512_or_si512(sum[k], _mm512_loadu_si512(words + i + 8 * k));
  }
  for (std::size_t k = 1; k < 8; ++k) sum[0] = _mm512_or_si512(sum[0], sum[k]);
  return static_cast<std::uint64_t>(_mm512_reduce_or_epi64(sum[0]));
}

}  // namespace heliodor::cpu::avx512
