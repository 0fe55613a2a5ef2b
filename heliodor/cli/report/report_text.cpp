// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>

#include "heliodor/cli/report/markup.h"
#include "heliodor/cli/report/report.h"
#include "heliodor/cli/table.h"

namespace heliodor::cli {
namespace {

void write_run(std::ostream& out, const MachineRun& run) {
  const machine::Profile& profile = run.profile;
  out << fmt::format("{}: {} cycles, {} at {} MHz; {} micro-operations, degree {}\n", title_of(run),
                     format_count(profile.cycles), format_seconds(profile.seconds),
                     profile.clock_mhz, format_count(profile.micro_operations), run.degree);
  out << bound_of(profile) << '\n';
  if (run.security) {
    out << fmt::format("security: {} at log2(QP) = {:.0f}\n", to_string(run.security->level),
                       run.security->log_qp);
  }
  if (run.equal) out << fmt::format("equal to the reference: {}\n", *run.equal ? "yes" : "NO");
  out << '\n';
  Table units({"unit", "operations", "busy", "waits most"});
  for (const machine::UnitProfile& unit : profile.units) {
    units.add_row(
        {unit.name, format_count(unit.operations), format_share(unit.busy), main_stall(unit)});
  }
  units.add_row(
      {"scratchpad", format_count(profile.scratchpad_reads + profile.scratchpad_writes),
       format_share(profile.scratchpad_busy),
       fmt::format("{} of {} rows", format_count(profile.rows_used), format_count(profile.rows))});
  units.write(out);
  out << '\n';
  Table traffic({"off-chip traffic", "bytes"});
  for (std::size_t t = 0; t < machine::kTraffics; ++t) {
    traffic.add_row({std::string(to_string(static_cast<machine::Traffic>(t))),
                     format_quantity(static_cast<double>(profile.bytes[t]), "B")});
  }
  traffic.write(out);
}

void write_runs(std::ostream& out, const Report& report) {
  const MachineRun& first = report.runs.front();
  Table table({report.comparison ? "compared" : "operation", "repeats", "cycles", "time",
               report.comparison ? "of the first" : "all repeats"});
  for (const MachineRun& run : report.runs) {
    const auto repeats = static_cast<double>(run.repeats);
    table.add_row({title_of(run), format_count(run.repeats), format_count(run.profile.cycles),
                   format_seconds(run.profile.seconds),
                   report.comparison
                       ? fmt::format("{:.2f}", run.profile.seconds / first.profile.seconds)
                       : format_seconds(repeats * run.profile.seconds)});
  }
  table.write(out);
  out << '\n';
}

void write_sweep(std::ostream& out, const Sweep& sweep) {
  Table table({sweep.key, "cycles", "time", "bound"});
  for (const SweepPoint& point : sweep.points) {
    table.add_row(
        {point.value, format_count(point.cycles), format_seconds(point.seconds), point.bound});
  }
  table.write(out);
}

}  // namespace

void write_text(std::ostream& out, const Report& report) {
  if (report.runs.size() > 1) write_runs(out, report);
  for (std::size_t i = 0; i < report.runs.size(); ++i) {
    if (i != 0) out << '\n';
    write_run(out, report.runs[i]);
  }
  if (report.sweep) {
    out << '\n';
    write_sweep(out, *report.sweep);
  }
}

}  // namespace heliodor::cli
