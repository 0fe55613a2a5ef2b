// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"

namespace heliodor::machine {
namespace {

using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

std::vector<ring::Modulus> one_modulus() {
  return {ring::Modulus(ring::generate_primes(20, 4, 1)[0], 4)};
}

/// Random sums, differences, negations, permutations and dots; every value is used or an output.
LimbProgram random_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Builder builder(one_modulus());
  std::vector<ValueId> values;
  for (int i = 0; i < 4; ++i) {
    values.push_back(builder.operand("x" + std::to_string(i), 0, Domain::eval));
  }
  const auto any = [&] { return values[random() % values.size()]; };
  for (int i = 0; i < 60; ++i) {
    switch (random() % 4) {
      case 0:
        values.push_back(builder.add(any(), any()));
        break;
      case 1:
        values.push_back(builder.neg(any()));
        break;
      case 2:
        values.push_back(builder.permute(3, any()));
        break;
      default:
        values.push_back(
            builder.dot(std::vector<std::pair<ValueId, ValueId>>{{any(), any()}, {any(), any()}}));
    }
  }
  for (const ValueId value : values) builder.output("y" + std::to_string(value), value);
  return builder.build();
}

struct Life {
  std::size_t begin = ~std::size_t{0};  // first instruction that needs the frame
  std::size_t end = 0;                  // last one
};

std::vector<Life> lives_of(const LimbProgram& program) {
  std::vector<Life> lives(program.value_count());
  const auto touch = [&](ValueId value, std::size_t i) {
    lives[value].begin = std::min(lives[value].begin, i);
    lives[value].end = std::max(lives[value].end, i);
  };
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    const program::Instruction instruction = program.instruction(i);
    touch(instruction.result, i);
    for (const ValueId operand : instruction.operands) touch(operand, i);
  }
  // Inputs that are only outputs pass one by one after all instructions.
  for (ValueId v = 0; v < program.value_count(); ++v) {
    if (lives[v].begin > lives[v].end) touch(v, program.instruction_count() + v);
  }
  return lives;
}

TEST(PlacementTest, no_frame_holds_two_live_values) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const LimbProgram program = random_program(seed);
    const Placement placement = place_values(program);
    const std::vector<Life> lives = lives_of(program);
    for (ValueId a = 0; a < program.value_count(); ++a) {
      ASSERT_LT(placement.frames[a], placement.frame_count);
      for (ValueId b = a + 1; b < program.value_count(); ++b) {
        if (placement.frames[a] != placement.frames[b]) continue;
        const ValueId early = lives[a].begin <= lives[b].begin ? a : b;
        const ValueId late = early == a ? b : a;
        const bool handed_over =
            lives[early].end == lives[late].begin && program.definition(late) == lives[early].end &&
            program.instruction(lives[early].end).op != program::LimbOp::permute;
        ASSERT_TRUE(lives[early].end < lives[late].begin || handed_over)
            << "seed " << seed << ": values " << a << " and " << b;
      }
    }
  }
}

TEST(PlacementTest, the_frame_count_is_the_peak_of_live_values) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const LimbProgram program = random_program(seed);
    const std::vector<Life> lives = lives_of(program);
    std::size_t peak = 0;
    for (std::size_t i = 0; i < program.instruction_count(); ++i) {
      const program::Instruction instruction = program.instruction(i);
      const bool in_place = instruction.op != program::LimbOp::permute;
      std::size_t before = 0;
      std::size_t after = 0;
      for (ValueId v = 0; v < program.value_count(); ++v) {
        if (lives[v].begin > i || lives[v].end < i) continue;
        const bool result = v == instruction.result;
        before += result ? 0 : 1;
        after += result || lives[v].end > i || !in_place ? 1 : 0;
      }
      peak = std::max({peak, before, after});
    }
    EXPECT_EQ(place_values(program).frame_count, peak) << "seed " << seed;
  }
}

TEST(PlacementTest, a_chain_runs_in_one_frame_and_a_permutation_needs_two) {
  Builder chain(one_modulus());
  chain.output("y", chain.neg(chain.neg(chain.operand("x", 0, Domain::eval))));
  EXPECT_EQ(place_values(chain.build()).frame_count, 1u);

  Builder permutation(one_modulus());
  permutation.output("y", permutation.permute(3, permutation.operand("x", 0, Domain::eval)));
  EXPECT_EQ(place_values(permutation.build()).frame_count, 2u);
}

TEST(PlacementTest, an_operand_named_twice_is_freed_once) {
  Builder builder(one_modulus());
  const ValueId x = builder.operand("x", 0, Domain::eval);
  const ValueId y = builder.operand("y", 0, Domain::eval);
  const ValueId square = builder.mul(x, x);
  builder.output("z", builder.add(square, builder.add(y, y)));
  EXPECT_EQ(place_values(builder.build()).frame_count, 2u);
}

TEST(PlacementTest, inputs_that_are_outputs_pass_one_by_one) {
  Builder builder(one_modulus());
  for (const char* name : {"a", "b", "c"})
    builder.output(name, builder.operand(name, 0, Domain::eval));
  EXPECT_EQ(place_values(builder.build()).frame_count, 1u);
}

TEST(PlacementTest, the_peak_names_the_first_instruction_that_needs_it) {
  Builder builder(one_modulus());
  const ValueId x = builder.operand("x", 0, Domain::eval);
  const ValueId y = builder.neg(x);  // 0: x stays, 2 frames
  const ValueId z = builder.neg(y);  // 1: 3 frames
  builder.output("s", builder.dot(std::vector<std::pair<ValueId, ValueId>>{{x, y}, {y, z}}));
  const Placement placement = place_values(builder.build());
  EXPECT_EQ(placement.frame_count, 3u);
  EXPECT_EQ(placement.peak_instruction, 1u);
}

}  // namespace
}  // namespace heliodor::machine
