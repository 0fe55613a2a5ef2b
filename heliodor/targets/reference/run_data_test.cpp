// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/reference/run_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "heliodor/program/builder.h"

namespace heliodor::reference {
namespace {

using ring::Domain;

program::LimbProgram mixed_program() {
  program::Builder b({ring::Modulus(17, 4), ring::Modulus(41, 4)});
  const auto x = b.operand("x", 0, Domain::eval);
  const auto k = b.key("k", 0, Domain::eval);
  const auto s = b.seed("s");
  const auto y = b.operand("y", 1, Domain::eval);
  const auto c = b.constant("c", 1, Domain::eval);
  b.output("a", b.add(x, k));
  b.output("b", b.add(y, c));
  b.output("u", b.uniform(s, 3, 0, Domain::coeff));
  return b.build();
}

// Records what is asked and fills each limb with the count of questions so far.
class RecordingSource : public InputSource {
 public:
  void fill(const program::Input& input, const ring::Modulus& q, std::size_t run,
            std::span<std::uint64_t> words) override {
    asked.push_back(input.name + std::to_string(q.value()) + "/" + std::to_string(run));
    std::ranges::fill(words, asked.size());
  }
  base::PublicSeed seed(const program::Input& input) override {
    asked.push_back(input.name);
    base::PublicSeed seed;
    seed.bytes.fill(9);
    return seed;
  }

  std::vector<std::string> asked;
};

TEST(RunDataTest, inputs_are_asked_in_program_order_and_operands_for_each_run) {
  RecordingSource source;
  const RunInputs inputs(mixed_program(), 2, source);
  EXPECT_EQ(source.asked,
            (std::vector<std::string>{"x17/0", "x17/1", "k17/0", "s", "y41/0", "y41/1", "c41/0"}));
  ASSERT_EQ(inputs.batch(), 2U);
  EXPECT_EQ(inputs.operands(0)[0][3], 1U);
  EXPECT_EQ(inputs.operands(1)[0][3], 2U);
  EXPECT_EQ(inputs.operands(1)[1][0], 6U);
  EXPECT_EQ(inputs.shared().limbs[0][0], 3U);
  EXPECT_EQ(inputs.shared().limbs[1][0], 7U);
  EXPECT_EQ(inputs.shared().seeds[0].bytes[31], 9U);
}

TEST(RunDataTest, uniform_source_is_canonical_and_reproducible) {
  UniformSource first(5);
  UniformSource second(5);
  UniformSource other(6);
  const auto program = mixed_program();
  const RunInputs a(program, 3, first);
  const RunInputs b(program, 3, second);
  const RunInputs c(program, 3, other);
  bool differs = false;
  for (std::size_t run = 0; run < 3; ++run) {
    EXPECT_LT(std::ranges::max(a.operands(run)[0]), 17U);
    EXPECT_LT(std::ranges::max(a.operands(run)[1]), 41U);
    EXPECT_TRUE(std::ranges::equal(a.operands(run)[1], b.operands(run)[1]));
    differs |= !std::ranges::equal(a.operands(run)[1], c.operands(run)[1]);
  }
  EXPECT_TRUE(differs);
  EXPECT_EQ(a.shared().seeds, b.shared().seeds);
  EXPECT_NE(a.shared().seeds, c.shared().seeds);
}

TEST(RunDataTest, bindings_point_at_the_outputs_of_their_run) {
  RecordingSource source;
  const auto program = mixed_program();
  const RunInputs inputs(program, 2, source);
  RunOutputs outputs(program, 2);
  const auto bindings = bind(inputs, outputs);
  ASSERT_EQ(bindings.size(), 2U);
  EXPECT_EQ(bindings[1].operands[0].data(), inputs.operands(1)[0].data());
  bindings[1].outputs[2][3] = 7;
  EXPECT_EQ(outputs.limb(1, 2)[3], 7U);
  EXPECT_EQ(outputs.limb(0, 2)[3], ~std::uint64_t{0});
}

TEST(RunDataTest, first_difference_names_output_run_and_word) {
  const auto program = mixed_program();
  RunOutputs expected(program, 2);
  RunOutputs actual(program, 2);
  EXPECT_FALSE(first_difference(expected, actual, 2).has_value());
  actual.limb(0, 2)[0] = 1;
  actual.limb(1, 1)[3] = 4;
  expected.limb(1, 1)[3] = 5;
  EXPECT_EQ(first_difference(expected, actual, 2),
            (Difference{.run = 1, .output = 1, .word = 3, .expected = 5, .actual = 4}));
}

TEST(RunDataTest, a_program_without_operands_has_empty_bindings) {
  program::Builder b({ring::Modulus(17, 4)});
  b.output("u", b.uniform(b.seed("s"), 0, 0, Domain::coeff));
  const auto program = b.build();
  UniformSource source(1);
  const RunInputs inputs(program, 1, source);
  RunOutputs outputs(program, 1);
  EXPECT_TRUE(bind(inputs, outputs)[0].operands.empty());
}

}  // namespace
}  // namespace heliodor::reference
