// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// LimbProgram -> MicroProgram, in five steps:
//
//   tasks.h     instructions into tasks (a task is one instruction, or several that share sources
//               which the register file can hold: a base conversion's kernel), in an order
//   allocate.h  rows for every value: furthest next use is evicted; results are spilled, inputs
//               dropped and loaded again
//   parts.h     transfers and tasks into parts for one unit, as micro-operations on a chunk
//   schedule.h  parts by critical path where words and rows allow it
//   lower.cpp   their micro-operations, in the order in which they are expected to enter the units
//
// Two orders of tasks are tried (base conversions whole, which takes fewest accesses, and limb by
// limb, which holds fewest limbs) and the faster program by the schedule's estimate is kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::machine {

/// What is on chip already: limbs of such inputs lie in the scratchpad when the program starts
/// (and take their rows), outputs stay there when it ends. For operations inside longer
/// computations.
struct Residency {
  bool operands = false;
  bool keys = false;
  bool constants = false;
  bool outputs = false;

  bool operator==(const Residency&) const = default;
};

/// Of any of "operands", "keys", "constants", "outputs"; Error{out_of_range} for another word.
Residency residency_of(const std::vector<std::string>& kinds);

/// Why the machine cannot run a well-formed program: words too short for a modulus or a quotient's
/// sum, no unit for an instruction, scratchpad too small for a task or for what is resident.
/// Nothing if it can.
std::optional<std::string> refusal(const MachineDescription& description,
                                   const program::LimbProgram& program,
                                   const Residency& residency = {});

/// Before: the program is well formed. After: every place is written before it is read.
/// Throws Error{unsupported} with the refusal if there is one.
MicroProgram lower(const MachineDescription& description, const program::LimbProgram& program,
                   const Residency& residency = {});

}  // namespace heliodor::machine
