// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "heliodor/cli/report/report.h"

namespace heliodor::cli {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const machine::UnitProfile& unit) {
  ordered_json stalled;
  for (std::size_t s = 0; s < machine::kStalls; ++s)
    stalled[std::string(to_string(static_cast<machine::Stall>(s)))] = unit.stalled[s];
  return {{"name", unit.name},
          {"operations", unit.operations},
          {"busy", unit.busy},
          {"stalled", std::move(stalled)},
          {"multiplications", unit.multiplications},
          {"peak_per_second", unit.peak_per_second},
          {"attained_per_second", unit.attained_per_second}};
}

ordered_json to_json(const machine::KindCost& cost, const machine::Profile& profile) {
  ordered_json busy;
  for (std::size_t u = 0; u < cost.busy_cycles.size(); ++u)
    busy[profile.units[u].name] = cost.busy_cycles[u];
  return {{"kind", cost.kind}, {"operations", cost.operations}, {"busy_cycles", std::move(busy)}};
}

ordered_json to_json(const MachineRun& run) {
  const machine::Profile& profile = run.profile;
  ordered_json units = ordered_json::array(), kinds = ordered_json::array(), bytes, overrides;
  for (const machine::UnitProfile& unit : profile.units) units.push_back(to_json(unit));
  for (const machine::KindCost& cost : profile.kinds) kinds.push_back(to_json(cost, profile));
  for (std::size_t t = 0; t < machine::kTraffics; ++t)
    bytes[std::string(to_string(static_cast<machine::Traffic>(t)))] = profile.bytes[t];
  ordered_json json = {{"program", run.name},
                       {"machine", profile.machine},
                       {"repeats", run.repeats},
                       {"degree", run.degree},
                       {"cycles", profile.cycles},
                       {"seconds", profile.seconds},
                       {"clock_mhz", profile.clock_mhz},
                       {"micro_operations", profile.micro_operations},
                       {"bound", bound_of(profile)},
                       {"units", std::move(units)},
                       {"off_chip_bytes", std::move(bytes)},
                       {"bandwidth", profile.bandwidth},
                       {"scratchpad",
                        {{"rows", profile.rows},
                         {"rows_used", profile.rows_used},
                         {"reads", profile.scratchpad_reads},
                         {"writes", profile.scratchpad_writes},
                         {"busy", profile.scratchpad_busy}}},
                       {"kinds", std::move(kinds)}};
  for (const auto& [key, value] : run.overrides) overrides[key] = value;
  if (!overrides.empty()) json["set"] = std::move(overrides);
  if (run.security) {
    json["security"] = {{"log_qp", run.security->log_qp},
                        {"level", to_string(run.security->level)}};
  }
  if (run.equal) json["equal"] = *run.equal;
  return json;
}

ordered_json to_json(const Sweep& sweep) {
  ordered_json points = ordered_json::array();
  for (const SweepPoint& point : sweep.points) {
    points.push_back({{"value", point.value},
                      {"cycles", point.cycles},
                      {"seconds", point.seconds},
                      {"bound", point.bound}});
  }
  return {{"key", sweep.key}, {"points", std::move(points)}};
}

}  // namespace

ordered_json to_json(const Report& report) {
  ordered_json runs = ordered_json::array();
  std::uint64_t cycles = 0;
  double seconds = 0;
  for (const MachineRun& run : report.runs) {
    runs.push_back(to_json(run));
    cycles += run.repeats * run.profile.cycles;
    seconds += static_cast<double>(run.repeats) * run.profile.seconds;
  }
  ordered_json json = {{"command", "simulate"}, {"comparison", report.comparison}};
  json["runs"] = std::move(runs);
  if (!report.comparison) json["total"] = {{"cycles", cycles}, {"seconds", seconds}};
  if (report.sweep) json["sweep"] = to_json(*report.sweep);
  return json;
}

}  // namespace heliodor::cli
