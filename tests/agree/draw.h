// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Draw: reproducible choices, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace heliodor::agree {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t word() { return engine_(); }
  /// In [0, bound), bound > 0. The bias of the remainder does not matter to a search for faults.
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  /// In [low, high].
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + below(high - low + 1);
  }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <typename T>
  const T& of(std::span<const T> choices) {
    return choices[below(choices.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace heliodor::agree
