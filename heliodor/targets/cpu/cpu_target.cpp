// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/cpu_target.h"

#include <bit>
#include <utility>

#include "heliodor/targets/cpu/cpu_plan.h"

namespace heliodor::cpu {
namespace {

using program::Instruction;
using program::LimbOp;

constexpr double kNominalHertz = 3.5e9;

// Cycles per word of the limb.
double cycles_per_word(const KernelCosts& costs, const Instruction& instruction, std::uint64_t degree) {
  const auto terms = static_cast<double>(instruction.operands.size());
  switch (instruction.op) {
    case LimbOp::mul: return costs.mul;
    case LimbOp::dot: return terms / 2 * costs.mac + costs.mac_finish;
    case LimbOp::dot_scalar: return terms * costs.mac + costs.mac_finish;
    case LimbOp::quotient: return terms * costs.quotient;
    case LimbOp::ntt:
    case LimbOp::intt: return costs.butterfly * std::countr_zero(degree) / 2;
    case LimbOp::permute: return costs.permute;
    case LimbOp::uniform: return costs.uniform;
    default: return costs.pointwise;
  }
}

}  // namespace

CpuTarget::CpuTarget(const KernelTable& kernels, unsigned threads)
    : kernels_(kernels),
      threads_(std::make_shared<base::ThreadPool>(threads)),
      transforms_(std::make_shared<NttCache>(kernels)) {}

std::string CpuTarget::name() const { return "cpu:" + std::string(kernels_.name); }

std::optional<std::string> CpuTarget::refusal(const program::LimbProgram& /*program*/) const { return std::nullopt; }

program::Cost CpuTarget::predict(const program::LimbProgram& program) const {
  double cycles = 0;
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    cycles += cycles_per_word(kernels_.costs, program.instruction(i), program.degree());
  }
  return {cycles * static_cast<double>(program.degree()) / kNominalHertz, std::nullopt};
}

std::unique_ptr<const program::Plan> CpuTarget::do_plan(std::shared_ptr<const program::LimbProgram> program) const {
  return std::make_unique<CpuPlan>(std::move(program), kernels_, *transforms_, threads_);
}

}  // namespace heliodor::cpu
