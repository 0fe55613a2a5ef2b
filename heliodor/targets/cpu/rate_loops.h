// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// RateLoops: loops of independent operations of the kind that a kernel table is made of. Timed,
// they tell what the CPU can do at most, whatever the kernels make of it (peak_rates.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace heliodor::cpu {

/// What the multiplier of a table gives per operation and lane.
enum class Multiplier : std::uint8_t {
  scalar_64,  ///< all 128 bits of a product of two 64-bit words
  vector_32,  ///< the 64-bit product of two 32-bit words
  vector_52,  ///< one half of the 104-bit product of two 52-bit words, added to a 64-bit word
};

struct RateLoops {
  static constexpr std::size_t kOperationsPerRound = 24;

  Multiplier multiplier;
  std::size_t lanes;  ///< 64-bit words that an operation works on
  /// `rounds` times kOperationsPerRound multiplications, none of which waits for the one before.
  void (*multiply)(std::size_t rounds) noexcept;
  /// The same of additions.
  void (*add)(std::size_t rounds) noexcept;
  /// Reads every word once with the widest loads; returns some function of them. `count` is a
  /// multiple of 64.
  std::uint64_t (*read)(const std::uint64_t* words, std::size_t count) noexcept;
};

}  // namespace heliodor::cpu
