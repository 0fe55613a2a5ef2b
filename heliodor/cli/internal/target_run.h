// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// One run of a program on a target, and its row in a report.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/targets/reference/run_data.h"

namespace heliodor::cli {

struct TargetRun {
  std::string name;
  std::optional<std::string> refusal;  ///< then nothing below is meaningful
  program::Cost predicted;
  program::Cost cost;
  std::optional<program::Fault> fault;
  std::unique_ptr<reference::RunOutputs> outputs;
  std::optional<bool> equal;  ///< nothing if it was not compared

  /// Ran without fault and did not compare unequal.
  bool right() const noexcept { return !refusal && !fault && equal.value_or(true); }
};

/// Plans and runs once for the first run of `inputs`. Targets that do not count cycles run
/// `repetitions` times, and the fastest counts. A refusal is returned; everything else that goes
/// wrong is thrown.
TargetRun run_on(const program::Target& target, const program::LimbProgram& program,
                 const reference::RunInputs& inputs, int repetitions);

/// Seconds that one run of a program takes here: of targets that count cycles those of the
/// reference, as their own seconds are simulated; 0 for a program that is refused.
double expected_seconds(const program::Target& target, const program::LimbProgram& program);

/// Sets run.equal, and returns the first word that differs.
std::optional<reference::Difference> compare(const TargetRun& expected, TargetRun& run);

/// target, time, predicted, cycles, equal
std::vector<std::string> table_header();
std::vector<std::string> table_row(const TargetRun& run);
nlohmann::ordered_json to_json(const TargetRun& run);

}  // namespace heliodor::cli
