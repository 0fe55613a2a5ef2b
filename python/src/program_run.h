// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of a planned program whose inputs and outputs are NumPy arrays, by name.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>

#include "heliodor/program/target.h"

namespace heliodor::python {

namespace py = pybind11;

/// A plan with the target that must outlive it.
struct ProgramPlan {
  std::shared_ptr<const program::Target> target;
  std::unique_ptr<const program::Plan> plan;
};

struct ProgramRun {
  py::dict outputs;
  program::Cost cost;
  std::optional<program::Fault> fault;
};

/// `inputs` by name, as the docstring of Plan.run has it. Throws Error{mismatch} for a missing or
/// unknown name and a wrong shape, Error{out_of_range} for a word that is not below its modulus.
ProgramRun run(const program::Plan& plan, const py::dict& inputs);

}  // namespace heliodor::python
