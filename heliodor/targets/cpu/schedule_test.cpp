// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules are replayed with names instead of data: every read must find the value that it means.
#include "heliodor/targets/cpu/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "heliodor/targets/cpu/internal/random_program.h"

namespace heliodor::cpu {
namespace {

using internal::RandomProgram;
using program::Builder;
using program::Domain;
using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;
using testing::HasSubstr;
using Kind = Place::Kind;

std::vector<ring::Modulus> sample_moduli() {
  return {ring::Modulus(97, 16), ring::Modulus(193, 16), ring::Modulus(257, 16)};
}

/// Memory that remembers which value each place holds.
class Replay {
 public:
  Replay(const LimbProgram& program, const Schedule& schedule)
      : program_(program), schedule_(schedule) {
    for (const program::Input& input : program.inputs()) {
      contents_[key(input.value)] = input.value;
    }
  }

  void run() {
    std::vector<int> times_executed(program_.instruction_count(), 0);
    for (const auto& wave : schedule_.waves) {
      for (const std::uint32_t i : wave) ++times_executed.at(i);
      run_wave(wave);
    }
    for (std::size_t i = 0; i < times_executed.size(); ++i) EXPECT_EQ(times_executed[i], 1) << i;
    expect_outputs();
  }

 private:
  using Key = std::pair<Kind, std::uint32_t>;

  Key key(ValueId value) const {
    const Place place = schedule_.places[value];
    return {place.kind, place.index};
  }

  // Instructions of a wave may run in any order, so reads and writes of two of them may not meet.
  void run_wave(const std::vector<std::uint32_t>& wave) {
    std::map<Key, std::uint32_t> written;
    for (const std::uint32_t i : wave) {
      const ValueId result = program_.instruction(i).result;
      const Key place = key(result);
      EXPECT_TRUE(place.first == Kind::slot || place.first == Kind::output) << "writes an input";
      if (place.first == Kind::slot) {
        EXPECT_LT(place.second, schedule_.slot_count);
      }
      EXPECT_TRUE(written.emplace(place, i).second) << "two results of a wave share a place";
    }
    for (const std::uint32_t i : wave) {
      const Instruction instruction = program_.instruction(i);
      for (const ValueId operand : instruction.operands) {
        const auto found = contents_.find(key(operand));
        ASSERT_NE(found, contents_.end()) << "instruction " << i << " reads an unwritten place";
        EXPECT_EQ(found->second, operand) << "instruction " << i << " reads another value";
        const auto writer = written.find(key(operand));
        if (writer == written.end()) continue;
        EXPECT_EQ(writer->second, i) << "another instruction of the wave overwrites an operand";
        EXPECT_NE(instruction.op, LimbOp::permute) << "a permutation overwrites its operand";
      }
    }
    for (const std::uint32_t i : wave) {
      const ValueId result = program_.instruction(i).result;
      contents_[key(result)] = result;
    }
  }

  void expect_outputs() {
    for (const OutputCopy& copy : schedule_.copies) {
      ASSERT_TRUE(contents_.contains(key(copy.value)));
      EXPECT_EQ(contents_[key(copy.value)], copy.value) << "a copy reads another value";
      contents_[{Kind::output, copy.output}] = copy.value;
    }
    for (std::uint32_t i = 0; i < program_.outputs().size(); ++i) {
      const auto found = contents_.find({Kind::output, i});
      ASSERT_NE(found, contents_.end()) << "output " << i << " is never written";
      EXPECT_EQ(found->second, program_.outputs()[i].value) << "output " << i;
    }
  }

  const LimbProgram& program_;
  const Schedule& schedule_;
  std::map<Key, ValueId> contents_;
};

void expect_sound(const LimbProgram& program) {
  for (const Order order : {Order::serial, Order::parallel}) {
    SCOPED_TRACE(order == Order::serial ? "serial" : "parallel");
    const Schedule schedule = make_schedule(program, order);
    ASSERT_EQ(schedule.places.size(), program.value_count());
    Replay(program, schedule).run();
  }
}

TEST(ScheduleTest, no_two_live_values_share_a_place_in_random_programs) {
  for (std::uint64_t number = 0; number < 60; ++number) {
    SCOPED_TRACE(number);
    expect_sound(RandomProgram(sample_moduli(), number).make(5 + 7 * number));
  }
}

TEST(ScheduleTest, serial_order_is_program_order) {
  const LimbProgram program = RandomProgram(sample_moduli(), 99).make(50);
  const Schedule schedule = make_schedule(program, Order::serial);
  ASSERT_EQ(schedule.waves.size(), program.instruction_count());
  for (std::uint32_t i = 0; i < schedule.waves.size(); ++i) {
    EXPECT_EQ(schedule.waves[i], std::vector<std::uint32_t>{i});
  }
}

/// The longest path to each value, by recursion.
std::size_t depth(const LimbProgram& program, ValueId value) {
  const auto definition = program.definition(value);
  if (!definition) return 0;
  std::size_t deepest = 0;
  for (const ValueId operand : program.instruction(*definition).operands) {
    deepest = std::max(deepest, depth(program, operand));
  }
  return deepest + 1;
}

TEST(ScheduleTest, parallel_order_runs_every_instruction_as_early_as_its_operands_allow) {
  const LimbProgram program = RandomProgram(sample_moduli(), 100).make(25);
  const Schedule schedule = make_schedule(program, Order::parallel);
  for (std::size_t wave = 0; wave < schedule.waves.size(); ++wave) {
    EXPECT_FALSE(schedule.waves[wave].empty());
    for (const std::uint32_t i : schedule.waves[wave]) {
      EXPECT_EQ(depth(program, program.instruction(i).result), wave + 1) << "instruction " << i;
    }
  }
}

LimbProgram chain(std::size_t length, bool with_permutations) {
  Builder b({ring::Modulus(97, 16)});
  ValueId x = b.operand("x", 0, Domain::coeff);
  for (std::size_t i = 0; i < length; ++i) {
    x = with_permutations && i % 2 == 1 ? b.permute(3, x) : b.neg(x);
  }
  b.output("z", x);
  return b.build();
}

TEST(ScheduleTest, long_chain_needs_one_slot_and_with_permutations_two) {
  for (const Order order : {Order::serial, Order::parallel}) {
    EXPECT_EQ(make_schedule(chain(100, false), order).slot_count, 1u);
    EXPECT_EQ(make_schedule(chain(100, true), order).slot_count, 2u);
    EXPECT_EQ(make_schedule(chain(1, false), order).slot_count, 0u);
  }
  expect_sound(chain(100, false));
  expect_sound(chain(100, true));
}

TEST(ScheduleTest, permutation_of_a_dying_value_takes_another_slot) {
  Builder b({ring::Modulus(97, 16)});
  const ValueId y = b.neg(b.operand("x", 0, Domain::eval));
  const ValueId z = b.permute(5, y);
  b.output("z", b.neg(z));
  const LimbProgram program = b.build();
  for (const Order order : {Order::serial, Order::parallel}) {
    const Schedule schedule = make_schedule(program, order);
    EXPECT_EQ(schedule.places[y].kind, Kind::slot);
    EXPECT_EQ(schedule.places[z].kind, Kind::slot);
    EXPECT_NE(schedule.places[y].index, schedule.places[z].index);
  }
}

TEST(ScheduleTest, value_read_twice_by_its_last_reader_frees_one_slot_once) {
  Builder b({ring::Modulus(97, 16)});
  const ValueId x = b.operand("x", 0, Domain::eval);
  const ValueId y = b.neg(x);
  const ValueId square = b.mul(y, y);
  const ValueId other = b.neg(x);
  b.output("z", b.add(square, other));
  const LimbProgram program = b.build();
  EXPECT_EQ(make_schedule(program, Order::serial).slot_count, 2u);
  expect_sound(program);
}

TEST(ScheduleTest, output_that_is_read_again_is_read_from_its_output) {
  Builder b({ring::Modulus(97, 16)});
  const ValueId y = b.neg(b.operand("x", 0, Domain::eval));
  b.output("y", y);
  b.output("z", b.neg(y));
  const LimbProgram program = b.build();
  const Schedule schedule = make_schedule(program, Order::serial);
  EXPECT_EQ(schedule.places[y], (Place{Kind::output, 0}));
  EXPECT_EQ(schedule.slot_count, 0u);
  EXPECT_TRUE(schedule.copies.empty());
  expect_sound(program);
}

TEST(ScheduleTest, outputs_that_are_inputs_or_doubled_are_copied) {
  Builder b({ring::Modulus(97, 16)});
  const ValueId x = b.operand("x", 0, Domain::eval);
  const ValueId key = b.key("key", 0, Domain::eval);
  const ValueId product = b.mul(x, key);
  b.output("x", x);
  b.output("key", key);
  b.output("product", product);
  b.output("product again", product);
  const LimbProgram program = b.build();
  const Schedule schedule = make_schedule(program, Order::serial);
  ASSERT_EQ(schedule.copies.size(), 3u);
  EXPECT_EQ(schedule.copies[0].value, x);
  EXPECT_EQ(schedule.copies[0].output, 0u);
  EXPECT_EQ(schedule.copies[1].value, key);
  EXPECT_EQ(schedule.copies[1].output, 1u);
  EXPECT_EQ(schedule.copies[2].value, product);
  EXPECT_EQ(schedule.copies[2].output, 3u);
  expect_sound(program);
}

TEST(ScheduleTest, inputs_are_numbered_by_the_spans_of_their_kind) {
  Builder b({ring::Modulus(97, 16)});
  const ValueId constant = b.constant("c", 0, Domain::eval);
  const ValueId x = b.operand("x", 0, Domain::eval);
  const ValueId seed = b.seed("s");
  const ValueId key = b.key("k", 0, Domain::eval);
  const ValueId y = b.operand("y", 0, Domain::eval);
  const ValueId other = b.seed("t");
  const ValueId a = b.uniform(seed, 0, 0, Domain::eval), c = b.uniform(other, 0, 0, Domain::eval);
  b.output("z", b.dot(std::array{std::pair{x, key}, std::pair{y, constant}, std::pair{a, c}}));
  const LimbProgram program = b.build();
  const Schedule schedule = make_schedule(program, Order::parallel);
  EXPECT_EQ(schedule.places[constant], (Place{Kind::shared, 0}));
  EXPECT_EQ(schedule.places[key], (Place{Kind::shared, 1}));
  EXPECT_EQ(schedule.places[x], (Place{Kind::operand, 0}));
  EXPECT_EQ(schedule.places[y], (Place{Kind::operand, 1}));
  EXPECT_EQ(schedule.places[seed], (Place{Kind::seed, 0}));
  EXPECT_EQ(schedule.places[other], (Place{Kind::seed, 1}));
  expect_sound(program);
}

TEST(ScheduleTest, text_has_a_line_for_every_instruction) {
  const LimbProgram program = RandomProgram(sample_moduli(), 101).make(30);
  for (const Order order : {Order::serial, Order::parallel}) {
    const Schedule schedule = make_schedule(program, order);
    const std::string text = to_string(schedule, program);
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
              program.instruction_count() + 1);
    EXPECT_THAT(text, HasSubstr(std::to_string(schedule.slot_count) + " slots of 128 bytes"));
  }
}

}  // namespace
}  // namespace heliodor::cpu
