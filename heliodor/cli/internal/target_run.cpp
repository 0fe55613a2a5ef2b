// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/target_run.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "heliodor/cli/table.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

std::string format_cycles(const program::Cost& cost) {
  return cost.cycles ? std::to_string(*cost.cycles) : "-";
}

std::string verdict(const TargetRun& run) {
  if (run.fault) return "fault";
  if (!run.equal) return "-";
  return *run.equal ? "yes" : "NO";
}

}  // namespace

TargetRun run_on(const program::Target& target, const program::LimbProgram& program,
                 const reference::RunInputs& inputs, int repetitions) {
  TargetRun run;
  run.name = target.name();
  run.refusal = target.refusal(program);
  if (run.refusal) return run;
  run.predicted = target.predict(program);
  run.outputs = std::make_unique<reference::RunOutputs>(program, inputs.batch());
  const auto plan = target.plan(program);
  const auto bindings = bind(inputs, *run.outputs);
  for (int i = 0; i < repetitions; ++i) {
    const program::RunReport report = plan->run(bindings, inputs.shared());
    if (i == 0 || report.cost.seconds < run.cost.seconds) run.cost = report.cost;
    run.fault = report.fault;
    if (run.fault || report.cost.cycles) break;
  }
  return run;
}

double expected_seconds(const program::Target& target, const program::LimbProgram& program) {
  if (target.refusal(program)) return 0;
  const program::Cost cost = target.predict(program);
  return cost.cycles ? registry::make_target("reference")->predict(program).seconds : cost.seconds;
}

std::optional<reference::Difference> compare(const TargetRun& expected, TargetRun& run) {
  const auto difference = first_difference(*expected.outputs, *run.outputs, 1);
  run.equal = !difference.has_value();
  return difference;
}

std::vector<std::string> table_header() {
  return {"target", "time", "predicted", "cycles", "equal"};
}

std::vector<std::string> table_row(const TargetRun& run) {
  if (run.refusal) return {run.name, "-", "-", "-", "refused"};
  return {run.name, format_seconds(run.cost.seconds), format_seconds(run.predicted.seconds),
          format_cycles(run.cost), verdict(run)};
}

nlohmann::ordered_json to_json(const TargetRun& run) {
  nlohmann::ordered_json json = {{"name", run.name}};
  if (run.refusal) {
    json["refusal"] = *run.refusal;
    return json;
  }
  json["seconds"] = run.cost.seconds;
  json["predicted_seconds"] = run.predicted.seconds;
  if (run.cost.cycles) json["cycles"] = *run.cost.cycles;
  if (run.predicted.cycles) json["predicted_cycles"] = *run.predicted.cycles;
  if (run.fault) {
    json["fault"] = {{"cycle", run.fault->cycle},
                     {"instruction", run.fault->instruction},
                     {"reason", run.fault->reason}};
  }
  if (run.equal) json["equal"] = *run.equal;
  return json;
}

}  // namespace heliodor::cli
