// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/bench_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "heliodor/cli/report/markup.h"
#include "heliodor/cli/report/plot.h"
#include "heliodor/cli/report/style.h"
#include "heliodor/cli/table.h"

namespace heliodor::cli {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kLimbStep = 3, kQuickLimbStep = 12;
constexpr std::size_t kAutomorphisms = 1000, kQuickAutomorphisms = 20;
constexpr Colour kHybridColour = 0, kKlssColour = 2;

std::string number(double value) { return fmt::format("{:.4g}", value); }

std::string with_unit(const MachineFigure& figure) {
  return number(figure.value) + (figure.unit.empty() ? "" : " " + figure.unit);
}

std::string bar_text(const MachineFigure& figure) {
  if (std::isinf(figure.most)) return "at least " + number(figure.least);
  if (figure.least <= 0) return "at most " + number(figure.most);
  return fmt::format("{} to {}", number(figure.least), number(figure.most));
}

const Row kFigureHeader = {"figure", "machine", "measured", "bar", "holds"};

Row figure_row(const MachineFigure& figure) {
  return {figure.what, figure.machine, with_unit(figure), bar_text(figure),
          figure.holds() ? "yes" : "NO"};
}

const Row kCurveHeader = {"limbs", "hybrid ms", "klss ms", "chosen"};

Row curve_row(const KeySwitchPoint& point) {
  return {std::to_string(point.limb_count), fmt::format("{:.3f}", point.hybrid_ms),
          fmt::format("{:.3f}", point.klss_ms), std::string(to_string(point.chosen))};
}

std::string title(const KeySwitchCurve& curve) {
  return fmt::format("Key switch on u280_adaptive, {}: {}", curve.name, curve.sizes);
}

nlohmann::ordered_json end_of_bar(double end) {
  return std::isinf(end) ? nlohmann::ordered_json() : nlohmann::ordered_json(end);
}

std::string html_row(const Row& cells, std::string_view tag) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", tag, escape(cell));
  return row + "</tr>\n";
}

std::string picture(const KeySwitchCurve& curve) {
  std::vector<PlotPoint> hybrid, klss;
  double most = 0;
  for (const KeySwitchPoint& point : curve.points) {
    const auto l = static_cast<double>(point.limb_count);
    hybrid.push_back({l, point.hybrid_ms});
    klss.push_back({l, point.klss_ms});
    most = std::max({most, point.hybrid_ms, point.klss_ms});
  }
  std::ranges::reverse(hybrid);
  std::ranges::reverse(klss);
  Plot plot(Axis{"limb_count", {0, hybrid.back().x * 1.08}}, Axis{"time in ms", {0, most * 1.08}});
  plot.line(hybrid, kHybridColour, "hybrid");
  plot.line(klss, kKlssColour, "KLSS");
  for (const KeySwitchPoint& point : curve.points) {
    const bool is_hybrid = point.chosen == rlwe::KeySwitchMethod::hybrid;
    plot.dot({static_cast<double>(point.limb_count), point.chosen_ms},
             is_hybrid ? kHybridColour : kKlssColour, "",
             fmt::format("{} limbs: {}, {:.3f} ms", point.limb_count, to_string(point.chosen),
                         point.chosen_ms));
  }
  return plot.svg(title(curve));
}

}  // namespace

MachineBench measure_machines(bool quick) {
  MachineBench bench;
  const auto add = [&](const std::vector<MachineFigure>& figures) {
    bench.figures.insert(bench.figures.end(), figures.begin(), figures.end());
  };
  add(basalisc_figures(quick ? kQuickAutomorphisms : kAutomorphisms));
  add(u280_buffer_figures());
  bench.curves = u280_curves(quick ? kQuickLimbStep : kLimbStep);
  add(curve_figures(bench.curves));
  add(simulation_figures());
  return bench;
}

nlohmann::ordered_json to_json(const MachineBench& bench) {
  nlohmann::ordered_json json = {{"figures", nlohmann::ordered_json::array()},
                                 {"curves", nlohmann::ordered_json::array()}};
  for (const MachineFigure& figure : bench.figures) {
    json["figures"].push_back({{"figure", figure.what},
                               {"machine", figure.machine},
                               {"value", figure.value},
                               {"unit", figure.unit},
                               {"least", end_of_bar(figure.least)},
                               {"most", end_of_bar(figure.most)},
                               {"holds", figure.holds()}});
  }
  for (const KeySwitchCurve& curve : bench.curves) {
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (const KeySwitchPoint& point : curve.points) {
      points.push_back({{"limbs", point.limb_count},
                        {"hybrid_ms", point.hybrid_ms},
                        {"klss_ms", point.klss_ms},
                        {"chosen", to_string(point.chosen)}});
    }
    json["curves"].push_back({{"set", curve.name}, {"sizes", curve.sizes}, {"points", points}});
  }
  return json;
}

void print(const MachineBench& bench, std::ostream& out) {
  Table figures(kFigureHeader);
  for (const MachineFigure& figure : bench.figures) figures.add_row(figure_row(figure));
  figures.write(out);
  for (const KeySwitchCurve& curve : bench.curves) {
    out << '\n' << title(curve) << '\n';
    Table table(kCurveHeader);
    for (const KeySwitchPoint& point : curve.points) table.add_row(curve_row(point));
    table.write(out);
  }
}

std::string to_html(const MachineBench& bench) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<title>Simulated machines</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<h1>Simulated machines</h1>\n<p>What papers say of accelerators, and what comes of it on "
      "their descriptions.</p>\n<div class=\"scroll\"><table>\n<thead>{}</thead>\n<tbody>\n",
      kStyle, html_row(kFigureHeader, "th"));
  for (const MachineFigure& figure : bench.figures) page += html_row(figure_row(figure), "td");
  page += "</tbody></table></div>\n";
  for (const KeySwitchCurve& curve : bench.curves) {
    page += fmt::format(
        "<h2>{}</h2>\n<p class=\"quiet\">Lines: each method. Dots: the planner's "
        "choice.</p>\n{}",
        escape(title(curve)), picture(curve));
  }
  return page + "</body>\n</html>\n";
}

}  // namespace heliodor::cli
