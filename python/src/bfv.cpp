// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor.bfv.
#include "python/src/slot_scheme.h"

namespace heliodor::python {

void add_bfv(py::module_& m) {
  py::module_ bfv = m.def_submodule("bfv", "BFV: exact arithmetic modulo t, without levels.");
  py::class_<bfv::Ciphertext> c(bfv, "Ciphertext", "An encrypted Plaintext.");
  add_ciphertext_properties(c,
                            [](const bfv::Ciphertext& x) -> const rlwe::Ciphertext& { return x; });
  add_slot_scheme<Bfv>(bfv);
}

}  // namespace heliodor::python
