// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Floors: the time below which a workload cannot go on a CPU of the measured rates, whatever the
// program. docs/reference/benchmarks.md explains them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "heliodor/cli/bench_workloads.h"
#include "heliodor/targets/cpu/peak_rates.h"

namespace heliodor::cli {

struct Floor {
  double ns;
  std::string_view by;  ///< "multiply", "add" or "bandwidth": what there is too little of
};

/// Vector multiplications (of cpu::RateLoops) of that work on one thread; nothing where no least
/// number is known for that table's multiplier and the primes' size.
std::optional<double> count_multiplies(const WorkCount& work, unsigned bits,
                                       const cpu::RateLoops& loops);

/// What a run moves at least: every input and output once.
struct Traffic {
  double bytes;      ///< per binding; keys are shared by the batch
  double footprint;  ///< bytes of the whole batch, which tell from which memory they come
};

/// One binding on one thread. Nothing as above.
std::optional<Floor> floor_of(const WorkCount& work, unsigned bits, const Traffic& traffic,
                              const cpu::RateLoops& loops, const cpu::OperationRates& operations,
                              const cpu::ReadRates& reads);

}  // namespace heliodor::cli
