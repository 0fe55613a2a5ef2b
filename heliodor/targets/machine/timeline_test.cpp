// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each timing rule from both sides: an operation that the rule holds back happens exactly at the
// stated cycle, and the same operation without the cause happens earlier.
#include "heliodor/targets/machine/timeline.h"

#include <gtest/gtest.h>

#include "heliodor/targets/machine/internal/test_machine.h"

namespace heliodor::machine {
namespace {

using internal::small_machine;

MicroProgram rows_of_four(std::uint64_t degree = 4) {
  MicroProgram program;
  program.degree = degree;
  program.chunk_words = 4;
  program.rows = 32;
  return program;
}

MicroOp make(MicroCode code, Row in0, Row in1, Row out) {
  MicroOp op;
  op.code = code;
  op.in = {in0, in1};
  op.out = {out, out + 1};
  return op;
}

MicroOp neg(Row in, Row out) { return make(MicroCode::neg, in, 0, out); }

MicroOp uniform(Row out) { return make(MicroCode::uniform, 0, 0, out); }

TEST(TimelineTest, an_operation_reads_enters_leaves_and_writes_at_the_stated_cycles) {
  Timeline timeline(small_machine(), rows_of_four());
  const MicroTiming add = timeline.place(make(MicroCode::add, 0, 1, 2));
  EXPECT_EQ(add.first_read, 0u);
  EXPECT_EQ(add.enter, 2u);  // latency 2
  EXPECT_EQ(add.done, 5u);   // depth 3
  EXPECT_EQ(add.end, 6u);    // one cycle to write
}

TEST(TimelineTest, a_dependent_read_is_blocked_until_the_row_is_ready_and_not_longer) {
  Timeline dependent(small_machine(), rows_of_four());
  const MicroTiming producer = dependent.place(make(MicroCode::add, 0, 1, 2));
  EXPECT_EQ(dependent.place(neg(2, 3)).first_read, producer.end);

  Timeline independent(small_machine(), rows_of_four());
  independent.place(make(MicroCode::add, 0, 1, 2));
  const MicroTiming next = independent.place(neg(4, 3));
  EXPECT_EQ(next.enter, 3u);  // back to back
  EXPECT_LT(next.first_read, producer.end);
}

TEST(TimelineTest, latency_and_depth_each_move_a_dependent_operation_by_one) {
  const auto second_enters = [](const MachineDescription& machine) {
    Timeline timeline(machine, rows_of_four());
    timeline.place(neg(0, 1));
    return timeline.place(neg(1, 2)).enter;
  };
  MachineDescription machine = small_machine();
  EXPECT_EQ(second_enters(machine), 2u + 3 + 1 + 2);
  machine.unit(UnitKind::vector)->depth += 1;
  EXPECT_EQ(second_enters(machine), 9u);
  machine.scratchpad.latency += 1;
  EXPECT_EQ(second_enters(machine), 11u);  // twice on the path
}

TEST(TimelineTest, independent_operations_on_two_units_overlap) {
  MachineDescription machine = small_machine();
  machine.scratchpad.ports = 3;
  Timeline timeline(machine, rows_of_four());
  EXPECT_EQ(timeline.place(make(MicroCode::add, 0, 1, 2)).enter, 2u);
  EXPECT_EQ(timeline.place(make(MicroCode::ntt_stages, 3, 0, 3)).enter, 2u);
}

TEST(TimelineTest, a_port_short_delays_the_read_by_one_cycle) {
  Timeline timeline(small_machine(), rows_of_four());  // 2 ports, both taken by the sum in cycle 0
  EXPECT_EQ(timeline.place(make(MicroCode::add, 0, 1, 2)).enter, 2u);
  EXPECT_EQ(timeline.place(make(MicroCode::ntt_stages, 3, 0, 3)).enter, 3u);
}

TEST(TimelineTest, a_single_port_serves_two_operands_in_two_cycles) {
  MachineDescription machine = small_machine();
  machine.scratchpad.ports = 1;
  Timeline timeline(machine, rows_of_four());
  EXPECT_EQ(timeline.place(make(MicroCode::add, 0, 1, 2)).enter, 3u);
  EXPECT_EQ(timeline.place(make(MicroCode::add, 0, 1, 3)).enter, 5u);
  EXPECT_EQ(timeline.place(make(MicroCode::add, 0, 1, 4)).enter, 7u);
}

TEST(TimelineTest, writes_take_ports_from_reads) {
  MachineDescription machine = small_machine();
  machine.scratchpad.ports = 1;
  Timeline timeline(machine, rows_of_four());
  EXPECT_EQ(timeline.place(uniform(0)).end, 2u);  // written in cycle 1
  timeline.place(neg(2, 3));                      // read in cycle 0
  EXPECT_EQ(timeline.place(neg(4, 5)).first_read, 2u);
}

TEST(TimelineTest, fewer_lanes_hold_the_unit_longer) {
  MachineDescription machine = small_machine();
  machine.unit(UnitKind::vector)->lanes = 1;
  Timeline timeline(machine, rows_of_four());
  const MicroTiming first = timeline.place(neg(0, 1));
  EXPECT_EQ(first.done,
            first.enter + 3 + 3);  // the last of four words enters 3 cycles after the first
  EXPECT_EQ(timeline.place(neg(2, 3)).enter, first.enter + 4);
}

TEST(TimelineTest, a_butterfly_passes_two_chunks) {
  Timeline timeline(small_machine(), rows_of_four());
  const MicroTiming first = timeline.place(make(MicroCode::ntt_butterfly, 0, 1, 0));
  EXPECT_EQ(first.done, first.enter + 1 + 5);
  EXPECT_EQ(timeline.place(make(MicroCode::ntt_stages, 4, 0, 4)).enter, first.enter + 2);
}

TEST(TimelineTest, a_write_waits_for_earlier_reads_of_its_row) {
  MachineDescription machine = small_machine();
  machine.unit(UnitKind::vector)->lanes = 1;
  Timeline timeline(machine, rows_of_four());
  timeline.place(neg(1, 2));
  const MicroTiming reader = timeline.place(neg(0, 3));
  EXPECT_EQ(reader.first_read, 4u);                                  // just in time for entry at 6
  EXPECT_EQ(timeline.place(uniform(9)).end, 2u);                     // free to go at once
  EXPECT_EQ(timeline.place(uniform(0)).end, reader.first_read + 2);  // written in the cycle after
}

TEST(TimelineTest, a_write_waits_for_an_earlier_write_of_its_row) {
  Timeline timeline(small_machine(), rows_of_four());
  const MicroTiming slow = timeline.place(make(MicroCode::ntt_stages, 1, 0, 0));
  EXPECT_EQ(timeline.place(uniform(0)).end, slow.end + 1);
}

TEST(TimelineTest, a_full_queue_stops_dispatch_until_its_oldest_enters) {
  const auto generator_enters = [](std::uint32_t depth) {
    MachineDescription machine = small_machine();
    machine.queue_depth = depth;
    machine.unit(UnitKind::vector)->lanes = 1;
    Timeline timeline(machine, rows_of_four());
    for (Row i = 0; i < 3; ++i) timeline.place(neg(2 * i, 2 * i + 1));  // enter at 2, 6, 10
    return timeline.place(uniform(9)).enter;
  };
  EXPECT_EQ(generator_enters(1), 6u);
  EXPECT_EQ(generator_enters(2), 2u);
  EXPECT_EQ(generator_enters(3), 0u);
}

TEST(TimelineTest, an_accumulator_takes_a_term_every_cycle_and_writes_once) {
  Timeline timeline(small_machine(), rows_of_four());
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
  Timeline timeline(small_machine(), rows_of_four(8));
  const MicroTiming late = timeline.place(neg(9, 1));
  const MicroTiming gather = timeline.place(make(MicroCode::permute_coeff, 0, 0, 4));
  EXPECT_EQ(gather.first_read, late.end);
  EXPECT_EQ(timeline.activity().scratchpad_reads, 2u);

  Timeline other(small_machine(), rows_of_four(8));
  other.place(neg(9, 2));  // not a row of the limb in rows 0 and 1
  EXPECT_EQ(other.place(make(MicroCode::permute_coeff, 0, 0, 4)).first_read, 0u);
}

TEST(TimelineTest, a_faster_clock_is_rounded_up_to_machine_cycles) {
  MachineDescription machine = small_machine();
  machine.unit(UnitKind::vector)->clock_mhz = 1500;  // 3 unit cycles in 2 machine cycles
  Timeline timeline(machine, rows_of_four());
  const MicroTiming first = timeline.place(neg(0, 1));
  EXPECT_EQ(first.enter, 2u);  // 2 machine cycles are 3 unit cycles
  EXPECT_EQ(first.done, 4u);   // 6 unit cycles
  const MicroTiming second = timeline.place(neg(2, 3));
  EXPECT_EQ(second.enter, 3u);  // 4 unit cycles are 2.67 machine cycles
  EXPECT_EQ(second.done, 5u);   // 7 unit cycles are 4.67
}

TEST(TimelineTest, a_slower_clock_waits_for_its_edge) {
  MachineDescription machine = small_machine();
  machine.unit(UnitKind::vector)->clock_mhz = 400;  // an edge every 2.5 machine cycles
  Timeline timeline(machine, rows_of_four());
  const MicroTiming first = timeline.place(neg(0, 1));
  EXPECT_EQ(first.enter, 3u);  // 2.5
  EXPECT_EQ(first.done, 10u);  // 2.5 + 3 * 2.5
}

TEST(TimelineTest, activity_counts_what_was_placed) {
  Timeline timeline(small_machine(), rows_of_four());
  timeline.place(make(MicroCode::load, 0, 0, 0));
  timeline.place(make(MicroCode::ntt_butterfly, 0, 1, 0));
  const MicroTiming store = timeline.place(make(MicroCode::store, 0, 0, 0));
  const Activity& activity = timeline.activity();
  EXPECT_EQ(activity.unit(UnitKind::host), (Activity::UnitActivity{2, 2}));
  EXPECT_EQ(activity.unit(UnitKind::ntt), (Activity::UnitActivity{1, 2}));
  EXPECT_EQ(activity.scratchpad_reads, 3u);
  EXPECT_EQ(activity.scratchpad_writes, 3u);
  EXPECT_EQ(activity.cycles, store.end);
  EXPECT_EQ(store.end, store.enter + 10);  // the link's latency
}

}  // namespace
}  // namespace heliodor::machine
