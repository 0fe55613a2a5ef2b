// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor.bgv, and the Plaintext that BGV and BFV share.
#include "heliodor/schemes/slots/plaintext.h"

#include "python/src/slot_scheme.h"

namespace heliodor::python {

void add_bgv(py::module_& m) {
  py::class_<slots::Plaintext>(m, "Plaintext", "A message polynomial modulo t, for BGV and BFV.")
      .def_property_readonly("t", [](const slots::Plaintext& p) { return p.t.value(); })
      .def_property_readonly(
          "coefficients", [](const slots::Plaintext& p) { return to_array(p.coefficients); },
          "Centred around 0.")
      .def(
          "__eq__", [](const slots::Plaintext& a, const slots::Plaintext& b) { return a == b; },
          py::is_operator());
  py::module_ bgv = m.def_submodule("bgv", "BGV: exact arithmetic modulo t.");
  py::class_<bgv::Ciphertext> c(bgv, "Ciphertext", "An encrypted Plaintext.");
  add_ciphertext_properties(
      c, [](const bgv::Ciphertext& x) -> const rlwe::Ciphertext& { return x.rlwe; });
  c.def_readonly("plaintext_factor", &bgv::Ciphertext::plaintext_factor,
                 "The phase is this multiple of the message, modulo t.");
  add_slot_scheme<Bgv>(bgv);
}

}  // namespace heliodor::python
