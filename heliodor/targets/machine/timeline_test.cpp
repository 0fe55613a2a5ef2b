// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each timing rule from both sides: an operation that the rule holds back happens exactly at the
// stated cycle, and the same operation without the cause happens earlier.
#include "heliodor/targets/machine/timeline.h"

#include <gtest/gtest.h>

#include <numeric>

#include "heliodor/ring/primes.h"
#include "heliodor/targets/machine/internal/test_machine.h"

namespace heliodor::machine {
namespace {

using internal::small_machine;
using internal::wide_machine;

constexpr std::size_t kVector = 0, kNtt = 1, kGenerator = 3;

/// Limbs of 2^degree_bits words in chunks of four; modulus 0 has 30 bits, modulus 1 has 50.
MicroProgram rows_of_four(std::uint32_t degree_bits = 2, std::uint32_t word_bits = 64) {
  MicroProgram program;
  program.layout = {2, degree_bits};
  program.word_bits = word_bits;
  program.rows = 32;
  program.registers = 4;
  program.inputs = {program::InputKind::operand, program::InputKind::key,
                    program::InputKind::constant};
  const std::uint64_t degree = program.degree();
  program.moduli = {ring::Modulus(ring::generate_primes(30, degree, 1)[0], degree),
                    ring::Modulus(ring::generate_primes(50, degree, 1)[0], degree)};
  return program;
}

MicroOp make(MicroCode code, Row in0, Row in1, Row out) {
  MicroOp op;
  op.code = code;
  op.in = {Place::limb(in0), Place::limb(in1)};
  op.out = Place::limb(out);
  return op;
}

MicroOp neg(Row in, Row out) { return make(MicroCode::neg, in, 0, out); }

MicroOp uniform(Row out) { return make(MicroCode::uniform, 0, 0, out); }

MicroOp load(Row out, std::uint64_t input) {
  MicroOp op = make(MicroCode::load, 0, 0, out);
  op.immediate = input;
  return op;
}

MicroOp pass(Row limb, std::uint8_t window, std::uint32_t chunk) {
  MicroOp op = make(MicroCode::ntt_pass, limb, 0, limb);
  op.window = window;
  op.chunk = chunk;
  return op;
}

TEST(TimelineTest, an_operation_reads_enters_leaves_and_writes_at_the_stated_cycles) {
  const MicroProgram program = rows_of_four();
  const MachineDescription machine = small_machine();
  Timeline timeline(machine, program);
  const MicroTiming add = timeline.place(make(MicroCode::add, 0, 1, 2));
  EXPECT_EQ(add.first_read, 0u);
  EXPECT_EQ(add.enter, 2u);  // latency 2
  EXPECT_EQ(add.leave, 3u);
  EXPECT_EQ(add.done, 5u);  // depth 3
  EXPECT_EQ(add.end, 6u);   // one cycle to write
}

TEST(TimelineTest, a_dependent_read_is_blocked_until_the_row_is_ready_and_not_longer) {
  const MicroProgram program = rows_of_four();
  const MachineDescription machine = small_machine();
  Timeline dependent(machine, program);
  const MicroTiming producer = dependent.place(make(MicroCode::add, 0, 1, 2));
  EXPECT_EQ(dependent.place(neg(2, 3)).first_read, producer.end);

  Timeline independent(machine, program);
  independent.place(make(MicroCode::add, 0, 1, 2));
  const MicroTiming next = independent.place(neg(4, 3));
  EXPECT_EQ(next.enter, 3u);  // back to back
  EXPECT_LT(next.first_read, producer.end);
}

TEST(TimelineTest, latency_and_depth_each_move_a_dependent_operation_by_one) {
  const auto second_enters = [](const MachineDescription& machine) {
    const MicroProgram program = rows_of_four();
    Timeline timeline(machine, program);
    timeline.place(neg(0, 1));
    return timeline.place(neg(1, 2)).enter;
  };
  MachineDescription machine = small_machine();
  EXPECT_EQ(second_enters(machine), 2u + 3 + 1 + 2);
  machine.units[kVector].depth += 1;
  EXPECT_EQ(second_enters(machine), 9u);
  machine.scratchpad.latency += 1;
  EXPECT_EQ(second_enters(machine), 11u);  // twice on the path
}

TEST(TimelineTest, independent_operations_on_two_units_overlap) {
  const MicroProgram program = rows_of_four();
  MachineDescription machine = small_machine();
  machine.scratchpad.ports = 3;
  Timeline timeline(machine, program);
  EXPECT_EQ(timeline.place(make(MicroCode::add, 0, 1, 2)).enter, 2u);
  EXPECT_EQ(timeline.place(pass(3, 0, 0)).enter, 2u);
}

TEST(TimelineTest, a_port_short_delays_the_read_by_one_cycle) {
  const MicroProgram program = rows_of_four();
  const MachineDescription machine = small_machine();
  Timeline timeline(machine, program);  // 2 ports, both taken by the sum in cycle 0
  EXPECT_EQ(timeline.place(make(MicroCode::add, 0, 1, 2)).enter, 2u);
  const MicroTiming held = timeline.place(pass(3, 0, 0));
  EXPECT_EQ(held.enter, 3u);
  EXPECT_EQ(held.cause, Stall::ports);
}

TEST(TimelineTest, a_single_port_serves_two_operands_in_two_cycles) {
  const MicroProgram program = rows_of_four();
  MachineDescription machine = small_machine();
  machine.scratchpad.ports = 1;
  Timeline timeline(machine, program);
  EXPECT_EQ(timeline.place(make(MicroCode::add, 0, 1, 2)).enter, 3u);
  EXPECT_EQ(timeline.place(make(MicroCode::add, 0, 1, 3)).enter, 5u);
  EXPECT_EQ(timeline.place(make(MicroCode::add, 0, 1, 4)).enter, 7u);
}

TEST(TimelineTest, writes_take_ports_from_reads_only_where_they_share_them) {
  const MicroProgram program = rows_of_four();
  MachineDescription machine = small_machine();
  machine.scratchpad.ports = 1;
  const auto third_reads = [&] {
    Timeline timeline(machine, program);
    EXPECT_EQ(timeline.place(uniform(0)).end, 2u);  // written in cycle 1
    timeline.place(neg(2, 3));                      // read in cycle 0
    return timeline.place(neg(4, 5)).first_read;
  };
  EXPECT_EQ(third_reads(), 2u);
  machine.scratchpad.write_ports = 1;
  EXPECT_EQ(third_reads(), 1u);
}

TEST(TimelineTest, registers_need_no_port_and_no_time) {
  const MicroProgram program = rows_of_four();
  const MachineDescription machine = small_machine();
  Timeline timeline(machine, program);
  MicroOp fetch = make(MicroCode::fetch, 0, 0, 0);
  fetch.out = Place::reg(1);
  EXPECT_EQ(timeline.place(fetch).enter, 2u);
  MicroOp op = make(MicroCode::mac_imm, 0, 0, 9);
  op.in[0] = Place::reg(1);
  EXPECT_EQ(timeline.place(op).enter, 3u);
  op.last = true;
  EXPECT_EQ(timeline.place(op).enter, 4u);
  EXPECT_EQ(timeline.activity().scratchpad_reads, 1u);
  EXPECT_EQ(timeline.activity().scratchpad_writes, 1u);
}

TEST(TimelineTest, fewer_lanes_hold_the_unit_longer) {
  const MicroProgram program = rows_of_four();
  MachineDescription machine = small_machine();
  machine.units[kVector].capabilities[static_cast<std::size_t>(Operation::arithmetic)]->lanes = 1;
  Timeline timeline(machine, program);
  const MicroTiming first = timeline.place(neg(0, 1));
  EXPECT_EQ(first.done,
            first.enter + 3 + 3);  // the last of four words enters 3 cycles after the first
  EXPECT_EQ(timeline.place(neg(2, 3)).enter, first.enter + 4);
}

TEST(TimelineTest, copies_of_a_unit_take_operations_in_turn) {
  const auto third_enters = [](std::uint32_t count) {
    const MicroProgram program = rows_of_four();
    MachineDescription machine = small_machine();
    machine.scratchpad.ports = 8;
    machine.units[kNtt].count = count;
    machine.units[kNtt].capabilities[static_cast<std::size_t>(Operation::ntt)]->lanes = 1;
    Timeline timeline(machine, program);
    EXPECT_EQ(timeline.place(pass(0, 0, 0)).enter, 2u);
    EXPECT_EQ(timeline.place(pass(1, 0, 0)).enter, count == 1 ? 6u : 2u);
    return timeline.place(pass(2, 0, 0)).enter;
  };
  EXPECT_EQ(third_enters(1), 10u);
  EXPECT_EQ(third_enters(2), 6u);
  EXPECT_EQ(third_enters(3), 2u);
}

TEST(TimelineTest, a_wide_chunk_takes_two_rows_and_the_wide_rate) {
  const MicroProgram program = rows_of_four(2, 32);
  const MachineDescription machine = wide_machine();
  Timeline timeline(machine, program);
  MicroOp narrow = neg(0, 2);
  EXPECT_EQ(timeline.place(narrow).end, 6u);
  EXPECT_EQ(timeline.activity().scratchpad_reads, 1u);
  MicroOp wide = neg(4, 6);
  wide.modulus = wide.source_modulus = 1;
  const MicroTiming first = timeline.place(wide);
  EXPECT_EQ(timeline.activity().scratchpad_reads, 3u);
  EXPECT_EQ(timeline.activity().scratchpad_writes, 3u);
  EXPECT_EQ(first.leave, first.enter + 2);  // four words, two lanes
  // Both rows are ready when the wide chunk is, for it and for a limb in the second alone.
  EXPECT_EQ(timeline.place(neg(7, 9)).first_read, first.end);
  wide.in[0] = Place::limb(6);
  wide.out = Place::limb(10);
  Timeline other(machine, program);
  MicroOp producer = neg(4, 7);
  const MicroTiming second_half = other.place(producer);
  EXPECT_EQ(other.place(wide).first_read, second_half.end);
}

TEST(TimelineTest, a_write_waits_for_earlier_reads_of_its_row) {
  const MicroProgram program = rows_of_four();
  MachineDescription machine = small_machine();
  machine.units[kVector].capabilities[static_cast<std::size_t>(Operation::arithmetic)]->lanes = 1;
  Timeline timeline(machine, program);
  timeline.place(neg(1, 2));
  const MicroTiming reader = timeline.place(neg(0, 3));
  EXPECT_EQ(reader.first_read, 4u);                                  // just in time for entry at 6
  EXPECT_EQ(timeline.place(uniform(9)).end, 2u);                     // free to go at once
  EXPECT_EQ(timeline.place(uniform(0)).end, reader.first_read + 2);  // written in the cycle after
}

TEST(TimelineTest, a_write_waits_for_an_earlier_write_of_its_row) {
  const MicroProgram program = rows_of_four();
  const MachineDescription machine = small_machine();
  Timeline timeline(machine, program);
  const MicroTiming slow = timeline.place(make(MicroCode::ntt_pass, 1, 0, 0));
  EXPECT_EQ(timeline.place(uniform(0)).end, slow.end + 1);
}

TEST(TimelineTest, chunks_of_one_window_are_apart_and_windows_wait_for_each_other) {
  const MicroProgram program = rows_of_four(4);  // four chunks
  MachineDescription machine = small_machine();
  machine.scratchpad.ports = 8;
  Timeline timeline(machine, program);
  MicroTiming last;
  for (std::uint32_t chunk = 0; chunk < 4; ++chunk) {
    last = timeline.place(pass(0, 2, chunk));
    EXPECT_EQ(last.enter, 2u + chunk);
  }
  const MicroTiming next = timeline.place(pass(0, 0, 0));
  EXPECT_EQ(next.first_read, last.end);
  EXPECT_EQ(next.cause, Stall::operand);
  EXPECT_EQ(next.waited, next.enter - last.leave);

  // The write of a first chunk in window 0 waits for reads in window 2.
  Timeline other(machine, program);
  const MicroTiming read = other.place(make(MicroCode::neg, 0, 0, 8));
  MicroOp write = uniform(0);
  EXPECT_EQ(other.place(write).end, read.first_read + 2);
}

TEST(TimelineTest, a_full_queue_stops_dispatch_until_its_oldest_enters) {
  const auto generator_enters = [](std::uint32_t depth) {
    const MicroProgram program = rows_of_four();
    MachineDescription machine = small_machine();
    machine.queue_depth = depth;
    machine.units[kVector].capabilities[static_cast<std::size_t>(Operation::arithmetic)]->lanes = 1;
    Timeline timeline(machine, program);
    for (Row i = 0; i < 3; ++i) timeline.place(neg(2 * i, 2 * i + 1));  // enter at 2, 6, 10
    return timeline.place(uniform(9)).enter;
  };
  EXPECT_EQ(generator_enters(1), 6u);
  EXPECT_EQ(generator_enters(2), 2u);
  EXPECT_EQ(generator_enters(3), 0u);
}

TEST(TimelineTest, a_fence_holds_back_what_follows_until_all_has_ended) {
  const MicroProgram program = rows_of_four();
  const MachineDescription machine = small_machine();
  Timeline timeline(machine, program);
  const MicroTiming before = timeline.place(neg(0, 1));
  timeline.place(MicroOp{});
  const MicroTiming after = timeline.place(uniform(9));
  EXPECT_EQ(after.enter, before.end);
  EXPECT_EQ(after.cause, Stall::dispatch);
  EXPECT_EQ(timeline.activity().units[kGenerator].operations, 1u);
}

TEST(TimelineTest, an_accumulator_takes_a_term_every_cycle_and_writes_once) {
  const MicroProgram program = rows_of_four();
  const MachineDescription machine = small_machine();
  Timeline timeline(machine, program);
  MicroOp op = make(MicroCode::mac, 0, 1, 9);
  EXPECT_EQ(timeline.place(op).enter, 2u);
  EXPECT_EQ(timeline.place(op).enter, 3u);
  op.last = true;
  const MicroTiming last = timeline.place(op);
  EXPECT_EQ(last.enter, 4u);
  EXPECT_EQ(last.end, 8u);
  EXPECT_EQ(timeline.activity().scratchpad_writes, 1u);
  EXPECT_EQ(timeline.activity().scratchpad_reads, 6u);
}

TEST(TimelineTest, a_gather_takes_one_port_but_waits_for_its_whole_limb) {
  const MicroProgram program = rows_of_four(3);
  const MachineDescription machine = small_machine();
  Timeline timeline(machine, program);
  MicroOp second_chunk = neg(8, 0);
  second_chunk.chunk = 1;
  const MicroTiming late = timeline.place(second_chunk);
  const MicroTiming gather = timeline.place(make(MicroCode::permute_coeff, 0, 0, 4));
  EXPECT_EQ(gather.first_read, late.end);
  EXPECT_EQ(timeline.activity().scratchpad_reads, 2u);

  Timeline other(machine, program);
  other.place(neg(8, 2));  // not in the limb of rows 0 and 1
  EXPECT_EQ(other.place(make(MicroCode::permute_coeff, 0, 0, 4)).first_read, 0u);
}

TEST(TimelineTest, a_faster_clock_is_rounded_up_to_machine_cycles) {
  const MicroProgram program = rows_of_four();
  MachineDescription machine = small_machine();
  machine.units[kVector].clock_mhz = 1500;  // 3 unit cycles in 2 machine cycles
  Timeline timeline(machine, program);
  const MicroTiming first = timeline.place(neg(0, 1));
  EXPECT_EQ(first.enter, 2u);  // 2 machine cycles are 3 unit cycles
  EXPECT_EQ(first.done, 4u);   // 6 unit cycles
  const MicroTiming second = timeline.place(neg(2, 3));
  EXPECT_EQ(second.enter, 3u);  // 4 unit cycles are 2.67 machine cycles
  EXPECT_EQ(second.done, 5u);   // 7 unit cycles are 4.67
}

TEST(TimelineTest, a_slower_clock_waits_for_its_edge) {
  const MicroProgram program = rows_of_four();
  MachineDescription machine = small_machine();
  machine.units[kVector].clock_mhz = 400;  // an edge every 2.5 machine cycles
  Timeline timeline(machine, program);
  const MicroTiming first = timeline.place(neg(0, 1));
  EXPECT_EQ(first.enter, 3u);  // 2.5
  EXPECT_EQ(first.done, 10u);  // 2.5 + 3 * 2.5
}

TEST(TimelineTest, transfers_move_at_the_bandwidth_whatever_the_cycle) {
  const MicroProgram program = rows_of_four();
  MachineDescription machine = small_machine();
  machine.dram.bandwidth = 24;  // a chunk of 32 bytes in 4/3 cycles of a nanosecond
  Timeline timeline(machine, program);
  MicroTiming last;
  for (Row row = 0; row < 30; ++row) last = timeline.place(load(row, 0));
  EXPECT_EQ(last.leave, 40u);
  EXPECT_EQ(last.done, 40u - 1 + 10);
  EXPECT_EQ(last.end, last.done + 1);
}

TEST(TimelineTest, an_operand_on_its_way_from_off_chip_is_a_transfer_stall) {
  const MicroProgram program = rows_of_four();
  const MachineDescription machine = small_machine();
  Timeline timeline(machine, program);
  const MicroTiming transfer = timeline.place(load(0, 0));
  const MicroTiming use = timeline.place(neg(0, 1));
  EXPECT_EQ(use.first_read, transfer.end);
  EXPECT_EQ(use.cause, Stall::transfer);
  EXPECT_EQ(use.waited, use.enter);
}

TEST(TimelineTest, resident_limbs_take_no_time) {
  const MicroProgram program = rows_of_four();
  const MachineDescription machine = small_machine();
  Timeline timeline(machine, program);
  MicroOp here = load(0, 0);
  here.resident = true;
  timeline.place(here);
  EXPECT_EQ(timeline.place(neg(0, 1)).first_read, 0u);
  EXPECT_EQ(timeline.activity().off_chip().operations, 0u);
  EXPECT_EQ(timeline.activity().bytes, (std::array<std::uint64_t, kTraffics>{}));
}

TEST(TimelineTest, traffic_is_counted_by_kind_in_packed_words) {
  const MicroProgram program = rows_of_four(2, 32);
  const MachineDescription machine = wide_machine();  // 32 and 60 bits
  Timeline timeline(machine, program);
  timeline.place(load(0, 0));
  MicroOp wide_key = load(2, 1);
  wide_key.modulus = 1;
  timeline.place(wide_key);
  timeline.place(load(4, 2));
  timeline.place(make(MicroCode::store, 0, 0, 0));
  timeline.place(make(MicroCode::spill, 0, 0, 0));
  timeline.place(make(MicroCode::reload, 0, 0, 6));
  // 4 words of 32 bits are 16 bytes, 4 of 60 are 30.
  EXPECT_EQ(timeline.activity().bytes, (std::array<std::uint64_t, kTraffics>{16, 30, 16, 16, 32}));
}

TEST(TimelineTest, every_cycle_of_a_unit_is_busy_or_stalled) {
  const MicroProgram program = rows_of_four();
  const MachineDescription machine = small_machine();
  Timeline timeline(machine, program);
  timeline.place(load(0, 0));
  timeline.place(neg(0, 1));
  timeline.place(pass(1, 0, 0));
  timeline.place(neg(1, 2));
  timeline.place(make(MicroCode::store, 2, 0, 0));
  const Activity activity = timeline.activity();
  for (const Activity::UnitActivity& unit : activity.units) {
    const std::uint64_t stalled =
        std::accumulate(unit.stalled_cycles.begin(), unit.stalled_cycles.end(), std::uint64_t{0});
    EXPECT_EQ(unit.busy_cycles + stalled, activity.cycles);
  }
}

TEST(TimelineTest, activity_counts_what_was_placed) {
  const MicroProgram program = rows_of_four();
  const MachineDescription machine = small_machine();
  Timeline timeline(machine, program);
  timeline.place(load(0, 0));
  timeline.place(pass(0, 0, 0));
  const MicroTiming store = timeline.place(make(MicroCode::store, 0, 0, 0));
  const Activity activity = timeline.activity();
  EXPECT_EQ(activity.off_chip().operations, 2u);
  EXPECT_EQ(activity.off_chip().busy_cycles, 2u);
  EXPECT_EQ(activity.units[kNtt].operations, 1u);
  EXPECT_EQ(activity.units[kNtt].busy_cycles, 1u);
  EXPECT_EQ(activity.scratchpad_reads, 2u);
  EXPECT_EQ(activity.scratchpad_writes, 2u);
  EXPECT_EQ(activity.cycles, store.end);
  EXPECT_EQ(store.end, store.enter + 10);  // the link's latency
}

}  // namespace
}  // namespace heliodor::machine
