// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/order.h"

#include <algorithm>
#include <numeric>

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
        if (!emitted_[ready]) {
          emit(ready);
          emit_companions(ready);
        }
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

  void emit_companions(std::uint32_t index) {
    const Instruction instruction = program_.instruction(index);
    switch (instruction.op) {
      case LimbOp::intt: {
        const auto readers = uses_.readers(instruction.result);
        if (readers.size() == 1 && program_.instruction(readers[0]).op == LimbOp::mul_scalar)
          emit(readers[0]);
        break;
      }
      case LimbOp::dot_scalar: {
        std::size_t room = KernelTable::kMaxTargets - 1;
        for (const std::uint32_t reader : seen(instruction.operands[0])) {
          if (room == 0) break;
          if (emitted_[reader] || !same_sources(instruction, program_.instruction(reader)))
            continue;
          emit(reader);
          --room;
        }
        break;
      }
      case LimbOp::dot:
        for (const ValueId operand : instruction.operands) {
          if (!program_.definition(operand)) continue;
          for (const std::uint32_t reader : seen(operand)) {
            if (!emitted_[reader] && is_product(reader) && operands_ready(reader)) emit(reader);
          }
        }
        break;
      default:
        break;
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

  static bool same_sources(const Instruction& a, const Instruction& b) {
    return b.op == LimbOp::dot_scalar && std::ranges::equal(a.operands, b.operands);
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
