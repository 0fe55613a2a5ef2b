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
// What is fetched ahead must still be near when it is used: three quarters of an L2 cache.
constexpr std::size_t kMaxBytesAhead = std::size_t{768} << 10;
// Of what a transform fetches, per word of its own; memory keeps up with that.
constexpr std::size_t kMaxBytesAheadPerWord = 16;

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
  PreparedInstruction prepared;
  prepared.instruction = instruction;
  prepared.result = instruction.result;
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

// Backwards: what operations take from far away waits for a transform before them, what is needed
// soonest first.
void PreparedProgram::look_ahead(const Schedule& schedule) {
  std::vector<ValueId> waiting;
  std::size_t waiting_bytes = 0;
  for (std::size_t o = schedule.operations.size(); o-- > 0;) {
    const auto members = schedule.instructions(schedule.operations[o]);
    PreparedInstruction& last = instructions_[members.back()];
    if (last.instruction.op == LimbOp::ntt) {
      std::size_t room = kMaxBytesAheadPerWord * program_.degree();
      while (!waiting.empty() && last.ahead.size() < Ahead::kMaxLimbs) {
        const std::size_t bytes = bytes_of(waiting.back(), schedule);
        if (bytes > room) break;
        room -= bytes;
        waiting_bytes -= bytes;
        last.ahead.push_back(waiting.back());
        waiting.pop_back();
      }
    }
    const std::vector<ValueId> limbs = far_limbs(members, schedule);
    std::size_t bytes = 0;
    for (const ValueId limb : limbs) bytes += bytes_of(limb, schedule);
    if (waiting_bytes + bytes > kMaxBytesAhead) continue;
    fetches_keys_ |= std::ranges::any_of(
        limbs, [&](ValueId limb) { return schedule.places[limb].kind == Place::Kind::shared; });
    waiting_bytes += bytes;
    waiting.insert(waiting.end(), limbs.rbegin(), limbs.rend());
  }
}

// Inputs that an operation reads and outputs that it writes, each once.
std::vector<ValueId> PreparedProgram::far_limbs(std::span<const std::uint32_t> members,
                                                const Schedule& schedule) const {
  std::vector<ValueId> limbs;
  const auto add = [&](ValueId value) {
    const Place::Kind kind = schedule.places[value].kind;
    if (kind == Place::Kind::operand || kind == Place::Kind::shared || kind == Place::Kind::output)
      limbs.push_back(value);
  };
  for (const std::uint32_t i : members) {
    for (const ValueId operand : program_.instruction(i).operands) add(operand);
    add(program_.instruction(i).result);
  }
  std::ranges::sort(limbs);
  limbs.erase(std::ranges::unique(limbs).begin(), limbs.end());
  return limbs;
}

std::size_t PreparedProgram::bytes_of(ValueId limb, const Schedule& schedule) const {
  const Place place = schedule.places[limb];
  const bool packed =
      place.kind == Place::Kind::shared && !packed_limbs_.empty() && packed_limbs_[place.index];
  return program_.degree() * (packed ? sizeof(std::uint32_t) : sizeof(Word));
}

}  // namespace heliodor::cpu
