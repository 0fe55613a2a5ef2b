// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "heliodor/cli/report/markup.h"
#include "heliodor/cli/report/report.h"

namespace heliodor::cli {
namespace {

// What a unit waits for, as the end of "waits ..".
std::string_view waits(machine::Stall stall) {
  switch (stall) {
    case machine::Stall::dispatch:
      return "for dispatch";
    case machine::Stall::transfer:
      return "for off-chip memory";
    case machine::Stall::operand:
      return "for operands";
    case machine::Stall::ports:
      return "for scratchpad ports";
    case machine::Stall::drained:
      break;
  }
  return "without work";
}

}  // namespace

std::string title_of(const MachineRun& run) {
  return fmt::format("{} on {}", run.name, run.profile.machine);
}

std::string main_stall(const machine::UnitProfile& unit) {
  const auto most = std::ranges::max_element(unit.stalled);
  if (*most <= 0) return "-";
  const auto stall = static_cast<machine::Stall>(most - unit.stalled.begin());
  return fmt::format("{}, {}", waits(stall), format_share(*most));
}

std::string bound_of(const machine::Profile& profile) {
  constexpr double kSaturated = 0.9;
  const auto busiest = std::ranges::max_element(profile.units, {}, &machine::UnitProfile::busy);
  if (busiest->busy >= kSaturated) {
    return fmt::format("{} bounds it, {} busy", busiest->name, format_share(busiest->busy));
  }
  if (profile.scratchpad_busy >= kSaturated) {
    return fmt::format("scratchpad ports bound it, {} busy", format_share(profile.scratchpad_busy));
  }
  return fmt::format("no unit is saturated; {} is {} busy and waits {}", busiest->name,
                     format_share(busiest->busy), main_stall(*busiest));
}

}  // namespace heliodor::cli
