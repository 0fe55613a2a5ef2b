// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/reference/reference_target.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "heliodor/ring/reference.h"

namespace heliodor::reference {
namespace {

using program::Binding;
using program::Input;
using program::InputKind;
using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::SharedBinding;
using program::ValueId;
using Limb = std::span<const std::uint64_t>;

// The values of one execution, by ValueId. Results live in `owned` until their last use.
struct Values {
  explicit Values(std::size_t count) : limbs(count), seeds(count), owned(count), uses(count) {}

  std::vector<Limb> limbs;
  std::vector<base::PublicSeed> seeds;
  std::vector<std::vector<std::uint64_t>> owned;
  std::vector<std::size_t> uses;
};

void bind_inputs(const LimbProgram& program, const Binding& binding, const SharedBinding& shared,
                 Values& values) {
  std::size_t operand = 0;
  std::size_t limb = 0;
  std::size_t seed = 0;
  for (const Input& input : program.inputs()) {
    switch (input.kind) {
      case InputKind::operand:
        values.limbs[input.value] = binding.operands[operand++];
        break;
      case InputKind::key:
      case InputKind::constant:
        values.limbs[input.value] = shared.limbs[limb++];
        break;
      case InputKind::seed:
        values.seeds[input.value] = shared.seeds[seed++];
        break;
    }
  }
}

void count_uses(const LimbProgram& program, Values& values) {
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    for (const ValueId operand : program.instruction(i).operands) ++values.uses[operand];
  }
  for (const program::Output& output : program.outputs()) ++values.uses[output.value];
}

// x holds x0 y0 x1 y1 ..
void run_dot(const ring::Modulus& q, std::span<const Limb> x, std::span<std::uint64_t> result) {
  std::vector<Limb> left;
  std::vector<Limb> right;
  for (std::size_t k = 0; k < x.size(); k += 2) {
    left.push_back(x[k]);
    right.push_back(x[k + 1]);
  }
  ring::reference::dot(q, left, right, result);
}

void execute(const LimbProgram& program, const Instruction& instruction, Values& values) {
  namespace def = ring::reference;
  std::vector<Limb> x;  // the operands
  std::vector<ring::Modulus> sources;
  for (const ValueId operand : instruction.operands) {
    if (program.type(operand).is_seed()) continue;
    x.push_back(values.limbs[operand]);
    sources.push_back(program.modulus(operand));
  }
  const ring::Modulus& q = program.modulus(instruction.result);
  std::vector<std::uint64_t>& result = values.owned[instruction.result];
  result.resize(program.degree());

  switch (instruction.op) {
    case LimbOp::add:
      def::add(q, x[0], x[1], result);
      break;
    case LimbOp::sub:
      def::sub(q, x[0], x[1], result);
      break;
    case LimbOp::neg:
      def::neg(q, x[0], result);
      break;
    case LimbOp::mul:
      def::mul(q, x[0], x[1], result);
      break;
    case LimbOp::add_scalar:
      def::add_scalar(q, x[0], instruction.scalars[0], result);
      break;
    case LimbOp::mul_scalar:
      def::mul_scalar(q, x[0], instruction.scalars[0], result);
      break;
    case LimbOp::dot:
      run_dot(q, x, result);
      break;
    case LimbOp::dot_scalar:
      def::dot_scalar(q, sources, x, instruction.scalars, result);
      break;
    case LimbOp::quotient:
      def::quotient(sources, x, instruction.rounding(), result);
      break;
    case LimbOp::reduce:
      def::reduce(sources[0], q, instruction.lift(), x[0], result);
      break;
    case LimbOp::ntt:
      def::ntt(q, x[0], result);
      break;
    case LimbOp::intt:
      def::intt(q, x[0], result);
      break;
    case LimbOp::permute:
      def::permute(q, instruction.parameter, program.type(instruction.result).domain, x[0], result);
      break;
    case LimbOp::uniform:
      def::uniform(q, values.seeds[instruction.operands[0]], instruction.parameter, result);
      break;
  }
  values.limbs[instruction.result] = result;
}

void run_one(const LimbProgram& program, const Binding& binding, const SharedBinding& shared) {
  Values values(program.value_count());
  bind_inputs(program, binding, shared, values);
  count_uses(program, values);
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    const Instruction instruction = program.instruction(i);
    execute(program, instruction, values);
    for (const ValueId operand : instruction.operands) {
      // Without this a key switch of forty limbs would hold gigabytes.
      if (--values.uses[operand] == 0) values.owned[operand] = std::vector<std::uint64_t>();
    }
  }
  for (std::size_t k = 0; k < program.outputs().size(); ++k) {
    std::ranges::copy(values.limbs[program.outputs()[k].value], binding.outputs[k].begin());
  }
}

class ReferencePlan : public program::Plan {
 public:
  explicit ReferencePlan(std::shared_ptr<const LimbProgram> program) : Plan(std::move(program)) {}

  std::string describe() const override { return "every instruction in program order\n"; }

 private:
  program::RunReport do_run(std::span<const Binding> batch,
                            const SharedBinding& shared) const override {
    const auto start = std::chrono::steady_clock::now();
    for (const Binding& binding : batch) run_one(program(), binding, shared);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return {.cost = {.seconds = elapsed.count(), .cycles = std::nullopt}, .fault = std::nullopt};
  }
};

}  // namespace

std::size_t word_steps(const LimbProgram& program, const Instruction& instruction) {
  const std::size_t n = program.degree();
  switch (instruction.op) {
    case LimbOp::dot:
      return n * (instruction.operands.size() / 2);
    case LimbOp::dot_scalar:
    case LimbOp::quotient:
      return n * instruction.operands.size();
    case LimbOp::ntt:
    case LimbOp::intt:
      return n * static_cast<std::size_t>(std::countr_zero(n));
    case LimbOp::uniform:
      return 2 * n;
    default:
      return n;
  }
}

std::optional<std::string> ReferenceTarget::refusal(const LimbProgram& /*program*/) const {
  return std::nullopt;
}

program::Cost ReferenceTarget::predict(const LimbProgram& program) const {
  std::size_t steps = 0;
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    steps += word_steps(program, program.instruction(i));
  }
  return {.seconds = static_cast<double>(steps) * kSecondsPerWordStep, .cycles = std::nullopt};
}

std::unique_ptr<const program::Plan> ReferenceTarget::do_plan(
    std::shared_ptr<const LimbProgram> program) const {
  return std::make_unique<ReferencePlan>(std::move(program));
}

}  // namespace heliodor::reference
