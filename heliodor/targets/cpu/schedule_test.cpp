// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules are replayed with names instead of data (internal/replay.h), and their structure is
// checked against what schedule.h promises. What is fused is in schedule_fusions_test.cpp.
#include "heliodor/targets/cpu/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/targets/cpu/internal/random_program.h"
#include "heliodor/targets/cpu/internal/schedule_checks.h"

namespace heliodor::cpu {
namespace {

using internal::all_fusions;
using internal::expect_sound;
using internal::RandomProgram;
using internal::schedule_moduli;
using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;
using testing::HasSubstr;
using Kind = Place::Kind;

constexpr Concurrency kBothForms[] = {Concurrency::serial, Concurrency::concurrent};

// Degrees of one tile and of two.
TEST(ScheduleTest, no_two_live_values_share_a_place_in_random_programs) {
  for (std::uint64_t number = 0; number < 60; ++number) {
    SCOPED_TRACE(number);
    const std::uint64_t degree = number % 2 == 0 ? 16 : 2048;
    const LimbProgram program = RandomProgram(schedule_moduli(degree), number).make(5 + 7 * number);
    for (const Fusions& fusions : all_fusions()) expect_sound(program, fusions);
    if (HasFailure()) return;
  }
}

TEST(ScheduleTest, without_fusions_every_instruction_is_a_step_in_program_order) {
  const LimbProgram program = RandomProgram(schedule_moduli(16), 99).make(50);
  const Schedule schedule = make_schedule(program, Fusions::none(), Concurrency::serial);
  ASSERT_EQ(schedule.steps.size(), program.instruction_count());
  for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
    const auto operations = schedule.operations_of(schedule.steps[i]);
    ASSERT_EQ(operations.size(), 1u);
    ASSERT_EQ(operations[0].count, 1u);
    EXPECT_EQ(schedule.instructions(operations[0])[0], i);
  }
  EXPECT_EQ(schedule.tile_count, 0u);
  EXPECT_EQ(schedule.tile_words, program.degree());
}

LimbProgram chain(std::size_t length, bool with_permutations) {
  Builder b(schedule_moduli(16));
  ValueId x = b.operand("x", 0, Domain::coeff);
  for (std::size_t i = 0; i < length; ++i) {
    x = with_permutations && i % 2 == 1 ? b.permute(3, x) : b.neg(x);
  }
  b.output("z", x);
  return b.build();
}

TEST(ScheduleTest, long_chain_needs_one_place_and_with_permutations_two) {
  for (const Concurrency form : kBothForms) {
    const Schedule plain = make_schedule(chain(100, false), {}, form);
    EXPECT_EQ(plain.slot_count, 0u);
    EXPECT_EQ(plain.tile_count, 1u);
    EXPECT_EQ(plain.steps.size(), 1u);
    EXPECT_EQ(make_schedule(chain(100, false), Fusions::none(), form).slot_count, 1u);
    EXPECT_EQ(make_schedule(chain(100, true), {}, form).slot_count, 2u);
    EXPECT_EQ(make_schedule(chain(1, false), {}, form).slot_count, 0u);
    EXPECT_EQ(make_schedule(chain(1, false), {}, form).tile_count, 0u);
  }
  expect_sound(chain(100, false), {});
  expect_sound(chain(100, true), {});
}

TEST(ScheduleTest, chain_of_200000_instructions_is_scheduled_with_one_tile) {
  const Schedule schedule = make_schedule(chain(200'000, false), {}, Concurrency::concurrent);
  EXPECT_EQ(schedule.operations.size(), 200'000u);
  EXPECT_EQ(schedule.tile_count, 1u);
}

TEST(ScheduleTest, permutation_of_a_dying_value_takes_another_slot) {
  Builder b(schedule_moduli(16));
  const ValueId y = b.ntt(b.operand("x", 0, Domain::coeff));
  const ValueId z = b.permute(5, y);
  b.output("z", b.neg(z));
  const LimbProgram program = b.build();
  for (const Concurrency form : kBothForms) {
    const Schedule schedule = make_schedule(program, {}, form);
    EXPECT_EQ(schedule.places[y].kind, Kind::slot);
    EXPECT_EQ(schedule.places[z].kind, Kind::slot);
    EXPECT_NE(schedule.places[y].index, schedule.places[z].index);
  }
}

TEST(ScheduleTest, transform_of_a_dying_value_takes_its_slot_unless_others_run_beside_it) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.intt(b.operand("x", 0, Domain::eval));
  const ValueId y = b.ntt(x);
  b.output("z", b.permute(5, y));
  const LimbProgram program = b.build();
  EXPECT_EQ(make_schedule(program, {}, Concurrency::serial).slot_count, 1u);
  EXPECT_EQ(make_schedule(program, {}, Concurrency::concurrent).slot_count, 2u);
}

TEST(ScheduleTest, value_read_twice_by_its_last_reader_frees_one_slot_once) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.operand("x", 0, Domain::eval);
  const ValueId y = b.neg(x);
  const ValueId square = b.mul(y, y);
  const ValueId other = b.neg(x);
  b.output("z", b.add(square, other));
  const LimbProgram program = b.build();
  EXPECT_EQ(make_schedule(program, {}, Concurrency::serial).tile_count, 2u);
  EXPECT_EQ(make_schedule(program, Fusions::none(), Concurrency::serial).slot_count, 2u);
  for (const Fusions& fusions : all_fusions()) expect_sound(program, fusions);
}

TEST(ScheduleTest, output_that_is_read_again_is_read_from_its_output) {
  Builder b(schedule_moduli(16));
  const ValueId y = b.neg(b.operand("x", 0, Domain::eval));
  b.output("y", y);
  b.output("z", b.neg(y));
  const LimbProgram program = b.build();
  const Schedule schedule = make_schedule(program, {}, Concurrency::serial);
  EXPECT_EQ(schedule.places[y], (Place{Kind::output, 0}));
  EXPECT_EQ(schedule.slot_count, 0u);
  EXPECT_EQ(schedule.tile_count, 0u);
  EXPECT_TRUE(schedule.copies.empty());
  expect_sound(program, {});
}

TEST(ScheduleTest, outputs_that_are_inputs_or_doubled_are_copied) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.operand("x", 0, Domain::eval);
  const ValueId key = b.key("key", 0, Domain::eval);
  const ValueId product = b.mul(x, key);
  b.output("x", x);
  b.output("key", key);
  b.output("product", product);
  b.output("product again", product);
  const LimbProgram program = b.build();
  const Schedule schedule = make_schedule(program, {}, Concurrency::serial);
  ASSERT_EQ(schedule.copies.size(), 3u);
  EXPECT_EQ(schedule.copies[0].value, x);
  EXPECT_EQ(schedule.copies[0].output, 0u);
  EXPECT_EQ(schedule.copies[1].value, key);
  EXPECT_EQ(schedule.copies[1].output, 1u);
  EXPECT_EQ(schedule.copies[2].value, product);
  EXPECT_EQ(schedule.copies[2].output, 3u);
  expect_sound(program, {});
}

TEST(ScheduleTest, inputs_are_numbered_by_the_spans_of_their_kind) {
  Builder b(schedule_moduli(16));
  const ValueId constant = b.constant("c", 0, Domain::eval);
  const ValueId x = b.operand("x", 0, Domain::eval);
  const ValueId seed = b.seed("s");
  const ValueId key = b.key("k", 0, Domain::eval);
  const ValueId y = b.operand("y", 0, Domain::eval);
  const ValueId other = b.seed("t");
  const ValueId a = b.uniform(seed, 0, 0, Domain::eval), c = b.uniform(other, 0, 0, Domain::eval);
  b.output("z", b.dot(std::array{std::pair{x, key}, std::pair{y, constant}, std::pair{a, c}}));
  const LimbProgram program = b.build();
  const Schedule schedule = make_schedule(program, {}, Concurrency::concurrent);
  EXPECT_EQ(schedule.places[constant], (Place{Kind::shared, 0}));
  EXPECT_EQ(schedule.places[key], (Place{Kind::shared, 1}));
  EXPECT_EQ(schedule.places[x], (Place{Kind::operand, 0}));
  EXPECT_EQ(schedule.places[y], (Place{Kind::operand, 1}));
  EXPECT_EQ(schedule.places[seed], (Place{Kind::seed, 0}));
  EXPECT_EQ(schedule.places[other], (Place{Kind::seed, 1}));
  expect_sound(program, {});
}

TEST(ScheduleTest, tiles_hold_what_a_strip_alone_uses_and_are_no_longer_than_a_limb) {
  for (const std::uint64_t degree : {16u, 1024u, 2048u}) {
    Builder b(schedule_moduli(degree));
    const ValueId x = b.operand("x", 0, Domain::eval);
    const ValueId inner = b.neg(x), kept = b.add(inner, x), last = b.mul(inner, kept);
    b.output("kept", b.ntt(b.intt(kept)));
    b.output("last", last);
    const LimbProgram program = b.build();
    const Schedule schedule = make_schedule(program, {}, Concurrency::serial);
    EXPECT_EQ(schedule.tile_words, std::min<std::size_t>(degree, Schedule::kTileWords));
    EXPECT_EQ(schedule.places[kept].kind, Kind::slot);
    expect_sound(program, {});
  }
}

TEST(ScheduleTest, independent_transforms_share_a_step_only_where_they_run_concurrently) {
  Builder b(schedule_moduli(16));
  for (std::uint32_t m = 0; m < 3; ++m) {
    const std::string name = std::to_string(m);
    const ValueId x = b.ntt(b.operand("x" + name, m, Domain::coeff));
    b.output("y" + name, x);
    b.output("z" + name, b.permute(3, x));
  }
  const LimbProgram program = b.build();
  EXPECT_EQ(make_schedule(program, {}, Concurrency::serial).steps.size(), 6u);
  const Schedule schedule = make_schedule(program, Fusions::none(), Concurrency::concurrent);
  ASSERT_EQ(schedule.steps.size(), 4u);  // a permutation does not start beside what it reads
  EXPECT_EQ(schedule.steps[0].operation_count, 1u);
  EXPECT_EQ(schedule.steps[1].operation_count, 2u);
}

TEST(ScheduleTest, text_has_a_line_for_every_step_and_instruction) {
  const LimbProgram program = RandomProgram(schedule_moduli(16), 101).make(30);
  for (const Concurrency form : kBothForms) {
    const Schedule schedule = make_schedule(program, {}, form);
    const std::string text = to_string(schedule, program);
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
              1 + schedule.steps.size() + program.instruction_count());
    EXPECT_THAT(text, HasSubstr(std::to_string(schedule.slot_count) + " slots of 16 words"));
    EXPECT_THAT(text, HasSubstr(std::to_string(schedule.tile_count) + " tiles of 16 words"));
  }
}

TEST(ScheduleTest, text_shows_what_was_fused) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.mul_scalar(b.intt(b.operand("x", 0, Domain::eval)), 2);
  const ValueId y = b.ntt(b.dot_scalar(1, std::array{x}, std::array<std::uint64_t, 1>{3}));
  const ValueId z = b.dot_scalar(2, std::array{x}, std::array<std::uint64_t, 1>{4});
  const ValueId key = b.key("k", 1, Domain::eval);
  b.output("y", b.dot(std::array{std::pair{y, key}}));
  b.output("z", z);
  const LimbProgram program = b.build();
  const std::string text = to_string(make_schedule(program, {}, Concurrency::serial), program);
  for (const char* part : {"-> fused", ", lazy", "  + ", "  | ", "step 0 whole", "step 1 strip"})
    EXPECT_THAT(text, HasSubstr(part));
}

}  // namespace
}  // namespace heliodor::cpu
