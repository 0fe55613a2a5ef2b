// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "heliodor/base/error.h"
#include "heliodor/program/internal/sample_program.h"
#include "heliodor/program/verifier.h"

namespace heliodor::program {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr ValueType kCoeff0{0, Domain::coeff}, kEval0{0, Domain::eval}, kEval1{1, Domain::eval},
    kCoeff1{1, Domain::coeff};

class BuilderTest : public ::testing::Test {
 protected:
  Builder b_{internal::sample_moduli(), "test"};
};

TEST_F(BuilderTest, results_take_modulus_and_domain_of_their_operands) {
  const ValueId x = b_.operand("x", 1, Domain::eval);
  const ValueId y = b_.key("y", 1, Domain::eval);
  for (const ValueId result :
       {b_.add(x, y), b_.sub(x, y), b_.mul(x, y), b_.neg(x), b_.add_scalar(x, 3),
        b_.mul_scalar(x, 3), b_.permute(3, x), b_.dot(std::array{std::pair{x, y}})}) {
    EXPECT_EQ(b_.type(result), kEval1) << result;
  }
  EXPECT_EQ(b_.type(b_.intt(x)), kCoeff1);
  EXPECT_EQ(b_.type(b_.ntt(b_.intt(x))), kEval1);
}

TEST_F(BuilderTest, only_values_of_the_other_domain_are_transformed) {
  const ValueId coeff = b_.operand("c", 1, Domain::coeff), eval = b_.operand("e", 1, Domain::eval);
  EXPECT_EQ(b_.coefficients(coeff), coeff);
  EXPECT_EQ(b_.evaluations(eval), eval);
  EXPECT_EQ(b_.type(b_.coefficients(eval)), kCoeff1);
  EXPECT_EQ(b_.type(b_.evaluations(coeff)), kEval1);
}

TEST_F(BuilderTest, changes_of_modulus_give_coefficients_of_the_named_one) {
  const ValueId x = b_.constant("x", 1, Domain::coeff);
  EXPECT_EQ(b_.type(b_.reduce(0, ring::Lift::plain, x)), kCoeff0);
  EXPECT_EQ(b_.type(b_.quotient(0, ring::Rounding::floor, std::array{x})), kCoeff0);
  EXPECT_EQ(b_.type(b_.uniform(b_.seed("s"), 1, 0, Domain::eval)), kEval0);
}

TEST_F(BuilderTest, dot_scalar_keeps_the_domain_of_sources_of_its_own_modulus) {
  const ValueId own = b_.operand("own", 0, Domain::eval);
  const ValueId other = b_.operand("other", 1, Domain::coeff);
  const std::array<std::uint64_t, 2> c{1, 2};
  EXPECT_EQ(b_.type(b_.dot_scalar(0, std::array{own, own}, c)), kEval0);
  EXPECT_EQ(b_.type(b_.dot_scalar(0, std::array{own, other}, c)), kCoeff0);
  EXPECT_EQ(b_.type(b_.dot_scalar(0, std::array{other, own}, c)), kCoeff0);
  EXPECT_EQ(b_.type(b_.dot_scalar(0, {}, {})), kCoeff0);
}

TEST_F(BuilderTest, pairs_of_a_dot_alternate_in_its_operands) {
  const ValueId x = b_.operand("x", 0, Domain::eval), y = b_.operand("y", 0, Domain::eval);
  b_.output("z", b_.dot(std::array{std::pair{x, y}, std::pair{y, y}}));
  const LimbProgram program = b_.build();
  EXPECT_THAT(program.instruction(0).operands, ElementsAre(x, y, y, y));
}

TEST_F(BuilderTest, values_and_moduli_that_do_not_exist_are_refused_at_once) {
  const ValueId x = b_.operand("x", 0, Domain::coeff);
  const std::array<std::uint64_t, 2> c{1, 1};
  const std::array sources{x, ValueId{9}};
  const std::function<void()> calls[] = {
      [&] { b_.operand("y", 3, Domain::coeff); },
      [&] { b_.key("y", 3, Domain::coeff); },
      [&] { b_.constant("y", 3, Domain::coeff); },
      [&] { b_.add(x, 9); },
      [&] { b_.sub(9, x); },
      [&] { b_.neg(9); },
      [&] { b_.mul(x, 9); },
      [&] { b_.add_scalar(9, 1); },
      [&] { b_.mul_scalar(9, 1); },
      [&] {
        b_.dot(std::array{std::pair{x, ValueId{9}}});
      },
      [&] { b_.dot_scalar(0, sources, c); },
      [&] { b_.dot_scalar(1, sources, c); },
      [&] { b_.dot_scalar(3, std::array{x}, c); },
      [&] { b_.quotient(0, ring::Rounding::floor, sources); },
      [&] { b_.quotient(3, ring::Rounding::floor, std::array{x}); },
      [&] { b_.reduce(0, ring::Lift::plain, 9); },
      [&] { b_.reduce(3, ring::Lift::plain, x); },
      [&] { b_.ntt(9); },
      [&] { b_.intt(9); },
      [&] { b_.permute(3, 9); },
      [&] { b_.uniform(9, 0, 0, Domain::coeff); },
      [&] { b_.uniform(x, 0, 3, Domain::coeff); },
      [&] { b_.output("z", 9); },
      [&] { b_.modulus(3); },
      [&] { b_.type(9); }};
  for (std::size_t i = 0; i < std::size(calls); ++i) {
    try {
      calls[i]();
      ADD_FAILURE() << "call " << i << " succeeds";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_range) << "call " << i;
    }
  }
  EXPECT_EQ(b_.add(x, x), 1U) << "a refused call defines nothing";
}

TEST_F(BuilderTest, build_lists_every_fault_of_a_malformed_program) {
  const ValueId x = b_.operand("x", 0, Domain::eval);
  b_.mul_scalar(x, 97);
  b_.dot({});
  try {
    b_.build();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_program);
    EXPECT_THAT(error.what(), HasSubstr("scalar 0 is 97, not below q0 = 97"));
    EXPECT_THAT(error.what(), HasSubstr("%2 is never used"));
    EXPECT_THAT(error.what(), HasSubstr("dot has 0 operands"));
    EXPECT_THAT(error.what(), HasSubstr("the program has no output"));
  }
}

TEST_F(BuilderTest, build_leaves_an_empty_builder_over_the_same_moduli) {
  b_.output("z", b_.operand("x", 0, Domain::eval));
  const LimbProgram first = b_.build();
  EXPECT_EQ(b_.operand("y", 2, Domain::coeff), 0U);
  b_.output("z", 0);
  const LimbProgram second = b_.build();
  EXPECT_EQ(second.name(), "test");
  EXPECT_EQ(second.inputs().size(), 1U);
  EXPECT_EQ(second.modulus(0).value(), 257U);
  EXPECT_EQ(first.inputs()[0].name, "x");
}

TEST(BuilderConstructorTest, refuses_what_the_program_refuses) { EXPECT_THROW(Builder({}), Error); }

}  // namespace
}  // namespace heliodor::program
