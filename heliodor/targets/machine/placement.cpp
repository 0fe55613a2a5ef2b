// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/placement.h"

#include <functional>
#include <queue>
#include <utility>

namespace heliodor::machine {
namespace {

using program::Instruction;
using program::LimbProgram;
using program::ValueId;

class LinearScan {
 public:
  explicit LinearScan(const LimbProgram& program)
      : program_(program), last_use_(program.value_count(), 0) {
    placement_.frames.assign(program.value_count(), Placement::kNone);
    for (std::size_t i = 0; i < program.instruction_count(); ++i) {
      for (const ValueId operand : program.instruction(i).operands) last_use_[operand] = i;
    }
  }

  Placement run() {
    for (std::size_t i = 0; i < program_.instruction_count(); ++i) place_instruction(i);
    // Inputs that go straight to an output pass through the scratchpad one after the other.
    for (const program::Output& output : program_.outputs()) {
      if (placement_.frames[output.value] == Placement::kNone) {
        take(output.value, program_.instruction_count());
        release(output.value);
      }
    }
    return std::move(placement_);
  }

 private:
  void place_instruction(std::size_t index) {
    const Instruction instruction = program_.instruction(index);
    for (const ValueId operand : instruction.operands) {
      const bool new_limb = placement_.frames[operand] == Placement::kNone;
      if (new_limb && !program_.type(operand).is_seed()) take(operand, index);
    }
    const bool in_place = instruction.op != program::LimbOp::permute;
    if (in_place) release_dying(instruction, index);
    take(instruction.result, index);
    if (!in_place) release_dying(instruction, index);
    if (last_use_[instruction.result] == 0) release(instruction.result);
  }

  /// Frees the operands whose last use this is, each once.
  void release_dying(const Instruction& instruction, std::size_t index) {
    for (const ValueId operand : instruction.operands) {
      if (program_.type(operand).is_seed() || last_use_[operand] != index) continue;
      release(operand);
      last_use_[operand] = kReleased;
    }
  }

  void take(ValueId value, std::size_t index) {
    if (free_.empty()) {
      free_.push(placement_.frame_count++);
      placement_.peak_instruction = index;
    }
    placement_.frames[value] = free_.top();
    free_.pop();
  }

  void release(ValueId value) { free_.push(placement_.frames[value]); }

  static constexpr std::size_t kReleased = ~std::size_t{0};

  const LimbProgram& program_;
  std::vector<std::size_t>
      last_use_;  // 0 where never used: no value is used by instruction 0 and made after it
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free_;
  Placement placement_;
};

}  // namespace

Placement place_values(const LimbProgram& program) { return LinearScan(program).run(); }

}  // namespace heliodor::machine
