// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor._heliodor: what the package's Python files re-export. heliodor::Error arrives in Python
// as heliodor.Error with the same code and message.
#include <exception>
#include <string>

#include "heliodor/base/error.h"
#include "python/src/bindings.h"

namespace heliodor::python {
namespace {

void set_python_error(const Error& error) {
  const py::object type = py::module_::import("heliodor._error").attr("Error");
  const py::object value = type(std::string(base::to_string(error.code())), error.what());
  PyErr_SetObject(type.ptr(), value.ptr());
}

}  // namespace

PYBIND11_MODULE(_heliodor, m) {
  m.doc() = "The compiled half of the package heliodor.";
  m.attr("__version__") = HELIODOR_VERSION;
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      set_python_error(error);
    }
  });
  add_parameters(m);
  add_programs(m);
  add_targets(m);
  add_planning(m);
  add_simulation(m);
  add_keys(m);
  add_bgv(m);
  add_bfv(m);
  add_ckks(m);
  add_files(m);
}

}  // namespace heliodor::python
