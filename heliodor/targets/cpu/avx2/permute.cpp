// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx2/permute.h"

#include "heliodor/targets/cpu/avx2/lanes.h"

namespace heliodor::cpu::avx2 {

// Slots are bit-reversed, so the four slots of an aligned group have exponents that differ by
// multiples of N/2 (modulo 2N); so have their images under a multiplication by an odd g, which are
// an aligned group again. Word s of a group is halves 2s and 2s + 1 for vpermd, which reads the
// lowest three bits of each index.
void permute_groups(const std::uint32_t* sources, const Word* a, Word* result,
                    std::size_t n) noexcept {
  const Vec odd = broadcast(Word{1} << 32);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec s =
        _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(sources + i)));
    const Vec twice = add(s, s);
    const Vec halves = _mm256_or_si256(_mm256_or_si256(twice, _mm256_slli_epi64(twice, 32)), odd);
    const Vec group = load(a + (sources[i] & ~std::uint32_t{kLanes - 1}));
    store(result + i, _mm256_permutevar8x32_epi32(group, halves));
  }
}

// Four scalar loads at a stride, joined in registers. The sign of lane l is bit log2(n) of (j +
// l)*inverse, shifted to the top.
void permute_coefficients(Word q, std::uint32_t inverse, const Word* a, Word* result,
                          std::size_t n) noexcept {
  const Vec modulus = broadcast(q);
  const auto mask = static_cast<std::uint32_t>(n - 1);
  const __m128i to_top = _mm_cvtsi32_si128(__builtin_clzll(n));
  Vec exponents = _mm256_mul_epu32(_mm256_setr_epi64x(0, 1, 2, 3), broadcast(inverse));
  const Vec step = broadcast(std::uint64_t{inverse} * kLanes);
  std::uint32_t e = 0;
  for (std::size_t j = 0; j < n; j += kLanes) {
    const auto pair = [&] {
      const __m128i low = _mm_cvtsi64_si128(static_cast<long long>(a[e & mask]));
      const __m128i high = _mm_cvtsi64_si128(static_cast<long long>(a[(e + inverse) & mask]));
      e += 2 * inverse;
      return _mm_unpacklo_epi64(low, high);
    };
    const __m128i low = pair();
    const Vec x = _mm256_inserti128_si256(_mm256_castsi128_si256(low), pair(), 1);
    const Vec negative = subtract_if_above(sub(modulus, x), modulus);
    store(result + j, select_by_sign(_mm256_sll_epi64(exponents, to_top), negative, x));
    exponents = add(exponents, step);
  }
}

}  // namespace heliodor::cpu::avx2
