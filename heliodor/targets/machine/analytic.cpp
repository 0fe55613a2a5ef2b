// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/analytic.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <utility>

#include "heliodor/targets/machine/frames.h"
#include "heliodor/targets/machine/rates.h"

namespace heliodor::machine {
namespace {

using program::InputKind;
using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

constexpr unsigned kQuotientBits = 64;  // of a quotient's fixed-point sum

bool is_resident(const Residency& residency, InputKind kind) noexcept {
  switch (kind) {
    case InputKind::operand:
      return residency.operands;
    case InputKind::key:
      return residency.keys;
    case InputKind::constant:
      return residency.constants;
    case InputKind::seed:
      return false;
  }
  return false;
}

Traffic traffic_of(InputKind kind) noexcept {
  if (kind == InputKind::key) return Traffic::key;
  return kind == InputKind::constant ? Traffic::constant : Traffic::operand;
}

class Meter {
 public:
  Meter(const MachineDescription& description, const LimbProgram& program)
      : description_(description), program_(program), frames_(description, program) {
    cost_.unit_cycles.assign(description.units.size() + 1, 0);
  }

  void task(const Task& task) {
    for (const ValueId source : task.fetched) {
      read(source);
      pass(Operation::arithmetic, wide(source));
    }
    for (const std::uint32_t index : task.instructions) {
      instruction(program_.instruction(index), task.fetched);
    }
  }

  void load(InputKind kind, ValueId value) {
    transfer(traffic_of(kind), wide(value));
    cost_.scratchpad_writes += rows(value);
  }

  void store(ValueId value) {
    transfer(Traffic::output, wide(value));
    cost_.scratchpad_reads += rows(value);
  }

  /// One narrow limb that leaves the scratchpad and comes back.
  void spill() {
    transfer(Traffic::spill, false);
    transfer(Traffic::spill, false);
  }

  AnalyticCost result() {
    cost_.port_cycles =
        port_cycles(description_, static_cast<std::uint32_t>(cost_.scratchpad_reads),
                    static_cast<std::uint32_t>(cost_.scratchpad_writes));
    return cost_;
  }

 private:
  bool wide(ValueId value) const { return frames_.is_wide(program_.modulus(value)); }
  std::uint64_t rows(ValueId value) const {
    return std::uint64_t{frames_.rows_per_frame()} * frames_.width(value);
  }
  void read(ValueId value) { cost_.scratchpad_reads += rows(value); }

  void transfer(Traffic traffic, bool is_wide) {
    const std::uint32_t bits = is_wide ? description_.wide_word_bits : description_.word_bits;
    const auto words = static_cast<std::uint32_t>(program_.degree());
    cost_.bytes[static_cast<std::size_t>(traffic)] += std::uint64_t{words} * bits / 8;
    cost_.unit_cycles.back() += transfer_cycles(description_, words, is_wide);
  }

  // One limb through the unit.
  void pass(Operation operation, bool is_wide) {
    const auto unit = description_.unit_for(operation) - description_.units.data();
    cost_.unit_cycles[static_cast<std::size_t>(unit)] +=
        frames_.layout().chunks() *
        unit_cycles(description_, operation, frames_.layout().chunk_words(), is_wide);
  }

  void instruction(const Instruction& i, const std::vector<ValueId>& fetched) {
    switch (i.op) {
      case LimbOp::ntt:
      case LimbOp::intt:
        return in_place(i, Operation::ntt, ntt_passes());
      case LimbOp::permute: {
        const bool gathers = program_.type(i.result).domain == program::Domain::coeff &&
                             frames_.layout().chunks() > 1;
        return in_place(i, Operation::permutation, gathers ? 2 : 1);
      }
      case LimbOp::uniform:
        return in_place(i, Operation::generator, 1);
      default:
        arithmetic(i, fetched);
    }
  }

  int ntt_passes() const {
    const auto radix = description_.unit_for(Operation::ntt)->can(Operation::ntt)->radix;
    const int stages = std::countr_zero(radix), all = std::countr_zero(program_.degree());
    return (all + stages - 1) / stages;
  }

  // Passes that read and write a whole limb each; of a seed nothing is read.
  void in_place(const Instruction& i, Operation operation, int passes) {
    for (int n = 0; n < passes; ++n) {
      read(i.operands[0]);
      pass(operation, wide(i.result));
      cost_.scratchpad_writes += rows(i.result);
    }
  }

  // A step for each operand of a sum (pairs count once), one more for a quotient, one for others.
  void arithmetic(const Instruction& i, const std::vector<ValueId>& fetched) {
    const bool quotient = i.op == LimbOp::quotient;
    const bool sum = quotient || i.op == LimbOp::dot || i.op == LimbOp::dot_scalar;
    bool is_wide = wide(i.result) || (quotient && description_.word_bits < kQuotientBits);
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      const ValueId operand = i.operands[k];
      const bool in_register = std::ranges::find(fetched, operand) != fetched.end();
      if (!in_register) read(operand);
      if (!sum) is_wide = is_wide || wide(operand);
      if (sum && (i.op != LimbOp::dot || k % 2 == 1)) {
        pass(Operation::arithmetic, is_wide || wide(operand));
      }
    }
    if (!sum || quotient) pass(Operation::arithmetic, is_wide);
    cost_.scratchpad_writes += rows(i.result);
  }

  const MachineDescription& description_;
  const LimbProgram& program_;
  Frames frames_;
  AnalyticCost cost_;
};

std::vector<ValueId> operands_of(const LimbProgram& program, const Task& task) {
  std::vector<ValueId> operands;
  for (const std::uint32_t index : task.instructions) {
    const auto all = program.instruction(index).operands;
    operands.insert(operands.end(), all.begin(), all.end());
  }
  return operands;
}

// The values that are on chip, task by task.
class Occupation {
 public:
  Occupation(const MachineDescription& description, const LimbProgram& program,
             const Residency& residency)
      : frames_(description, program),
        held_(program.value_count()),
        fleeting_(program.value_count()) {
    for (const program::Input& input : program.inputs()) {
      fleeting_[input.value] = !is_resident(residency, input.kind);
    }
  }

  bool is_fleeting(ValueId value) const { return fleeting_[value]; }
  std::uint64_t most() const noexcept { return most_; }

  void hold(ValueId value) {
    if (held_[value]) return;
    held_[value] = true;
    live_ += frames_.width(value);
    most_ = std::max(most_, live_);
  }
  void drop(ValueId value) {
    if (!held_[value]) return;
    held_[value] = false;
    live_ -= frames_.width(value);
  }

 private:
  Frames frames_;
  std::vector<bool> held_;
  std::vector<bool> fleeting_;  // inputs that can be loaded again at any time
  std::uint64_t live_ = 0, most_ = 0;
};

AnalyticCost cost_of(const MachineDescription& description, const LimbProgram& program,
                     const std::vector<Task>& tasks, const Residency& residency) {
  Meter meter(description, program);
  for (const Task& task : tasks) meter.task(task);
  for (const program::Output& output : program.outputs()) {
    if (!residency.outputs) meter.store(output.value);
  }
  for (const program::Input& input : program.inputs()) {
    if (input.kind != InputKind::seed && !is_resident(residency, input.kind)) {
      meter.load(input.kind, input.value);
    }
  }
  const std::uint64_t live = live_frames(description, program, tasks, residency);
  for (std::uint64_t frame = Frames(description, program).count(); frame < live; ++frame) {
    meter.spill();
  }
  return meter.result();
}

}  // namespace

double AnalyticCost::cycles() const noexcept {
  return std::max(port_cycles, *std::ranges::max_element(unit_cycles));
}

AnalyticCost analytic_cost(const MachineDescription& description, const LimbProgram& program,
                           const Residency& residency) {
  std::optional<AnalyticCost> cheapest;
  for (const TaskOrder order : kTaskOrders) {
    const std::vector<Task> tasks = make_tasks(program, description, order);
    AnalyticCost cost = cost_of(description, program, tasks, residency);
    if (!cheapest || cost.cycles() < cheapest->cycles()) cheapest = std::move(cost);
  }
  return *cheapest;
}

std::uint64_t live_frames(const MachineDescription& description, const LimbProgram& program,
                          const std::vector<Task>& tasks, const Residency& residency) {
  std::vector<std::size_t> last_use(program.value_count());  // tasks up to it; 0: none
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    for (const ValueId value : operands_of(program, tasks[t])) last_use[value] = t + 1;
  }
  if (residency.outputs) {
    for (const program::Output& output : program.outputs()) {
      last_use[output.value] = tasks.size() + 1;
    }
  }
  Occupation occupation(description, program, residency);
  for (const program::Input& input : program.inputs()) {
    if (!occupation.is_fleeting(input.value) && last_use[input.value] != 0) {
      occupation.hold(input.value);
    }
  }
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const std::vector<ValueId> operands = operands_of(program, tasks[t]);
    for (const ValueId value : operands) occupation.hold(value);
    // A result may take the place of an operand that dies.
    for (const ValueId value : operands) {
      if (last_use[value] == t + 1 || occupation.is_fleeting(value)) occupation.drop(value);
    }
    for (const std::uint32_t index : tasks[t].instructions) {
      const ValueId result = program.instruction(index).result;
      if (last_use[result] != 0) occupation.hold(result);
    }
  }
  return occupation.most();
}

}  // namespace heliodor::machine
