// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/agree/wrong_target.h"

#include <utility>
#include <vector>

#include "heliodor/targets/reference/reference_target.h"

namespace heliodor::agree {
namespace {

using program::Binding;
using program::Instruction;
using program::LimbProgram;
using program::SharedBinding;
using program::ValueId;

bool is_hit(const LimbProgram& program, const Instruction& instruction, const PlantedFault& fault) {
  return instruction.op == fault.op && program.modulus(instruction.result).value() == fault.q;
}

// The program with "+ error" after each hit, where error is a constant input that stands before all
// others.
LimbProgram corrupt(const LimbProgram& program, const PlantedFault& fault) {
  LimbProgram wrong({program.moduli().begin(), program.moduli().end()}, program.name());
  std::vector<ValueId> values(program.value_count());
  std::vector<std::optional<ValueId>> errors(2);  // by domain
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    const Instruction instruction = program.instruction(i);
    if (!is_hit(program, instruction, fault)) continue;
    const program::ValueType type = program.type(instruction.result);
    auto& error = errors[static_cast<std::size_t>(type.domain)];
    if (!error) {
      error = wrong.append_input(program::InputKind::constant,
                                 "error" + std::to_string(static_cast<int>(type.domain)), type);
    }
  }
  std::size_t input = 0;
  for (ValueId value = 0; value < program.value_count(); ++value) {
    const auto index = program.definition(value);
    if (!index) {
      const program::Input& old = program.inputs()[input++];
      values[value] = wrong.append_input(old.kind, old.name, program.type(value));
      continue;
    }
    const Instruction old = program.instruction(*index);
    const program::ValueType type = program.type(value);
    std::vector<ValueId> operands;
    for (const ValueId operand : old.operands) operands.push_back(values[operand]);
    values[value] = wrong.append(old.op, type, operands, old.scalars, old.parameter);
    if (!is_hit(program, old, fault)) continue;
    const ValueId sum[] = {values[value], *errors[static_cast<std::size_t>(type.domain)]};
    values[value] = wrong.append(program::LimbOp::add, type, sum);
  }
  for (const program::Output& output : program.outputs()) {
    wrong.append_output(output.name, values[output.value]);
  }
  return wrong;
}

class WrongPlan : public program::Plan {
 public:
  WrongPlan(std::shared_ptr<const LimbProgram> program, const PlantedFault& fault)
      : Plan(program), error_(program->degree(), 0) {
    error_[fault.word] = 1;
    LimbProgram wrong = corrupt(*program, fault);
    added_inputs_ = wrong.inputs().size() - program->inputs().size();
    plan_ = reference::ReferenceTarget().plan(std::move(wrong));
  }

  std::string describe() const override { return plan_->describe(); }

 private:
  program::RunReport do_run(std::span<const Binding> batch,
                            const SharedBinding& shared) const override {
    SharedBinding with_errors = shared;
    with_errors.limbs.insert(with_errors.limbs.begin(), added_inputs_, error_);
    return plan_->run(batch, with_errors);
  }

  std::vector<std::uint64_t> error_;
  std::size_t added_inputs_ = 0;
  std::unique_ptr<const program::Plan> plan_;
};

}  // namespace

std::optional<std::string> WrongTarget::refusal(const LimbProgram& program) const {
  if (fault_.word < program.degree()) return std::nullopt;
  return "word " + std::to_string(fault_.word) + " is not below the degree";
}

program::Cost WrongTarget::predict(const LimbProgram& program) const {
  return reference::ReferenceTarget().predict(program);
}

std::unique_ptr<const program::Plan> WrongTarget::do_plan(
    std::shared_ptr<const LimbProgram> program) const {
  return std::make_unique<WrongPlan>(std::move(program), fault_);
}

}  // namespace heliodor::agree
