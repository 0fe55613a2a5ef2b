// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Schedule: in which order a plan executes its instructions, and where each value lives.
//
// Instructions run in waves; those of one wave do not depend on each other. A serial schedule has one instruction per wave,
// in program order; a parallel one groups by depth. Values that are neither inputs nor outputs share slots of an arena:
// a slot is free again once its value has been read for the last time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heliodor/program/limb_program.h"

namespace heliodor::cpu {

struct Place {
  enum class Kind : std::uint8_t { operand, shared, seed, output, slot };
  Kind kind;
  std::uint32_t index;  ///< among the binding's spans of that kind, or the slot

  bool operator==(const Place&) const = default;
};

/// An output that another place already holds: an input, or a value that is output twice.
struct OutputCopy {
  program::ValueId value;
  std::uint32_t output;
};

struct Schedule {
  std::vector<std::vector<std::uint32_t>> waves;  ///< indices of instructions
  std::vector<Place> places;                      ///< by value
  std::vector<OutputCopy> copies;                 ///< made after the last wave
  std::size_t slot_count = 0;
};

enum class Order : std::uint8_t { serial, parallel };

/// Requires a well-formed program. Linear in its size.
Schedule make_schedule(const program::LimbProgram& program, Order order);

/// One line per wave, for people.
std::string to_string(const Schedule& schedule, const program::LimbProgram& program);

}  // namespace heliodor::cpu
