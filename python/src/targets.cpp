// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Targets by name, plans, and runs of a program on NumPy arrays.
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/targets/registry/registry.h"
#include "python/src/bindings.h"
#include "python/src/program_run.h"

namespace heliodor::python {
namespace {

using namespace pybind11::literals;
using program::Cost;
using program::Fault;
using program::LimbProgram;
using program::Target;

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const auto& target : registry::present_targets()) names.push_back(target->name());
  return names;
}

void add_reports(py::module_& m) {
  py::class_<Cost>(m, "Cost", "Time that a program takes.")
      .def_readonly("seconds", &Cost::seconds)
      .def_readonly("cycles", &Cost::cycles, "None on targets that do not count cycles.");
  py::class_<Fault>(m, "Fault", "Why a simulated machine stopped.")
      .def_readonly("cycle", &Fault::cycle)
      .def_readonly("instruction", &Fault::instruction, "Of the LimbProgram.")
      .def_readonly("reason", &Fault::reason);
  py::class_<ProgramRun>(m, "ProgramRun", "The outcome of Plan.run.")
      .def_readonly("outputs", &ProgramRun::outputs,
                    "An array of words for each output name; empty if there is a fault.")
      .def_readonly("cost", &ProgramRun::cost, "Of the whole batch.")
      .def_readonly("fault", &ProgramRun::fault, "None, or why a simulated machine stopped.");
}

void add_plan(py::module_& m) {
  py::class_<ProgramPlan>(m, "Plan", "A program prepared for a target. Safe from many threads.")
      .def_property_readonly(
          "program", [](const ProgramPlan& p) -> const LimbProgram& { return p.plan->program(); },
          py::return_value_policy::reference_internal)
      .def(
          "describe", [](const ProgramPlan& p) { return p.plan->describe(); }, Unlocked(),
          "What the target made of the program, one line per step.")
      .def(
          "run", [](const ProgramPlan& p, const py::dict& i) { return run(*p.plan, i); },
          "inputs"_a,
          "Runs on an array for each input name: operands of shape (degree,), or (batch, degree) "
          "for a batch; keys and constants of shape (degree,), which a batch shares; seeds of 32 "
          "bytes. Words are residues of their modulus.");
}

void add_target(py::module_& m) {
  py::class_<Target, std::shared_ptr<Target>>(m, "Target", "Where programs run.")
      .def_property_readonly("name", &Target::name)
      .def("refusal", &Target::refusal, "program"_a, Unlocked(),
           "Why this target cannot run the program; None if it can.")
      .def("predict", &Target::predict, "program"_a, Unlocked(), "The cost of one run.")
      .def(
          "plan",
          [](const std::shared_ptr<Target>& target, const LimbProgram& program) {
            return ProgramPlan{target, target->plan(program)};
          },
          "program"_a, Unlocked(),
          "Prepares a program. Error 'unsupported' if the target refuses it.")
      .def("__repr__",
           [](const Target& target) { return "<heliodor.Target " + target.name() + ">"; });
}

}  // namespace

void add_targets(py::module_& m) {
  add_reports(m);
  add_plan(m);
  add_target(m);
  m.def("target_names", &target_names, Unlocked(),
        "Names of the targets present here that run programs of all forms.");
  m.def(
      "make_target",
      [](const std::string& name, unsigned threads) {
        return std::shared_ptr<Target>(registry::make_target(name, threads));
      },
      "name"_a, "threads"_a = 1, Unlocked(),
      "A target by name: 'reference', 'cpu', 'cpu:TABLE', 'machine:NAME', 'machine:FILE.toml', "
      "'stream:session' or 'stream:relinearize'. `threads` is for CPU targets, 0 for all CPUs.");
}

}  // namespace heliodor::python
