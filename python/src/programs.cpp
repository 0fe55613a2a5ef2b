// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// LimbPrograms from and to text and bytes.
#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/base/error.h"
#include "heliodor/program/binary.h"
#include "heliodor/program/limb_program.h"
#include "heliodor/program/text.h"
#include "python/src/bindings.h"
#include "python/src/parsed.h"

namespace heliodor::python {
namespace {

using namespace pybind11::literals;
using program::Input;
using program::InputKind;
using program::LimbProgram;

LimbProgram checked(base::Result<LimbProgram> result) {
  return value_or_throw(std::move(result), ErrorCode::invalid_program, "program");
}

LimbProgram parse(const std::string& text) { return checked(program::parse_text(text)); }

LimbProgram from_bytes(const py::bytes& bytes) {
  const auto view = static_cast<std::string_view>(bytes);
  const py::gil_scoped_release unlocked;
  return checked(
      program::decode_binary({reinterpret_cast<const std::uint8_t*>(view.data()), view.size()}));
}

py::bytes to_bytes(const LimbProgram& program) {
  const std::vector<std::uint8_t> bytes = program::encode_binary(program);
  return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// An input or output as Python sees it.
struct Port {
  std::string name;
  std::string kind;
  std::uint64_t modulus;  // 0 for seeds
  std::string domain;     // empty for seeds
};

Port to_port(const LimbProgram& program, program::ValueId value, std::string name,
             std::string kind) {
  const program::ValueType type = program.type(value);
  if (type.is_seed()) return {std::move(name), std::move(kind), 0, ""};
  return {std::move(name), std::move(kind), program.modulus(value).value(),
          type.domain == ring::Domain::eval ? "eval" : "coeff"};
}

std::string to_string(InputKind kind) {
  switch (kind) {
    case InputKind::operand:
      return "operand";
    case InputKind::key:
      return "key";
    case InputKind::constant:
      return "constant";
    case InputKind::seed:
      break;
  }
  return "seed";
}

std::vector<Port> inputs(const LimbProgram& program) {
  std::vector<Port> ports;
  for (const Input& input : program.inputs())
    ports.push_back(to_port(program, input.value, input.name, to_string(input.kind)));
  return ports;
}

std::vector<Port> outputs(const LimbProgram& program) {
  std::vector<Port> ports;
  for (const program::Output& output : program.outputs())
    ports.push_back(to_port(program, output.value, output.name, "output"));
  return ports;
}

std::vector<std::uint64_t> moduli(const LimbProgram& program) {
  std::vector<std::uint64_t> values;
  for (const ring::Modulus& q : program.moduli()) values.push_back(q.value());
  return values;
}

}  // namespace

void add_programs(py::module_& m) {
  py::class_<Port>(m, "ProgramPort", "An input or output of a LimbProgram.")
      .def_readonly("name", &Port::name)
      .def_readonly("kind", &Port::kind, "'operand', 'key', 'constant', 'seed' or 'output'.")
      .def_readonly("modulus", &Port::modulus, "Of its words; 0 for a seed.")
      .def_readonly("domain", &Port::domain, "'eval' or 'coeff'; empty for a seed.");
  py::class_<LimbProgram>(m, "LimbProgram",
                          "A list of instructions on limbs that every target runs, with the same "
                          "words as the result.")
      .def_static("parse", &parse, "text"_a, Unlocked(),
                  "From the text form. Error 'invalid_program' with every diagnostic.")
      .def_static("from_bytes", &from_bytes, "data"_a, "From the binary form; errors as parse.")
      .def(
          "to_text", [](const LimbProgram& p) { return program::to_text(p); }, "The text form.")
      .def("to_bytes", &to_bytes, "The binary form.")
      .def_property_readonly("name", &LimbProgram::name)
      .def_property_readonly("degree", &LimbProgram::degree, "Words of a limb.")
      .def_property_readonly("moduli", &moduli)
      .def_property_readonly("inputs", &inputs)
      .def_property_readonly("outputs", &outputs)
      .def_property_readonly("instruction_count", &LimbProgram::instruction_count)
      .def(
          "__eq__", [](const LimbProgram& a, const LimbProgram& b) { return a == b; },
          py::is_operator())
      .def("__repr__", [](const LimbProgram& p) {
        return "<heliodor.LimbProgram '" + p.name() + "' degree=" + std::to_string(p.degree()) +
               " instructions=" + std::to_string(p.instruction_count()) + ">";
      });
}

}  // namespace heliodor::python
