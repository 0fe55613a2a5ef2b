// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What each method of key switching would cost on a target, and the programs behind the numbers.
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/context.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/keyswitch/planner.h"
#include "python/src/bindings.h"
#include "python/src/target_argument.h"

namespace heliodor::python {
namespace {

using namespace pybind11::literals;
using rlwe::KeySwitchCandidate;
using rlwe::KeySwitchMethod;

struct Choice {
  std::size_t limb_count;
  rlwe::KeySwitchChoice candidates;  // the cheapest first
};

std::vector<Choice> plan(const rlwe::Parameters& parameters, const TargetArgument& target,
                         const std::optional<std::vector<std::size_t>>& limb_counts) {
  const auto context = std::make_shared<const rlwe::Context>(parameters, to_target(target));
  const rlwe::KeySwitchPlanner planner(context);
  std::vector<std::size_t> counts;
  for (std::size_t l = parameters.q().size(); l >= 1; --l) counts.push_back(l);
  std::vector<Choice> choices;
  for (const std::size_t l : limb_counts.value_or(counts)) {
    parameters.q().prefix(l);  // Error{out_of_range} for a limb_count that is none
    choices.push_back({l, planner.choose("keyswitch", l, [&](const rlwe::KeySwitchShape& shape) {
                         return rlwe::key_switch_program(parameters, shape, l);
                       })});
  }
  return choices;
}

program::LimbProgram key_switch_program(const rlwe::Parameters& parameters,
                                        const KeySwitchCandidate& candidate,
                                        std::size_t limb_count) {
  parameters.check(candidate.shape.gadget);  // the candidate may be another cryptosystem's
  return rlwe::key_switch_program(parameters, candidate.shape, limb_count);
}

}  // namespace

void add_planning(py::module_& m) {
  py::enum_<KeySwitchMethod>(m, "KeySwitchMethod", "The three methods of key switching.")
      .value("bv", KeySwitchMethod::bv)
      .value("hybrid", KeySwitchMethod::hybrid)
      .value("klss", KeySwitchMethod::klss);
  py::class_<KeySwitchCandidate>(m, "KeySwitchCandidate", "A way to switch keys, and its cost.")
      .def_property_readonly("method", [](const KeySwitchCandidate& c) { return c.shape.method; })
      .def_property_readonly("gadget", [](const KeySwitchCandidate& c) { return c.shape.gadget; })
      .def_property_readonly(
          "block_size", [](const KeySwitchCandidate& c) { return c.shape.block_size; },
          "In limbs; klss only, else 0.")
      .def_readonly("predicted_seconds", &KeySwitchCandidate::predicted_seconds)
      .def("__repr__", [](const KeySwitchCandidate& c) {
        return "<heliodor.KeySwitchCandidate " + rlwe::to_string(c.shape) + " " +
               std::to_string(c.predicted_seconds * 1e6) + " us>";
      });
  py::class_<Choice>(m, "KeySwitchChoice", "The candidates of one limb_count.")
      .def_readonly("limb_count", &Choice::limb_count)
      .def_readonly("candidates", &Choice::candidates, "The cheapest, which is taken, first.");
  m.def("plan", &plan, "parameters"_a, "target"_a = "cpu", "limb_counts"_a = py::none(), Unlocked(),
        "The predicted cost of one key switch by every method that the target can run, for the "
        "limb counts given, or all from the largest to 1. Error 'unsupported' if there is none.");
  m.def("key_switch_program", &key_switch_program, "parameters"_a, "candidate"_a, "limb_count"_a,
        Unlocked(), "The program whose cost a candidate predicts at its choice's limb_count.");
}

}  // namespace heliodor::python
