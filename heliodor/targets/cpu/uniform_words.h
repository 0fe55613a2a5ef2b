// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The uniform kernel around a vectorised rejection step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "heliodor/base/random.h"
#include "heliodor/targets/cpu/kernel_modulus.h"

namespace heliodor::cpu {

/// ring::reference::uniform. take_below(q, mask, words, count, result, room) masks `count` words (a
/// multiple of 8), writes those below q to result in order, at most `room` of them, and returns
/// their number.
template <typename TakeBelow>
void uniform_words(TakeBelow take_below, const KernelModulus& q, const base::PublicSeed& seed,
                   std::uint64_t stream, Word* result, std::size_t n) noexcept {
  constexpr std::size_t kBlocks = 32, kWordsPerBlock = 8;
  const Word mask = (Word{1} << q.bits()) - 1;
  Word words[kBlocks * kWordsPerBlock];
  std::size_t filled = 0;
  for (std::uint64_t block = 0; filled < n;) {
    const std::size_t blocks =
        std::min(kBlocks, (n - filled + kWordsPerBlock - 1) / kWordsPerBlock);
    const std::size_t count = blocks * kWordsPerBlock;
    base::chacha20_words(seed, stream, block, std::span(words, count));
    filled += take_below(q.value(), mask, words, count, result + filled, n - filled);
    block += blocks;
  }
}

}  // namespace heliodor::cpu
