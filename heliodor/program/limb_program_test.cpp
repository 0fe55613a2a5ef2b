// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/limb_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "heliodor/base/error.h"
#include "heliodor/program/internal/sample_program.h"

namespace heliodor::program {
namespace {

using ::testing::ElementsAre;

ErrorCode code_of_constructing(std::vector<ring::Modulus> moduli) {
  try {
    LimbProgram program(std::move(moduli));
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::io;
}

TEST(LimbProgramTest, constructor_refuses_no_moduli_and_mixed_degrees) {
  EXPECT_EQ(code_of_constructing({}), ErrorCode::out_of_range);
  EXPECT_EQ(code_of_constructing({ring::Modulus(97, 16), ring::Modulus(97, 8)}),
            ErrorCode::mismatch);
}

TEST(LimbProgramTest, values_are_numbered_in_order_of_definition) {
  LimbProgram program(internal::sample_moduli(), "p");
  const ValueType type{1, Domain::eval};
  EXPECT_EQ(program.append_input(InputKind::operand, "x", type), 0U);
  EXPECT_EQ(program.append(LimbOp::neg, type, std::array<ValueId, 1>{0}), 1U);
  EXPECT_EQ(program.append_input(InputKind::key, "k", {2, Domain::coeff}), 2U);
  EXPECT_EQ(program.append(LimbOp::mul_scalar, type, std::array<ValueId, 1>{1},
                           std::array<std::uint64_t, 1>{7}),
            3U);
  program.append_output("z", 3);

  EXPECT_EQ(program.name(), "p");
  EXPECT_EQ(program.degree(), 16U);
  EXPECT_EQ(program.value_count(), 4U);
  EXPECT_EQ(program.instruction_count(), 2U);
  EXPECT_EQ(program.definition(0), std::nullopt);
  EXPECT_EQ(program.definition(1), 0U);
  EXPECT_EQ(program.definition(2), std::nullopt);
  EXPECT_EQ(program.definition(3), 1U);
  EXPECT_EQ(program.modulus(0).value(), 193U);
  EXPECT_EQ(program.modulus(2).value(), 257U);
  EXPECT_EQ(program.inputs()[1], (Input{InputKind::key, 2, "k"}));
  EXPECT_EQ(program.outputs()[0], (Output{3, "z"}));
}

TEST(LimbProgramTest, an_instruction_is_a_view_of_what_was_appended) {
  LimbProgram program(internal::sample_moduli());
  const ValueType type{0, Domain::coeff};
  program.append(LimbOp::dot_scalar, type, std::array<ValueId, 2>{5, 9},
                 std::array<std::uint64_t, 2>{11, 12});
  program.append(LimbOp::quotient, type, std::array<ValueId, 3>{1, 2, 3}, {},
                 static_cast<std::uint64_t>(ring::Rounding::nearest));
  program.append(LimbOp::reduce, type, std::array<ValueId, 1>{4}, {},
                 static_cast<std::uint64_t>(ring::Lift::centred));

  EXPECT_EQ(program.instruction(0).op, LimbOp::dot_scalar);
  EXPECT_THAT(program.instruction(0).operands, ElementsAre(5, 9));
  EXPECT_THAT(program.instruction(0).scalars, ElementsAre(11, 12));
  EXPECT_THAT(program.instruction(1).operands, ElementsAre(1, 2, 3));
  EXPECT_TRUE(program.instruction(1).scalars.empty());
  EXPECT_EQ(program.instruction(1).rounding(), ring::Rounding::nearest);
  EXPECT_EQ(program.instruction(2).lift(), ring::Lift::centred);
  EXPECT_EQ(program.instruction(2).result, 2U);
}

TEST(LimbProgramTest, programs_are_equal_only_if_every_part_is) {
  const auto make = [](const char* name, std::uint64_t scalar, const char* output,
                       std::uint64_t parameter) {
    LimbProgram program(internal::sample_moduli(), name);
    program.append_input(InputKind::operand, "x", {0, Domain::eval});
    program.append(LimbOp::add_scalar, {0, Domain::eval}, std::array<ValueId, 1>{0},
                   std::array{scalar}, parameter);
    program.append_output(output, 1);
    return program;
  };
  const LimbProgram program = make("p", 1, "z", 0);
  EXPECT_TRUE(program == make("p", 1, "z", 0));
  EXPECT_FALSE(program == make("r", 1, "z", 0));
  EXPECT_FALSE(program == make("p", 2, "z", 0));
  EXPECT_FALSE(program == make("p", 1, "y", 0));
  EXPECT_FALSE(program == make("p", 1, "z", 1));
}

TEST(LimbOpTest, opcodes_and_names_are_distinct_and_find_their_instruction) {
  std::set<std::string_view> names;
  for (const LimbOp op : kAllLimbOps) {
    EXPECT_TRUE(names.insert(info(op).name).second) << info(op).name;
    EXPECT_EQ(find_limb_op(info(op).name), op);
    EXPECT_EQ(find_limb_op(static_cast<std::uint64_t>(op)), op);
  }
  EXPECT_EQ(names.count(""), 0U);
}

TEST(LimbOpTest, other_opcodes_and_names_find_nothing) {
  EXPECT_EQ(find_limb_op(std::uint64_t{0}), std::nullopt);
  EXPECT_EQ(find_limb_op(std::uint64_t{255}), std::nullopt);
  EXPECT_EQ(find_limb_op(std::uint64_t{1} << 32 | 1), std::nullopt);
  EXPECT_EQ(find_limb_op(""), std::nullopt);
  EXPECT_EQ(find_limb_op("Add"), std::nullopt);
  EXPECT_TRUE(info(static_cast<LimbOp>(0)).name.empty());
  EXPECT_TRUE(info(static_cast<LimbOp>(255)).name.empty());
}

TEST(LimbOpTest, the_sample_program_has_every_instruction) {
  const LimbProgram program = internal::sample_program();
  std::set<LimbOp> ops;
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    ops.insert(program.instruction(i).op);
  }
  EXPECT_EQ(ops.size(), kAllLimbOps.size());
}

}  // namespace
}  // namespace heliodor::program
