// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/internal/instruction_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace heliodor::program::internal {

namespace {

using base::Position;

class InstructionRules {
 public:
  InstructionRules(const LimbProgram& program, std::size_t index, base::Diagnostics& diagnostics)
      : program_(program),
        position_{Position::Kind::instruction, index},
        instruction_(program.instruction(index)),
        row_(info(instruction_.op)),
        result_(program.type(instruction_.result)),
        diagnostics_(diagnostics) {}

  void check();

 private:
  void report(std::string message) { diagnostics_.push_back({position_, std::move(message)}); }

  void check_operand_count();
  void check_scalars();
  void check_parameter();
  void check_operand(std::size_t k);
  void check_operand_type(std::size_t k);
  void check_quotient();
  void expect_modulus(std::size_t k, ValueType operand);
  void expect_operand_domain(std::size_t k, const char* which, Domain expected);
  void expect_result_domain(const char* which, Domain expected);
  void check_result_domain();

  /// A limb whose modulus and domain exist.
  bool is_limb(ValueType type) const {
    return !type.is_seed() && type.modulus < program_.moduli().size() &&
           type.domain <= Domain::eval;
  }
  bool has_foreign_operand() const;

  const LimbProgram& program_;
  const Position position_;
  const Instruction instruction_;
  const LimbOpInfo& row_;
  const ValueType result_;
  base::Diagnostics& diagnostics_;
};

std::string_view name_of(Domain domain) { return domain == Domain::coeff ? "coeff" : "eval"; }

void InstructionRules::check() {
  if (!find_limb_op(static_cast<std::uint64_t>(instruction_.op))) {
    report(fmt::format("opcode {} is unknown", static_cast<unsigned>(instruction_.op)));
    return;
  }
  if (result_.is_seed()) {
    report(fmt::format("the result of {} has the type of a seed", row_.name));
  } else {
    check_limb_type(program_, result_, position_, diagnostics_);
  }
  check_operand_count();
  for (std::size_t k = 0; k < instruction_.operands.size(); ++k) check_operand(k);
  if (is_limb(result_)) check_result_domain();
  check_scalars();
  check_parameter();
  if (instruction_.op == LimbOp::quotient) check_quotient();
}

void InstructionRules::check_operand_count() {
  const std::size_t count = instruction_.operands.size();
  const auto expect = [&](bool holds, std::string_view expected) {
    if (!holds) report(fmt::format("{} has {} operands, expected {}", row_.name, count, expected));
  };
  switch (row_.operands) {
    case OperandShape::one:
      return expect(count == 1, "1");
    case OperandShape::two:
      return expect(count == 2, "2");
    case OperandShape::pairs:
      return expect(count >= 2 && count % 2 == 0, "pairs, at least one");
    case OperandShape::list:
      return expect(count >= 1, "at least 1");
    case OperandShape::seed:
      return expect(count == 1, "1");
  }
}

void InstructionRules::check_scalars() {
  const std::size_t count = instruction_.scalars.size();
  const std::size_t expected = row_.scalars == ScalarShape::none  ? 0
                               : row_.scalars == ScalarShape::one ? 1
                                                                  : instruction_.operands.size();
  if (count != expected) {
    report(fmt::format("{} has {} scalars, expected {}", row_.name, count, expected));
  }
  if (!is_limb(result_)) return;
  const std::uint64_t q = program_.moduli()[result_.modulus].value();
  for (std::size_t k = 0; k < count; ++k) {
    if (instruction_.scalars[k] >= q) {
      report(fmt::format("scalar {} is {}, not below q{} = {}", k, instruction_.scalars[k],
                         result_.modulus, q));
    }
  }
}

void InstructionRules::check_parameter() {
  const std::uint64_t parameter = instruction_.parameter;
  switch (row_.parameter) {
    case ParameterKind::none:
      if (parameter != 0) {
        report(fmt::format("{} has parameter {}, expected 0", row_.name, parameter));
      }
      return;
    case ParameterKind::galois_element:
      if (parameter % 2 == 0) report(fmt::format("galois element {} is even", parameter));
      if (parameter >= 2 * program_.degree()) {
        report(fmt::format("galois element {} is not below 2N = {}", parameter,
                           2 * program_.degree()));
      }
      return;
    case ParameterKind::rounding:
      if (parameter > static_cast<std::uint64_t>(ring::Rounding::nearest)) {
        report(fmt::format("rounding {} is unknown", parameter));
      }
      return;
    case ParameterKind::lift:
      if (parameter > static_cast<std::uint64_t>(ring::Lift::centred)) {
        report(fmt::format("lift {} is unknown", parameter));
      }
      return;
    case ParameterKind::stream:
      return;
  }
}

void InstructionRules::check_operand(std::size_t k) {
  const ValueId value = instruction_.operands[k];
  if (value >= program_.value_count()) {
    report(fmt::format("%{} is not defined", value));
    return;
  }
  if (value >= instruction_.result) report(fmt::format("%{} is used before it is defined", value));
  const ValueType type = program_.type(value);
  const bool wants_seed = row_.operands == OperandShape::seed;
  if (type.is_seed() != wants_seed) {
    report(wants_seed ? fmt::format("operand {} is a limb, {} takes a seed", k, row_.name)
                      : fmt::format("operand {} is a seed, {} takes limbs", k, row_.name));
    return;
  }
  if (is_limb(type) && is_limb(result_)) check_operand_type(k);
}

void InstructionRules::check_operand_type(std::size_t k) {
  const ValueType operand = program_.type(instruction_.operands[k]);
  switch (row_.types) {
    case TypeRule::same:
      expect_modulus(k, operand);
      if (operand.domain != result_.domain) {
        report(fmt::format("operand {} is in {}, the result in {}", k, name_of(operand.domain),
                           name_of(result_.domain)));
      }
      return;
    case TypeRule::transform:
      expect_modulus(k, operand);
      expect_operand_domain(k, "", row_.from_eval ? Domain::eval : Domain::coeff);
      return;
    case TypeRule::linear:
      if (operand.modulus != result_.modulus) {
        expect_operand_domain(k, " of another modulus", Domain::coeff);
      } else if (operand.domain != result_.domain) {
        report(fmt::format("operand {} of the result's modulus is in {}, the result in {}", k,
                           name_of(operand.domain), name_of(result_.domain)));
      }
      return;
    case TypeRule::integers:
      return expect_operand_domain(k, "", Domain::coeff);
    case TypeRule::free:
      return;
  }
}

void InstructionRules::check_result_domain() {
  switch (row_.types) {
    case TypeRule::same:
    case TypeRule::free:
      return;
    case TypeRule::transform:
      return expect_result_domain("", row_.from_eval ? Domain::coeff : Domain::eval);
    case TypeRule::linear:
      if (has_foreign_operand()) {
        expect_result_domain(" with operands of other moduli", Domain::coeff);
      }
      return;
    case TypeRule::integers:
      return expect_result_domain("", Domain::coeff);
  }
}

bool InstructionRules::has_foreign_operand() const {
  const auto foreign = [&](ValueId value) {
    return value < program_.value_count() && is_limb(program_.type(value)) &&
           program_.type(value).modulus != result_.modulus;
  };
  return std::any_of(instruction_.operands.begin(), instruction_.operands.end(), foreign);
}

void InstructionRules::check_quotient() {
  const std::size_t sources = instruction_.operands.size();
  if (sources > ring::reference::kMaxQuotientSources) {
    report(fmt::format("{} sources exceed {}", sources, ring::reference::kMaxQuotientSources));
  }
  if (!is_limb(result_)) return;
  const std::uint64_t q = program_.moduli()[result_.modulus].value();
  if (sources >= q) {
    report(fmt::format("{} sources are not below q{} = {}", sources, result_.modulus, q));
  }
}

void InstructionRules::expect_modulus(std::size_t k, ValueType operand) {
  if (operand.modulus != result_.modulus) {
    report(fmt::format("operand {} has modulus q{}, the result has q{}", k, operand.modulus,
                       result_.modulus));
  }
}

void InstructionRules::expect_operand_domain(std::size_t k, const char* which, Domain expected) {
  const Domain domain = program_.type(instruction_.operands[k]).domain;
  if (domain != expected) {
    report(fmt::format("operand {}{} is in {}, expected {}", k, which, name_of(domain),
                       name_of(expected)));
  }
}

void InstructionRules::expect_result_domain(const char* which, Domain expected) {
  if (result_.domain != expected) {
    report(fmt::format("the result of {}{} is in {}, expected {}", row_.name, which,
                       name_of(result_.domain), name_of(expected)));
  }
}

}  // namespace

void check_limb_type(const LimbProgram& program, ValueType type, const Position& position,
                     base::Diagnostics& diagnostics) {
  const std::size_t count = program.moduli().size();
  if (type.modulus >= count) {
    diagnostics.push_back(
        {position, fmt::format("modulus index {} is not below {}", type.modulus, count)});
  }
  if (type.domain > Domain::eval) {
    diagnostics.push_back(
        {position, fmt::format("domain {} is unknown", static_cast<unsigned>(type.domain))});
  }
}

void check_instruction(const LimbProgram& program, std::size_t index,
                       base::Diagnostics& diagnostics) {
  InstructionRules(program, index, diagnostics).check();
}

}  // namespace heliodor::program::internal
