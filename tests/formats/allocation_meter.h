// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Counts what operator new gives out. Linking allocation_meter.cpp replaces that operator in the
// whole program.
#pragma once

#include <cstddef>

namespace heliodor::vectors {

class AllocationMeter {
 public:
  /// Starts from zero.
  AllocationMeter();

  std::size_t largest() const noexcept;  ///< bytes of the largest block since then
  std::size_t peak() const noexcept;     ///< most bytes alive at once, beyond those alive then
};

}  // namespace heliodor::vectors
