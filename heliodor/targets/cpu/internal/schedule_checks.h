// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What every schedule must satisfy, stated again from schedule.h and from the instructions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/ring/primes.h"
#include "heliodor/targets/cpu/internal/replay.h"
#include "heliodor/targets/cpu/schedule.h"

namespace heliodor::cpu::internal {

/// Three small moduli.
inline std::vector<ring::Modulus> schedule_moduli(std::uint64_t degree) {
  std::vector<ring::Modulus> moduli;
  for (std::uint64_t q = 2 * degree + 1; moduli.size() < 3; q += 2 * degree) {
    if (q > 90 && ring::is_prime(q)) moduli.emplace_back(q, degree);
  }
  return moduli;
}

/// All, none, and each one off.
inline std::vector<Fusions> all_fusions() {
  std::vector<Fusions> list = {{}, Fusions::none()};
  for (bool Fusions::*member :
       {&Fusions::demand_order, &Fusions::lazy_transforms, &Fusions::scaled_transforms,
        &Fusions::lifted_transforms, &Fusions::scaled_differences, &Fusions::grouped_conversions,
        &Fusions::paired_dots, &Fusions::accumulating_dots, &Fusions::strips}) {
    list.emplace_back().*member = false;
  }
  return list;
}

class ScheduleChecks {
 public:
  ScheduleChecks(const program::LimbProgram& program, const Schedule& schedule)
      : program_(program), schedule_(schedule), readers_(program.value_count()) {
    for (std::uint32_t i = 0; i < program.instruction_count(); ++i) {
      for (const program::ValueId operand : program.instruction(i).operands)
        readers_[operand].push_back(i);
    }
  }

  /// Steps are made of operations, operations of instructions; each exactly once.
  void expect_partition() const {
    std::vector<std::uint32_t> order = schedule_.order;
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order.size(), program_.instruction_count());
    for (std::uint32_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i);
    std::uint32_t next = 0;
    for (const Operation& operation : schedule_.operations) {
      EXPECT_EQ(operation.first, next);
      EXPECT_GE(operation.count, 1u);
      next += operation.count;
    }
    EXPECT_EQ(next, order.size());
    next = 0;
    for (const Step& step : schedule_.steps) {
      EXPECT_EQ(step.first_operation, next);
      EXPECT_GE(step.operation_count, 1u);
      next += step.operation_count;
    }
    EXPECT_EQ(next, schedule_.operations.size());
  }

  void expect_kinds_of_steps() const {
    for (const Step& step : schedule_.steps) {
      for (const Operation& operation : schedule_.operations_of(step)) {
        for (const std::uint32_t i : schedule_.instructions(operation)) {
          const program::Instruction instruction = program_.instruction(i);
          const bool fused = operation.count > 1 && !step.strip;
          EXPECT_EQ(step.strip, !needs_whole_limbs(instruction.op) && !fused);
        }
      }
    }
  }

  /// A chain of a value and its only reader, up to four conversions of the same sources, or two
  /// sums with the same first factors.
  void expect_operations(const Fusions& fusions) const {
    for (const Operation& operation : schedule_.operations) {
      const auto members = schedule_.instructions(operation);
      switch (program_.instruction(members[0]).op) {
        case program::LimbOp::dot_scalar:
          expect_conversions(members, fusions);
          break;
        case program::LimbOp::dot:
          expect_sums(members, fusions);
          break;
        default:
          ASSERT_LE(members.size(), 2u);
          if (members.size() == 2) expect_chain(members, fusions);
      }
    }
  }

  /// Only dots read a lazy value, and not against another lazy one.
  void expect_lazy_only_for_dots(const Fusions& fusions) const {
    for (program::ValueId value = 0; value < program_.value_count(); ++value) {
      if (!schedule_.lazy[value]) continue;
      EXPECT_TRUE(fusions.lazy_transforms);
      const auto definition = program_.definition(value);
      ASSERT_TRUE(definition) << "a lazy input";
      EXPECT_EQ(program_.instruction(*definition).op, program::LimbOp::ntt);
      EXPECT_FALSE(is_output(value)) << "a lazy output";
      for (const std::uint32_t i : readers_[value]) {
        const program::Instruction reader = program_.instruction(i);
        ASSERT_EQ(reader.op, program::LimbOp::dot);
        for (std::size_t k = 0; k < reader.operands.size(); k += 2) {
          EXPECT_FALSE(schedule_.lazy[reader.operands[k]] && schedule_.lazy[reader.operands[k + 1]])
              << "instruction " << i << " multiplies two lazy values";
        }
      }
    }
  }

 private:
  void expect_chain(std::span<const std::uint32_t> members, const Fusions& fusions) const {
    const program::Instruction first = program_.instruction(members[0]);
    const program::LimbOp second = program_.instruction(members[1]).op;
    switch (first.op) {
      case program::LimbOp::intt:
        EXPECT_TRUE(fusions.scaled_transforms);
        EXPECT_EQ(second, program::LimbOp::mul_scalar);
        break;
      case program::LimbOp::sub:
        EXPECT_TRUE(fusions.scaled_differences);
        EXPECT_EQ(second, program::LimbOp::mul_scalar);
        break;
      case program::LimbOp::reduce:
        EXPECT_TRUE(fusions.lifted_transforms);
        EXPECT_EQ(second, program::LimbOp::ntt);
        break;
      default:
        EXPECT_TRUE(fusions.accumulating_dots);
        EXPECT_EQ(first.op, program::LimbOp::dot);
        EXPECT_EQ(second, program::LimbOp::add);
    }
    EXPECT_EQ(readers_[first.result], std::vector<std::uint32_t>{members[1]});
    EXPECT_FALSE(is_output(first.result)) << "an output that is never made";
    EXPECT_EQ(schedule_.places[first.result].kind, Place::Kind::fused);
  }

  void expect_conversions(std::span<const std::uint32_t> members, const Fusions& fusions) const {
    EXPECT_LE(members.size(), fusions.grouped_conversions ? 4u : 1u);
    for (const std::uint32_t i : members) {
      const program::Instruction member = program_.instruction(i);
      EXPECT_EQ(member.op, program::LimbOp::dot_scalar);
      EXPECT_TRUE(std::ranges::equal(member.operands, program_.instruction(members[0]).operands));
      EXPECT_NE(schedule_.places[member.result].kind, Place::Kind::fused);
    }
  }

  /// Neither of two sums reads what the other makes, nor is made where an operand is.
  void expect_sums(std::span<const std::uint32_t> members, const Fusions& fusions) const {
    std::vector<program::ValueId> results;
    const auto factors = program_.instruction(members[0]).operands;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const program::Instruction member = program_.instruction(members[m]);
      ASSERT_EQ(member.op, program::LimbOp::dot);
      ASSERT_EQ(member.operands.size(), factors.size());
      for (std::size_t k = 0; k < factors.size(); k += 2) EXPECT_EQ(member.operands[k], factors[k]);
      if (m + 1 < members.size() &&
          program_.instruction(members[m + 1]).op == program::LimbOp::add) {
        expect_chain(members.subspan(m, 2), fusions);
        ++m;
      }
      results.push_back(program_.instruction(members[m]).result);
    }
    if (results.size() == 1) return;
    EXPECT_TRUE(fusions.paired_dots);
    ASSERT_EQ(results.size(), 2u);
    for (const std::uint32_t i : members) {
      const program::Instruction member = program_.instruction(i);
      for (const program::ValueId operand : member.operands) {
        EXPECT_TRUE(operand != results[0] && operand != results[1]);
        if (schedule_.places[operand].kind == Place::Kind::fused) continue;
        for (const program::ValueId result : results)
          EXPECT_NE(schedule_.places[operand], schedule_.places[result]);
      }
    }
  }

  static bool needs_whole_limbs(program::LimbOp op) {
    return op == program::LimbOp::ntt || op == program::LimbOp::intt ||
           op == program::LimbOp::permute || op == program::LimbOp::uniform;
  }
  bool is_output(program::ValueId value) const {
    return std::ranges::any_of(
        program_.outputs(), [&](const program::Output& output) { return output.value == value; });
  }

  const program::LimbProgram& program_;
  const Schedule& schedule_;
  std::vector<std::vector<std::uint32_t>> readers_;
};

/// Both forms of the program's schedule, in every sequence that their contract allows.
inline void expect_sound(const program::LimbProgram& program, const Fusions& fusions) {
  for (const Concurrency form : {Concurrency::serial, Concurrency::concurrent}) {
    const Schedule schedule = make_schedule(program, fusions, form);
    SCOPED_TRACE((form == Concurrency::serial ? "serial\n" : "concurrent\n") +
                 to_string(schedule, program));
    ASSERT_EQ(schedule.places.size(), program.value_count());
    ASSERT_EQ(schedule.lazy.size(), program.value_count());
    const ScheduleChecks checks(program, schedule);
    checks.expect_partition();
    checks.expect_kinds_of_steps();
    checks.expect_operations(fusions);
    checks.expect_lazy_only_for_dots(fusions);
    for (const Sequence sequence : kAllSequences) Replay(program, schedule).run(sequence, form);
  }
}

}  // namespace heliodor::cpu::internal
