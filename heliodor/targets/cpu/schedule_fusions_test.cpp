// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a schedule fuses where it can, and what it must leave alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/targets/cpu/internal/schedule_checks.h"
#include "heliodor/targets/cpu/schedule.h"

namespace heliodor::cpu {
namespace {

using internal::expect_sound;
using internal::schedule_moduli;
using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;
using testing::ElementsAre;
using Kind = Place::Kind;

Schedule serial(const LimbProgram& program, const Fusions& fusions = {}) {
  expect_sound(program, fusions);
  return make_schedule(program, fusions, Concurrency::serial);
}

std::vector<std::uint32_t> operation_lengths(const Schedule& schedule) {
  std::vector<std::uint32_t> lengths;
  for (const Operation& operation : schedule.operations) lengths.push_back(operation.count);
  return lengths;
}

TEST(ScheduleFusionsTest, transforms_that_only_dots_read_are_lazy) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.ntt(b.operand("x", 0, Domain::coeff));
  const ValueId y = b.ntt(b.operand("y", 0, Domain::coeff));
  const ValueId key = b.key("k", 0, Domain::eval);
  b.output("s", b.dot(std::array{std::pair{x, key}, std::pair{key, y}}));
  b.output("t", b.dot(std::array{std::pair{y, key}}));
  const LimbProgram program = b.build();
  const Schedule schedule = serial(program);
  EXPECT_TRUE(schedule.lazy[x]);
  EXPECT_TRUE(schedule.lazy[y]);
  EXPECT_FALSE(schedule.lazy[key]);
  Fusions without;
  without.lazy_transforms = false;
  EXPECT_FALSE(serial(program, without).lazy[x]);
}

TEST(ScheduleFusionsTest, transforms_that_something_else_reads_are_canonical) {
  Builder b(schedule_moduli(16));
  std::vector<ValueId> t;
  for (int i = 0; i < 5; ++i)
    t.push_back(b.ntt(b.operand("x" + std::to_string(i), 0, Domain::coeff)));
  const ValueId key = b.key("k", 0, Domain::eval);
  std::vector<std::pair<ValueId, ValueId>> pairs;
  for (const ValueId x : t) pairs.emplace_back(x, key);
  pairs.emplace_back(t[4], t[4]);
  b.output("s", b.dot(pairs));
  b.output("t0", t[0]);
  b.output("t1", b.add(t[1], key));
  b.output("t2", b.permute(3, t[2]));
  const Schedule schedule = serial(b.build());
  EXPECT_FALSE(schedule.lazy[t[0]]) << "an output";
  EXPECT_FALSE(schedule.lazy[t[1]]) << "read by an addition";
  EXPECT_FALSE(schedule.lazy[t[2]]) << "read by a permutation";
  EXPECT_TRUE(schedule.lazy[t[3]]);
  EXPECT_FALSE(schedule.lazy[t[4]]) << "its own partner";
}

TEST(ScheduleFusionsTest, partners_in_a_dot_are_not_both_lazy) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.ntt(b.operand("x", 0, Domain::coeff));
  const ValueId y = b.ntt(b.operand("y", 0, Domain::coeff));
  b.output("s", b.dot(std::array{std::pair{x, y}}));
  const Schedule schedule = serial(b.build());
  EXPECT_FALSE(schedule.lazy[x] && schedule.lazy[y]);
}

TEST(ScheduleFusionsTest, intt_that_only_a_mul_scalar_reads_has_no_place) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.intt(b.operand("x", 0, Domain::eval));
  b.output("z", b.mul_scalar(x, 5));
  const LimbProgram program = b.build();
  const Schedule schedule = serial(program);
  EXPECT_THAT(operation_lengths(schedule), ElementsAre(2));
  EXPECT_EQ(schedule.places[x], (Place{Kind::fused, 0}));
  EXPECT_EQ(schedule.slot_count, 0u);
  Fusions without;
  without.scaled_transforms = false;
  EXPECT_THAT(operation_lengths(serial(program, without)), ElementsAre(1, 1));
}

TEST(ScheduleFusionsTest, intt_with_another_use_keeps_its_place) {
  Builder b(schedule_moduli(16));
  const ValueId read = b.intt(b.operand("x", 0, Domain::eval));
  const ValueId shown = b.intt(b.operand("y", 0, Domain::eval));
  const ValueId squared = b.intt(b.operand("w", 0, Domain::eval));
  b.output("a", b.mul_scalar(read, 5));
  b.output("b", b.neg(read));
  b.output("c", b.mul_scalar(shown, 5));
  b.output("d", shown);
  b.output("e", b.mul(squared, squared));
  const Schedule schedule = serial(b.build());
  for (const std::uint32_t length : operation_lengths(schedule)) EXPECT_EQ(length, 1u);
  EXPECT_NE(schedule.places[read].kind, Kind::fused);
  EXPECT_EQ(schedule.places[shown].kind, Kind::output);
  EXPECT_NE(schedule.places[squared].kind, Kind::fused);
}

TEST(ScheduleFusionsTest, sub_that_only_a_mul_scalar_reads_has_no_place) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.operand("x", 0, Domain::eval), y = b.operand("y", 0, Domain::eval);
  const ValueId difference = b.sub(x, y), shown = b.sub(y, x);
  b.output("z", b.mul_scalar(difference, 5));
  b.output("a", b.mul_scalar(shown, 5));
  b.output("b", shown);
  const LimbProgram program = b.build();
  const Schedule schedule = serial(program);
  EXPECT_THAT(operation_lengths(schedule), ElementsAre(2, 1, 1));
  EXPECT_EQ(schedule.places[difference], (Place{Kind::fused, 0}));
  EXPECT_EQ(schedule.places[shown].kind, Kind::output);
  Fusions without;
  without.scaled_differences = false;
  EXPECT_THAT(operation_lengths(serial(program, without)), ElementsAre(1, 1, 1, 1));
}

LimbProgram conversions(std::size_t count) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.neg(b.operand("x", 0, Domain::coeff));
  const ValueId y = b.operand("y", 1, Domain::coeff);
  for (std::uint64_t t = 0; t < count; ++t) {
    const std::array<std::uint64_t, 2> c = {t, 3};
    b.output("z" + std::to_string(t), b.ntt(b.dot_scalar(2, std::array{x, y}, c)));
  }
  return b.build();
}

TEST(ScheduleFusionsTest, conversions_with_the_same_sources_are_grouped_by_four) {
  const LimbProgram program = conversions(6);
  EXPECT_THAT(operation_lengths(serial(program)), ElementsAre(1, 4, 1, 1, 1, 1, 2, 1, 1));
  Fusions without;
  without.grouped_conversions = false;
  for (const std::uint32_t length : operation_lengths(serial(program, without)))
    EXPECT_EQ(length, 1u);
}

TEST(ScheduleFusionsTest, conversions_with_other_sources_or_order_are_not_grouped) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.operand("x", 0, Domain::coeff), y = b.operand("y", 1, Domain::coeff);
  const std::array<std::uint64_t, 2> c = {1, 2};
  b.output("xy", b.dot_scalar(2, std::array{x, y}, c));
  b.output("yx", b.dot_scalar(2, std::array{y, x}, c));
  b.output("xx", b.dot_scalar(2, std::array{x, x}, c));
  b.output("x", b.dot_scalar(2, std::array{x}, std::array<std::uint64_t, 1>{1}));
  EXPECT_THAT(operation_lengths(serial(b.build())), ElementsAre(1, 1, 1, 1));
}

// The second sum reads the first: its sources differ, though the program looks like a group.
TEST(ScheduleFusionsTest, conversion_that_reads_another_is_not_in_its_group) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.operand("x", 0, Domain::coeff);
  const std::array<std::uint64_t, 1> c = {3};
  const ValueId first = b.dot_scalar(0, std::array{x}, c);
  const ValueId second = b.dot_scalar(0, std::array{first}, c);
  b.output("z", second);
  EXPECT_THAT(operation_lengths(serial(b.build())), ElementsAre(1, 1));
}

// Products of two transforms with the rows of a key, each added to something.
TEST(ScheduleFusionsTest, sums_of_the_same_transforms_are_made_together_onto_their_addends) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.ntt(b.operand("x", 0, Domain::coeff));
  const ValueId y = b.ntt(b.operand("y", 0, Domain::coeff));
  const ValueId c = b.operand("c", 0, Domain::eval);
  std::array<ValueId, 2> sums;
  for (std::size_t row = 0; row < 2; ++row) {
    const std::string name = std::to_string(row);
    const ValueId product = b.mul(c, c);
    sums[row] = b.dot(std::array{std::pair{x, b.key("k" + name, 0, Domain::eval)},
                                 std::pair{y, b.key("l" + name, 0, Domain::eval)}});
    b.output("z" + name, row == 0 ? b.add(product, sums[row]) : b.add(sums[row], product));
  }
  const LimbProgram program = b.build();
  const Schedule schedule = serial(program);
  EXPECT_THAT(operation_lengths(schedule), ElementsAre(1, 1, 1, 1, 4));
  for (const ValueId sum : sums) EXPECT_EQ(schedule.places[sum].kind, Kind::fused);
  Fusions without;
  without.paired_dots = false;
  EXPECT_THAT(operation_lengths(serial(program, without)), ElementsAre(1, 1, 1, 1, 2, 2));
  without.accumulating_dots = false;
  EXPECT_THAT(operation_lengths(serial(program, without)), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1));
}

TEST(ScheduleFusionsTest, sums_that_do_not_fit_together_are_made_apart) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.operand("x", 0, Domain::eval), y = b.operand("y", 0, Domain::eval);
  const ValueId plain = b.dot(std::array{std::pair{x, y}});
  const ValueId turned = b.dot(std::array{std::pair{y, x}});
  const ValueId longer = b.dot(std::array{std::pair{x, y}, std::pair{y, y}});
  const ValueId of_plain = b.dot(std::array{std::pair{x, plain}});
  b.output("plain", plain);
  b.output("turned", turned);
  b.output("longer", longer);
  b.output("of plain", of_plain);
  EXPECT_THAT(operation_lengths(serial(b.build())), ElementsAre(1, 1, 1, 1));
}

TEST(ScheduleFusionsTest, sum_that_is_added_to_another_sum_or_to_itself_waits_for_it) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.operand("x", 0, Domain::eval), y = b.operand("y", 0, Domain::eval);
  const ValueId first = b.dot(std::array{std::pair{x, x}}),
                second = b.dot(std::array{std::pair{x, y}});
  const ValueId doubled = b.dot(std::array{std::pair{y, y}});
  b.output("both", b.add(first, second));
  b.output("doubled", b.add(doubled, doubled));
  EXPECT_THAT(operation_lengths(serial(b.build())), ElementsAre(1, 2, 1, 1));
}

// The addend of the second sum follows from the first.
TEST(ScheduleFusionsTest, addend_that_follows_from_the_other_sum_is_added_later) {
  Builder b(schedule_moduli(16));
  const ValueId x = b.operand("x", 0, Domain::eval), y = b.operand("y", 0, Domain::eval);
  const ValueId first = b.dot(std::array{std::pair{x, x}}),
                second = b.dot(std::array{std::pair{x, y}});
  b.output("z", b.add(second, b.neg(first)));
  EXPECT_THAT(operation_lengths(serial(b.build())), ElementsAre(2, 1, 1));
}

TEST(ScheduleFusionsTest, neighbouring_pointwise_instructions_form_one_strip) {
  Builder b(schedule_moduli(2048));
  const ValueId x = b.operand("x", 0, Domain::coeff);
  const ValueId y = b.mul_scalar(b.add(x, b.neg(x)), 2);
  const ValueId z = b.reduce(1, ring::Lift::centred, y);
  b.output("z", b.ntt(b.permute(3, z)));
  const LimbProgram program = b.build();
  const Schedule schedule = serial(program);
  ASSERT_EQ(schedule.steps.size(), 3u);
  EXPECT_TRUE(schedule.steps[0].strip);
  EXPECT_EQ(schedule.steps[0].operation_count, 4u);
  EXPECT_EQ(schedule.places[y].kind, Kind::tile);
  EXPECT_EQ(schedule.places[z].kind, Kind::slot) << "an automorphism reads it";
  EXPECT_EQ(schedule.tile_count, 1u);
  Fusions without;
  without.strips = false;
  const Schedule apart = serial(program, without);
  EXPECT_EQ(apart.steps.size(), 6u);
  EXPECT_EQ(apart.tile_count, 0u);
}

}  // namespace
}  // namespace heliodor::cpu
