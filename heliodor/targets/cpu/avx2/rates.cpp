// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Assembly, because a compiler would see that the results are not used. Twelve registers, each
// written twice in a round, hide the latency.
#include "heliodor/targets/cpu/avx2/rates.h"

#include <immintrin.h>

#define HELIODOR_YMM_0_TO_11 \
  "ymm0", "ymm1", "ymm2", "ymm3", "ymm4", "ymm5", "ymm6", "ymm7", "ymm8", "ymm9", "ymm10", "ymm11"
#define HELIODOR_12_REGISTERS "0,1,2,3,4,5,6,7,8,9,10,11"

namespace heliodor::cpu::avx2 {

void multiply_32(std::size_t rounds) noexcept {
  for (std::size_t i = 0; i < rounds; ++i) {
    asm volatile(".irp r," HELIODOR_12_REGISTERS "," HELIODOR_12_REGISTERS
                 "\n vpmuludq %%ymm14, %%ymm15, %%ymm\\r\n .endr\n" ::
                     : HELIODOR_YMM_0_TO_11);
  }
}

void add_64(std::size_t rounds) noexcept {
  for (std::size_t i = 0; i < rounds; ++i) {
    asm volatile(".irp r," HELIODOR_12_REGISTERS "," HELIODOR_12_REGISTERS
                 "\n vpaddq %%ymm14, %%ymm15, %%ymm\\r\n .endr\n" ::
                     : HELIODOR_YMM_0_TO_11);
  }
}

std::uint64_t read_words(const std::uint64_t* words, std::size_t count) noexcept {
  __m256i sum[8] = {};
  for (std::size_t i = 0; i < count; i += 64) {
    for (std::size_t k = 0; k < 16; ++k) {
      sum[k % 8] = _mm256_or_si256(
          sum[k % 8], _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + i + 4 * k)));
    }
  }
  for (std::size_t k = 1; k < 8; ++k) sum[0] = _mm256_or_si256(sum[0], sum[k]);
  alignas(32) std::uint64_t lanes[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), sum[0]);
  return lanes[0] | lanes[1] | lanes[2] | lanes[3];
}

}  // namespace heliodor::cpu::avx2
