// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the Python module, one source for each, in the order in which module.cpp adds them:
// a part's signatures name the classes of those before it.
#pragma once

#include <pybind11/pybind11.h>

namespace heliodor::python {

namespace py = pybind11;

void add_parameters(py::module_& m);
void add_programs(py::module_& m);
void add_targets(py::module_& m);
void add_planning(py::module_& m);
void add_simulation(py::module_& m);
void add_keys(py::module_& m);
void add_bgv(py::module_& m);
void add_bfv(py::module_& m);
void add_ckks(py::module_& m);
void add_files(py::module_& m);

/// While C++ works, other Python threads run.
using Unlocked = py::call_guard<py::gil_scoped_release>;

}  // namespace heliodor::python
