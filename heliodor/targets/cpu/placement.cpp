// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/placement.h"

#include <algorithm>

namespace heliodor::cpu {
namespace {

using program::Input;
using program::InputKind;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

// Numbers that are handed out and given back.
class FreeList {
 public:
  std::uint32_t take() {
    if (free_.empty()) return count_++;
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  void give_back(std::uint32_t number) { free_.push_back(number); }
  std::uint32_t count() const noexcept { return count_; }

 private:
  std::vector<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

class ResultPlacement {
 public:
  ResultPlacement(const LimbProgram& program, const Uses& uses, Schedule& schedule)
      : program_(program),
        uses_(uses),
        schedule_(schedule),
        step_of_(program.value_count(), kNever),
        last_read_(program.value_count(), 0) {
    for (std::uint32_t s = 0; s < schedule.steps.size(); ++s) {
      const Step& step = schedule.steps[s];
      for (std::uint32_t o = step.first_operation; o < step.first_operation + step.operation_count;
           ++o) {
        for (const std::uint32_t i : schedule.instructions(schedule.operations[o])) {
          step_of_[program.instruction(i).result] = s;
          for (const ValueId operand : program.instruction(i).operands) last_read_[operand] = o;
        }
        place_links(schedule.operations[o]);
      }
    }
  }

  void place(Concurrency concurrency) {
    for (std::uint32_t s = 0; s < schedule_.steps.size(); ++s) {
      const Step& step = schedule_.steps[s];
      const bool together = !step.strip && concurrency == Concurrency::concurrent;
      for (std::uint32_t o = step.first_operation; o < step.first_operation + step.operation_count;
           ++o) {
        const Operation& operation = schedule_.operations[o];
        // A kernel may write over an operand that is read for the last time; but not an
        // automorphism, nor a group, whose members would take each other's sources, nor operations
        // that run at the same time.
        const bool in_place = !together && may_write_over_operand(operation);
        if (in_place) release(operation, o);
        for (const std::uint32_t i : schedule_.instructions(operation)) place_result(i, s);
        if (!in_place && !together) release(operation, o);
      }
      if (!together) continue;
      for (std::uint32_t o = step.first_operation; o < step.first_operation + step.operation_count;
           ++o) {
        release(schedule_.operations[o], o);
      }
    }
    schedule_.slot_count = slots_.count();
    schedule_.tile_count = tiles_.count();
  }

 private:
  static constexpr std::uint32_t kNever = 0xffffffff;

  void place_links(const Operation& operation) {
    const auto instructions = schedule_.instructions(operation);
    for (std::size_t member = 0; member < operation.count; ++member) {
      if (begins_chain(program_, schedule_, operation, member))
        schedule_.places[program_.instruction(instructions[member]).result] = {Place::Kind::fused,
                                                                               0};
    }
  }

  bool may_write_over_operand(const Operation& operation) const {
    const auto instructions = schedule_.instructions(operation);
    const auto results = std::ranges::count_if(instructions, [&](std::uint32_t i) {
      return schedule_.places[program_.instruction(i).result].kind != Place::Kind::fused;
    });
    return results == 1 && program_.instruction(instructions[0]).op != LimbOp::permute;
  }

  bool only_read_in(ValueId value, std::uint32_t step) const {
    return std::ranges::all_of(uses_.readers(value), [&](std::uint32_t i) {
      return step_of_[program_.instruction(i).result] == step;
    });
  }

  void place_result(std::uint32_t instruction, std::uint32_t step) {
    const ValueId value = program_.instruction(instruction).result;
    Place& place = schedule_.places[value];
    if (place.kind != Place::Kind::slot) return;  // an output, or fused
    if (schedule_.steps[step].strip && only_read_in(value, step)) {
      place = {Place::Kind::tile, tiles_.take()};
    } else {
      place = {Place::Kind::slot, slots_.take()};
    }
  }

  void release(const Operation& operation, std::uint32_t number) {
    for (const std::uint32_t i : schedule_.instructions(operation)) {
      for (const ValueId operand : program_.instruction(i).operands) {
        if (last_read_[operand] != number) continue;
        last_read_[operand] = kNever;  // operands may repeat
        const Place place = schedule_.places[operand];
        if (place.kind == Place::Kind::slot) slots_.give_back(place.index);
        if (place.kind == Place::Kind::tile) tiles_.give_back(place.index);
      }
    }
  }

  const LimbProgram& program_;
  const Uses& uses_;
  Schedule& schedule_;
  std::vector<std::uint32_t> step_of_;    // by value: the step that makes it
  std::vector<std::uint32_t> last_read_;  // by value: the operation that reads it last
  FreeList slots_;
  FreeList tiles_;
};

}  // namespace

void place_inputs_and_outputs(const LimbProgram& program, Schedule& schedule) {
  schedule.places.assign(program.value_count(), {Place::Kind::slot, 0});
  std::uint32_t operands = 0, shared = 0, seeds = 0;
  for (const Input& input : program.inputs()) {
    Place& place = schedule.places[input.value];
    switch (input.kind) {
      case InputKind::operand:
        place = {Place::Kind::operand, operands++};
        break;
      case InputKind::key:
      case InputKind::constant:
        place = {Place::Kind::shared, shared++};
        break;
      case InputKind::seed:
        place = {Place::Kind::seed, seeds++};
        break;
    }
  }
  for (std::uint32_t i = 0; i < program.outputs().size(); ++i) {
    const ValueId value = program.outputs()[i].value;
    Place& place = schedule.places[value];
    if (place.kind == Place::Kind::slot) {
      place = {Place::Kind::output, i};
    } else {
      schedule.copies.push_back({value, i});
    }
  }
}

void place_results(const LimbProgram& program, const Uses& uses, Concurrency concurrency,
                   Schedule& schedule) {
  ResultPlacement(program, uses, schedule).place(concurrency);
}

}  // namespace heliodor::cpu
