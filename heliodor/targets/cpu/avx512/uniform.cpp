// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx512/uniform.h"

#include "heliodor/targets/cpu/avx512/lanes.h"

namespace heliodor::cpu::avx512 {

// A register is compressed and stored whole: the store that compresses is microcoded on some
// processors. Lanes behind the taken ones are overwritten by the next store.
std::size_t take_below(Word q, Word mask, const Word* words, std::size_t count, Word* result,
                       std::size_t room) noexcept {
  const Vec bound = broadcast(q), bits = broadcast(mask);
  std::size_t taken = 0;
  for (std::size_t i = 0; i < count && taken < room; i += kLanes) {
    const Vec x = _mm512_and_si512(load(words + i), bits);
    const __mmask8 below = _mm512_cmplt_epu64_mask(x, bound);
    const Vec packed = _mm512_maskz_compress_epi64(below, x);
    const std::size_t left = room - taken;
    if (left >= kLanes) {
      store(result + taken, packed);
    } else {
      _mm512_mask_storeu_epi64(result + taken, static_cast<__mmask8>((1u << left) - 1), packed);
    }
    const auto found = static_cast<std::size_t>(__builtin_popcount(below));
    taken += found < left ? found : left;
  }
  return taken;
}

}  // namespace heliodor::cpu::avx512
