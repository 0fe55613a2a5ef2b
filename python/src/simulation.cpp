// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Programs on described machines: where their cycles go.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/program/limb_program.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/profile.h"
#include "heliodor/targets/machine/shipped_machines.h"
#include "python/src/bindings.h"
#include "python/src/parsed.h"
#include "python/src/profile_tables.h"

namespace heliodor::python {
namespace {

using namespace pybind11::literals;
using machine::MachineDescription;
using program::LimbProgram;

/// A profile as Python sees it. Its tables are made once.
struct ProfileView {
  machine::Profile profile;
  ProfileTables tables;
  py::tuple instructions, values;
};

// A shipped name, or a file: a Path, or text that looks like one.
using MachineArgument = std::variant<std::string, std::filesystem::path>;

std::string to_text(const MachineArgument& argument) {
  if (const auto* name = std::get_if<std::string>(&argument)) return *name;
  return std::get<std::filesystem::path>(argument).string();
}

MachineDescription describe(const MachineArgument& argument,
                            const std::vector<machine::Override>& overrides) {
  const std::string name = to_text(argument);
  const bool is_file = std::holds_alternative<std::filesystem::path>(argument) ||
                       name.ends_with(".toml") || name.find('/') != std::string::npos;
  return value_or_throw(is_file
                            ? machine::load_description(name, overrides)
                            : machine::parse_description(machine::shipped_text(name), overrides),
                        ErrorCode::invalid_description, name);
}

std::vector<machine::Override> to_overrides(const py::dict& values) {
  std::vector<machine::Override> overrides;
  for (const auto& [key, value] : values)
    overrides.emplace_back(key.cast<std::string>(), py::str(value).cast<std::string>());
  return overrides;
}

ProfileView simulate(const LimbProgram& program, const MachineArgument& machine,
                     const std::vector<std::string>& resident, const py::object& overrides) {
  const std::vector<machine::Override> changes = to_overrides(py::dict(overrides));
  ProfileView view;
  {
    const py::gil_scoped_release unlocked;
    view.profile = machine::profile_program(describe(machine, changes), program,
                                            machine::residency_of(resident));
  }
  view.tables = make_tables(view.profile);
  view.instructions = py::tuple(py::cast(view.profile.instructions));
  view.values = py::tuple(py::cast(view.profile.values));
  return view;
}

py::dict off_chip_bytes(const machine::Profile& profile) {
  py::dict bytes;
  for (std::size_t i = 0; i < machine::kTraffics; ++i)
    bytes[py::str(to_string(static_cast<machine::Traffic>(i)))] = profile.bytes[i];
  return bytes;
}

// A member of the profile.
template <typename T>
auto member(T machine::Profile::*field) {
  return [field](const ProfileView& view) { return view.profile.*field; };
}

void add_totals(py::class_<ProfileView>& c) {
  using machine::Profile;
  c.def_property_readonly("machine", member(&Profile::machine), "Its description's name.")
      .def_property_readonly("program", member(&Profile::program), "Its name.")
      .def_property_readonly("clock_mhz", member(&Profile::clock_mhz), "Of all cycles here.")
      .def_property_readonly("cycles", member(&Profile::cycles))
      .def_property_readonly("seconds", member(&Profile::seconds))
      .def_property_readonly("micro_operations", member(&Profile::micro_operations))
      .def_property_readonly(
          "off_chip_bytes", [](const ProfileView& v) { return off_chip_bytes(v.profile); },
          "Moved from and to off-chip memory, by what they are.")
      .def_property_readonly("bandwidth", member(&Profile::bandwidth),
                             "Of off-chip memory, in bytes per second.")
      .def_property_readonly("scratchpad_reads", member(&Profile::scratchpad_reads),
                             "Row accesses.")
      .def_property_readonly("scratchpad_writes", member(&Profile::scratchpad_writes),
                             "Row accesses.")
      .def_property_readonly("scratchpad_busy", member(&Profile::scratchpad_busy),
                             "Fraction of its ports' cycles.")
      .def_property_readonly("rows", member(&Profile::rows), "Of the scratchpad.")
      .def_property_readonly("rows_used", member(&Profile::rows_used),
                             "The most that the program names.");
}

void add_tables(py::class_<ProfileView>& c) {
  const auto table = [](py::array ProfileTables::*which) {
    return [which](const ProfileView& view) { return view.tables.*which; };
  };
  c.def_property_readonly(
       "units", table(&ProfileTables::units),
       "Fields name, operations, busy, stalled (fields dispatch, transfer, operand, ports, "
       "drained), multiplications, peak_per_second, attained_per_second. Busy and stalled are "
       "fractions of the program's time and add up to 1. The last row is off-chip memory, 'dram'.")
      .def_property_readonly("occupancy", table(&ProfileTables::occupancy),
                             "Shape (units, buckets): the busy fraction of each unit in each of "
                             "equal parts of the program's time.")
      .def_property_readonly(
          "spans", table(&ProfileTables::spans),
          "Consecutive operations of a unit for one instruction, in the order of their begin. "
          "Fields unit, instruction (indices; an instruction past the last is a copy), code, "
          "begin, "
          "end (cycles), operations, busy (cycles in which the unit takes in words).")
      .def_property_readonly("stays", table(&ProfileTables::stays),
                             "Values in the scratchpad, in the order of their begin. Fields value "
                             "(an index), first_row, rows, begin, end (cycles).")
      .def_property_readonly("kinds", table(&ProfileTables::kinds),
                             "Fields kind ('ntt', 'dot_scalar', 'transfer'), operations and "
                             "busy_cycles, with a column for each unit.")
      .def_readonly("instructions", &ProfileView::instructions,
                    "The text of each instruction, by index.")
      .def_readonly("values", &ProfileView::values, "The name of each value, by index.");
}

}  // namespace

void add_simulation(py::module_& m) {
  py::class_<ProfileView> profile(
      m, "Profile",
      "Where the cycles of a program go on a described machine. Its tables are structured arrays "
      "that nobody can write to.");
  add_totals(profile);
  add_tables(profile);
  profile
      .def(
          "to_chrome_trace",
          [](const ProfileView& view) { return machine::to_chrome_trace(view.profile); },
          Unlocked(), "The spans as JSON that Chrome and Perfetto show, a track for each unit.")
      .def("__repr__", [](const ProfileView& view) {
        return "<heliodor.Profile '" + view.profile.program + "' on " + view.profile.machine +
               " cycles=" + std::to_string(view.profile.cycles) + ">";
      });
  m.def("machine_names", &machine::shipped_machines,
        "Names of the machines that come with the package.");
  m.def(
      "simulate", &simulate, "program"_a, "machine"_a, py::kw_only(),
      "resident"_a = std::vector<std::string>(), "overrides"_a = py::dict(),
      "Counts the cycles of a program on a machine: one of machine_names(), or the TOML file of a "
      "description. `resident` lists what is on chip before and after: 'operands', 'keys', "
      "'constants', 'outputs'. `overrides` replaces keys of the description by numbers, or by TOML "
      "as text: {'memory.dram.bandwidth': 100}. Error 'unsupported' if the machine cannot run the "
      "program, 'invalid_description' with every fault of the description.");
}

}  // namespace heliodor::python
