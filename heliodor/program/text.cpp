// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/text.h"

#include <fmt/format.h>

#include <iterator>

#include "heliodor/program/internal/text_parser.h"

namespace heliodor::program {

namespace {

using Buffer = fmt::memory_buffer;

template <typename... Arguments>
void write(Buffer& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}

const char* word_of(InputKind kind) {
  switch (kind) {
    case InputKind::operand:
      return "operand";
    case InputKind::key:
      return "key";
    case InputKind::constant:
      return "constant";
    case InputKind::seed:
      return "seed";
  }
  return "?";
}

void write_type(Buffer& out, ValueType type) {
  if (type.is_seed()) return;
  write(out, " : q{} {}", type.modulus, type.domain == Domain::coeff ? "coeff" : "eval");
}

void write_parameter(Buffer& out, const Instruction& instruction, ParameterKind kind) {
  const std::uint64_t parameter = instruction.parameter;
  const auto write_choice = [&](const char* zero, const char* one) {
    if (parameter > 1) return write(out, " {}", parameter);
    write(out, " {}", parameter == 0 ? zero : one);
  };
  switch (kind) {
    case ParameterKind::galois_element:
      return write(out, " {}", parameter);
    case ParameterKind::rounding:
      return write_choice("floor", "nearest");
    case ParameterKind::lift:
      return write_choice("plain", "centred");
    case ParameterKind::none:
    case ParameterKind::stream:
      return;
  }
}

void write_operands(Buffer& out, const Instruction& instruction, const LimbOpInfo& row) {
  const std::size_t group = row.operands == OperandShape::pairs  ? 2
                            : row.operands == OperandShape::list ? 1
                                                                 : instruction.operands.size();
  const auto scalars = instruction.scalars;
  for (std::size_t k = 0; k < instruction.operands.size(); ++k) {
    write(out, "{} %{}", k > 0 && k % group == 0 ? "," : "", instruction.operands[k]);
    if (row.scalars == ScalarShape::per_operand && k < scalars.size()) {
      write(out, " * {}", scalars[k]);
    }
  }
  if (row.scalars != ScalarShape::per_operand) {
    for (const std::uint64_t scalar : scalars) write(out, " {}", scalar);
  }
}

void write_instruction(Buffer& out, const LimbProgram& program, std::size_t index) {
  const Instruction instruction = program.instruction(index);
  const LimbOpInfo& row = info(instruction.op);
  write(out, "%{} = {}", instruction.result, row.name.empty() ? "?" : row.name);
  write_parameter(out, instruction, row.parameter);
  write_operands(out, instruction, row);
  if (row.parameter == ParameterKind::stream) write(out, " stream {}", instruction.parameter);
  write_type(out, program.type(instruction.result));
}

}  // namespace

std::string to_text(const LimbProgram& program) {
  Buffer out;
  write(out, "limb_program 1 \"{}\"\ndegree {}\n", program.name(), program.degree());
  for (std::size_t i = 0; i < program.moduli().size(); ++i) {
    write(out, "modulus q{} {} psi {}\n", i, program.moduli()[i].value(),
          program.moduli()[i].psi());
  }
  auto input = program.inputs().begin();
  for (ValueId value = 0; value < program.value_count(); ++value) {
    if (const auto index = program.definition(value)) {
      write_instruction(out, program, *index);
    } else {
      write(out, "%{} = input {} \"{}\"", value, word_of(input->kind), input->name);
      write_type(out, program.type(value));
      ++input;
    }
    out.push_back('\n');
  }
  for (const Output& output : program.outputs()) {
    write(out, "output \"{}\" = %{}\n", output.name, output.value);
  }
  return fmt::to_string(out);
}

std::string to_text(const LimbProgram& program, std::size_t instruction) {
  Buffer out;
  write_instruction(out, program, instruction);
  return fmt::to_string(out);
}

base::Result<LimbProgram> parse_text(std::string_view text) {
  return internal::TextParser(text).parse();
}

}  // namespace heliodor::program
