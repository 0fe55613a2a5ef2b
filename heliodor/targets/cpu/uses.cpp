// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/uses.h"

#include <algorithm>
#include <cstddef>

namespace heliodor::cpu {

using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

Uses::Uses(const LimbProgram& program)
    : first_(program.value_count() + 1, 0), is_output_(program.value_count(), false) {
  const auto count = static_cast<std::uint32_t>(program.instruction_count());
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const ValueId operand : program.instruction(i).operands) ++first_[operand + 1];
  }
  for (std::size_t value = 1; value < first_.size(); ++value) first_[value] += first_[value - 1];
  readers_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const ValueId operand : program.instruction(i).operands) readers_[next[operand]++] = i;
  }
  for (const program::Output& output : program.outputs()) is_output_[output.value] = true;
}

bool is_pointwise(LimbOp op) noexcept {
  switch (op) {
    case LimbOp::ntt:
    case LimbOp::intt:
    case LimbOp::permute:
    case LimbOp::uniform:
      return false;
    default:
      return true;
  }
}

bool same_sources(const Instruction& a, const Instruction& b) noexcept {
  return a.op == LimbOp::dot_scalar && b.op == LimbOp::dot_scalar &&
         std::ranges::equal(a.operands, b.operands);
}

bool same_first_factors(const Instruction& a, const Instruction& b) noexcept {
  if (a.op != LimbOp::dot || b.op != LimbOp::dot || a.operands.size() != b.operands.size())
    return false;
  for (std::size_t k = 0; k < a.operands.size(); k += 2) {
    if (a.operands[k] != b.operands[k]) return false;
  }
  return true;
}

}  // namespace heliodor::cpu
