// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "heliodor/cli/report/markup.h"

namespace heliodor::cli {
namespace {

using machine::Profile;

double total_bytes(const Profile& profile) {
  double total = 0;
  for (const std::uint64_t bytes : profile.bytes) total += static_cast<double>(bytes);
  return total;
}

}  // namespace

TimeUnit time_unit(double longest_seconds) {
  if (longest_seconds >= 2) return {"s", 1};
  if (longest_seconds >= 2e-3) return {"ms", 1e3};
  if (longest_seconds >= 2e-6) return {"us", 1e6};
  return {"ns", 1e9};
}

std::string legend(const std::vector<std::pair<Colour, std::string>>& entries) {
  std::string list = R"(<ul class="legend">)";
  for (const auto& [colour, name] : entries)
    list += fmt::format(R"(<li><i class="b{}"></i>{}</li>)", colour % kColours, escape(name));
  return list + "</ul>\n";
}

std::vector<std::string> unit_names(const Profile& profile) {
  std::vector<std::string> names;
  for (const machine::UnitProfile& unit : profile.units) names.push_back(unit.name);
  return names;
}

std::string stall_chart(const Profile& profile) {
  constexpr std::array<Colour, machine::kStalls + 1> kColourOf = {0, 8, 7, 2, 6, 11};
  static_assert(kColourOf.size() <= kColours);
  std::vector<std::pair<Colour, std::string>> entries = {{kColourOf[0], "busy"}};
  for (std::size_t s = 0; s < machine::kStalls; ++s) {
    entries.emplace_back(kColourOf[s + 1],
                         fmt::format("{}", to_string(static_cast<machine::Stall>(s))));
  }
  Plot plot({"share of the time in %", {0, 100}}, unit_names(profile), 30);
  for (std::size_t u = 0; u < profile.units.size(); ++u) {
    const machine::UnitProfile& unit = profile.units[u];
    double left = 0;
    for (std::size_t s = 0; s <= machine::kStalls; ++s) {
      const double share = s == 0 ? unit.busy : unit.stalled[s - 1];
      const double right = left + 100 * share;
      const double top = static_cast<double>(u) + 0.15;
      if (share > 0) {
        plot.box({left, right}, {top, top + 0.7}, entries[s].first,
                 fmt::format("{}, {}: {}", unit.name, entries[s].second, format_share(share)));
      }
      left = right;
    }
  }
  return legend(entries) + plot.svg("How each unit spends its time");
}

std::string traffic_chart(const Profile& profile) {
  std::vector<std::string> names;
  double most = 0;
  for (std::size_t t = 0; t < machine::kTraffics; ++t) {
    names.emplace_back(to_string(static_cast<machine::Traffic>(t)));
    most = std::max(most, static_cast<double>(profile.bytes[t]));
  }
  Plot plot({"off-chip traffic in MB (1e6 bytes)", {0, std::max(most / 1e6, 1e-6)}}, names, 28);
  for (std::size_t t = 0; t < machine::kTraffics; ++t) {
    if (profile.bytes[t] == 0) continue;
    const auto bytes = static_cast<double>(profile.bytes[t]);
    const double top = static_cast<double>(t) + 0.15;
    plot.box({0, bytes / 1e6}, {top, top + 0.7}, 7,
             fmt::format("{}: {} bytes", names[t], format_count(profile.bytes[t])));
  }
  return plot.svg("Off-chip traffic by what it carries");
}

std::string roofline_chart(const Profile& profile) {
  const double bytes = total_bytes(profile);
  std::vector<const machine::UnitProfile*> units;
  for (const machine::UnitProfile& unit : profile.units) {
    if (unit.multiplications > 0 && unit.attained_per_second > 0) units.push_back(&unit);
  }
  if (units.empty()) return "<p>No unit multiplies in this program.</p>\n";

  // From the unit that needs most bytes, or meets its peak first, to the one that needs least.
  const auto ridge = [&](const machine::UnitProfile& unit) {
    return unit.peak_per_second / profile.bandwidth;
  };
  Interval x{std::numeric_limits<double>::infinity(), 0}, y = x;
  for (const machine::UnitProfile* unit : units) {
    const double intensity = bytes > 0 ? unit->multiplications / bytes : ridge(*unit);
    x = {std::min({x.from, intensity / 4, ridge(*unit) / 4}),
         std::max({x.to, intensity * 4, ridge(*unit) * 4})};
    y = {std::min(y.from, unit->attained_per_second / 2),
         std::max(y.to, unit->peak_per_second * 2)};
  }
  y.from = std::min(y.from, x.from * profile.bandwidth);
  Plot plot({"modular multiplications per off-chip byte", x, true},
            Axis{"modular multiplications per second", y, true}, 380);
  for (std::size_t u = 0; u < units.size(); ++u) {
    const machine::UnitProfile& unit = *units[u];
    const auto colour = static_cast<Colour>(2 * u);
    const PlotPoint roof[] = {{x.from, x.from * profile.bandwidth},
                              {ridge(unit), unit.peak_per_second},
                              {x.to, unit.peak_per_second}};
    const std::string attained =
        fmt::format("{} of {}", format_quantity(unit.attained_per_second, "/s"),
                    format_quantity(unit.peak_per_second, "/s"));
    plot.line(roof, colour,
              fmt::format("{}: peak {}", unit.name, format_quantity(unit.peak_per_second, "/s")));
    if (bytes > 0) {
      plot.dot({unit.multiplications / bytes, unit.attained_per_second}, colour, unit.name,
               fmt::format("{}: {}, {:.3g} multiplications per off-chip byte", unit.name, attained,
                           unit.multiplications / bytes));
    } else {
      plot.dot({x.to, unit.attained_per_second}, colour, unit.name + ", all on chip",
               fmt::format("{}: {}, without off-chip traffic", unit.name, attained));
    }
  }
  return plot.svg("Roofline of the units that multiply");
}

std::string sweep_chart(const std::string& key, const std::vector<CurvePoint>& points) {
  Interval x{points.front().value, points.front().value};
  double longest = 0;
  for (const CurvePoint& point : points) {
    x = {std::min(x.from, point.value), std::max(x.to, point.value)};
    longest = std::max(longest, point.seconds);
  }
  const TimeUnit time = time_unit(longest);
  const std::string_view unit = machine::unit_of_key(key);
  const bool wide = x.from > 0 && x.to >= 16 * x.from;
  Plot plot({unit.empty() ? key : fmt::format("{} in {}", key, unit), x, wide},
            Axis{fmt::format("time in {}", time.name), {0, 1.05 * longest * time.per_second}});
  std::vector<PlotPoint> curve;
  for (const CurvePoint& point : points)
    curve.push_back({point.value, point.seconds * time.per_second});
  plot.line(curve, 0, "");
  for (const PlotPoint& point : curve) {
    plot.dot(point, 0, "", fmt::format("{} = {:g}: {:.4g} {}", key, point.x, point.y, time.name));
  }
  return plot.svg(fmt::format("Time over {}", key));
}

}  // namespace heliodor::cli
