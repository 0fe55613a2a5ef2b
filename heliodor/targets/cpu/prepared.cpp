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
    if (members.size() == 1 || program.instruction(members[0]).op != LimbOp::intt) continue;
    PreparedInstruction& transform = instructions_[members[0]];
    transform.inverse_scale = transform.ntt->scale(program.instruction(members[1]).scalars[0]);
  }
}

PreparedInstruction PreparedProgram::prepare(const Instruction& instruction,
                                             const Schedule& schedule, NttCache& transforms) {
  PreparedInstruction prepared;
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

// A sum is packed if all its y_k are shared limbs of a narrow modulus.
void PreparedProgram::pack(const Schedule& schedule) {
  packed_limbs_.assign(program_.inputs().size(), false);
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    PreparedInstruction& dot = instructions_[i];
    if (program_.instruction(i).op != LimbOp::dot || dot.q->bits() > kMaxPackedBits) continue;
    const auto y = std::span(dot.reads).last(dot.reads.size() / 2);
    dot.packed = std::ranges::all_of(
        y, [&](ValueId value) { return schedule.places[value].kind == Place::Kind::shared; });
    if (!dot.packed) continue;
    for (const ValueId value : y) packed_limbs_[schedule.places[value].index] = true;
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
