// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Measures workloads and their floors together: in every round, every case runs once, each right
// after the rates that its floor is made of. What disturbs the machine disturbs both, so that
// ratios mean more than times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/cli/bench_floor.h"
#include "heliodor/cli/bench_workloads.h"
#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cli {

class ProgressBar;

struct BenchCase {
  Workload workload;
  WorkloadSize size;
  std::size_t batch = 1;
  unsigned threads = 1;
};

/// Times are of one binding of the batch; medians.
struct BenchRow {
  BenchCase of;
  double ns = 0;
  double predicted_ns = 0;
  std::optional<Floor> floor;
  std::optional<double> multiplies;  ///< count_multiplies

  std::optional<double> ratio() const {
    return floor ? std::optional(ns / floor->ns) : std::nullopt;
  }
};

struct BenchResults {
  std::vector<BenchRow> rows;  ///< one per case, in order
  cpu::OperationRates operations;
  cpu::ReadRates reads;
};

/// `rounds` >= 1. A sample is a run, or so many that they take `sample_ns`, the call of Plan::run
/// included. Operands and keys are random limbs from the test seed. Each case advances `progress`
/// by 1 in each round.
BenchResults measure(const std::vector<BenchCase>& cases, const cpu::KernelTable& kernels,
                     std::size_t rounds, double sample_ns, std::uint64_t seed,
                     ProgressBar& progress);

/// Of a non-empty list; the mean of the two in the middle if there are two.
double median(std::vector<double> numbers);

}  // namespace heliodor::cli
