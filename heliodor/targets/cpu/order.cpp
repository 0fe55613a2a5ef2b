// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/order.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cpu {
namespace {

using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

constexpr std::size_t kMaxReadersSeen = 64;  // keeps the search for siblings linear

class DemandOrder {
 public:
  DemandOrder(const LimbProgram& program, const Uses& uses)
      : program_(program),
        uses_(uses),
        emitted_(program.instruction_count(), false),
        skipped_(program.value_count(), 0) {}

  std::vector<std::uint32_t> make() {
    for (const program::Output& output : program_.outputs()) {
      if (const auto definition = program_.definition(output.value))
        demand(static_cast<std::uint32_t>(*definition));
    }
    return std::move(order_);
  }

 private:
  struct Visit {
    std::uint32_t instruction;
    std::size_t next_operand;
  };

  // Depth first with an own stack: programs may be deep.
  void demand(std::uint32_t root) {
    if (emitted_[root]) return;
    std::vector<Visit> stack = {{root, 0}};
    while (!stack.empty()) {
      Visit& visit = stack.back();
      const Instruction instruction = program_.instruction(visit.instruction);
      if (emitted_[visit.instruction] || visit.next_operand == instruction.operands.size()) {
        const std::uint32_t ready = visit.instruction;
        stack.pop_back();
        if (!emitted_[ready]) emit_with_companions(ready);
        continue;
      }
      const auto definition = program_.definition(instruction.operands[visit.next_operand++]);
      if (definition && !emitted_[*definition])
        stack.push_back({static_cast<std::uint32_t>(*definition), 0});
    }
  }

  void emit(std::uint32_t index) {
    emitted_[index] = true;
    order_.push_back(index);
  }

  void emit_with_companions(std::uint32_t index) {
    const Instruction instruction = program_.instruction(index);
    if (instruction.op == LimbOp::dot) return emit_sums(index);
    emit(index);
    if (instruction.op == LimbOp::intt) {
      const auto readers = uses_.readers(instruction.result);
      if (readers.size() == 1 && program_.instruction(readers[0]).op == LimbOp::mul_scalar)
        emit(readers[0]);
    } else if (instruction.op == LimbOp::dot_scalar) {
      std::size_t room = KernelTable::kMaxTargets - 1;
      for (const std::uint32_t reader : seen(instruction.operands[0])) {
        if (room == 0) break;
        if (emitted_[reader] || !same_sources(instruction, program_.instruction(reader))) continue;
        emit(reader);
        --room;
      }
    }
  }

  // A dot, one with the same first factors, and what adds something to them; then other products
  // with their operands.
  void emit_sums(std::uint32_t index) {
    const Instruction first = program_.instruction(index);
    std::vector<std::uint32_t> sums = {index};
    for (const std::uint32_t reader : seen(first.operands[0])) {
      if (sums.size() == KernelTable::kMaxDotTargets) break;
      if (reader != index && !emitted_[reader] && operands_ready(reader) &&
          same_first_factors(first, program_.instruction(reader))) {
        sums.push_back(reader);
      }
    }
    std::vector<std::optional<std::uint32_t>> additions;
    for (const std::uint32_t sum : sums) additions.push_back(ready_addition(sum, sums));
    for (std::size_t s = 0; s < sums.size(); ++s) {
      emit(sums[s]);
      if (additions[s]) emit(*additions[s]);
    }
    for (const std::uint32_t sum : sums) emit_products_of_operands(sum);
  }

  // The add that alone reads a sum, if its other addend is there or is a product that can be; but
  // none of `sums`.
  std::optional<std::uint32_t> ready_addition(std::uint32_t index,
                                              std::span<const std::uint32_t> sums) {
    const ValueId sum = program_.instruction(index).result;
    const auto readers = uses_.readers(sum);
    if (readers.size() != 1 || uses_.is_output(sum)) return {};
    const Instruction addition = program_.instruction(readers[0]);
    if (addition.op != LimbOp::add) return {};
    const ValueId other = addition.operands[addition.operands[0] == sum ? 1 : 0];
    if (const auto definition = program_.definition(other); definition && !emitted_[*definition]) {
      const auto product = static_cast<std::uint32_t>(*definition);
      if (std::ranges::find(sums, product) != sums.end() || !is_product(product) ||
          !operands_ready(product)) {
        return {};
      }
      emit(product);
    }
    return readers[0];
  }

  void emit_products_of_operands(std::uint32_t index) {
    for (const ValueId operand : program_.instruction(index).operands) {
      if (!program_.definition(operand)) continue;
      for (const std::uint32_t reader : seen(operand)) {
        if (!emitted_[reader] && is_product(reader) && operands_ready(reader)) emit(reader);
      }
    }
  }

  // The next readers of a value that have not been emitted. They are ascending and mostly demanded
  // in that order, so those already emitted are skipped for good.
  std::span<const std::uint32_t> seen(ValueId value) {
    const auto readers = uses_.readers(value);
    std::uint32_t& skipped = skipped_[value];
    while (skipped < readers.size() && emitted_[readers[skipped]]) ++skipped;
    return readers.subspan(skipped, std::min(kMaxReadersSeen, readers.size() - skipped));
  }

  bool is_product(std::uint32_t index) const {
    const LimbOp op = program_.instruction(index).op;
    return op == LimbOp::dot || op == LimbOp::mul;
  }

  bool operands_ready(std::uint32_t index) const {
    return std::ranges::all_of(program_.instruction(index).operands, [&](ValueId operand) {
      const auto definition = program_.definition(operand);
      return !definition || emitted_[*definition];
    });
  }

  const LimbProgram& program_;
  const Uses& uses_;
  std::vector<bool> emitted_;
  std::vector<std::uint32_t> skipped_;  // by value
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<std::uint32_t> demand_order(const LimbProgram& program, const Uses& uses) {
  return DemandOrder(program, uses).make();
}

std::vector<std::uint32_t> program_order(const LimbProgram& program) {
  std::vector<std::uint32_t> order(program.instruction_count());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

}  // namespace heliodor::cpu
