// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The analytic model: the time of a program if nothing ever waited. Each unit is charged the cycles
// that its lanes need, the scratchpad those that its ports need, the off-chip memory the bytes that
// must pass, and the slowest of them decides (the shape of the model in arXiv 2609.09423, section
// IV). Simulation adds pipelines, latencies, waiting and traffic for want of room.
//
//   transform    passes * N / lanes; with full passes that is (N/2) log2 N / butterflies
//   dot          N * terms / lanes, dot_scalar alike; quotient one step more
//   kernel       (tasks.h) N / lanes for each source that it fetches, which is then read once
//   permutation  N / lanes, twice that in coefficients where a limb has several chunks
//   others       N / lanes
//   off chip     every input and output once; what lives beyond the scratchpad in and out once
//
// Of the orders of tasks that a lowering tries the cheapest counts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/lower.h"
#include "heliodor/targets/machine/tasks.h"
#include "heliodor/targets/machine/timeline.h"

namespace heliodor::machine {

struct AnalyticCost {
  std::vector<double> unit_cycles;  ///< machine cycles, by MachineDescription::units; off-chip last
  std::uint64_t scratchpad_reads = 0;  ///< row accesses
  std::uint64_t scratchpad_writes = 0;
  double port_cycles = 0;                        ///< machine cycles that they take
  std::array<std::uint64_t, kTraffics> bytes{};  ///< off-chip, by Traffic

  double cycles() const noexcept;  ///< the largest of all cycles
};

/// Requires a well-formed program that the machine does not refuse.
AnalyticCost analytic_cost(const MachineDescription& description,
                           const program::LimbProgram& program, const Residency& residency = {});

/// Frames (frames.h) that hold results, what is resident, and the inputs of the task at hand, at
/// most, when tasks run in this order and nothing is spilled.
std::uint64_t live_frames(const MachineDescription& description,
                          const program::LimbProgram& program, const std::vector<Task>& tasks,
                          const Residency& residency = {});

}  // namespace heliodor::machine
