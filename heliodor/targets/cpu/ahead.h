// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ahead: plain data that plans hand to transforms, and tables to files compiled with
// instruction-set flags.
#pragma once

#include <cstddef>

namespace heliodor::cpu {

/// Limbs that the next operations read or write, fetched from far away during a transform.
struct Ahead {
  static constexpr std::size_t kMaxLimbs = 8;

  const void* limbs[kMaxLimbs] = {};
  std::size_t word_bytes[kMaxLimbs] = {};  ///< of a limb's words, one for each of the transform
  std::size_t count = 0;
};

}  // namespace heliodor::cpu
