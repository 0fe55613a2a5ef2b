// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/port_calendar.h"

#include <bit>
#include <utility>

namespace heliodor::machine {
namespace {

constexpr std::size_t kInitialSlots = 1024;

}  // namespace

PortCalendar::PortCalendar(std::uint32_t ports) : ports_(ports), slots_(kInitialSlots) {}

std::uint64_t PortCalendar::book(std::uint64_t earliest) {
  for (std::uint64_t cycle = earliest;; ++cycle) {
    if (cycle - horizon_ >= slots_.size()) grow_to_hold(cycle);
    Slot& candidate = slot(cycle);
    if (candidate.cycle != cycle) candidate = {cycle, 0};
    if (candidate.used < ports_) {
      ++candidate.used;
      return cycle;
    }
  }
}

void PortCalendar::grow_to_hold(std::uint64_t cycle) {
  const std::vector<Slot> old =
      std::exchange(slots_, std::vector<Slot>(std::bit_ceil(cycle - horizon_ + 1)));
  for (const Slot& kept : old) {
    if (kept.used > 0 && kept.cycle >= horizon_) slot(kept.cycle) = kept;
  }
}

}  // namespace heliodor::machine
