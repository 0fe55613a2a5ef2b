// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a machine cannot run. The first reason found is given.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "heliodor/ring/reference.h"
#include "heliodor/targets/machine/allocate.h"
#include "heliodor/targets/machine/lower.h"
#include "heliodor/targets/machine/tasks.h"

namespace heliodor::machine {
namespace {

using program::Instruction;
using program::LimbOp;
using program::LimbProgram;

Operation operation_of(LimbOp op) noexcept {
  switch (op) {
    case LimbOp::ntt:
    case LimbOp::intt:
      return Operation::ntt;
    case LimbOp::permute:
      return Operation::permutation;
    case LimbOp::uniform:
      return Operation::generator;
    default:
      return Operation::arithmetic;
  }
}

/// Bits of the largest sum that the fixed-point formula of `quotient` forms, and of its factors r_k
/// < 2^49.
unsigned quotient_bits(std::size_t sources) noexcept {
  const std::uint64_t one = std::uint64_t{1} << ring::reference::kQuotientBits;
  const std::uint64_t largest_sum =
      sources * one + std::max<std::uint64_t>(2 * sources, sources + one / 2);
  return std::max(ring::reference::kQuotientBits + 1,
                  static_cast<unsigned>(std::bit_width(largest_sum)));
}

std::optional<std::string> refuse_instruction(const MachineDescription& description,
                                              const LimbProgram& program, std::size_t index) {
  const Instruction instruction = program.instruction(index);
  const Operation operation = operation_of(instruction.op);
  const std::string_view name = program::info(instruction.op).name;
  if (description.unit_for(operation) == nullptr) {
    return fmt::format("instruction {} ({}) needs a unit for {}, machine {} has none", index, name,
                       to_string(operation), description.name);
  }
  if (instruction.op != LimbOp::quotient || description.word_bits >= 64) return {};
  if (description.wide_word_bits == 0) {
    return fmt::format("instruction {} ({}) needs words of 64 bits or wide ones, words hold {}",
                       index, name, description.word_bits);
  }
  const unsigned bits = quotient_bits(instruction.operands.size());
  if (bits > description.wide_word_bits) {
    return fmt::format("instruction {} ({}) needs sums of {} bits, wide words hold {}", index, name,
                       bits, description.wide_word_bits);
  }
  return {};
}

}  // namespace

std::optional<std::string> refusal(const MachineDescription& description,
                                   const LimbProgram& program, const Residency& residency) {
  for (std::size_t i = 0; i < program.moduli().size(); ++i) {
    const unsigned bits = program.moduli()[i].bits();
    if (bits > description.largest_word_bits()) {
      return fmt::format("modulus q{} has {} bits, words hold {}", i, bits,
                         description.largest_word_bits());
    }
  }
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    if (auto reason = refuse_instruction(description, program, i)) return reason;
  }
  std::optional<std::string> reason;
  for (const TaskOrder order : kTaskOrders) {
    const std::vector<Task> tasks = make_tasks(program, description, order);
    const auto allocation = allocate(description, program, tasks, residency);
    if (allocation) return {};
    if (!reason) reason = allocation.diagnostics().front().message;
  }
  return reason;
}

}  // namespace heliodor::machine
