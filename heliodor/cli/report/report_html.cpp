// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heliodor/cli/report/charts.h"
#include "heliodor/cli/report/markup.h"
#include "heliodor/cli/report/report.h"
#include "heliodor/cli/report/style.h"
#include "heliodor/cli/table.h"

namespace heliodor::cli {
namespace {

using Row = std::vector<std::string>;

std::string html_row(const Row& cells, std::string_view tag) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", tag, escape(cell));
  return row + "</tr>\n";
}

std::string html_table(const Row& header, const std::vector<Row>& rows) {
  std::string table =
      "<div class=\"scroll\"><table>\n<thead>" + html_row(header, "th") + "</thead>\n<tbody>\n";
  for (const Row& row : rows) table += html_row(row, "td");
  return table + "</tbody></table></div>\n";
}

// A number with its name, for eyes and for programs that read the page.
std::string figure(std::string_view name, std::string_view caption, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd data-figure=\"{}\">{}</dd></div>\n", caption, name,
                     escape(value));
}

std::string chapter(std::string_view title, std::string_view explanation,
                    const std::string& content) {
  return fmt::format("<h3>{}</h3>\n<p class=\"quiet\">{}</p>\n{}", title, explanation, content);
}

std::uint64_t off_chip_bytes(const machine::Profile& profile) {
  std::uint64_t bytes = 0;
  for (const std::uint64_t kind : profile.bytes) bytes += kind;
  return bytes;
}

std::string figures(const MachineRun& run) {
  const machine::Profile& profile = run.profile;
  const auto bytes = static_cast<double>(off_chip_bytes(profile));
  const double rate = profile.seconds > 0 ? bytes / profile.seconds : 0;
  return "<dl class=\"figures\">\n" + figure("cycles", "cycles", format_count(profile.cycles)) +
         figure("seconds", "time", format_seconds(profile.seconds)) +
         figure("micro_operations", "micro-operations", format_count(profile.micro_operations)) +
         figure("off_chip_bytes", "off-chip bytes", format_count(off_chip_bytes(profile))) +
         figure("off_chip_rate", "off-chip rate",
                fmt::format("{} of {}", format_quantity(rate, "B/s"),
                            format_quantity(profile.bandwidth, "B/s"))) +
         figure(
             "rows_used", "scratchpad rows",
             fmt::format("{} of {}", format_count(profile.rows_used), format_count(profile.rows))) +
         "</dl>\n";
}

std::string verdict(const MachineRun& run) {
  std::string text;
  if (run.security) {
    const bool toy = run.security->level == rlwe::SecurityLevel::none;
    text += fmt::format(
        "<p{}>{} N = {}, log2(QP) = {:.0f}: {} (Security Guidelines for Implementing Homomorphic "
        "Encryption, 2024, Table 5.2).</p>\n",
        toy ? " class=\"warning\"" : "",
        toy ? "Toy parameters, not secure." : "Security:", run.degree, run.security->log_qp,
        toy ? "below 128 bits" : to_string(run.security->level));
  }
  if (run.equal) {
    text += *run.equal ? "<p>Run with random data: every limb equals the reference's.</p>\n"
                       : "<p class=\"warning\">Run with random data: limbs differ from the "
                         "reference's.</p>\n";
  }
  return text;
}

std::string unit_table(const machine::Profile& profile) {
  std::vector<Row> rows;
  for (const machine::UnitProfile& unit : profile.units) {
    rows.push_back(
        {unit.name, format_count(unit.operations), format_share(unit.busy), main_stall(unit)});
  }
  rows.push_back({"scratchpad", format_count(profile.scratchpad_reads + profile.scratchpad_writes),
                  format_share(profile.scratchpad_busy), "-"});
  return html_table({"unit", "operations", "busy", "waits most"}, rows);
}

std::string kind_table(const machine::Profile& profile) {
  Row header = {"instruction", "micro-operations"};
  for (const machine::UnitProfile& unit : profile.units)
    header.push_back(fmt::format("{}, cycles", unit.name));
  std::vector<Row> rows;
  for (const machine::KindCost& cost : profile.kinds) {
    Row row = {cost.kind, format_count(cost.operations)};
    for (const std::uint64_t cycles : cost.busy_cycles)
      row.push_back(cycles == 0 ? "" : format_count(cycles));
    rows.push_back(std::move(row));
  }
  return html_table(header, rows);
}

std::string traffic_table(const machine::Profile& profile) {
  std::vector<Row> rows;
  for (std::size_t t = 0; t < machine::kTraffics; ++t) {
    if (profile.bytes[t] == 0) continue;
    rows.push_back(
        {std::string(to_string(static_cast<machine::Traffic>(t))), format_count(profile.bytes[t])});
  }
  return html_table({"off-chip traffic", "bytes"}, rows);
}

std::string description(const MachineRun& run) {
  std::string text = "<h3>The machine</h3>\n";
  for (const auto& [key, value] : run.overrides)
    text += fmt::format("<p>Changed: <code>{} = {}</code></p>\n", escape(key), escape(value));
  return text +
         fmt::format(
             "<details><summary>Description of {}, with the source of each figure</summary>\n"
             "<pre>{}</pre></details>\n",
             escape(run.profile.machine), escape(run.description));
}

// `heading` is left out where the page has no other section.
std::string section(const MachineRun& run, bool heading) {
  const machine::Profile& profile = run.profile;
  std::string text = "<section>\n";
  if (heading) text += fmt::format("<h2>{}</h2>\n", escape(title_of(run)));
  text += fmt::format("<p>{}.</p>\n", escape(bound_of(profile)));
  text += verdict(run) + figures(run) + unit_table(profile);
  text += chapter(
      "Timeline",
      "When each unit takes in operations. A column shows the kind of work that takes most of "
      "it, as high as its share.",
      gantt_chart(profile));
  text += chapter("Occupancy", "The busy share of each unit; a full band is 100 %.",
                  occupancy_chart(profile));
  text += chapter(
      "Stalls", "How each unit spends the time, and what it waits for before an operation enters.",
      stall_chart(profile));
  text += chapter("Off-chip traffic", "By what it carries; spills count in both directions.",
                  traffic_chart(profile) + traffic_table(profile));
  text += chapter(
      "Roofline",
      "Lines: what each unit's lanes and the off-chip memory allow. Dots: what was attained over "
      "the whole time.",
      roofline_chart(profile));
  if (run.source) {
    text += chapter("Scratchpad", "Which rows hold values, from the first write to the last use.",
                    memory_chart(profile, *run.source));
  }
  text += chapter("Cost by instruction", "Busy machine cycles of each unit.", kind_table(profile));
  return text + description(run) + "</section>\n";
}

// Programs that follow one another with their totals, or alternatives beside the first.
std::string summary(const Report& report) {
  const MachineRun& first = report.runs.front();
  Row header = {report.comparison ? "alternative" : "ciphertext operation", "repeats", "cycles",
                "time"};
  header.emplace_back(report.comparison ? "time of the first" : "time of all repeats");
  header.insert(header.end(), {"off-chip bytes", "bound"});
  std::vector<Row> rows;
  double total = 0;
  for (const MachineRun& run : report.runs) {
    const double seconds = static_cast<double>(run.repeats) * run.profile.seconds;
    total += seconds;
    rows.push_back({title_of(run), format_count(run.repeats), format_count(run.profile.cycles),
                    format_seconds(run.profile.seconds),
                    report.comparison
                        ? fmt::format("x {:.2f}", run.profile.seconds / first.profile.seconds)
                        : format_seconds(seconds),
                    format_count(off_chip_bytes(run.profile)), bound_of(run.profile)});
  }
  if (!report.comparison) rows.push_back({"all", "", "", "", format_seconds(total), "", ""});
  return html_table(header, rows);
}

std::string sweep_section(const Sweep& sweep) {
  std::vector<Row> rows;
  std::vector<CurvePoint> curve;
  for (const SweepPoint& point : sweep.points) {
    rows.push_back(
        {point.value, format_count(point.cycles), format_seconds(point.seconds), point.bound});
    curve.push_back({std::stod(point.value), point.seconds});
  }
  return fmt::format("<section>\n<h2>Time over {}</h2>\n", escape(sweep.key)) +
         sweep_chart(sweep.key, curve) + html_table({sweep.key, "cycles", "time", "bound"}, rows) +
         "</section>\n";
}

std::string page_title(const Report& report) {
  std::string title = title_of(report.runs.front());
  for (std::size_t i = 1; i < report.runs.size(); ++i)
    title += (report.comparison ? " and " : ", ") + title_of(report.runs[i]);
  return title;
}

}  // namespace

std::string to_html(const Report& report) {
  const std::string title = escape(page_title(report));
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
  page += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n", title, kStyle);
  page += fmt::format(
      "<h1>{}</h1>\n<p class=\"quiet\">Simulated, cycle by cycle in event time.</p>\n", title);
  if (report.runs.size() > 1) page += summary(report);
  if (report.sweep) page += sweep_section(*report.sweep);
  for (const MachineRun& run : report.runs)
    page += section(run, report.runs.size() > 1 || report.sweep);
  return page + "</body>\n</html>\n";
}

}  // namespace heliodor::cli
