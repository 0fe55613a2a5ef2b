// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of a machine's Profile as NumPy arrays.
#pragma once

#include <pybind11/numpy.h>

#include "heliodor/targets/machine/profile.h"

namespace heliodor::python {

namespace py = pybind11;

/// Structured arrays with a field for each member of a row; nobody can write to them.
struct ProfileTables {
  py::array units;      ///< UnitProfile without occupancy; `stalled` has a field for each Stall
  py::array occupancy;  ///< (units, kProfileBuckets)
  py::array spans;      ///< Span
  py::array stays;      ///< Stay
  py::array kinds;      ///< KindCost; `busy_cycles` is (units)
};

ProfileTables make_tables(const machine::Profile& profile);

}  // namespace heliodor::python
