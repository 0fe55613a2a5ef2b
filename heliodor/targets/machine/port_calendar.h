// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// PortCalendar: which machine cycles still have a free scratchpad port. Accesses are booked in
// program order but at cycles in any order, so a later micro-operation may use a gap that an
// earlier one left.
//
// A ring of slots, each stamped with its cycle: a slot with another stamp is free. Cycles nobody
// books cost nothing. A full slot points to a later one that may be free (paths are shortened as
// they are walked), so that a long busy stretch is crossed in a few steps.
#pragma once

#include <cstdint>
#include <vector>

namespace heliodor::machine {

class PortCalendar {
 public:
  /// `ports` accesses fit into one cycle.
  explicit PortCalendar(std::uint32_t ports);

  /// Books one access in the first cycle from `earliest` on that has a free port, and returns that
  /// cycle. Requires earliest >= the last forget_before().
  std::uint64_t book(std::uint64_t earliest);

  /// Nothing will be booked before `cycle` any more: its slots may be reused.
  void forget_before(std::uint64_t cycle) noexcept { horizon_ = cycle; }

 private:
  struct Slot {
    std::uint64_t cycle = ~std::uint64_t{0};
    std::uint64_t next = 0;  // where to look on if full: no cycle between is free
    std::uint32_t used = 0;
  };

  Slot& slot(std::uint64_t cycle) noexcept { return slots_[cycle & (slots_.size() - 1)]; }
  bool full(std::uint64_t cycle) noexcept {
    return slot(cycle).cycle == cycle && slot(cycle).used == ports_;
  }
  std::uint64_t first_free(std::uint64_t cycle) noexcept;
  void grow_to_hold(std::uint64_t cycle);

  std::uint32_t ports_;
  std::uint64_t horizon_ = 0;
  std::vector<Slot> slots_;  // a power of two; holds cycles horizon_ .. horizon_ + size - 1
};

}  // namespace heliodor::machine
