// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/allocate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "heliodor/targets/machine/frames.h"
#include "heliodor/targets/machine/internal/test_machine.h"
#include "heliodor/targets/machine/internal/test_program.h"

namespace heliodor::machine {
namespace {

using internal::moduli;
using internal::RandomProgram;
using internal::small_machine;
using internal::wide_machine;
using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

MachineDescription with_frames(MachineDescription machine, std::uint64_t frames,
                               std::uint64_t degree) {
  machine.scratchpad.capacity_words = frames * degree;
  return machine;
}

base::Result<Allocation> allocate_limbwise(const MachineDescription& machine,
                                           const LimbProgram& program,
                                           const Residency& residency = {}) {
  return allocate(machine, program, make_tasks(program, machine, TaskOrder::limbwise), residency);
}

/// "load 3" (a value), "task 0" (its first instruction) ..
std::vector<std::string> steps_of(const MachineDescription& machine, const LimbProgram& program) {
  const std::vector<Task> tasks = make_tasks(program, machine, TaskOrder::limbwise);
  const auto allocation = allocate(machine, program, tasks);
  const std::array<std::string, 5> names{"load ", "reload ", "spill ", "store ", "task "};
  std::vector<std::string> result;
  for (const Step& step : allocation->steps) {
    const bool task = step.kind == Step::Kind::task;
    const std::uint32_t number = task ? tasks[step.task].instructions[0] : step.value;
    result.push_back(names[static_cast<std::size_t>(step.kind)] + std::to_string(number));
  }
  return result;
}

using Steps = std::vector<std::string>;

TEST(AllocateTest, the_value_with_the_furthest_next_use_is_evicted) {
  // Three frames. When d = -x3 needs one, b is used next, then a, then c: c goes. It was the last
  // to come and the last to be used, so neither age nor recency would choose it.
  Builder b(moduli(4, 30));
  std::vector<ValueId> x, n;
  for (int i = 0; i < 4; ++i) x.push_back(b.operand("x" + std::to_string(i), 0, Domain::coeff));
  for (int i = 0; i < 3; ++i) n.push_back(b.neg(x[static_cast<std::size_t>(i)]));  // 4 5 6
  const ValueId d = b.neg(x[3]);                                                   // 7
  const ValueId p = b.add(d, n[1]);                                                // 8
  const ValueId q = b.add(p, n[0]);                                                // 9
  b.output("z", b.add(q, n[2]));                                                   // 10
  const LimbProgram program = b.build();
  // In the order of the program, which makes c before d.
  std::vector<Task> tasks;
  for (std::uint32_t i = 0; i < program.instruction_count(); ++i) tasks.push_back({{i}, {}});
  const auto allocation = allocate(with_frames(small_machine(), 3, 4), program, tasks);
  std::vector<ValueId> spilled, reloaded;
  for (const Step& step : allocation->steps) {
    if (step.kind == Step::Kind::spill) spilled.push_back(step.value);
    if (step.kind == Step::Kind::reload) reloaded.push_back(step.value);
  }
  EXPECT_EQ(spilled, std::vector<ValueId>{n[2]});
  EXPECT_EQ(reloaded, std::vector<ValueId>{n[2]});
}

TEST(AllocateTest, a_result_is_spilled_once_and_an_input_loaded_again) {
  // Two frames: each sum of fresh operands drives out x and n, which are used again and again.
  Builder b(moduli(4, 30));
  const ValueId x = b.operand("x", 0, Domain::coeff);  // 0
  const ValueId n = b.neg(x);                          // 1
  for (std::uint64_t i = 0; i < 3; ++i) {
    const ValueId s = b.operand("s" + std::to_string(i), 0, Domain::coeff);
    const ValueId t = b.operand("t" + std::to_string(i), 0, Domain::coeff);
    b.output("p" + std::to_string(i), b.add(s, t));
    b.output("q" + std::to_string(i), b.sub(x, b.mul_scalar(n, i)));
  }
  const auto allocation = allocate_limbwise(with_frames(small_machine(), 2, 4), b.build());
  ASSERT_TRUE(allocation);
  EXPECT_EQ(allocation->spill_slots, 1u);
  std::map<Step::Kind, int> of_n, of_x;
  for (const Step& step : allocation->steps) {
    if (step.kind == Step::Kind::task) continue;
    if (step.value == n) ++of_n[step.kind];
    if (step.value == x) ++of_x[step.kind];
  }
  EXPECT_EQ(of_n[Step::Kind::spill], 1);
  EXPECT_GE(of_n[Step::Kind::reload], 2);
  EXPECT_EQ(of_x[Step::Kind::spill], 0);
  EXPECT_GE(of_x[Step::Kind::load], 2);
}

TEST(AllocateTest, results_take_the_frames_of_operands_that_die) {
  Builder b(moduli(4, 30));
  const ValueId x = b.operand("x", 0, Domain::coeff);
  b.output("z", b.neg(b.ntt(b.mul_scalar(x, 2))));
  EXPECT_EQ(steps_of(with_frames(small_machine(), 1, 4), b.build()),
            (Steps{"load 0", "task 0", "task 1", "task 2", "store 3"}));
}

TEST(AllocateTest, permutations_write_where_they_do_not_read) {
  for (const Domain domain : {Domain::coeff, Domain::eval}) {
    Builder b(moduli(16, 30));
    b.output("z", b.permute(3, b.operand("x", 0, domain)));
    const LimbProgram program = b.build();
    const std::uint64_t frames = domain == Domain::coeff ? 3 : 2;  // a limb in linear layout
    const auto allocation = allocate_limbwise(with_frames(small_machine(), frames, 16), program);
    ASSERT_TRUE(allocation);
    std::set<Row> rows;
    for (const Step& step : allocation->steps) {
      if (step.kind != Step::Kind::task) continue;
      rows.insert({step.operands[0], step.results[0]});
      rows.insert(step.scratch.begin(), step.scratch.end());
    }
    EXPECT_EQ(rows.size(), frames);
    EXPECT_FALSE(allocate_limbwise(with_frames(small_machine(), frames - 1, 16), program));
  }
}

TEST(AllocateTest, results_of_a_kernel_take_frames_of_operands_in_registers_only) {
  MachineDescription machine = with_frames(small_machine(), 16, 4);
  machine.scratchpad.ports = 1;
  Builder b(moduli(4, 30, 4));
  const ValueId x = b.operand("x", 0, Domain::coeff);
  for (std::uint32_t i = 1; i < 4; ++i) {
    b.output("z" + std::to_string(i),
             b.dot_scalar(i, std::array{x}, std::array<std::uint64_t, 1>{i}));
  }
  const LimbProgram program = b.build();
  const auto shares_frame = [&](bool fetched) {
    std::vector<Task> tasks = make_tasks(program, machine, TaskOrder::kernelwise);
    EXPECT_EQ(tasks.size(), 1u);
    EXPECT_EQ(tasks[0].fetched, std::vector<ValueId>{x});
    if (!fetched) tasks[0].fetched.clear();
    const auto allocation = allocate(machine, program, tasks);
    const Step& step = allocation->steps[1];
    return std::ranges::count(step.results, step.operands[0]) == 1;
  };
  EXPECT_TRUE(shares_frame(true));
  EXPECT_FALSE(shares_frame(false));
}

TEST(AllocateTest, the_frame_free_for_longest_is_taken) {
  // Each sum leaves two frames free; the next pair of loads takes two others.
  Builder b(moduli(4, 30));
  for (int i = 0; i < 8; ++i) {
    const ValueId x = b.operand("x" + std::to_string(i), 0, Domain::coeff);
    b.output("z" + std::to_string(i), b.neg(x));
  }
  const auto allocation = allocate_limbwise(with_frames(small_machine(), 4, 4), b.build());
  std::vector<Row> rows;
  for (const Step& step : allocation->steps) {
    if (step.kind == Step::Kind::load) rows.push_back(step.results[0]);
  }
  EXPECT_EQ(rows, (std::vector<Row>{0, 1, 2, 3, 0, 1, 2, 3}));
}

/// Follows what lies in every row and slot.
class Replay {
 public:
  Replay(const MachineDescription& machine, const LimbProgram& program,
         const std::vector<Task>& tasks, const Allocation& allocation)
      : program_(program), tasks_(tasks), allocation_(allocation), frames_(machine, program) {}

  void run() {
    for (const Step& step : allocation_.steps) {
      switch (step.kind) {
        case Step::Kind::load:
          EXPECT_EQ(program_.inputs()[step.index].value, step.value);
          write(step.results[0], step.value);
          break;
        case Step::Kind::reload:
          EXPECT_EQ(slots_.at(step.index), step.value);
          write(step.results[0], step.value);
          break;
        case Step::Kind::spill:
          read(step.operands[0], step.value);
          EXPECT_TRUE(slots_.emplace(step.index, step.value).second);
          break;
        case Step::Kind::store:
          EXPECT_EQ(program_.outputs()[step.index].value, step.value);
          read(step.operands[0], step.value);
          EXPECT_TRUE(stored_.insert(step.index).second);
          break;
        case Step::Kind::task:
          run_task(step);
      }
    }
    EXPECT_EQ(stored_.size(), program_.outputs().size());
    EXPECT_EQ(slots_.size(), allocation_.spill_slots);
  }

 private:
  std::uint32_t rows(ValueId value) const {
    return frames_.width(value) * frames_.rows_per_frame();
  }

  void read(Row first, ValueId value) const {
    for (Row row = first; row < first + rows(value); ++row) {
      EXPECT_TRUE(rows_.contains(row) && rows_.at(row) == value) << "row " << row;
    }
  }

  void write(Row first, ValueId value) {
    EXPECT_EQ(first % rows(value), 0u);
    EXPECT_LE(first + rows(value), allocation_.rows);
    for (Row row = first; row < first + rows(value); ++row) rows_[row] = value;
  }

  void run_task(const Step& step) {
    const Task& task = tasks_[step.task];
    std::size_t next = 0;
    for (const std::uint32_t i : task.instructions) {
      for (const ValueId operand : program_.instruction(i).operands) {
        read(step.operands[next++], operand);
      }
    }
    for (const Row scratch : step.scratch) {
      const ValueId like = program_.instruction(task.instructions[0]).result;
      const ValueId operand = program_.instruction(task.instructions[0]).operands[0];
      write(scratch, like);
      read(step.operands[0], operand);
    }
    for (std::size_t k = 0; k < task.instructions.size(); ++k) {
      write(step.results[k], program_.instruction(task.instructions[k]).result);
    }
    for (std::size_t k = 0; k < task.instructions.size(); ++k) {
      read(step.results[k], program_.instruction(task.instructions[k]).result);
    }
  }

  const LimbProgram& program_;
  const std::vector<Task>& tasks_;
  const Allocation& allocation_;
  Frames frames_;
  std::map<Row, ValueId> rows_;
  std::map<std::uint32_t, ValueId> slots_;
  std::set<std::uint32_t> stored_;
};

TEST(AllocateTest, whatever_fits_lies_where_it_is_read) {
  std::size_t allocations = 0;
  std::uint32_t spills = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    std::vector<ring::Modulus> mixed = moduli(16, 30, 2);
    mixed.push_back(moduli(16, 45)[0]);
    const LimbProgram program = RandomProgram(seed, mixed).make(40);
    const Residency residency{.operands = seed % 3 == 0, .outputs = seed % 4 == 0};
    for (const TaskOrder order : kTaskOrders) {
      for (std::uint64_t frames = 3; frames < 60; frames += 2) {
        const MachineDescription machine = with_frames(wide_machine(), frames, 16);
        const std::vector<Task> tasks = make_tasks(program, machine, order);
        const auto allocation = allocate(machine, program, tasks, residency);
        if (!allocation) continue;
        EXPECT_LE(allocation->rows, machine.scratchpad.rows());
        Replay(machine, program, tasks, *allocation).run();
        ++allocations;
        spills += allocation->spill_slots;
      }
    }
  }
  EXPECT_GT(allocations, 900u);
  EXPECT_GT(spills, 1000u);
}

TEST(AllocateTest, a_task_fits_if_the_sum_of_its_limbs_does_wherever_others_lie) {
  // Narrow limbs spread over all pairs before a wide instruction needs two of three.
  std::vector<ring::Modulus> mixed = moduli(4, 30);
  mixed.push_back(moduli(4, 45)[0]);
  Builder b(mixed);
  std::vector<ValueId> n;
  for (int i = 0; i < 6; ++i) {
    n.push_back(b.neg(b.operand("x" + std::to_string(i), 0, Domain::coeff)));
  }
  const ValueId w = b.operand("w", 1, Domain::coeff), v = b.operand("v", 1, Domain::coeff);
  std::vector<ValueId> sources{w, v};
  sources.push_back(n[0]);
  sources.push_back(n[5]);
  b.output("z", b.dot_scalar(0, sources, std::array<std::uint64_t, 4>{1, 2, 3, 4}));
  for (int i = 1; i < 5; ++i) {
    b.output("y" + std::to_string(i), b.mul(n[static_cast<std::size_t>(i)], n[0]));
  }
  const LimbProgram program = b.build();
  std::vector<Task> tasks;
  for (std::uint32_t i = 0; i < program.instruction_count(); ++i) tasks.push_back({{i}, {}});
  // w, v: two frames each; n0, n5: one each; the result takes n5's.
  const MachineDescription machine = with_frames(wide_machine(), 6, 4);
  const auto allocation = allocate(machine, program, tasks);
  ASSERT_TRUE(allocation);
  Replay(machine, program, tasks, *allocation).run();
  const auto refused = allocate(with_frames(wide_machine(), 5, 4), program, tasks);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.diagnostics()[0].message, "instruction 6 needs 6 rows, scratchpad holds 5");
}

TEST(AllocateTest, resident_limbs_come_first_and_stay_last) {
  Builder b(moduli(4, 30));
  const ValueId x = b.operand("x", 0, Domain::coeff), k = b.key("k", 0, Domain::coeff);
  const ValueId unused = b.operand("y", 0, Domain::coeff);
  const ValueId m = b.mul(x, k);
  b.output("m", m);
  b.output("n", b.neg(b.add(m, unused)));
  const auto allocation =
      allocate_limbwise(small_machine(), b.build(), {.operands = true, .outputs = true});
  ASSERT_TRUE(allocation);
  const auto& steps = allocation->steps;
  ASSERT_EQ(steps.size(), 8u);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].resident, i < 2 || i >= 6) << i;
  }
  EXPECT_EQ(steps[2].value, k);
}

TEST(AllocateTest, placements_name_the_steps_that_use_a_value) {
  Builder b(moduli(4, 30));
  const ValueId x = b.operand("x", 0, Domain::coeff);
  b.output("z", b.mul(b.neg(x), x));
  const auto allocation = allocate_limbwise(small_machine(), b.build());
  // load x, neg, mul, store
  ASSERT_EQ(allocation->placements.size(), 3u);
  using Uses = std::vector<std::uint32_t>;
  EXPECT_EQ(allocation->placements[0].steps, (Uses{0, 1, 2}));
  EXPECT_EQ(allocation->placements[1].steps, (Uses{1, 2}));
  EXPECT_EQ(allocation->placements[2].steps, (Uses{2, 3}));
}

}  // namespace
}  // namespace heliodor::machine
