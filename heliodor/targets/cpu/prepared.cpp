// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/prepared.h"

#include <algorithm>
#include <span>

#include "heliodor/ring/automorphism.h"

namespace heliodor::cpu {
namespace {

constexpr unsigned kMaxPackedBits = 32;
constexpr std::uint64_t kLeastPackedDegree = 64;
// What is fetched ahead must still be near when its sum comes: three quarters of an L2 cache.
constexpr std::size_t kMaxBytesAhead = std::size_t{768} << 10;

}  // namespace

using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

PreparedProgram::PreparedProgram(const LimbProgram& program, const Schedule& schedule,
                                 NttCache& transforms, bool packs)
    : program_(program),
      moduli_(program.moduli().begin(), program.moduli().end()),
      instructions_(program.instruction_count()) {
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    instructions_[i] = prepare(program.instruction(i), schedule, transforms);
  }
  if (packs && program.degree() >= kLeastPackedDegree) pack(schedule);
  look_ahead(schedule);
  for (const Operation& operation : schedule.operations) {
    const auto members = schedule.instructions(operation);
    for (std::size_t m = 0; m < members.size(); ++m) {
      if (begins_chain(program, schedule, operation, m))
        join(instructions_[members[m]], program.instruction(members[m + 1]));
    }
  }
}

void PreparedProgram::join(PreparedInstruction& first, const Instruction& second) {
  first.result = second.result;
  if (first.instruction.op == LimbOp::intt)
    first.inverse_scale = first.ntt->scale(second.scalars[0]);
  if (first.instruction.op == LimbOp::dot) {
    const ValueId sum = first.instruction.result;
    first.addend = second.operands[second.operands[0] == sum ? 1 : 0];
  }
}

PreparedInstruction PreparedProgram::prepare(const Instruction& instruction,
                                             const Schedule& schedule, NttCache& transforms) {
  PreparedInstruction prepared{instruction, instruction.result};
  const std::uint32_t modulus = program_.type(instruction.result).modulus;
  prepared.q = &moduli_[modulus];
  prepared.reads.assign(instruction.operands.begin(), instruction.operands.end());
  switch (instruction.op) {
    case LimbOp::ntt:
    case LimbOp::intt:
      prepared.ntt = transforms.get(program_.moduli()[modulus]);
      prepared.range = schedule.lazy[instruction.result] ? Range::lazy : Range::canonical;
      break;
    case LimbOp::mul_scalar:
      prepared.scalar = KernelScalar(*prepared.q, instruction.scalars[0]);
      break;
    case LimbOp::dot:
      prepare_dot(instruction, schedule, prepared);
      break;
    case LimbOp::permute:
      if (program_.type(instruction.result).domain == ring::Domain::eval) {
        std::vector<std::uint32_t>& table = permutations_[instruction.parameter];
        if (table.empty())
          table = ring::automorphism_eval_sources(instruction.parameter, program_.degree());
        prepared.permutation = table.data();
      }
      break;
    case LimbOp::dot_scalar:
      prepared.factors.emplace(*prepared.q, instruction.scalars);
      for (const ValueId x : instruction.operands) {
        prepared.source_bound = std::max(prepared.source_bound, program_.modulus(x).value());
      }
      break;
    case LimbOp::quotient:
    case LimbOp::reduce:
      for (const ValueId x : instruction.operands)
        prepared.sources.push_back(&moduli_[program_.type(x).modulus]);
      break;
    default:
      break;
  }
  return prepared;
}

// Factors commute, so a lazy one is put first; a schedule never makes both lazy.
void PreparedProgram::prepare_dot(const Instruction& instruction, const Schedule& schedule,
                                  PreparedInstruction& prepared) {
  const std::size_t count = instruction.operands.size() / 2;
  for (std::size_t k = 0; k < count; ++k) {
    ValueId x = instruction.operands[2 * k], y = instruction.operands[2 * k + 1];
    if (schedule.lazy[y]) std::swap(x, y);
    if (schedule.lazy[x]) prepared.range = Range::lazy;
    prepared.reads[k] = x;
    prepared.reads[count + k] = y;
  }
}

// The sums of an operation are packed if all their y_k are shared limbs of a narrow modulus.
void PreparedProgram::pack(const Schedule& schedule) {
  packed_limbs_.assign(program_.inputs().size(), false);
  for (const Operation& operation : schedule.operations) {
    std::vector<PreparedInstruction*> dots;
    std::vector<ValueId> keys;
    for (const std::uint32_t i : schedule.instructions(operation)) {
      PreparedInstruction& dot = instructions_[i];
      if (dot.instruction.op != LimbOp::dot || dot.q->bits() > kMaxPackedBits) continue;
      dots.push_back(&dot);
      keys.insert(keys.end(), dot.reads.begin() + static_cast<std::ptrdiff_t>(dot.reads.size() / 2),
                  dot.reads.end());
    }
    const bool packed = std::ranges::all_of(
        keys, [&](ValueId key) { return schedule.places[key].kind == Place::Kind::shared; });
    if (!packed) continue;
    for (PreparedInstruction* dot : dots) dot->packed = true;
    for (const ValueId key : keys) packed_limbs_[schedule.places[key].index] = true;
  }
}

// A transform fetches the keys by which its result will be multiplied.
void PreparedProgram::look_ahead(const Schedule& schedule) {
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    if (program_.instruction(i).op != LimbOp::dot) continue;
    const PreparedInstruction& dot = instructions_[i];
    const std::size_t count = dot.reads.size() / 2;
    const std::size_t word_bytes = dot.packed ? sizeof(std::uint32_t) : sizeof(Word);
    if (2 * count * program_.degree() * word_bytes > kMaxBytesAhead) continue;
    for (std::size_t k = 0; k < count; ++k) {
      const auto definition = program_.definition(dot.reads[k]);
      const ValueId y = dot.reads[count + k];
      if (!definition || program_.instruction(*definition).op != LimbOp::ntt ||
          schedule.places[y].kind != Place::Kind::shared) {
        continue;
      }
      std::vector<ValueId>& ahead = instructions_[*definition].ahead;
      if (ahead.size() < 2) ahead.push_back(y);
      fetches_ahead_ = true;
    }
  }
}

}  // namespace heliodor::cpu
