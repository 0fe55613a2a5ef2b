// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// ReuseDistances: how much memory a sequence of steps touches between two touches of one place. A
// cache that keeps what was used last holds the place if that fits into it (Mattson, Gecsei, Slutz,
// Traiger, "Evaluation techniques for storage hierarchies", 1970).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heliodor::cpu {

class ReuseDistances {
 public:
  static constexpr std::size_t kNever = SIZE_MAX;

  ReuseDistances(std::size_t places, std::size_t steps);

  /// Bytes of distinct places touched since the step that touched `place` last, with all of that
  /// step and what `step` has touched so far; 0 if that includes the place itself, kNever if
  /// nothing has touched it. Steps may not go back; bytes are those of the place, always the same.
  std::size_t touch(std::size_t place, std::size_t bytes, std::size_t step);

 private:
  void add(std::size_t step, std::ptrdiff_t bytes);
  std::size_t sum_before(std::size_t step) const;

  std::size_t total_ = 0;              // of all places touched
  std::vector<std::size_t> last_;      // by place: the step that touched it last
  std::vector<std::ptrdiff_t> bytes_;  // Fenwick tree by step: bytes of places touched last there
};

}  // namespace heliodor::cpu
