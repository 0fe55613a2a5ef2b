// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Rows for values. Tasks are walked in order; a value that finds no free frame (frames.h) evicts
// those whose next use is furthest away (Belady, 1966): a result is spilled (once: its slot stays
// valid), an input dropped and loaded again. Among free frames the one free for longest is taken,
// so that loads can move far ahead of their tasks. A result takes the frame of an operand that dies
// where the order of reads and writes allows it.
#pragma once

#include <cstdint>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/targets/machine/lower.h"
#include "heliodor/targets/machine/micro_op.h"
#include "heliodor/targets/machine/tasks.h"

namespace heliodor::machine {

/// One thing to do, with the first rows of everything it touches.
struct Step {
  enum class Kind : std::uint8_t { load, reload, spill, store, task };

  Kind kind = Kind::task;
  std::uint32_t task = 0;      ///< the task, or the one that needs this; tasks.size(): none
  program::ValueId value = 0;  ///< all but task
  std::uint32_t index = 0;     ///< input, output or spill slot
  std::vector<Row> operands;   ///< task: of every instruction's operands in turn (seeds: 0);
                               ///< spill, store: one
  std::vector<Row> results;    ///< task: of every instruction's result in turn; load, reload: one
  std::vector<Row> scratch;    ///< a limb in linear layout, for permutations of coefficients
  bool resident = false;       ///< load, store: takes no time
};

/// A value in its rows, with the step that writes it there and those that use it.
struct Placement {
  program::ValueId value;
  Row first_row;
  std::uint32_t rows;
  std::vector<std::uint32_t> steps;  ///< ascending
};

struct Allocation {
  std::vector<Step> steps;  ///< resident loads first, resident stores last
  std::vector<Placement> placements;
  std::uint32_t rows = 0;
  std::uint32_t spill_slots = 0;
};

/// Nothing, with the reason, if the resident limbs do not fit, or a task not even alone.
base::Result<Allocation> allocate(const MachineDescription& description,
                                  const program::LimbProgram& program,
                                  const std::vector<Task>& tasks, const Residency& residency = {});

}  // namespace heliodor::machine
