// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include "heliodor/rlwe/ciphertext.h"
#include "python/src/arrays.h"

namespace heliodor::python {

/// What ciphertexts of every scheme tell of their ring-LWE part, which `part` gives.
template <typename Class, typename Part>
void add_ciphertext_properties(Class& c, Part part) {
  using T = typename Class::type;
  c.def_property_readonly("parts", [part](const T& x) { return part(x).parts(); })
      .def_property_readonly("limb_count", [part](const T& x) { return part(x).limb_count(); })
      .def_property_readonly(
          "error_log2", [part](const T& x) { return part(x).bounds.error.log2(); },
          "log2 of the bound on the error.")
      .def(
          "limbs", [part](const T& x) { return to_array(part(x).limbs); },
          "A copy of the residues, of shape (parts, limb_count, degree).");
}

}  // namespace heliodor::python
