// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// How long operations take, in machine cycles, by what the description says of units and memories.
// Waiting is left to the Timeline.
#pragma once

#include <cstdint>

#include "heliodor/targets/machine/description.h"

namespace heliodor::machine {

/// One operation on `words` words, spread over the copies of its unit. Requires the unit.
inline double unit_cycles(const MachineDescription& description, Operation operation,
                          std::uint32_t words, bool wide) noexcept {
  const Unit& unit = *description.unit_for(operation);
  const Capability& capability = *unit.can(operation);
  const std::uint32_t lanes =
      wide && capability.wide_lanes != 0 ? capability.wide_lanes : capability.lanes;
  const std::uint32_t passes = (words + lanes - 1) / lanes;
  return static_cast<double>(passes) * description.clock_mhz / unit.clock_mhz / unit.count;
}

/// The transfer of `words` words between scratchpad and off-chip memory.
inline double transfer_cycles(const MachineDescription& description, std::uint32_t words,
                              bool wide) noexcept {
  const double bytes = words * (wide ? description.wide_word_bits : description.word_bits) / 8.0;
  return bytes * description.clock_mhz / (description.dram.bandwidth * 1000);
}

/// Row accesses at the scratchpad's ports.
inline double port_cycles(const MachineDescription& description, std::uint32_t reads,
                          std::uint32_t writes) noexcept {
  const Scratchpad& scratchpad = description.scratchpad;
  if (scratchpad.write_ports == 0) return static_cast<double>(reads + writes) / scratchpad.ports;
  const double reading = static_cast<double>(reads) / scratchpad.ports;
  const double writing = static_cast<double>(writes) / scratchpad.write_ports;
  return reading > writing ? reading : writing;
}

}  // namespace heliodor::machine
