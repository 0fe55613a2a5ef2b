// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Orders are checked against what they promise, on random programs and on shapes that a slow or
// recursive search would not survive.
#include "heliodor/targets/cpu/order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/targets/cpu/internal/random_program.h"

namespace heliodor::cpu {
namespace {

using program::Builder;
using program::Domain;
using program::Instruction;
using program::LimbProgram;
using program::ValueId;
using testing::ElementsAre;
using Order = std::vector<std::uint32_t>;

const std::vector<ring::Modulus>& small_moduli() {
  static const std::vector<ring::Modulus> kModuli = {ring::Modulus(97, 16), ring::Modulus(193, 16),
                                                     ring::Modulus(257, 16)};
  return kModuli;
}

Order on_demand(const LimbProgram& program) { return demand_order(program, Uses(program)); }

/// Where each instruction stands, and that each stands exactly once.
std::vector<std::size_t> positions(const LimbProgram& program, const Order& order) {
  constexpr std::size_t kNowhere = ~std::size_t{0};
  std::vector<std::size_t> position(program.instruction_count(), kNowhere);
  EXPECT_EQ(order.size(), program.instruction_count());
  for (std::size_t i = 0; i < order.size(); ++i) {
    EXPECT_EQ(position.at(order[i]), kNowhere) << "instruction " << order[i] << " stands twice";
    position[order[i]] = i;
  }
  return position;
}

/// A well-formed program demands every instruction, so an order is a permutation of them all.
void expect_valid(const LimbProgram& program, const Order& order) {
  const auto position = positions(program, order);
  std::size_t early = 0;
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    for (const ValueId operand : program.instruction(i).operands) {
      const auto definition = program.definition(operand);
      early += definition && position[*definition] >= position[i] ? 1 : 0;
    }
  }
  EXPECT_EQ(early, 0u) << "operands that are read before they are defined";
}

TEST(OrderTest, every_operand_is_defined_before_it_is_read_in_random_programs) {
  for (std::uint64_t number = 0; number < 100; ++number) {
    SCOPED_TRACE(number);
    const LimbProgram program =
        internal::RandomProgram(small_moduli(), number).make(5 + 4 * number);
    expect_valid(program, on_demand(program));
    expect_valid(program, program_order(program));
  }
}

TEST(OrderTest, program_order_is_that_of_the_program) {
  const LimbProgram program = internal::RandomProgram(small_moduli(), 100).make(50);
  const Order order = program_order(program);
  ASSERT_EQ(order.size(), program.instruction_count());
  for (std::uint32_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(OrderTest, limbs_of_one_output_are_finished_before_those_of_the_next_begin) {
  Builder b(small_moduli());
  const ValueId x = b.operand("x", 0, Domain::coeff), y = b.operand("y", 1, Domain::coeff);
  const ValueId x1 = b.neg(x), y1 = b.neg(y);    // 0, 1
  const ValueId x2 = b.ntt(x1), y2 = b.ntt(y1);  // 2, 3
  b.output("y", y2);
  b.output("x", x2);
  EXPECT_THAT(on_demand(b.build()), ElementsAre(1, 3, 0, 2));
}

TEST(OrderTest, the_only_mul_scalar_that_reads_an_intt_follows_it) {
  Builder b(small_moduli());
  const ValueId x = b.operand("x", 0, Domain::eval), y = b.operand("y", 0, Domain::eval);
  const ValueId a = b.intt(x), c = b.intt(y);                     // 0, 1
  const ValueId scaled_a = b.mul_scalar(a, 2), other = b.neg(c);  // 2, 3
  const ValueId scaled_c = b.mul_scalar(c, 3);                    // 4
  b.output("s", b.dot(std::array{std::pair{other, scaled_c}, std::pair{scaled_a, scaled_a}}));
  EXPECT_THAT(on_demand(b.build()), ElementsAre(1, 3, 4, 0, 2, 5));
}

TEST(OrderTest, conversions_of_the_same_sources_come_in_groups_of_four) {
  Builder b(small_moduli());
  const ValueId x = b.operand("x", 0, Domain::coeff), y = b.operand("y", 1, Domain::coeff);
  std::vector<ValueId> lifted;
  for (std::uint64_t c = 0; c < 6; ++c) {  // 0 to 11: of {x, y}, and in between of {y, x}
    lifted.push_back(b.dot_scalar(2, std::array{x, y}, std::array<std::uint64_t, 2>{c, 5}));
    lifted.push_back(b.dot_scalar(2, std::array{y, x}, std::array<std::uint64_t, 2>{c, 7}));
  }
  for (std::size_t i = 0; i < lifted.size(); ++i)
    b.output("z" + std::to_string(i), b.ntt(lifted[i]));  // 12 to 23
  EXPECT_THAT(on_demand(b.build()), ElementsAre(0, 2, 4, 6, 12, 1, 3, 5, 7, 13, 14, 15, 16, 17, 18,
                                                19, 8, 10, 20, 9, 11, 21, 22, 23));
}

TEST(OrderTest, products_with_the_operands_of_a_dot_follow_it_when_they_can) {
  Builder b(small_moduli());
  const ValueId x = b.operand("x", 0, Domain::coeff);
  const ValueId key_a = b.key("a", 0, Domain::eval), key_b = b.key("b", 0, Domain::eval);
  const ValueId t = b.ntt(x);                                     // 0
  const ValueId first = b.dot(std::array{std::pair{t, key_a}});   // 1
  const ValueId late = b.mul(t, b.neg(key_b));                    // 3: its operand comes later
  const ValueId second = b.dot(std::array{std::pair{t, key_b}});  // 4
  const ValueId square = b.mul(t, t);                             // 5
  b.output("first", b.neg(first));                                // 6
  b.output("late", late);
  b.output("second", second);
  b.output("square", square);
  EXPECT_THAT(on_demand(b.build()), ElementsAre(0, 1, 4, 5, 6, 2, 3));
}

constexpr std::size_t kMany = 100'000;

TEST(OrderTest, chain_of_200000_instructions_does_not_exhaust_the_stack) {
  Builder b(small_moduli());
  ValueId x = b.operand("x", 0, Domain::eval);
  for (std::size_t i = 0; i < 2 * kMany; ++i) x = b.neg(x);
  b.output("z", x);
  const LimbProgram program = b.build();
  EXPECT_EQ(on_demand(program), program_order(program));
}

// A quadratic search shows in the time of these three, and runs into the limit of the test runner.
TEST(OrderTest, value_that_100000_instructions_read_is_no_obstacle) {
  Builder b(small_moduli());
  const ValueId x = b.neg(b.operand("x", 0, Domain::eval)), y = b.operand("y", 0, Domain::eval);
  ValueId sum = y;
  for (std::size_t i = 0; i < kMany; ++i) sum = b.add(sum, x);
  b.output("z", sum);
  const LimbProgram program = b.build();
  expect_valid(program, on_demand(program));
}

TEST(OrderTest, value_that_100000_dots_read_is_no_obstacle) {
  Builder b(small_moduli());
  const ValueId x = b.neg(b.operand("x", 0, Domain::eval));
  ValueId sum = b.ntt(b.operand("y", 0, Domain::coeff));
  for (std::size_t i = 0; i < kMany; ++i) sum = b.dot(std::array{std::pair{b.neg(sum), x}});
  b.output("z", sum);
  const LimbProgram program = b.build();
  expect_valid(program, on_demand(program));
}

TEST(OrderTest, sources_of_100000_conversions_are_no_obstacle) {
  Builder b(small_moduli());
  const ValueId x = b.neg(b.operand("x", 0, Domain::coeff));
  ValueId sum = b.operand("y", 1, Domain::coeff);
  for (std::size_t i = 0; i < kMany; ++i)
    sum = b.add(sum, b.dot_scalar(1, std::array{x}, std::array<std::uint64_t, 1>{i % 193}));
  b.output("z", sum);
  const LimbProgram program = b.build();
  expect_valid(program, on_demand(program));
}

}  // namespace
}  // namespace heliodor::cpu
