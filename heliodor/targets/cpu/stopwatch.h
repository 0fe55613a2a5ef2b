// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Timing of short pieces of work.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace heliodor::cpu {

inline double elapsed_ns(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - since).count();
}

/// The shortest of `repetitions` calls: other work on the machine only ever adds.
template <typename Work>
double fastest_ns(int repetitions, Work work) {
  double fastest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    fastest = std::min(fastest, elapsed_ns(start));
  }
  return fastest;
}

/// Makes the compiler compute `word`.
inline void keep(std::uint64_t word) { asm volatile("" : : "r"(word)); }

}  // namespace heliodor::cpu
