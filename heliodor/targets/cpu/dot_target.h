// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// DotTarget: plain data that tables hand to files compiled with instruction-set flags.
#pragma once

#include <cstdint>

namespace heliodor::cpu {

/// One of the sums that a call of dot makes from the same a[k]. Its b[k] are words, or 32-bit words
/// if they are packed.
template <typename Factor>
struct DotTarget {
  const Factor* const* b;
  const std::uint64_t* addend;  ///< canonical words that the sum begins with, or null
  std::uint64_t* result;
};

}  // namespace heliodor::cpu
