// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each rule is broken by a smallest program; then all types of short instructions are tried against
// rules written out instruction by instruction; then programs of random words must leave the
// verifier standing.

#include "heliodor/program/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "heliodor/program/binary.h"
#include "heliodor/program/internal/sample_program.h"
#include "heliodor/program/text.h"

namespace heliodor::program {
namespace {

using base::Diagnostics;
using base::Position;
using ::testing::ElementsAre;
using Operands = std::vector<ValueType>;
using Scalars = std::vector<std::uint64_t>;
using Messages = std::vector<std::string>;

constexpr ValueType kSeed{};
constexpr ValueType kCoeff0{0, Domain::coeff}, kEval0{0, Domain::eval};
constexpr ValueType kCoeff1{1, Domain::coeff}, kEval1{1, Domain::eval};

LimbProgram empty_program(std::string name = "draft") {
  return LimbProgram(internal::sample_moduli(), std::move(name));
}

/// A program of one instruction whose operands are distinct inputs of the given types.
LimbProgram single(LimbOp op, ValueType result, const Operands& operands,
                   const Scalars& scalars = {}, std::uint64_t parameter = 0) {
  LimbProgram program = empty_program();
  std::vector<ValueId> values;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const InputKind kind = operands[k].is_seed() ? InputKind::seed : InputKind::operand;
    values.push_back(program.append_input(kind, "x" + std::to_string(k), operands[k]));
  }
  program.append_output("z", program.append(op, result, values, scalars, parameter));
  return program;
}

Messages messages(const LimbProgram& program) {
  Messages result;
  for (const base::Diagnostic& diagnostic : verify(program)) result.push_back(diagnostic.message);
  return result;
}

Messages about(LimbOp op, ValueType result, const Operands& operands, const Scalars& scalars = {},
               std::uint64_t parameter = 0) {
  return messages(single(op, result, operands, scalars, parameter));
}

TEST(VerifierTest, sample_program_is_well_formed) {
  EXPECT_TRUE(verify(internal::sample_program()).empty());
}

TEST(VerifierTest, names_are_given_distinct_and_printable) {
  LimbProgram program = empty_program("a\nb");
  program.append_input(InputKind::operand, "x", kEval0);
  program.append_input(InputKind::operand, "x", kEval0);
  program.append_input(InputKind::operand, "", kEval0);
  program.append_output("q\"", 0);
  program.append_output("x", 1);
  program.append_output("x", 2);
  EXPECT_EQ(verify(program),
            (Diagnostics{{{}, "program name has the character U+000A at byte 1"},
                         {{Position::Kind::input, 1}, "name \"x\" is used before"},
                         {{Position::Kind::input, 2}, "name is empty"},
                         {{Position::Kind::output, 0}, "name has the character U+0022 at byte 1"},
                         {{Position::Kind::output, 2}, "name \"x\" is used before"}}));
}

TEST(VerifierTest, program_has_an_output_and_not_too_many_moduli) {
  const LimbProgram none = empty_program();
  EXPECT_EQ(verify(none), (Diagnostics{{{}, "the program has no output"}}));

  LimbProgram crowd(std::vector<ring::Modulus>(1025, ring::Modulus(97, 16)));
  crowd.append_input(InputKind::operand, "x", {1024, Domain::eval});
  crowd.append_output("z", 0);
  EXPECT_EQ(verify(crowd), (Diagnostics{{{}, "1025 moduli exceed 1024"}}));
}

TEST(VerifierTest, kinds_and_types_of_inputs_agree) {
  LimbProgram program = empty_program();
  program.append_input(InputKind::seed, "a", kEval0);
  program.append_input(InputKind::key, "b", kSeed);
  program.append_input(static_cast<InputKind>(7), "c", kEval0);
  program.append_input(InputKind::operand, "d", {3, Domain::eval});
  program.append_input(InputKind::operand, "e", {0, static_cast<Domain>(2)});
  for (ValueId value = 0; value < 5; ++value) {
    if (value != 1) program.append_output("z" + std::to_string(value), value);
  }
  EXPECT_EQ(
      verify(program),
      (Diagnostics{{{Position::Kind::input, 0}, "an input of kind seed has the type of a limb"},
                   {{Position::Kind::input, 1}, "a seed is not an input of kind seed"},
                   {{Position::Kind::input, 1}, "%1 is never used"},
                   {{Position::Kind::input, 2}, "input kind 7 is unknown"},
                   {{Position::Kind::input, 3}, "modulus index 3 is not below 3"},
                   {{Position::Kind::input, 4}, "domain 2 is unknown"}}));
}

TEST(VerifierTest, unused_inputs_and_results_are_reported) {
  LimbProgram program = empty_program();
  program.append_input(InputKind::operand, "x", kEval0);
  program.append_input(InputKind::operand, "y", kEval0);
  program.append(LimbOp::neg, kEval0, std::array<ValueId, 1>{0});
  program.append_output("z", 0);
  EXPECT_EQ(verify(program), (Diagnostics{{{Position::Kind::input, 1}, "%1 is never used"},
                                          {{Position::Kind::instruction, 0}, "%2 is never used"}}));
}

TEST(VerifierTest, operands_are_defined_before_they_are_used) {
  LimbProgram program = empty_program();
  program.append(LimbOp::add, kEval0, std::array<ValueId, 2>{0, 1});
  program.append(LimbOp::neg, kEval0, std::array<ValueId, 1>{0xffffffff});
  program.append_output("z", 0);
  program.append_output("y", 2);
  EXPECT_EQ(verify(program),
            (Diagnostics{{{Position::Kind::instruction, 0}, "%0 is used before it is defined"},
                         {{Position::Kind::instruction, 0}, "%1 is used before it is defined"},
                         {{Position::Kind::instruction, 1}, "%4294967295 is not defined"},
                         {{Position::Kind::output, 1}, "%2 is not defined"}}));
}

TEST(VerifierTest, seeds_and_limbs_do_not_stand_in_for_each_other) {
  EXPECT_THAT(about(LimbOp::add, kEval0, {kEval0, kSeed}),
              ElementsAre("operand 1 is a seed, add takes limbs"));
  EXPECT_THAT(about(LimbOp::uniform, kEval0, {kEval0}),
              ElementsAre("operand 0 is a limb, uniform takes a seed"));
  EXPECT_THAT(
      about(LimbOp::neg, kSeed, {kEval0}),
      ElementsAre("the result of neg has the type of a seed", "%1 is a seed, an output is a limb"));
}

TEST(VerifierTest, unknown_opcodes_and_result_types_are_reported) {
  EXPECT_THAT(about(static_cast<LimbOp>(0), kEval0, {kEval0}), ElementsAre("opcode 0 is unknown"));
  EXPECT_THAT(about(static_cast<LimbOp>(200), kEval0, {kEval0}),
              ElementsAre("opcode 200 is unknown"));
  EXPECT_THAT(about(LimbOp::neg, {3, Domain::eval}, {kEval0}),
              ElementsAre("modulus index 3 is not below 3"));
  EXPECT_THAT(about(LimbOp::neg, {0, static_cast<Domain>(9)}, {kEval0}),
              ElementsAre("domain 9 is unknown"));
}

TEST(VerifierTest, counts_of_operands_follow_the_shape) {
  EXPECT_THAT(about(LimbOp::neg, kEval0, {kEval0, kEval0}),
              ElementsAre("neg has 2 operands, expected 1"));
  EXPECT_THAT(about(LimbOp::add, kEval0, {kEval0}), ElementsAre("add has 1 operands, expected 2"));
  EXPECT_THAT(about(LimbOp::dot, kEval0, {}),
              ElementsAre("dot has 0 operands, expected pairs, at least one"));
  EXPECT_THAT(about(LimbOp::dot, kEval0, {kEval0, kEval0, kEval0}),
              ElementsAre("dot has 3 operands, expected pairs, at least one"));
  EXPECT_THAT(about(LimbOp::dot_scalar, kEval0, {}),
              ElementsAre("dot_scalar has 0 operands, expected at least 1"));
  EXPECT_THAT(about(LimbOp::uniform, kEval0, {kSeed, kSeed}),
              ElementsAre("uniform has 2 operands, expected 1"));
}

TEST(VerifierTest, counts_of_scalars_follow_the_shape) {
  EXPECT_THAT(about(LimbOp::add_scalar, kEval0, {kEval0}),
              ElementsAre("add_scalar has 0 scalars, expected 1"));
  EXPECT_THAT(about(LimbOp::add, kEval0, {kEval0, kEval0}, {1}),
              ElementsAre("add has 1 scalars, expected 0"));
  EXPECT_THAT(about(LimbOp::dot_scalar, kEval0, {kEval0, kEval0}, {1}),
              ElementsAre("dot_scalar has 1 scalars, expected 2"));
}

TEST(VerifierTest, scalars_are_below_the_modulus_of_the_result) {
  EXPECT_TRUE(about(LimbOp::mul_scalar, kEval0, {kEval0}, {96}).empty());
  EXPECT_THAT(about(LimbOp::mul_scalar, kEval0, {kEval0}, {97}),
              ElementsAre("scalar 0 is 97, not below q0 = 97"));
  EXPECT_THAT(
      about(LimbOp::dot_scalar, kCoeff0, {kCoeff1, kCoeff1, kCoeff1}, {192, 1, 97}),
      ElementsAre("scalar 0 is 192, not below q0 = 97", "scalar 2 is 97, not below q0 = 97"));
}

TEST(VerifierTest, parameters_are_in_their_range) {
  EXPECT_TRUE(about(LimbOp::permute, kEval0, {kEval0}, {}, 31).empty());
  EXPECT_THAT(about(LimbOp::permute, kEval0, {kEval0}, {}, 8),
              ElementsAre("galois element 8 is even"));
  EXPECT_THAT(about(LimbOp::permute, kEval0, {kEval0}, {}, 33),
              ElementsAre("galois element 33 is not below 2N = 32"));
  EXPECT_THAT(about(LimbOp::quotient, kCoeff0, {kCoeff1}, {}, 2),
              ElementsAre("rounding 2 is unknown"));
  EXPECT_THAT(about(LimbOp::reduce, kCoeff0, {kCoeff1}, {}, 2), ElementsAre("lift 2 is unknown"));
  EXPECT_THAT(about(LimbOp::neg, kEval0, {kEval0}, {}, 5),
              ElementsAre("neg has parameter 5, expected 0"));
  EXPECT_TRUE(about(LimbOp::uniform, kEval0, {kSeed}, {}, ~std::uint64_t{0}).empty());
}

TEST(VerifierTest, quotients_have_few_sources_and_a_modulus_above_their_number) {
  const auto sources = [](std::size_t count) {
    LimbProgram program = empty_program();
    program.append_input(InputKind::operand, "x", kCoeff0);
    program.append_output(
        "z", program.append(LimbOp::quotient, {2, Domain::coeff}, std::vector<ValueId>(count, 0)));
    return messages(program);
  };
  EXPECT_TRUE(sources(256).empty());
  EXPECT_THAT(sources(257), ElementsAre("257 sources are not below q2 = 257"));
  EXPECT_THAT(sources(1025),
              ElementsAre("1025 sources exceed 1024", "1025 sources are not below q2 = 257"));
}

TEST(VerifierTest, same_wants_one_modulus_and_one_domain) {
  EXPECT_THAT(about(LimbOp::add, kEval0, {kEval0, {2, Domain::eval}}),
              ElementsAre("operand 1 has modulus q2, the result has q0"));
  EXPECT_THAT(about(LimbOp::add, kEval0, {kCoeff0, kEval0}),
              ElementsAre("operand 0 is in coeff, the result in eval"));
  EXPECT_THAT(about(LimbOp::permute, kCoeff0, {kEval1}, {}, 3),
              ElementsAre("operand 0 has modulus q1, the result has q0",
                          "operand 0 is in eval, the result in coeff"));
}

TEST(VerifierTest, transforms_go_from_one_domain_to_the_other) {
  EXPECT_THAT(about(LimbOp::ntt, kEval0, {kEval0}),
              ElementsAre("operand 0 is in eval, expected coeff"));
  EXPECT_THAT(about(LimbOp::ntt, kCoeff0, {kCoeff0}),
              ElementsAre("the result of ntt is in coeff, expected eval"));
  EXPECT_THAT(about(LimbOp::intt, kEval0, {kCoeff1}),
              ElementsAre("operand 0 has modulus q1, the result has q0",
                          "operand 0 is in coeff, expected eval",
                          "the result of intt is in eval, expected coeff"));
}

TEST(VerifierTest, linear_wants_coefficients_of_other_moduli) {
  EXPECT_THAT(about(LimbOp::dot_scalar, kCoeff0, {kCoeff0, kEval1}, {1, 1}),
              ElementsAre("operand 1 of another modulus is in eval, expected coeff"));
  EXPECT_THAT(
      about(LimbOp::dot_scalar, kEval0, {kEval0, kCoeff1}, {1, 1}),
      ElementsAre(
          "the result of dot_scalar with operands of other moduli is in eval, expected coeff"));
  EXPECT_THAT(about(LimbOp::dot_scalar, kEval0, {kCoeff0}, {1}),
              ElementsAre("operand 0 of the result's modulus is in coeff, the result in eval"));
}

TEST(VerifierTest, integers_are_coefficients) {
  EXPECT_THAT(about(LimbOp::reduce, kEval0, {kEval1}),
              ElementsAre("operand 0 is in eval, expected coeff",
                          "the result of reduce is in eval, expected coeff"));
  EXPECT_THAT(about(LimbOp::quotient, kCoeff0, {kCoeff0, kEval1}),
              ElementsAre("operand 1 is in eval, expected coeff"));
}

/// The rules of instructions.toml once more, instruction by instruction.
bool is_allowed(LimbOp op, const Operands& x, ValueType r) {
  const auto limb = [](ValueType type) { return !type.is_seed(); };
  const auto coeff = [&](ValueType t) { return limb(t) && t.domain == Domain::coeff; };
  const auto eval = [&](ValueType t) { return limb(t) && t.domain == Domain::eval; };
  if (!limb(r)) return false;
  switch (op) {
    case LimbOp::add:
    case LimbOp::sub:
    case LimbOp::mul:
    case LimbOp::dot:
      return x.size() == 2 && x[0] == r && x[1] == r;
    case LimbOp::neg:
    case LimbOp::add_scalar:
    case LimbOp::mul_scalar:
    case LimbOp::permute:
      return x.size() == 1 && x[0] == r;
    case LimbOp::ntt:
      return x.size() == 1 && coeff(x[0]) && eval(r) && x[0].modulus == r.modulus;
    case LimbOp::intt:
      return x.size() == 1 && eval(x[0]) && coeff(r) && x[0].modulus == r.modulus;
    case LimbOp::reduce:
      return x.size() == 1 && coeff(x[0]) && coeff(r);
    case LimbOp::quotient:
      return coeff(x.front()) && coeff(x.back()) && coeff(r);
    case LimbOp::dot_scalar:
      if (r.domain == Domain::eval) return x.front() == r && x.back() == r;
      return coeff(x.front()) && coeff(x.back());
    case LimbOp::uniform:
      return x.size() == 1 && !limb(x[0]);
  }
  return false;
}

TEST(VerifierTest, types_of_one_and_two_operands_are_accepted_exactly_by_the_rules) {
  const Operands types{kCoeff0, kEval0, kCoeff1, kEval1, kSeed};
  std::size_t accepted = 0;
  const auto check = [&](LimbOp op, const Operands& operands, ValueType result) {
    const std::size_t scalars = info(op).scalars == ScalarShape::none  ? 0
                                : info(op).scalars == ScalarShape::one ? 1
                                                                       : operands.size();
    const LimbProgram program = single(op, result, operands, Scalars(scalars, 1), 0);
    const bool galois = info(op).parameter == ParameterKind::galois_element;
    const LimbProgram odd = single(op, result, operands, Scalars(scalars, 1), 1);
    const Diagnostics diagnostics = verify(galois ? odd : program);
    accepted += diagnostics.empty() ? 1 : 0;
    EXPECT_EQ(diagnostics.empty(), is_allowed(op, operands, result))
        << to_text(program) << to_string(diagnostics, "program");
  };
  for (const LimbOp op : kAllLimbOps) {
    for (const ValueType result : types) {
      for (const ValueType x : types) {
        check(op, {x}, result);
        for (const ValueType y : types) check(op, {x, y}, result);
      }
    }
  }
  // 4 two-operand and 4 one-operand rules of 4 types, 2 transforms of 2 moduli, reduce 2*2, uniform
  // 4, quotient 2 results of 2 or 2*2 operands, dot_scalar the same and 2 eval results of one or
  // two operands.
  EXPECT_EQ(accepted, 16U + 16U + 4U + 4U + 4U + 12U + 12U + 4U);
}

/// Words that are mostly small, so that they often name something.
class RandomPrograms {
 public:
  explicit RandomPrograms(unsigned seed) : random_(seed) {}

  LimbProgram next() {
    LimbProgram program = empty_program(word() % 4 == 0 ? "\xff" : "random");
    for (std::uint64_t count = word() % 12; count > 0; --count) {
      if (word() % 3 == 0) {
        program.append_input(static_cast<InputKind>(word()), std::string(word() % 3, 'x'), type());
      } else {
        program.append(static_cast<LimbOp>(word()), type(), words<ValueId>(),
                       words<std::uint64_t>(), word());
      }
    }
    if (word() % 4 != 0) program.append_output("z", static_cast<ValueId>(word()));
    return program;
  }

 private:
  std::uint64_t word() { return random_() % 8 == 0 ? random_() : random_() % 16; }

  ValueType type() {
    if (word() % 4 == 0) return kSeed;
    return {static_cast<std::uint32_t>(word()), static_cast<Domain>(word())};
  }

  template <typename T>
  std::vector<T> words() {
    std::vector<T> result(word() % 5);
    for (T& each : result) each = static_cast<T>(word());
    return result;
  }

  std::mt19937_64 random_;
};

TEST(VerifierTest, programs_of_random_words_leave_verifier_printer_and_encoder_standing) {
  RandomPrograms programs(20);
  std::size_t malformed = 0;
  for (int i = 0; i < 5000; ++i) {
    const LimbProgram program = programs.next();
    malformed += verify(program).empty() ? 0 : 1;
    EXPECT_FALSE(to_text(program).empty());
    EXPECT_FALSE(encode_binary(program).empty());
  }
  EXPECT_GT(malformed, 4900U);
}

}  // namespace
}  // namespace heliodor::program
