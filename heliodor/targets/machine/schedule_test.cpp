// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "heliodor/targets/machine/frames.h"
#include "heliodor/targets/machine/internal/test_machine.h"
#include "heliodor/targets/machine/internal/test_program.h"

namespace heliodor::machine {
namespace {

using internal::awkward_machine;
using internal::moduli;
using internal::RandomProgram;
using internal::small_machine;
using internal::wide_machine;
using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

/// A program scheduled, and when each part starts and ends.
struct Scheduled {
  Scheduled(const MachineDescription& machine, const LimbProgram& program,
            TaskOrder order = TaskOrder::kernelwise) {
    const std::vector<Task> tasks = make_tasks(program, machine, order);
    Allocation allocation = allocate(machine, program, tasks).value();
    micro.layout = Frames(machine, program).layout();
    micro.word_bits = machine.word_bits;
    micro.rows = allocation.rows;
    micro.spill_slots = allocation.spill_slots;
    micro.moduli.assign(program.moduli().begin(), program.moduli().end());
    parts = make_parts(machine, program, tasks, allocation.steps);
    schedule = machine::schedule(machine, micro, parts);
    for (const Slot& slot : schedule.slots) by_part[slot.part] = slot;
  }

  /// The slots of parts with this code, in their order.
  std::vector<Slot> of(MicroCode code) const {
    std::vector<Slot> result;
    for (const Slot& slot : schedule.slots) {
      if (parts[slot.part].ops[0].code == code) result.push_back(slot);
    }
    return result;
  }

  MicroProgram micro;
  std::vector<Part> parts;
  Schedule schedule;
  std::map<std::uint32_t, Slot> by_part;
};

double end(const Slot& slot) { return slot.start + slot.cycles; }

TEST(ScheduleTest, every_part_runs_once_and_units_do_one_thing_at_a_time) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const LimbProgram program = RandomProgram(seed, moduli(64, 30, 3)).make(40);
    const Scheduled it(awkward_machine(), program);
    EXPECT_EQ(it.by_part.size(), it.parts.size());
    EXPECT_EQ(it.schedule.slots.size(), it.parts.size());
    std::map<std::uint32_t, double> free;
    for (const Slot& slot : it.schedule.slots) {
      EXPECT_GE(slot.start, free[slot.unit]);
      EXPECT_GT(slot.cycles, 0);
      free[slot.unit] = end(slot);
      EXPECT_GE(it.schedule.cycles, end(slot));
    }
  }
}

/// The rows that an operation on a chunk reads and writes in window 0; all of the limb otherwise.
struct Touched {
  std::vector<std::pair<Row, Row>> reads, writes;  // [first, second)
};

Touched touched(const MicroOp& op, std::uint32_t chunk, const MicroProgram& micro) {
  Touched result;
  const std::uint32_t chunks = micro.layout.chunks();
  const bool gathers = op.code == MicroCode::permute_eval || op.code == MicroCode::permute_coeff;
  const auto range = [&](Place place, std::uint32_t rows, bool whole) {
    const Row first = place.number() + (whole ? 0 : chunk * rows);
    return std::pair(first, first + rows * (whole ? chunks : 1));
  };
  for (unsigned i = 0; i < info(op.code).reads; ++i) {
    if (op.in[i].is_register()) continue;
    const std::uint32_t rows = rows_read(op, i, micro);
    result.reads.push_back(range(op.in[i], rows, gathers || op.window != 0));
  }
  const std::uint32_t rows = rows_written(op, micro);
  if (rows != 0) result.writes.push_back(range(op.out, rows, op.window != 0));
  return result;
}

bool meet(const std::vector<std::pair<Row, Row>>& a, const std::vector<std::pair<Row, Row>>& b) {
  for (const auto& x : a) {
    for (const auto& y : b) {
      if (x.first < y.second && y.first < x.second) return true;
    }
  }
  return false;
}

TEST(ScheduleTest, operations_on_the_same_rows_keep_the_order_of_their_parts) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    std::vector<ring::Modulus> mixed = moduli(16, 30, 2);
    mixed.push_back(moduli(16, 45)[0]);
    MachineDescription machine = wide_machine();
    machine.scratchpad.capacity_words = 24 * 16;
    const Scheduled it(machine, RandomProgram(seed, mixed).make(25));
    struct Event {
      std::uint32_t part;
      double time;
      Touched rows;
    };
    std::vector<Event> events;
    for (std::uint32_t part = 0; part < it.parts.size(); ++part) {
      const Slot& slot = it.by_part.at(part);
      const std::vector<MicroOp>& ops = it.parts[part].ops;
      for (std::size_t i = 0; i < 4 * ops.size(); ++i) {
        const auto chunk = static_cast<std::uint32_t>(i / ops.size());
        const double share = static_cast<double>(i) / static_cast<double>(4 * ops.size());
        events.push_back({part, slot.start + slot.cycles * share,
                          touched(ops[i % ops.size()], chunk, it.micro)});
      }
    }
    for (const Event& a : events) {
      for (const Event& b : events) {
        if (a.part >= b.part) continue;
        const bool depends = meet(a.rows.writes, b.rows.reads) ||
                             meet(a.rows.writes, b.rows.writes) ||
                             meet(a.rows.reads, b.rows.writes);
        if (!depends) continue;
        EXPECT_LT(a.time, b.time);
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 10000u);
}

TEST(ScheduleTest, loads_stream_without_gaps_while_units_compute) {
  // 12 products of fresh operands: off-chip memory is what limits.
  Builder b(moduli(16, 30));
  for (int i = 0; i < 12; ++i) {
    const std::string name = std::to_string(i);
    const ValueId x = b.operand("x" + name, 0, Domain::eval);
    b.output("z" + name, b.mul(x, b.key("k" + name, 0, Domain::eval)));
  }
  const Scheduled it(small_machine(), b.build());
  const std::vector<Slot> loads = it.of(MicroCode::load);
  ASSERT_EQ(loads.size(), 24u);
  double free = 0, busy = 0;
  for (const Slot& slot : it.schedule.slots) {
    if (slot.unit != loads[0].unit) continue;
    EXPECT_TRUE(slot.start == free || slot.start > loads.back().start);
    free = end(slot);
    busy += slot.cycles;
  }
  EXPECT_EQ(busy, 36 * 4);  // 36 limbs of 4 chunks of a cycle each
  EXPECT_LT(it.schedule.cycles, busy + 40);
}

TEST(ScheduleTest, the_longer_path_goes_first) {
  // Both limbs are there at the same time; x has three transforms to go through, y, which the
  // program has first, one.
  Builder b(moduli(16, 30));
  const ValueId y = b.uniform(b.seed("s"), 0, 0, Domain::coeff);
  b.output("y", b.ntt(y));
  const ValueId x = b.operand("x", 0, Domain::coeff);
  b.output("x", b.ntt(b.intt(b.ntt(x))));
  MachineDescription machine = small_machine();
  machine.dram.latency = 1;
  const Scheduled it(machine, b.build());
  EXPECT_EQ(end(it.of(MicroCode::load)[0]), end(it.of(MicroCode::uniform)[0]));
  const std::vector<Slot> passes = it.of(MicroCode::ntt_pass);
  ASSERT_EQ(passes.size(), 6u);
  EXPECT_EQ(it.parts[passes[0].part].ops[0].instruction, 2u);
  EXPECT_EQ(it.parts[passes[1].part].ops[0].instruction, 1u);
}

TEST(ScheduleTest, parts_take_the_longer_of_unit_and_ports) {
  Builder b(moduli(16, 30));
  const ValueId x = b.operand("x", 0, Domain::eval), y = b.operand("y", 0, Domain::eval);
  b.output("z", b.mul(x, y));
  MachineDescription machine = small_machine();  // a chunk per cycle
  const LimbProgram program = b.build();
  machine.scratchpad.ports = 4;
  EXPECT_EQ(Scheduled(machine, program).of(MicroCode::mul)[0].cycles, 4);
  machine.scratchpad.ports = 1;
  EXPECT_EQ(Scheduled(machine, program).of(MicroCode::mul)[0].cycles, 12);
  machine.scratchpad.write_ports = 1;
  EXPECT_EQ(Scheduled(machine, program).of(MicroCode::mul)[0].cycles, 8);
  machine.units[0].clock_mhz = 100;
  EXPECT_EQ(Scheduled(machine, program).of(MicroCode::mul)[0].cycles, 40);
}

TEST(ScheduleTest, wide_words_take_the_rates_of_wide_words) {
  std::vector<ring::Modulus> mixed = moduli(16, 30);
  mixed.push_back(moduli(16, 45)[0]);
  Builder b(mixed);
  b.output("n", b.neg(b.operand("x", 0, Domain::eval)));
  b.output("w", b.neg(b.operand("y", 1, Domain::eval)));
  const Scheduled it(wide_machine(), b.build());
  for (const MicroCode code : {MicroCode::load, MicroCode::neg, MicroCode::store}) {
    std::vector<double> cycles;
    for (const Slot& slot : it.of(code)) cycles.push_back(slot.cycles);
    std::ranges::sort(cycles);
    const double wide = code == MicroCode::neg ? 8 : 7.5;  // 4 words of 60 bits, 16 bytes a cycle
    EXPECT_EQ(cycles, (std::vector<double>{4, wide}));
  }
}

}  // namespace
}  // namespace heliodor::machine
