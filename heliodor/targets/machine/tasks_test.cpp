// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/tasks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "heliodor/targets/machine/frames.h"
#include "heliodor/targets/machine/internal/test_machine.h"
#include "heliodor/targets/machine/internal/test_program.h"

namespace heliodor::machine {
namespace {

using internal::awkward_machine;
using internal::moduli;
using internal::RandomProgram;
using internal::small_machine;
using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

using Instructions = std::vector<std::vector<std::uint32_t>>;

Instructions instructions(const std::vector<Task>& tasks) {
  Instructions result;
  for (const Task& task : tasks) result.push_back(task.instructions);
  return result;
}

Instructions make(const LimbProgram& program, const MachineDescription& machine, TaskOrder order) {
  return instructions(make_tasks(program, machine, order));
}

constexpr auto kernelwise = TaskOrder::kernelwise;
constexpr auto limbwise = TaskOrder::limbwise;

/// A machine of one port and `registers` registers whose scratchpad holds 1024 limbs of 4 words.
MachineDescription one_port(std::uint32_t registers) {
  MachineDescription machine = small_machine();
  machine.scratchpad.ports = 1;
  machine.scratchpad.capacity_words = 4096;
  machine.units[0].capabilities[static_cast<std::size_t>(Operation::arithmetic)]->registers =
      registers;
  return machine;
}

/// n_j = -x_j modulo the first `sources` moduli, then their conversion to the others, each
/// transformed.
LimbProgram conversion(std::size_t sources, std::uint32_t targets) {
  const auto count = static_cast<std::uint32_t>(sources);
  Builder b(moduli(4, 30, sources + targets));
  std::vector<ValueId> x;
  std::vector<std::uint64_t> factors;
  for (std::uint32_t j = 0; j < count; ++j) {
    x.push_back(b.neg(b.operand("x" + std::to_string(j), j, Domain::coeff)));
    factors.push_back(j + 2);
  }
  for (std::uint32_t i = 0; i < targets; ++i) {
    b.output("y" + std::to_string(i), b.ntt(b.dot_scalar(count + i, x, factors)));
  }
  return b.build();
}

TEST(TasksTest, a_kernel_is_made_when_its_first_result_is_needed) {
  // Instructions 0, 1: n_j. 2, 4, 6: conversions. 3, 5, 7: transforms.
  EXPECT_EQ(make(conversion(2, 3), one_port(2), kernelwise),
            (Instructions{{0}, {1}, {2, 4, 6}, {3}, {5}, {7}}));
}

TEST(TasksTest, limbwise_a_conversion_makes_one_limb_at_a_time) {
  EXPECT_EQ(make(conversion(2, 3), one_port(2), limbwise),
            (Instructions{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}));
}

TEST(TasksTest, a_kernel_fetches_its_sources_if_the_registers_hold_them) {
  const LimbProgram program = conversion(3, 4);
  const std::vector<Task> tasks = make_tasks(program, one_port(3), kernelwise);
  ASSERT_EQ(tasks[3].instructions.size(), 4u);
  const auto sources = program.instruction(tasks[3].instructions[0]).operands;
  EXPECT_EQ(tasks[3].fetched, std::vector<ValueId>(sources.begin(), sources.end()));
  EXPECT_TRUE(make_tasks(program, one_port(2), kernelwise)[3].fetched.empty());
}

TEST(TasksTest, sources_are_fetched_where_that_saves_more_accesses_than_it_costs_cycles) {
  // A fetch costs one cycle of the unit; each result after the first saves an access.
  const auto fetches = [](std::uint32_t results, std::uint32_t ports) {
    MachineDescription machine = one_port(16);
    machine.scratchpad.ports = ports;
    return !make_tasks(conversion(2, results), machine, kernelwise)[2].fetched.empty();
  };
  EXPECT_FALSE(fetches(1, 1));
  EXPECT_FALSE(fetches(2, 1));
  EXPECT_TRUE(fetches(3, 1));
  EXPECT_FALSE(fetches(5, 4));
  EXPECT_TRUE(fetches(6, 4));
}

TEST(TasksTest, sources_of_the_results_own_modulus_are_not_shared) {
  Builder b(moduli(4, 30, 4));
  const ValueId x = b.operand("x", 0, Domain::coeff);
  for (std::uint32_t i = 1; i < 4; ++i) {
    const ValueId own = b.operand("own" + std::to_string(i), i, Domain::coeff);
    const std::array<ValueId, 2> sources{x, own};
    b.output("y" + std::to_string(i), b.dot_scalar(i, sources, std::array<std::uint64_t, 2>{2, 3}));
  }
  const std::vector<Task> tasks = make_tasks(b.build(), one_port(4), kernelwise);
  EXPECT_EQ(tasks, (std::vector<Task>{{{0, 1, 2}, {x}}}));
}

TEST(TasksTest, dots_with_the_same_first_factors_share_a_task_in_both_orders) {
  Builder b(moduli(4, 30));
  const ValueId x = b.operand("x", 0, Domain::eval), y = b.operand("y", 0, Domain::eval);
  for (const std::string name : {"a", "b", "c"}) {
    const ValueId k = b.key("k" + name, 0, Domain::eval), l = b.key("l" + name, 0, Domain::eval);
    b.output(name, b.dot(std::array{std::pair{x, k}, std::pair{y, l}}));
  }
  b.output("other", b.dot(std::array{std::pair{y, x}, std::pair{x, y}}));
  const LimbProgram program = b.build();
  const std::vector<Task> expected{{{0, 1, 2}, {x, y}}, {{3}, {}}};
  EXPECT_EQ(make_tasks(program, one_port(4), kernelwise), expected);
  EXPECT_EQ(make_tasks(program, one_port(4), limbwise), expected);
}

TEST(TasksTest, what_depends_on_a_kernels_result_is_not_in_it) {
  Builder b(moduli(4, 30));
  const ValueId x = b.operand("x", 0, Domain::eval), y = b.operand("y", 0, Domain::eval);
  const ValueId first = b.dot(std::array{std::pair{x, y}});
  const ValueId second = b.dot(std::array{std::pair{x, first}});
  b.output("z", b.dot(std::array{std::pair{x, second}}));
  EXPECT_EQ(make(b.build(), one_port(4), kernelwise), (Instructions{{0}, {1}, {2}}));
}

TEST(TasksTest, kernels_are_cut_to_a_quarter_of_the_scratchpad_and_stay_together) {
  MachineDescription machine = one_port(4);
  machine.scratchpad.capacity_words = 4 * 20;  // a kernel of two sources takes at most 3 results
  EXPECT_EQ(
      make(conversion(2, 7), machine, kernelwise),
      (Instructions{{0}, {1}, {2, 4, 6}, {8, 10, 12}, {14}, {3}, {5}, {7}, {9}, {11}, {13}, {15}}));
  machine.scratchpad.capacity_words = 4;  // less than anything takes
  EXPECT_EQ(make(conversion(1, 2), machine, kernelwise), (Instructions{{0}, {1}, {3}, {2}, {4}}));
}

TEST(TasksTest, wide_limbs_count_twice) {
  MachineDescription machine = one_port(4);
  machine.word_bits = 29;
  machine.scratchpad.capacity_words = 4 * 24;  // one source of two frames leaves room for two more
  EXPECT_EQ(make(conversion(1, 3), machine, kernelwise),
            (Instructions{{0}, {1, 3}, {5}, {2}, {4}, {6}}));
}

TEST(TasksTest, operands_come_before_uses_and_every_instruction_once) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const LimbProgram program = RandomProgram(seed, moduli(8, 30, 3)).make(60);
    for (const TaskOrder order : kTaskOrders) {
      std::set<ValueId> defined;
      for (const program::Input& input : program.inputs()) defined.insert(input.value);
      for (const Task& task : make_tasks(program, awkward_machine(), order)) {
        for (const std::uint32_t i : task.instructions) {
          for (const ValueId operand : program.instruction(i).operands) {
            EXPECT_TRUE(defined.contains(operand));
          }
        }
        for (const std::uint32_t i : task.instructions) {
          EXPECT_TRUE(defined.insert(program.instruction(i).result).second);
        }
      }
      EXPECT_EQ(defined.size(), program.value_count());
    }
  }
}

TEST(TasksTest, instructions_that_no_output_needs_are_left_out) {
  LimbProgram program(moduli(4, 30));
  const program::ValueType type{0, Domain::coeff};
  const ValueId x = program.append_input(program::InputKind::operand, "x", type);
  const ValueId dead = program.append(program::LimbOp::neg, type, std::array{x});
  program.append(program::LimbOp::add, type, std::array{dead, x});
  program.append_output("y", program.append(program::LimbOp::neg, type, std::array{x}));
  EXPECT_EQ(make(program, small_machine(), kernelwise), (Instructions{{2}}));
}

TEST(TasksTest, long_chains_need_no_deep_recursion) {
  Builder b(moduli(4, 30));
  ValueId x = b.operand("x", 0, Domain::coeff);
  for (int i = 0; i < 200000; ++i) x = b.neg(x);
  b.output("y", x);
  EXPECT_EQ(make(b.build(), small_machine(), kernelwise).size(), 200000u);
}

}  // namespace
}  // namespace heliodor::machine
