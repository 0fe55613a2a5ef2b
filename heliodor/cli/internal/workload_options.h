// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The options that change a built-in workload's size, shared by bench and plan.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "heliodor/cli/bench_workloads.h"

namespace heliodor::cli {

struct WorkloadOptions {
  std::optional<std::size_t> limbs;
  std::optional<std::size_t> special;
  std::optional<std::size_t> digits;

  void add_to(CLI::App& command);
  WorkloadSize applied_to(WorkloadSize usual) const;
};

}  // namespace heliodor::cli
