// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/agree/rewrite.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

namespace heliodor::agree {
namespace {

using program::Input;
using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;
using program::ValueType;

struct Term {
  std::vector<ValueId> operands;
  std::vector<std::uint64_t> scalars;
};

// Operands and scalars of an instruction after the edit.
Term kept_terms(const Instruction& instruction, std::size_t index, const Edit& edit) {
  Term kept{{instruction.operands.begin(), instruction.operands.end()},
            {instruction.scalars.begin(), instruction.scalars.end()}};
  if (edit.shorten != index) return kept;
  const std::size_t width = instruction.op == LimbOp::dot ? 2 : 1;
  const auto erase = [&](auto& list, std::size_t per_term) {
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(edit.first_term * per_term);
    list.erase(first, first + static_cast<std::ptrdiff_t>(edit.term_count * per_term));
  };
  erase(kept.operands, width);
  if (!kept.scalars.empty()) erase(kept.scalars, 1);
  return kept;
}

std::vector<bool> needed_values(const LimbProgram& program, const Edit& edit) {
  std::vector<bool> needed(program.value_count(), false);
  for (const std::size_t output : edit.outputs) needed[program.outputs()[output].value] = true;
  for (std::size_t i = program.instruction_count(); i-- > 0;) {
    const Instruction instruction = program.instruction(i);
    if (!needed[instruction.result] || edit.cut == i) continue;
    for (const ValueId operand : kept_terms(instruction, i, edit).operands) needed[operand] = true;
  }
  return needed;
}

class Copy {
 public:
  Copy(const LimbProgram& from, const Edit& edit)
      : from_(from), edit_(edit), needed_(needed_values(from, edit)), to_(moduli(), from.name()) {
    for (const Input& input : from.inputs()) names_.insert(input.name);
  }

  LimbProgram make() {
    values_.resize(from_.value_count());
    std::size_t input = 0;
    for (ValueId value = 0; value < from_.value_count(); ++value) {
      const auto instruction = from_.definition(value);
      if (instruction) {
        if (needed_[value]) values_[value] = copy_instruction(*instruction);
      } else {
        const Input& old = from_.inputs()[input++];
        if (needed_[value]) values_[value] = to_.append_input(old.kind, old.name, type(value));
      }
    }
    for (const std::size_t output : edit_.outputs) {
      const program::Output& old = from_.outputs()[output];
      to_.append_output(old.name, values_[old.value]);
    }
    return std::move(to_);
  }

 private:
  // The moduli of needed limbs, at the new degree; fills new_modulus_.
  std::vector<ring::Modulus> moduli() {
    std::vector<ring::Modulus> kept;
    new_modulus_.resize(from_.moduli().size());
    for (std::uint32_t i = 0; i < new_modulus_.size(); ++i) {
      const auto uses_modulus = [&](ValueId value) {
        return needed_[value] && from_.type(value).modulus == i;
      };
      bool used = false;
      for (ValueId value = 0; value < from_.value_count(); ++value) used |= uses_modulus(value);
      if (!used) continue;
      new_modulus_[i] = static_cast<std::uint32_t>(kept.size());
      const ring::Modulus& old = from_.moduli()[i];
      kept.push_back(edit_.degree == old.degree() ? old : ring::Modulus(old.value(), edit_.degree));
    }
    return kept;
  }

  ValueType type(ValueId value) const {
    ValueType type = from_.type(value);
    if (!type.is_seed()) type.modulus = new_modulus_[type.modulus];
    return type;
  }

  std::string unused_name() {
    std::size_t number = 0;
    while (!names_.insert("cut" + std::to_string(number)).second) ++number;
    return "cut" + std::to_string(number);
  }

  ValueId copy_instruction(std::size_t index) {
    const Instruction old = from_.instruction(index);
    const ValueType result = type(old.result);
    if (edit_.cut == index) {
      return to_.append_input(program::InputKind::operand, unused_name(), result);
    }
    Term kept = kept_terms(old, index, edit_);
    for (ValueId& operand : kept.operands) operand = values_[operand];
    const std::uint64_t parameter =
        old.op == LimbOp::permute ? old.parameter % (2 * edit_.degree) : old.parameter;
    return to_.append(old.op, result, kept.operands, kept.scalars, parameter);
  }

  const LimbProgram& from_;
  const Edit& edit_;
  std::vector<bool> needed_;
  std::vector<std::uint32_t> new_modulus_;
  LimbProgram to_;
  std::vector<ValueId> values_;  // new by old
  std::set<std::string> names_;
};

}  // namespace

LimbProgram with_every_result_as_output(const LimbProgram& program) {
  std::vector<bool> used(program.value_count(), false);
  LimbProgram copy({program.moduli().begin(), program.moduli().end()}, program.name());
  std::size_t input = 0;
  for (ValueId value = 0; value < program.value_count(); ++value) {
    const auto index = program.definition(value);
    if (!index) {
      const Input& old = program.inputs()[input++];
      copy.append_input(old.kind, old.name, program.type(value));
      continue;
    }
    const Instruction old = program.instruction(*index);
    copy.append(old.op, program.type(value), old.operands, old.scalars, old.parameter);
    copy.append_output("result" + std::to_string(*index), value);
    for (const ValueId operand : old.operands) used[operand] = true;
  }
  for (const Input& old : program.inputs()) {
    if (!used[old.value]) copy.append_output("unused" + std::to_string(old.value), old.value);
  }
  return copy;
}

std::size_t term_count(const Instruction& instruction) {
  switch (instruction.op) {
    case LimbOp::dot:
      return instruction.operands.size() / 2;
    case LimbOp::dot_scalar:
    case LimbOp::quotient:
      return instruction.operands.size();
    default:
      return 1;
  }
}

LimbProgram rewrite(const LimbProgram& program, const Edit& edit) {
  return Copy(program, edit).make();
}

}  // namespace heliodor::agree
