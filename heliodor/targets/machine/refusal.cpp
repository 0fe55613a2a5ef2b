// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a machine cannot run. The first reason found is given.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "heliodor/ring/reference.h"
#include "heliodor/targets/machine/lower.h"
#include "heliodor/targets/machine/placement.h"

namespace heliodor::machine {
namespace {

using program::Instruction;
using program::LimbOp;
using program::LimbProgram;

UnitKind unit_for(LimbOp op) noexcept {
  switch (op) {
    case LimbOp::ntt:
    case LimbOp::intt:
      return UnitKind::ntt;
    case LimbOp::permute:
      return UnitKind::permutation;
    case LimbOp::uniform:
      return UnitKind::generator;
    default:
      return UnitKind::vector;
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
  const UnitKind kind = unit_for(instruction.op);
  const std::string_view name = program::info(instruction.op).name;
  if (!description.unit(kind)) {
    return fmt::format("instruction {} ({}) needs a {} unit, machine {} has none", index, name,
                       to_string(kind), description.name);
  }
  if (instruction.op == LimbOp::quotient) {
    const unsigned bits = quotient_bits(instruction.operands.size());
    if (bits > description.word_bits) {
      return fmt::format("instruction {} ({}) needs sums of {} bits, words hold {}", index, name,
                         bits, description.word_bits);
    }
  }
  return {};
}

}  // namespace

std::optional<std::string> refusal(const MachineDescription& description,
                                   const LimbProgram& program) {
  for (std::size_t i = 0; i < program.moduli().size(); ++i) {
    const unsigned bits = program.moduli()[i].bits();
    if (bits > description.word_bits) {
      return fmt::format("modulus q{} has {} bits, words hold {}", i, bits, description.word_bits);
    }
  }
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    if (auto reason = refuse_instruction(description, program, i)) return reason;
  }
  const Placement placement = place_values(program);
  const std::uint64_t rows_per_limb =
      std::max<std::uint64_t>(1, program.degree() / description.scratchpad.banks);
  const std::uint64_t rows = rows_per_limb * placement.frame_count;
  if (rows > description.scratchpad.rows()) {
    return fmt::format("needs {} rows at instruction {}, scratchpad holds {}", rows,
                       placement.peak_instruction, description.scratchpad.rows());
  }
  return {};
}

}  // namespace heliodor::machine
