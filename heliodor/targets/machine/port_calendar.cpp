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
  const std::uint64_t cycle = first_free(earliest);
  if (cycle - horizon_ >= slots_.size()) grow_to_hold(cycle);
  Slot& booked = slot(cycle);
  if (booked.cycle != cycle) booked = {cycle, 0, 0};
  if (++booked.used == ports_) booked.next = cycle + 1;
  return cycle;
}

std::uint64_t PortCalendar::first_free(std::uint64_t cycle) noexcept {
  std::uint64_t free = cycle;
  while (full(free)) free = slot(free).next;
  while (full(cycle)) cycle = std::exchange(slot(cycle).next, free);
  return free;
}

void PortCalendar::grow_to_hold(std::uint64_t cycle) {
  const std::vector<Slot> old =
      std::exchange(slots_, std::vector<Slot>(std::bit_ceil(cycle - horizon_ + 1)));
  for (const Slot& kept : old) {
    if (kept.used > 0 && kept.cycle >= horizon_) slot(kept.cycle) = kept;
  }
}

}  // namespace heliodor::machine
