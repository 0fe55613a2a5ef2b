// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/reference/reference_target.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/program/builder.h"
#include "heliodor/program/text.h"
#include "heliodor/targets/reference/run_data.h"

namespace heliodor::reference {
namespace {

using program::LimbProgram;
using Words = std::vector<std::uint64_t>;

// Moduli 17 (psi 2 has order 8 = 2N) and 41 (psi 3 has order 8) at degree 4, small enough to check
// by hand.
LimbProgram parse(std::string_view body) {
  std::string text =
      "limb_program 1 \"test\"\n"
      "degree 4\n"
      "modulus q0 17 psi 2\n"
      "modulus q1 41 psi 3\n";
  text += body;
  auto result = program::parse_text(text);
  if (!result) {
    ADD_FAILURE() << base::to_string(result.diagnostics(), "program");
    return LimbProgram({ring::Modulus(17, 4)});
  }
  return std::move(result).value();
}

// Runs once with the given operands and shared limbs, and returns the outputs.
std::vector<Words> run(const LimbProgram& program, const std::vector<Words>& operands,
                       const std::vector<Words>& shared = {},
                       const std::vector<base::PublicSeed>& seeds = {}) {
  std::vector<Words> outputs(program.outputs().size(), Words(program.degree()));
  program::Binding binding{.operands = {operands.begin(), operands.end()},
                           .outputs = {outputs.begin(), outputs.end()}};
  const program::SharedBinding shared_binding{.limbs = {shared.begin(), shared.end()},
                                              .seeds = seeds};
  const auto plan = ReferenceTarget().plan(program);
  EXPECT_FALSE(plan->run({&binding, 1}, shared_binding).fault.has_value());
  return outputs;
}

TEST(ReferenceTargetTest, word_wise_instructions_take_operands_in_order) {
  const LimbProgram program = parse(
      "%0 = input operand \"x\" : q0 eval\n"
      "%1 = input operand \"y\" : q0 eval\n"
      "%2 = sub %0 %1 : q0 eval\n"
      "%3 = sub %1 %0 : q0 eval\n"
      "%4 = add %0 %1 : q0 eval\n"
      "%5 = mul %0 %1 : q0 eval\n"
      "%6 = neg %0 : q0 eval\n"
      "%7 = add_scalar %0 16 : q0 eval\n"
      "%8 = mul_scalar %0 3 : q0 eval\n"
      "output \"a\" = %2\noutput \"b\" = %3\noutput \"c\" = %4\noutput \"d\" = %5\n"
      "output \"e\" = %6\noutput \"f\" = %7\noutput \"g\" = %8\n");
  const auto outputs = run(program, {{5, 0, 16, 9}, {1, 2, 16, 10}});
  EXPECT_EQ(outputs[0], (Words{4, 15, 0, 16}));
  EXPECT_EQ(outputs[1], (Words{13, 2, 0, 1}));
  EXPECT_EQ(outputs[2], (Words{6, 2, 15, 2}));
  EXPECT_EQ(outputs[3], (Words{5, 0, 1, 5}));
  EXPECT_EQ(outputs[4], (Words{12, 0, 1, 8}));
  EXPECT_EQ(outputs[5], (Words{4, 16, 15, 8}));
  EXPECT_EQ(outputs[6], (Words{15, 0, 14, 10}));
}

TEST(ReferenceTargetTest, dot_multiplies_neighbouring_operands) {
  const LimbProgram program = parse(
      "%0 = input operand \"a\" : q0 eval\n"
      "%1 = input operand \"b\" : q0 eval\n"
      "%2 = input operand \"c\" : q0 eval\n"
      "%3 = dot %0 %1, %2 %2 : q0 eval\n"
      "output \"z\" = %3\n");
  const auto outputs = run(program, {{1, 2, 3, 4}, {5, 5, 5, 5}, {1, 10, 0, 16}});
  EXPECT_EQ(outputs[0], (Words{6, (10 + 100) % 17, 15, (20 + 1) % 17}));
}

TEST(ReferenceTargetTest, conversions_read_each_operand_modulo_its_own_modulus) {
  const LimbProgram program = parse(
      "%0 = input operand \"x\" : q0 coeff\n"
      "%1 = input operand \"y\" : q1 coeff\n"
      "%2 = dot_scalar %0 * 2, %1 * 3 : q0 coeff\n"
      "%3 = quotient floor %0, %1 : q1 coeff\n"
      "%4 = quotient nearest %0, %1 : q1 coeff\n"
      "%5 = reduce plain %1 : q0 coeff\n"
      "%6 = reduce centred %1 : q0 coeff\n"
      "output \"a\" = %2\noutput \"b\" = %3\noutput \"c\" = %4\noutput \"d\" = %5\noutput \"e\" = "
      "%6\n");
  const auto outputs = run(program, {{0, 16, 9, 1}, {40, 40, 20, 21}});
  EXPECT_EQ(outputs[0], (Words{120 % 17, (32 + 120) % 17, (18 + 60) % 17, (2 + 63) % 17}));
  EXPECT_EQ(outputs[1], (Words{0, 1, 1, 0}));  // 0.98, 1.92, 1.02, 0.57
  EXPECT_EQ(outputs[2], (Words{1, 2, 1, 1}));
  EXPECT_EQ(outputs[3], (Words{6, 6, 3, 4}));
  EXPECT_EQ(outputs[4], (Words{16, 16, 3, 14}));  // -1, -1, 20, -20
}

TEST(ReferenceTargetTest, transforms_and_permutations_use_the_modulus_and_domain_of_the_value) {
  const LimbProgram program = parse(
      "%0 = input operand \"x\" : q1 coeff\n"
      "%1 = ntt %0 : q1 eval\n"
      "%2 = intt %1 : q1 coeff\n"
      "%3 = permute 3 %0 : q1 coeff\n"
      "%4 = permute 3 %1 : q1 eval\n"
      "output \"a\" = %1\noutput \"b\" = %2\noutput \"c\" = %3\noutput \"d\" = %4\n");
  // x = X: its values at 3^1, 3^5, 3^3, 3^7; X -> X^3.
  const auto outputs = run(program, {{0, 1, 0, 0}});
  EXPECT_EQ(outputs[0], (Words{3, 38, 27, 14}));
  EXPECT_EQ(outputs[1], (Words{0, 1, 0, 0}));
  EXPECT_EQ(outputs[2], (Words{0, 0, 0, 1}));
  EXPECT_EQ(outputs[3], (Words{27, 14, 3, 38}));
}

TEST(ReferenceTargetTest, inputs_of_different_kinds_may_alternate) {
  const LimbProgram program = parse(
      "%0 = input seed \"s\"\n"
      "%1 = input key \"k\" : q0 eval\n"
      "%2 = input operand \"x\" : q0 eval\n"
      "%3 = input seed \"t\"\n"
      "%4 = input constant \"c\" : q1 eval\n"
      "%5 = input operand \"y\" : q1 eval\n"
      "%6 = uniform %3 stream 7 : q1 eval\n"
      "%7 = uniform %0 stream 9 : q1 eval\n"
      "%8 = sub %1 %2 : q0 eval\n"
      "%9 = sub %4 %5 : q1 eval\n"
      "output \"a\" = %8\noutput \"b\" = %9\noutput \"c\" = %6\noutput \"d\" = %7\noutput \"x\" = "
      "%2\n");
  base::PublicSeed s;
  base::PublicSeed t;
  s.bytes.fill(1);
  t.bytes.fill(2);
  const auto outputs = run(program, {{1, 1, 1, 1}, {2, 2, 2, 2}},  //
                           {{10, 11, 12, 13}, {30, 31, 32, 33}}, {s, t});
  EXPECT_EQ(outputs[0], (Words{9, 10, 11, 12}));
  EXPECT_EQ(outputs[1], (Words{28, 29, 30, 31}));
  const ring::Modulus& q1 = program.moduli()[1];
  Words expected(4);
  ring::reference::uniform(q1, t, 7, expected);
  EXPECT_EQ(outputs[2], expected);
  ring::reference::uniform(q1, s, 9, expected);
  EXPECT_EQ(outputs[3], expected);
  EXPECT_EQ(outputs[4], (Words{1, 1, 1, 1}));
}

TEST(ReferenceTargetTest, runs_of_a_batch_share_keys_and_keep_their_operands) {
  const LimbProgram program = parse(
      "%0 = input operand \"x\" : q0 eval\n"
      "%1 = input key \"k\" : q0 eval\n"
      "%2 = mul %0 %1 : q0 eval\n"
      "output \"z\" = %2\n");
  const std::vector<Words> x = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  const Words key = {2, 2, 2, 2};
  std::vector<Words> z(2, Words(4));
  std::vector<program::Binding> batch(2);
  for (std::size_t i = 0; i < 2; ++i) batch[i] = {.operands = {x[i]}, .outputs = {z[i]}};
  ReferenceTarget().plan(program)->run(batch, {.limbs = {key}, .seeds = {}});
  EXPECT_EQ(z[0], (Words{2, 4, 6, 8}));
  EXPECT_EQ(z[1], (Words{10, 12, 14, 16}));
}

TEST(ReferenceTargetTest, prediction_counts_word_steps) {
  const LimbProgram program = parse(
      "%0 = input operand \"x\" : q0 eval\n"
      "%1 = input seed \"s\"\n"
      "%2 = dot %0 %0, %0 %0, %0 %0 : q0 eval\n"
      "%3 = intt %2 : q0 coeff\n"
      "%4 = uniform %1 stream 0 : q0 coeff\n"
      "%5 = dot_scalar %3 * 1, %4 * 2 : q1 coeff\n"
      "output \"z\" = %5\n");
  const std::array<std::size_t, 4> expected = {4 * 3, 4 * 2, 4 * 2, 4 * 2};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(word_steps(program, program.instruction(i)), expected[i]);
  }
  EXPECT_DOUBLE_EQ(ReferenceTarget().predict(program).seconds,
                   36 * ReferenceTarget::kSecondsPerWordStep);
  EXPECT_FALSE(ReferenceTarget().predict(program).cycles.has_value());
}

TEST(ReferenceTargetTest, a_malformed_program_is_not_planned) {
  LimbProgram program({ring::Modulus(17, 4)});
  const std::array<program::ValueId, 2> operands = {7, 8};
  const program::ValueId z =
      program.append(program::LimbOp::add, {0, ring::Domain::eval}, operands);
  program.append_output("z", z);
  try {
    static_cast<void>(ReferenceTarget().plan(program));
    FAIL() << "planned a program with undefined operands";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_program);
  }
}

}  // namespace
}  // namespace heliodor::reference
