// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "heliodor/cli/report/charts.h"
#include "heliodor/cli/report/columns.h"
#include "heliodor/cli/report/markup.h"

namespace heliodor::cli {
namespace {

using machine::MicroCode;
using machine::Profile;

// Of pictures of time: as many as can be told apart.
constexpr std::size_t kTimeColumns = 800;

// What a unit does, for the eye. Indices are colours.
constexpr std::array<std::string_view, 11> kWorks = {
    "NTT",        "inverse NTT", "base conversion", "products", "sums, scalars", "permutation",
    "generation", "load",        "store",           "spill",    "to registers"};

Colour work_of(MicroCode code) {
  switch (code) {
    case MicroCode::ntt_pass:
      return 0;
    case MicroCode::intt_pass:
      return 1;
    case MicroCode::mac_imm:
    case MicroCode::quotient_mac:
    case MicroCode::quotient_round:
    case MicroCode::reduce:
      return 2;
    case MicroCode::mac:
    case MicroCode::mul:
      return 3;
    case MicroCode::add:
    case MicroCode::sub:
    case MicroCode::neg:
    case MicroCode::add_imm:
    case MicroCode::mul_imm:
      return 4;
    case MicroCode::permute_eval:
    case MicroCode::unscramble:
    case MicroCode::permute_coeff:
      return 5;
    case MicroCode::uniform:
      return 6;
    case MicroCode::load:
      return 7;
    case MicroCode::store:
      return 8;
    case MicroCode::spill:
    case MicroCode::reload:
      return 9;
    case MicroCode::fetch:
    case MicroCode::fence:
      return 10;
  }
  return 10;
}

// Seconds of a machine cycle, times the unit.
struct TimeScale {
  TimeUnit unit;
  double per_cycle;

  explicit TimeScale(const Profile& profile)
      : unit(time_unit(profile.seconds)),
        per_cycle(unit.per_second / (1e6 * static_cast<double>(profile.clock_mhz))) {}

  double at(std::uint64_t cycle) const { return static_cast<double>(cycle) * per_cycle; }
  Axis axis(const Profile& profile) const {
    return {fmt::format("time in {}", unit.name),
            {0, at(std::max<std::uint64_t>(profile.cycles, 1))}};
  }
};

std::string instruction_text(const Profile& profile, std::uint64_t index) {
  return index < profile.instructions.size() ? profile.instructions[index] : "copies";
}

void draw_columns(Plot& plot, const Columns& columns, double band,
                  const std::function<std::string(const Columns::Box&)>& title) {
  constexpr double kPadding = 0.1;
  for (const Columns::Box& box : columns.boxes()) {
    const double bottom = band + 1 - kPadding;
    plot.box(box.x, {bottom - box.share * (1 - 2 * kPadding), bottom}, box.kind, title(box));
  }
}

}  // namespace

std::string gantt_chart(const Profile& profile) {
  const TimeScale scale(profile);
  const Axis time = scale.axis(profile);
  std::vector<Columns> units(profile.units.size(), Columns(time.range.to, kTimeColumns));
  std::array<bool, kWorks.size()> used{};
  for (const machine::Span& span : profile.spans) {
    const Colour work = work_of(span.code);
    used[work] = true;
    const double length = static_cast<double>(std::max<std::uint64_t>(span.end - span.begin, 1));
    units[span.unit].add({scale.at(span.begin), scale.at(span.end)}, work, span.instruction,
                         static_cast<double>(span.busy) / length);
  }
  Plot plot(time, unit_names(profile), 40);
  for (std::size_t u = 0; u < units.size(); ++u) {
    draw_columns(plot, units[u], static_cast<double>(u), [&](const Columns::Box& box) {
      const std::string first = instruction_text(profile, box.first);
      return fmt::format("{} on {}, {:.4g} to {:.4g} {}: {}{}", kWorks[box.kind],
                         profile.units[u].name, box.x.from, box.x.to, scale.unit.name, first,
                         box.first == box.last ? "" : " .. " + instruction_text(profile, box.last));
    });
  }
  std::vector<std::pair<Colour, std::string>> entries;
  for (Colour work = 0; work < kWorks.size(); ++work) {
    if (used[work]) entries.emplace_back(work, kWorks[work]);
  }
  return legend(entries) + plot.svg("When each unit works");
}

std::string occupancy_chart(const Profile& profile) {
  const TimeScale scale(profile);
  const Axis time = scale.axis(profile);
  Plot plot(time, unit_names(profile), 48);
  for (std::size_t u = 0; u < profile.units.size(); ++u) {
    const std::vector<double>& occupancy = profile.units[u].occupancy;
    const double width =
        time.range.to / static_cast<double>(std::max<std::size_t>(occupancy.size(), 1));
    for (std::size_t k = 0; k < occupancy.size(); ++k) {
      if (occupancy[k] <= 0) continue;
      const double left = width * static_cast<double>(k), bottom = static_cast<double>(u) + 0.94;
      plot.box({left, left + width}, {bottom - 0.88 * std::min(occupancy[k], 1.0), bottom}, 0,
               fmt::format("{}, {:.4g} {}: {} busy", profile.units[u].name, left, scale.unit.name,
                           format_share(occupancy[k])));
    }
  }
  return plot.svg("Busy share of each unit over time, each band from 0 to 100 %");
}

std::string memory_chart(const Profile& profile, const program::LimbProgram& source) {
  constexpr std::array<std::string_view, 4> kOrigins = {"operand", "key", "constant", "result"};
  constexpr std::array<Colour, 4> kColourOf = {3, 7, 10, 0};
  std::vector<std::size_t> origin(source.value_count(), 3);
  for (const program::Input& input : source.inputs())
    origin[input.value] = std::min<std::size_t>(static_cast<std::size_t>(input.kind), 2);

  // One band of columns for each run of rows that some value takes; so many that all can be seen.
  constexpr double kMostBands = 150;
  const TimeScale scale(profile);
  const Axis time = scale.axis(profile);
  const double rows = static_cast<double>(std::max<std::uint64_t>(profile.rows_used, 1));
  double smallest = rows;
  for (const machine::Stay& stay : profile.stays)
    smallest = std::min(smallest, std::max(1.0, static_cast<double>(stay.rows)));
  const double band_rows = smallest * std::ceil(rows / kMostBands / smallest);
  std::map<std::size_t, Columns> bands;
  for (const machine::Stay& stay : profile.stays) {
    const auto first = static_cast<std::size_t>(stay.first_row / band_rows);
    const auto last = static_cast<std::size_t>((stay.first_row + stay.rows - 1) / band_rows);
    for (std::size_t band = first; band <= last; ++band) {
      auto [found, fresh] = bands.try_emplace(band, time.range.to, kTimeColumns / 4);
      found->second.add({scale.at(stay.begin), scale.at(std::max(stay.end, stay.begin + 1))},
                        kColourOf[origin[stay.value]], stay.value);
    }
  }
  Plot plot(time, Axis{"rows of the scratchpad", {0, rows}}, 360);
  for (const auto& [band, columns] : bands) {
    const Interval y{static_cast<double>(band) * band_rows,
                     static_cast<double>(band + 1) * band_rows};
    for (const Columns::Box& box : columns.boxes()) {
      const auto name = [&](std::uint64_t value) {
        return value < profile.values.size() ? profile.values[value] : std::string();
      };
      plot.box(box.x, y, box.kind,
               fmt::format("{}{}, from row {:.0f}, {:.4g} to {:.4g} {}", name(box.first),
                           box.first == box.last ? "" : " .. " + name(box.last), y.from, box.x.from,
                           box.x.to, scale.unit.name));
    }
  }
  std::vector<std::pair<Colour, std::string>> entries;
  for (std::size_t k = 0; k < kOrigins.size(); ++k) entries.emplace_back(kColourOf[k], kOrigins[k]);
  return legend(entries) + plot.svg("Rows of the scratchpad that hold values, over time");
}

}  // namespace heliodor::cli
