// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Chrome's trace event format: complete events ("ph": "X") with times in microseconds, one thread
// for each unit, named by metadata events.
#include <nlohmann/json.hpp>
#include <string>

#include "heliodor/targets/machine/profile.h"

namespace heliodor::machine {

std::string to_chrome_trace(const Profile& profile) {
  using nlohmann::json;
  const auto microseconds = [&](std::uint64_t cycles) {
    return static_cast<double>(cycles) / profile.clock_mhz;
  };
  json events = json::array();
  events.push_back({{"ph", "M"},
                    {"pid", 1},
                    {"name", "process_name"},
                    {"args", {{"name", "machine " + profile.machine}}}});
  for (std::size_t unit = 0; unit < profile.units.size(); ++unit) {
    events.push_back({{"ph", "M"},
                      {"pid", 1},
                      {"tid", unit},
                      {"name", "thread_name"},
                      {"args", {{"name", profile.units[unit].name}}}});
  }
  for (const Span& span : profile.spans) {
    json arguments = {{"instruction", span.instruction}, {"operations", span.operations}};
    if (span.instruction < profile.instructions.size()) {
      arguments["text"] = profile.instructions[span.instruction];
    }
    events.push_back({{"ph", "X"},
                      {"pid", 1},
                      {"tid", span.unit},
                      {"name", info(span.code).name},
                      {"ts", microseconds(span.begin)},
                      {"dur", microseconds(span.end - span.begin)},
                      {"args", std::move(arguments)}});
  }
  return json{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}}.dump();
}

}  // namespace heliodor::machine
