// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "heliodor/targets/cpu/portable/kernels.h"

namespace heliodor::cpu::portable {

// Rejection makes the number of key stream words depend on the stream, which is public.
void uniform(const KernelModulus& q, const base::PublicSeed& seed, std::uint64_t stream,
             Word* result, std::size_t n) noexcept {
  constexpr std::size_t kWordsPerBlock = 8;
  constexpr std::size_t kBlocks = 32;
  const Word mask = (Word{1} << q.bits()) - 1;
  Word words[kBlocks * kWordsPerBlock];
  std::size_t filled = 0;
  for (std::uint64_t block = 0; filled < n; block += kBlocks) {
    base::chacha20_words(seed, stream, block, words);
    for (std::size_t i = 0; i < std::size(words) && filled < n; ++i) {
      const Word candidate = words[i] & mask;
      if (candidate < q.value()) result[filled++] = candidate;
    }
  }
}

}  // namespace heliodor::cpu::portable
