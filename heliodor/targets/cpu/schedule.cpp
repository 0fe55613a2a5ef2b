// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "heliodor/program/text.h"
#include "heliodor/targets/cpu/kernel_table.h"
#include "heliodor/targets/cpu/order.h"
#include "heliodor/targets/cpu/placement.h"
#include "heliodor/targets/cpu/uses.h"

namespace heliodor::cpu {
namespace {

using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

// Whether the second of two instructions alone reads the first, and one kernel does both.
bool forms_chain(const LimbProgram& program, const Uses& uses, const Fusions& fusions,
                 std::span<const std::uint32_t> two) {
  const Instruction first = program.instruction(two[0]);
  const auto readers = uses.readers(first.result);
  if (uses.is_output(first.result) || readers.size() != 1 || readers[0] != two[1]) return false;
  const LimbOp next = program.instruction(two[1]).op;
  return (fusions.scaled_transforms && first.op == LimbOp::intt && next == LimbOp::mul_scalar) ||
         (fusions.lifted_transforms && first.op == LimbOp::reduce && next == LimbOp::ntt) ||
         (fusions.scaled_differences && first.op == LimbOp::sub && next == LimbOp::mul_scalar) ||
         (fusions.accumulating_dots && first.op == LimbOp::dot && next == LimbOp::add);
}

// Of the operations that could begin `rest`: a group may not read what it writes. Conversions share
// their sources, and none of these is a member's result; sums are asked for.
class OperationLength {
 public:
  OperationLength(const LimbProgram& program, const Uses& uses, const Fusions& fusions,
                  const std::vector<bool>& lazy)
      : program_(program), uses_(uses), fusions_(fusions), lazy_(lazy) {}

  std::uint32_t of(std::span<const std::uint32_t> rest) const {
    const std::uint32_t first = chain(rest);
    switch (program_.instruction(rest[0]).op) {
      case LimbOp::dot_scalar:
        return fusions_.grouped_conversions ? conversions(rest) : first;
      case LimbOp::dot:
        return fusions_.paired_dots ? first + second_sum(rest, first) : first;
      default:
        return first;
    }
  }

 private:
  std::uint32_t chain(std::span<const std::uint32_t> rest) const {
    return rest.size() >= 2 && forms_chain(program_, uses_, fusions_, rest.first(2)) ? 2 : 1;
  }

  std::uint32_t conversions(std::span<const std::uint32_t> rest) const {
    std::uint32_t length = 1;
    while (length < KernelTable::kMaxTargets && length < rest.size() &&
           same_sources(program_.instruction(rest[0]), program_.instruction(rest[length]))) {
      ++length;
    }
    return length;
  }

  // Of the sum that the first one of `rest`, of that length, can be made with; 0 if there is none.
  std::uint32_t second_sum(std::span<const std::uint32_t> rest, std::uint32_t length) const {
    if (length >= rest.size()) return 0;
    const Instruction first = program_.instruction(rest[0]),
                      second = program_.instruction(rest[length]);
    if (!same_first_factors(first, second) || has_lazy_second_factor(first) ||
        has_lazy_second_factor(second)) {
      return 0;
    }
    const ValueId made = program_.instruction(rest[length - 1]).result;
    const std::uint32_t chained = chain(rest.subspan(length));
    for (std::uint32_t member = length; member < length + chained; ++member) {
      const auto operands = program_.instruction(rest[member]).operands;
      if (std::ranges::find(operands, made) != operands.end()) return 0;
    }
    return chained;
  }

  bool has_lazy_second_factor(const Instruction& dot) const {
    for (std::size_t k = 1; k < dot.operands.size(); k += 2) {
      if (lazy_[dot.operands[k]]) return true;
    }
    return false;
  }

  const LimbProgram& program_;
  const Uses& uses_;
  const Fusions& fusions_;
  const std::vector<bool>& lazy_;
};

void make_operations(const LimbProgram& program, const Uses& uses, const Fusions& fusions,
                     Schedule& schedule) {
  const std::span<const std::uint32_t> order = schedule.order;
  const OperationLength length_of(program, uses, fusions, schedule.lazy);
  for (std::uint32_t i = 0; i < order.size();) {
    const std::uint32_t length = length_of.of(order.subspan(i));
    schedule.operations.push_back({i, length});
    i += length;
  }
}

// Without strips each pointwise operation is a step of its own, and so is each whole one of a
// serial schedule: a step is then just an operation. Operations of a concurrent whole step may not
// read each other's results.
void make_steps(const LimbProgram& program, const Fusions& fusions, Concurrency concurrency,
                Schedule& schedule) {
  std::vector<bool> made_in_step(program.value_count(), false);
  std::vector<ValueId> made;
  for (std::uint32_t i = 0; i < schedule.operations.size(); ++i) {
    const auto instructions = schedule.instructions(schedule.operations[i]);
    const bool strip = std::ranges::all_of(
        instructions, [&](std::uint32_t k) { return is_pointwise(program.instruction(k).op); });
    bool joins = !schedule.steps.empty() && schedule.steps.back().strip == strip &&
                 (strip ? fusions.strips : concurrency == Concurrency::concurrent);
    if (joins && !strip) {
      joins = std::ranges::none_of(program.instruction(instructions[0]).operands,
                                   [&](ValueId operand) { return made_in_step[operand]; });
    }
    if (!joins) {
      schedule.steps.push_back({strip, i, 0});
      for (const ValueId value : made) made_in_step[value] = false;
      made.clear();
    }
    ++schedule.steps.back().operation_count;
    for (const std::uint32_t k : instructions) {
      made.push_back(program.instruction(k).result);
      made_in_step[made.back()] = true;
    }
  }
}

// Transforms whose results only dots read, each against a word that is canonical.
std::vector<bool> find_lazy(const LimbProgram& program, const Uses& uses) {
  std::vector<bool> lazy(program.value_count(), false);
  const auto is_candidate = [&](ValueId value) {
    const auto definition = program.definition(value);
    return definition && program.instruction(*definition).op == LimbOp::ntt &&
           !uses.is_output(value) && std::ranges::all_of(uses.readers(value), [&](std::uint32_t i) {
             return program.instruction(i).op == LimbOp::dot;
           });
  };
  for (ValueId value = 0; value < program.value_count(); ++value) lazy[value] = is_candidate(value);
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    const Instruction instruction = program.instruction(i);
    if (instruction.op != LimbOp::dot) continue;
    for (std::size_t k = 0; k < instruction.operands.size(); k += 2) {
      const ValueId x = instruction.operands[k], y = instruction.operands[k + 1];
      if (lazy[x] && lazy[y]) lazy[y] = lazy[x] = false;
    }
  }
  return lazy;
}

std::string place_text(Place place) {
  switch (place.kind) {
    case Place::Kind::operand:
      return fmt::format("operand {}", place.index);
    case Place::Kind::shared:
      return fmt::format("shared {}", place.index);
    case Place::Kind::seed:
      return fmt::format("seed {}", place.index);
    case Place::Kind::output:
      return fmt::format("output {}", place.index);
    case Place::Kind::slot:
      return fmt::format("slot {}", place.index);
    case Place::Kind::tile:
      return fmt::format("tile {}", place.index);
    case Place::Kind::fused:
      return "fused";
  }
  return {};
}

}  // namespace

bool begins_chain(const LimbProgram& program, const Schedule& schedule, const Operation& operation,
                  std::size_t member) {
  if (member + 1 == operation.count) return false;
  const LimbOp next = program.instruction(schedule.instructions(operation)[member + 1]).op;
  return next == LimbOp::mul_scalar || next == LimbOp::ntt || next == LimbOp::add;
}

Schedule make_schedule(const LimbProgram& program, const Fusions& fusions,
                       Concurrency concurrency) {
  const Uses uses(program);
  Schedule schedule;
  schedule.order = fusions.demand_order ? demand_order(program, uses) : program_order(program);
  schedule.tile_words = fusions.strips
                            ? std::min<std::size_t>(program.degree(), Schedule::kTileWords)
                            : program.degree();
  schedule.lazy = fusions.lazy_transforms ? find_lazy(program, uses)
                                          : std::vector<bool>(program.value_count(), false);
  make_operations(program, uses, fusions, schedule);
  place_inputs_and_outputs(program, schedule);
  make_steps(program, fusions, concurrency, schedule);
  place_results(program, uses, concurrency, schedule);
  return schedule;
}

std::string to_string(const Schedule& schedule, const LimbProgram& program) {
  std::string text =
      fmt::format("{} operations in {} steps; {} slots of {} words, {} tiles of {} words\n",
                  schedule.operations.size(), schedule.steps.size(), schedule.slot_count,
                  program.degree(), schedule.tile_count, schedule.tile_words);
  for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
    const Step& step = schedule.steps[s];
    fmt::format_to(std::back_inserter(text), "step {} {}\n", s, step.strip ? "strip" : "whole");
    for (const Operation& operation : schedule.operations_of(step)) {
      std::string_view lead = operation.count == 1 ? "  " : "  + ";
      for (const std::uint32_t i : schedule.instructions(operation)) {
        const ValueId result = program.instruction(i).result;
        fmt::format_to(std::back_inserter(text), "{}{}  -> {}{}\n", lead, to_text(program, i),
                       place_text(schedule.places[result]), schedule.lazy[result] ? ", lazy" : "");
        lead = "  | ";
      }
    }
  }
  return text;
}

}  // namespace heliodor::cpu
