// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A LimbProgram as a FHETCH trace. Value k of the program has the address k + 1, since fhetch_sim
// does not take address 0 for an input; partial results follow behind. Numbers other than moduli
// are decimal, as fhetch_sim reads no others. Each transform states its root, since a modulus may
// have another than the one that readers assume.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/formats/trace/fhetch.h"
#include "heliodor/program/verifier.h"

namespace heliodor::formats::trace {
namespace {

using program::Domain;
using program::InputKind;
using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;
using program::ValueType;

class FhetchWriter {
 public:
  explicit FhetchWriter(const LimbProgram& program)
      : program_(program), next_address_(program.value_count() + 1) {}

  std::string write() {
    write_moduli();
    for (const program::Input& input : program_.inputs()) write_input(input);
    for (std::size_t i = 0; i < program_.instruction_count(); ++i) write_instruction(i);
    for (const program::Output& output : program_.outputs()) {
      line("# heliodor output %{} \"{}\"", address(output.value), output.name);
    }
    line("halt");
    return fmt::to_string(out_);
  }

 private:
  using Address = std::uint64_t;

  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    out_.push_back('\n');
  }

  Address address(ValueId value) const { return Address{value} + 1; }
  /// The index in the trace's table.
  std::size_t index(std::uint32_t modulus) const { return indices_[modulus]; }

  void write_moduli();
  void write_input(const program::Input& input);
  void write_instruction(std::size_t i);
  void write_two(const char* opcode, const Instruction& instruction);
  void write_transform(const char* opcode, const Instruction& instruction);
  void write_permute(const Instruction& instruction);
  void write_reduce(const Instruction& instruction);
  void write_scaled(Address result, Address x, std::uint64_t c, std::uint32_t modulus);
  template <typename Term>
  void write_sum(const Instruction& instruction, std::size_t count, Term write_term);

  const LimbProgram& program_;
  Address next_address_;
  std::vector<std::size_t> indices_;  // by modulus of the program
  fmt::memory_buffer out_;
};

void FhetchWriter::write_moduli() {
  line("# heliodor program \"{}\"", program_.name());
  line("# heliodor degree {}", program_.degree());
  std::vector<std::uint64_t> values;
  for (const ring::Modulus& q : program_.moduli()) values.push_back(q.value());
  std::ranges::sort(values);
  const auto twice = std::ranges::adjacent_find(values);
  if (twice != values.end()) {
    throw Error(
        ErrorCode::unsupported,
        fmt::format("two moduli are {}: a FHETCH trace knows moduli by their value", *twice));
  }
  for (const ring::Modulus& q : program_.moduli()) {
    const auto found = std::ranges::lower_bound(values, q.value());
    indices_.push_back(static_cast<std::size_t>(found - values.begin()) + 1);
  }
  line("modulus_count {}", values.size() + 1);
  line("m[0] 0x{:X}", std::numeric_limits<std::uint64_t>::max());
  for (std::size_t i = 0; i < values.size(); ++i) line("m[{}] 0x{:X}", i + 1, values[i]);
}

void FhetchWriter::write_input(const program::Input& input) {
  const ValueType type = program_.type(input.value);
  if (type.is_seed()) return;  // only `uniform` reads it, which is refused
  const char* const kind = input.kind == InputKind::key        ? "key"
                           : input.kind == InputKind::constant ? "constant"
                                                               : "operand";
  line("# heliodor input %{} {} m={} {} \"{}\"", address(input.value), kind, index(type.modulus),
       type.domain == Domain::coeff ? "coeff" : "eval", input.name);
}

void FhetchWriter::write_instruction(std::size_t i) {
  const Instruction instruction = program_.instruction(i);
  const Address result = address(instruction.result);
  const Address x = address(instruction.operands[0]);
  const std::uint32_t modulus = program_.type(instruction.result).modulus;
  const auto operands = instruction.operands;
  switch (instruction.op) {
    case LimbOp::add:
      return write_two("sr_addp", instruction);
    case LimbOp::sub:
      return write_two("sr_subp", instruction);
    case LimbOp::mul:
      return write_two("sr_mulp", instruction);
    case LimbOp::neg:
      return line("sr_negp %{}, %{}, m={}", result, x, index(modulus));
    case LimbOp::add_scalar:
      return line("sr_addps %{}, %{}, {}, m={}", result, x, instruction.scalars[0], index(modulus));
    case LimbOp::mul_scalar:
      return write_scaled(result, x, instruction.scalars[0], modulus);
    case LimbOp::dot:
      return write_sum(instruction, operands.size() / 2, [&](std::size_t k, Address term) {
        line("sr_mulp %{}, %{}, %{}, m={}", term, address(operands[2 * k]),
             address(operands[2 * k + 1]), index(modulus));
      });
    case LimbOp::dot_scalar:
      return write_sum(instruction, operands.size(), [&](std::size_t k, Address term) {
        write_scaled(term, address(operands[k]), instruction.scalars[k], modulus);
      });
    case LimbOp::reduce:
      return write_reduce(instruction);
    case LimbOp::ntt:
      return write_transform("sr_ntt", instruction);
    case LimbOp::intt:
      return write_transform("sr_intt", instruction);
    case LimbOp::permute:
      return write_permute(instruction);
    case LimbOp::quotient:
    case LimbOp::uniform:
      break;
  }
  throw Error(ErrorCode::unsupported,
              fmt::format("instruction {} is {}: FHETCH has no instructions for it", i,
                          program::info(instruction.op).name));
}

void FhetchWriter::write_two(const char* opcode, const Instruction& instruction) {
  line("{} %{}, %{}, %{}, m={}", opcode, address(instruction.result),
       address(instruction.operands[0]), address(instruction.operands[1]),
       index(program_.type(instruction.result).modulus));
}

void FhetchWriter::write_transform(const char* opcode, const Instruction& instruction) {
  line("{} %{}, %{}, m={}, omega={}", opcode, address(instruction.result),
       address(instruction.operands[0]), index(program_.type(instruction.result).modulus),
       program_.modulus(instruction.result).psi());
}

void FhetchWriter::write_permute(const Instruction& instruction) {
  const ValueType type = program_.type(instruction.result);
  line("sr_automorph_{} %{}, %{}, k={}, m={}", type.domain == Domain::coeff ? "coeff" : "eval",
       address(instruction.result), address(instruction.operands[0]), instruction.parameter,
       index(type.modulus));
}

/// The integer x in [0, q_a) modulo q_b is 1 times x. Centred, with h = (q_a - 1) / 2:
/// ((x + h mod q_a) mod q_b) - h.
void FhetchWriter::write_reduce(const Instruction& instruction) {
  const Address result = address(instruction.result);
  const Address x = address(instruction.operands[0]);
  const std::uint32_t from = program_.type(instruction.operands[0]).modulus;
  const std::uint32_t to = program_.type(instruction.result).modulus;
  if (instruction.lift() == ring::Lift::plain) return write_scaled(result, x, 1, to);
  const std::uint64_t half = program_.moduli()[from].value() / 2;
  const ring::Modulus& q = program_.moduli()[to];
  const Address shifted = next_address_++;
  const Address reduced = next_address_++;
  line("sr_addps %{}, %{}, {}, m={}", shifted, x, half, index(from));
  write_scaled(reduced, shifted, 1, to);
  line("sr_addps %{}, %{}, {}, m={}", result, reduced, q.neg(q.reduce(half)), index(to));
}

/// c * x. An immediate of 0 would make zeros without reading x, so q stands for 0.
void FhetchWriter::write_scaled(Address result, Address x, std::uint64_t c, std::uint32_t modulus) {
  line("sr_mulps %{}, %{}, {}, m={}", result, x, c == 0 ? program_.moduli()[modulus].value() : c,
       index(modulus));
}

template <typename Term>
void FhetchWriter::write_sum(const Instruction& instruction, std::size_t count, Term write_term) {
  const Address result = address(instruction.result);
  const std::size_t modulus = index(program_.type(instruction.result).modulus);
  Address sum = count == 1 ? result : next_address_++;
  write_term(0, sum);
  for (std::size_t k = 1; k < count; ++k) {
    const Address term = next_address_++;
    write_term(k, term);
    const Address next = k + 1 == count ? result : next_address_++;
    line("sr_addp %{}, %{}, %{}, m={}", next, sum, term, modulus);
    sum = next;
  }
}

}  // namespace

std::string to_fhetch(const LimbProgram& program) {
  const base::Diagnostics diagnostics = program::verify(program);
  if (!diagnostics.empty()) {
    throw Error(ErrorCode::invalid_program, base::to_string(diagnostics, program.name()));
  }
  return FhetchWriter(program).write();
}

}  // namespace heliodor::formats::trace
