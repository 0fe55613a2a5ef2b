// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What operations on slots mean: plain vectors modulo t < 2^31.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heliodor::exact {

using Slots = std::vector<std::int64_t>;  ///< in [0, t)

class SlotArithmetic {
 public:
  explicit SlotArithmetic(std::uint64_t t) : t_(static_cast<std::int64_t>(t)) {}

  std::int64_t t() const noexcept { return t_; }

  Slots sum(const Slots& a, const Slots& b) const;
  Slots difference(const Slots& a, const Slots& b) const;
  Slots product(const Slots& a, const Slots& b) const;
  static Slots rotated(const Slots& a, std::int64_t steps);  ///< both rows, to the left
  static Slots swapped(const Slots& a);                      ///< the rows

 private:
  std::int64_t t_;
};

}  // namespace heliodor::exact
