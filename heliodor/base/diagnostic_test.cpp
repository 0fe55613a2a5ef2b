// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/diagnostic.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>

namespace heliodor::base {
namespace {

using Kind = Position::Kind;

TEST(DiagnosticTest, positions_read_as_their_kind) {
  EXPECT_EQ(to_string(Position{}), "");
  EXPECT_EQ(to_string(Position::line(12, 5)), "12:5");
  EXPECT_EQ(to_string(Position{Kind::byte, 17}), "byte 17");
  EXPECT_EQ(to_string(Position{Kind::modulus, 2}), "modulus 2");
  EXPECT_EQ(to_string(Position{Kind::input, 0}), "input 0");
  EXPECT_EQ(to_string(Position{Kind::instruction, 3}), "instruction 3");
  EXPECT_EQ(to_string(Position{Kind::output, 1}), "output 1");
}

TEST(DiagnosticTest, each_diagnostic_takes_one_line_behind_the_name) {
  const Diagnostics diagnostics = {{Position::line(12, 5), "unknown opcode \"mull\""},
                                   {{Kind::instruction, 3}, "modulus 7 exceeds 2"},
                                   {{}, "no output"}};
  EXPECT_EQ(to_string(diagnostics, "a.limb"),
            "a.limb:12:5: unknown opcode \"mull\"\n"
            "a.limb: instruction 3: modulus 7 exceeds 2\n"
            "a.limb: no output\n");
  EXPECT_EQ(to_string(Diagnostics{}, "a.limb"), "");
}

TEST(DiagnosticTest, equality_sees_position_and_message) {
  const Diagnostic one = {Position::line(1, 2), "x"};
  EXPECT_EQ(one, (Diagnostic{Position::line(1, 2), "x"}));
  EXPECT_NE(one, (Diagnostic{Position::line(1, 3), "x"}));
  EXPECT_NE(one, (Diagnostic{Position{Kind::byte, 1, 2}, "x"}));
  EXPECT_NE(one, (Diagnostic{Position::line(1, 2), "y"}));
}

Result<std::string> parse(bool good) {
  if (good) {
    return std::string("parsed");
  }
  return Diagnostics{{Position::line(1, 1), "expected a number"}};
}

TEST(ResultTest, a_value_is_read_and_has_no_diagnostics) {
  const Result<std::string> result = parse(true);
  ASSERT_TRUE(result.has_value());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result.value(), "parsed");
  EXPECT_EQ(*result, "parsed");
  EXPECT_EQ(result->size(), 6u);
  EXPECT_THROW(result.diagnostics(), std::bad_variant_access);
}

TEST(ResultTest, diagnostics_are_read_and_there_is_no_value) {
  const Result<std::string> result = parse(false);
  EXPECT_FALSE(result.has_value());
  EXPECT_FALSE(static_cast<bool>(result));
  ASSERT_EQ(result.diagnostics().size(), 1u);
  EXPECT_EQ(result.diagnostics()[0].message, "expected a number");
  EXPECT_THROW(result.value(), std::bad_variant_access);
  EXPECT_THROW(*result, std::bad_variant_access);
}

TEST(ResultTest, a_value_that_cannot_be_copied_moves_out) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  const std::unique_ptr<int> taken = std::move(result).value();
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(*taken, 7);
}

}  // namespace
}  // namespace heliodor::base
