// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx2/uniform.h"

#include "heliodor/targets/cpu/avx2/lanes.h"

namespace heliodor::cpu::avx2 {
namespace {

// For each set of lanes (bit l is lane l), the indices of vpermd that pack its words to the front.
struct PackIndices {
  alignas(32) std::uint32_t halves[16][8]{};

  constexpr PackIndices() {
    for (std::uint32_t set = 0; set < 16; ++set) {
      std::uint32_t to = 0;
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        if ((set >> lane & 1) == 0) continue;
        halves[set][to++] = 2 * lane;
        halves[set][to++] = 2 * lane + 1;
      }
    }
  }
};

constexpr PackIndices kPackIndices;

}  // namespace

// Lanes behind the packed words are overwritten by the next store.
std::size_t take_below(Word q, Word mask, const Word* words, std::size_t count, Word* result,
                       std::size_t room) noexcept {
  const Vec bound = broadcast(q), bits = broadcast(mask);
  std::size_t taken = 0;
  for (std::size_t i = 0; i < count && taken < room; i += kLanes) {
    const Vec x = _mm256_and_si256(load(words + i), bits);
    const auto below = static_cast<unsigned>(
        _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(bound, x))));
    const Vec packed = _mm256_permutevar8x32_epi32(
        x, _mm256_load_si256(reinterpret_cast<const __m256i*>(kPackIndices.halves[below])));
    const auto found = static_cast<std::size_t>(__builtin_popcount(below));
    if (room - taken >= kLanes) {
      store(result + taken, packed);
      taken += found;
    } else {
      Word last[kLanes];
      store(last, packed);
      for (std::size_t j = 0; j < found && taken < room; ++j) result[taken++] = last[j];
    }
  }
  return taken;
}

}  // namespace heliodor::cpu::avx2
