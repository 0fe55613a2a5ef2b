// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx512/permute.h"

#include "heliodor/targets/cpu/avx512/lanes.h"

namespace heliodor::cpu::avx512 {

// Slots are bit-reversed, so the eight slots of an aligned group have exponents that differ by
// multiples of N/4 (modulo 2N); so have their images under a multiplication by an odd g, which are
// an aligned group again. vpermq reads the lowest three bits of each index.
void permute_groups(const std::uint32_t* sources, const Word* a, Word* result,
                    std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec indices =
        _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(sources + i)));
    const Vec group = load(a + (sources[i] & ~std::uint32_t{kLanes - 1}));
    store(result + i, _mm512_permutexvar_epi64(indices, group));
  }
}

// Eight scalar loads at a stride, joined in registers, beat a gather instruction. The sign of lane
// l depends on bit log2(n) of (j + l)*inverse.
void permute_coefficients(Word q, std::uint32_t inverse, const Word* a, Word* result,
                          std::size_t n) noexcept {
  const Vec modulus = broadcast(q), top = broadcast(n);
  const auto mask = static_cast<std::uint32_t>(n - 1);
  const Vec lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  Vec exponents = _mm512_mul_epu32(lanes, broadcast(inverse));
  const Vec step = broadcast(std::uint64_t{inverse} * kLanes);
  std::uint32_t e = 0;
  for (std::size_t j = 0; j < n; j += kLanes) {
    const auto next = [&] {
      const Word word = a[e & mask];
      e += inverse;
      return static_cast<long long>(word);
    };
    const auto pair = [&] {
      const __m128i low = _mm_cvtsi64_si128(next());
      return _mm_unpacklo_epi64(low, _mm_cvtsi64_si128(next()));
    };
    const auto four = [&] {
      const __m128i low = pair();
      return _mm256_inserti128_si256(_mm256_castsi128_si256(low), pair(), 1);
    };
    const __m256i low = four();
    const Vec x = _mm512_inserti64x4(_mm512_castsi256_si512(low), four(), 1);
    const Vec negative = subtract_if_above_wide(sub(modulus, x), modulus);
    store(result + j, _mm512_mask_mov_epi64(x, _mm512_test_epi64_mask(exponents, top), negative));
    exponents = add(exponents, step);
  }
}

}  // namespace heliodor::cpu::avx512
