// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The simulator: a Timeline and a Datapath fed with the same micro-operations. Time does not depend
// on data, so estimate() counts the very cycles that simulate() takes, and what has been estimated
// need not be timed again: execute() moves the data alone.
#pragma once

#include <functional>
#include <optional>

#include "heliodor/program/target.h"
#include "heliodor/targets/machine/datapath.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/micro_op.h"
#include "heliodor/targets/machine/timeline.h"

namespace heliodor::machine {

struct Simulation {
  Activity activity;
  std::optional<program::Fault> fault;  ///< where it stopped; outputs are unspecified then
};

/// Called for every operation in program order with its index.
using Observer =
    std::function<void(std::size_t index, const MicroOp& op, const MicroTiming& timing)>;

/// Runs the program with data. A malformed operation, one without a unit, a read of a word never
/// written, a bank conflict and a conflict in a network are faults at the cycle in which the
/// operation enters its unit.
Simulation simulate(const MachineDescription& description, const MicroProgram& program,
                    const HostMemory& host);

/// Counts cycles without data. Faults that need data are not found.
Simulation estimate(const MachineDescription& description, const MicroProgram& program,
                    const Observer& observer = {});

/// Moves the data without counting cycles; a fault carries the cycle that simulate() would give.
/// `tables` may be kept for further runs of the same program, from any thread.
std::optional<program::Fault> execute(const MachineDescription& description,
                                      const MicroProgram& program, const HostMemory& host,
                                      PassTables& tables);

}  // namespace heliodor::machine
