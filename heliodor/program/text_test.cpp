// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "heliodor/program/internal/sample_program.h"
#include "heliodor/program/verifier.h"

namespace heliodor::program {
namespace {

using base::Diagnostics;
using base::Position;
using ::testing::ElementsAre;

// 28, 14 and 15 are primitive 32nd roots of unity: 28^16 = -1 mod 97, 14^16 = -1 mod 193, 15^16 =
// -1 mod 257.
constexpr const char* kAll = R"(limb_program 1 "all instructions"
degree 16
modulus q0 97 psi 28
modulus q1 193 psi 14
modulus q2 257 psi 15
%0 = input operand "x" : q0 eval
%1 = input key "k" : q0 eval
%2 = input constant "w[0]" : q1 coeff
%3 = input seed "s"
%4 = add %0 %1 : q0 eval
%5 = sub %4 %0 : q0 eval
%6 = neg %5 : q0 eval
%7 = mul %6 %1 : q0 eval
%8 = add_scalar %7 96 : q0 eval
%9 = mul_scalar %8 0 : q0 eval
%10 = dot %0 %1, %9 %9 : q0 eval
%11 = uniform %3 stream 18446744073709551615 : q2 coeff
%12 = intt %10 : q0 coeff
%13 = dot_scalar %11 * 12, %12 * 3, %2 * 0 : q0 coeff
%14 = quotient nearest %13, %2 : q0 coeff
%15 = quotient floor %14 : q1 coeff
%16 = reduce centred %15 : q0 coeff
%17 = reduce plain %16 : q2 coeff
%18 = permute 5 %17 : q2 coeff
%19 = ntt %18 : q2 eval
output "z" = %19
output "sum" = %4
)";

Diagnostics faults_of(std::string_view text) {
  const auto result = parse_text(text);
  return result ? Diagnostics{} : result.diagnostics();
}

TEST(TextTest, hand_written_text_parses_to_the_program_it_says) {
  const auto result = parse_text(kAll);
  ASSERT_TRUE(result) << to_string(result.diagnostics(), "text");
  const LimbProgram& program = *result;
  EXPECT_EQ(program.name(), "all instructions");
  EXPECT_EQ(program.degree(), 16U);
  EXPECT_EQ(program.moduli()[1], ring::Modulus(193, 16, 14));
  ASSERT_EQ(program.instruction_count(), 16U);
  EXPECT_EQ(program.inputs()[2], (Input{InputKind::constant, 2, "w[0]"}));
  EXPECT_EQ(program.inputs()[3], (Input{InputKind::seed, 3, "s"}));
  EXPECT_TRUE(program.type(3).is_seed());
  EXPECT_EQ(program.outputs()[1], (Output{4, "sum"}));

  EXPECT_EQ(program.instruction(6).op, LimbOp::dot);
  EXPECT_THAT(program.instruction(6).operands, ElementsAre(0, 1, 9, 9));
  EXPECT_EQ(program.instruction(7).parameter, ~std::uint64_t{0});
  EXPECT_EQ(program.type(11), (ValueType{2, Domain::coeff}));
  EXPECT_THAT(program.instruction(9).operands, ElementsAre(11, 12, 2));
  EXPECT_THAT(program.instruction(9).scalars, ElementsAre(12, 3, 0));
  EXPECT_EQ(program.instruction(10).rounding(), ring::Rounding::nearest);
  EXPECT_EQ(program.instruction(11).rounding(), ring::Rounding::floor);
  EXPECT_EQ(program.instruction(12).lift(), ring::Lift::centred);
  EXPECT_EQ(program.instruction(13).lift(), ring::Lift::plain);
  EXPECT_EQ(program.instruction(14).parameter, 5U);
}

TEST(TextTest, printing_gives_back_hand_written_text) {
  const auto result = parse_text(kAll);
  ASSERT_TRUE(result);
  EXPECT_EQ(to_text(*result), kAll);
}

TEST(TextTest, every_instruction_round_trips) {
  const LimbProgram program = internal::sample_program();
  const auto result = parse_text(to_text(program));
  ASSERT_TRUE(result) << to_string(result.diagnostics(), "text");
  EXPECT_TRUE(*result == program);
}

TEST(TextTest, example_of_the_header_is_well_formed) {
  const auto result = parse_text(R"(
    limb_program 1 "multiply"
    degree 4096
    modulus q0 1073692673 psi 236231
    %0 = input operand "x" : q0 eval
    %1 = input key "k" : q0 eval
    %2 = input seed "s"
    %3 = mul %0 %1 : q0 eval
    %4 = dot %0 %1, %3 %3 : q0 eval
    %5 = uniform %2 stream 7 : q0 coeff
    %6 = intt %4 : q0 coeff
    %7 = dot_scalar %5 * 12, %6 * 3 : q0 coeff
    %8 = quotient nearest %5, %7 : q0 coeff
    %9 = reduce centred %8 : q0 coeff
    %10 = permute 5 %9 : q0 coeff
    %11 = add_scalar %10 1 : q0 coeff
    output "z" = %11
  )");
  EXPECT_TRUE(result) << to_string(result.diagnostics(), "text");
}

TEST(TextTest, spaces_comments_blank_lines_and_line_ends_are_free) {
  const auto spaced = parse_text(
      "# a comment\r\n\n limb_program\t1 \"p # q\" # \"not\" a name\r\ndegree 16\r\n"
      "modulus q0 97 psi 28\n%0=input operand\"x\":q0 eval\n\n%1=dot_scalar %0*1,%0  *2:q0 eval\n"
      "output\"z\"=%1");
  const auto plain = parse_text(
      "limb_program 1 \"p # q\"\ndegree 16\nmodulus q0 97 psi 28\n%0 = input operand \"x\" : q0 "
      "eval\n"
      "%1 = dot_scalar %0 * 1, %0 * 2 : q0 eval\noutput \"z\" = %1\n");
  ASSERT_TRUE(spaced) << to_string(spaced.diagnostics(), "text");
  ASSERT_TRUE(plain);
  EXPECT_TRUE(*spaced == *plain);
}

TEST(TextTest, one_instruction_prints_as_its_line) {
  const auto result = parse_text(kAll);
  ASSERT_TRUE(result);
  EXPECT_EQ(to_text(*result, 9), "%13 = dot_scalar %11 * 12, %12 * 3, %2 * 0 : q0 coeff");
}

TEST(TextTest, malformed_instructions_print_what_they_have) {
  LimbProgram program(internal::sample_moduli());
  const std::array<ValueId, 3> x{7, 8, 9};
  const std::array<std::uint64_t, 2> c{5, 6};
  program.append(static_cast<LimbOp>(200), {9, Domain::eval}, x, c);
  program.append(LimbOp::dot, ValueType::seed(), x, c);
  program.append(LimbOp::dot_scalar, {0, Domain::coeff}, x, c);
  program.append(LimbOp::reduce, {0, Domain::coeff}, {}, {}, 9);
  EXPECT_EQ(to_text(program, 0), "%0 = ? %7 %8 %9 5 6 : q9 eval");
  EXPECT_EQ(to_text(program, 1), "%1 = dot %7 %8, %9 5 6");
  EXPECT_EQ(to_text(program, 2), "%2 = dot_scalar %7 * 5, %8 * 6, %9 : q0 coeff");
  EXPECT_EQ(to_text(program, 3), "%3 = reduce 9 : q0 coeff");
}

struct BadHeader {
  const char* text;
  Position position;
  const char* message;
};

TEST(TextDiagnosticTest, each_fault_of_the_header_has_its_place_and_bound) {
  const BadHeader cases[] = {
      {"", {}, "the text has no limb_program line"},
      {"# only a comment\n", {}, "the text has no limb_program line"},
      {"limb_program 1 \"p\"\n", {}, "the text has no degree line"},
      {"limb_program 1 \"p\"\ndegree 16\n", {}, "the text has no modulus"},
      {"limb_program 1 \"p\"\ndegree 16\nmodulus q0 97 psi 28", {}, "the text has no value"},
      {"program 1 \"p\"", Position::line(1, 1), "expected 'limb_program', found 'program'"},
      {"limb_program 2 \"p\"", Position::line(1, 14), "version 2 is not 1"},
      {"limb_program x", Position::line(1, 14), "expected the version, found 'x'"},
      {"limb_program 1 p", Position::line(1, 16),
       "expected the program's name in quotes, found 'p'"},
      {"limb_program 1 \"p", Position::line(1, 16),
       "expected the program's name in quotes, found a string without a closing quote"},
      {"limb_program 1 \"\"", Position::line(1, 16), "name is empty"},
      {"limb_program 1 \"p\" 7", Position::line(1, 20), "expected the end of the line, found '7'"},
      {"limb_program 1 \"p\"\nmodulus q0 97 psi 28", Position::line(2, 1),
       "expected 'degree', found 'modulus'"},
      {"limb_program 1 \"p\"\ndegree 1", Position::line(2, 8),
       "degree 1 is not a power of two in [2, 131072]"},
      {"limb_program 1 \"p\"\ndegree 12", Position::line(2, 8),
       "degree 12 is not a power of two in [2, 131072]"},
      {"limb_program 1 \"p\"\n degree 262144\nmodulus q0 97 psi 28", Position::line(2, 9),
       "degree 262144 is not a power of two in [2, 131072]"},
      {"limb_program 1 \"p\"\ndegree 99999999999999999999", Position::line(2, 8),
       "expected the ring degree, found a number that exceeds 64 bits"},
  };
  for (const BadHeader& bad : cases) {
    EXPECT_EQ(faults_of(bad.text), (Diagnostics{{bad.position, bad.message}})) << bad.text;
  }
}

/// A sound program with one line (from 1) replaced.
std::string with_line(std::size_t number, const std::string& line) {
  std::vector<std::string> lines{"limb_program 1 \"p\"",   "degree 16",
                                 "modulus q0 97 psi 28",   "%0 = input operand \"x\" : q0 coeff",
                                 "%1 = neg %0 : q0 coeff", "output \"z\" = %1"};
  lines[number - 1] = line;
  std::string text;
  for (const std::string& each : lines) text += each + "\n";
  return text;
}

struct BadLine {
  std::size_t line;
  const char* text;
  std::size_t column;
  const char* message;
};

void expect_faults(std::span<const BadLine> cases) {
  for (const BadLine& bad : cases) {
    EXPECT_EQ(faults_of(with_line(bad.line, bad.text)),
              (Diagnostics{{Position::line(bad.line, bad.column), bad.message}}))
        << bad.text;
  }
}

TEST(TextDiagnosticTest, sound_text_of_these_tests_has_no_fault) {
  EXPECT_EQ(faults_of(with_line(2, "degree 16")), Diagnostics{});
}

TEST(TextDiagnosticTest, each_fault_of_a_modulus_has_its_place_and_bound) {
  const BadLine cases[] = {
      {3, "modulus q1 97 psi 28", 9, "expected 'q0', found 'q1'"},
      {3, "modulus q0 x psi 28", 12, "expected the modulus, found 'x'"},
      {3, "modulus q0 97 root 28", 15, "expected 'psi', found 'root'"},
      {3, "modulus q0 97 psi", 18, "expected the primitive root psi, found the end of the line"},
      {3, "modulus q0 96 psi 28", 12, "modulus 96 is not a prime"},
      {3, "modulus q0 1152921504606846976 psi 3", 12,
       "modulus 1152921504606846976 is not below 2^60"},
      {4, "modulus q1 113 psi 28", 12, "modulus 113 is 17 modulo 2*degree = 32, not 1"},
  };
  for (const BadLine& bad : cases) {
    const Diagnostics faults = faults_of(with_line(bad.line, bad.text));
    ASSERT_FALSE(faults.empty()) << bad.text;
    EXPECT_EQ(faults[0], (base::Diagnostic{Position::line(bad.line, bad.column), bad.message}));
  }
  const Diagnostics root = faults_of(with_line(3, "modulus q0 97 psi 2"));
  ASSERT_EQ(root.size(), 1U);
  EXPECT_EQ(root[0].position, Position::line(3, 12));
}

TEST(TextDiagnosticTest, moduli_are_limited_in_number_and_stand_first) {
  const BadLine late[] = {
      {6, "modulus q1 97 psi 28", 1, "a modulus must stand before the first value"}};
  const Diagnostics faults = faults_of(with_line(late[0].line, late[0].text));
  EXPECT_EQ(faults, (Diagnostics{{Position::line(6, 1), late[0].message}}));

  std::string text = "limb_program 1 \"p\"\ndegree 16\n";
  for (int i = 0; i < 1025; ++i) text += "modulus q" + std::to_string(i) + " 97 psi 28\n";
  EXPECT_EQ(faults_of(text), (Diagnostics{{Position::line(1027, 1), "1025 moduli exceed 1024"}}));

  EXPECT_EQ(faults_of("limb_program 1 \"p\"\ndegree 16\noutput \"z\" = %0\n"),
            (Diagnostics{{Position::line(3, 1), "modulus count 0 is below 1"}}));
}

TEST(TextDiagnosticTest, each_fault_of_an_input_has_its_place) {
  const BadLine cases[] = {
      {4, "%0 : input operand \"x\" : q0 coeff", 4, "expected '=', found ':'"},
      {4, "%0 = input secret \"x\" : q0 coeff", 12,
       "expected operand, key, constant or seed, found 'secret'"},
      {4, "%0 = input operand x : q0 coeff", 20, "expected the input's name in quotes, found 'x'"},
      {4, "%0 = input operand \"x\"", 23, "expected ':', found the end of the line"},
      {4, "%0 = input operand \"x\" : 97 coeff", 26, "expected a modulus, found '97'"},
      {4, "%0 = input operand \"x\" : q1 coeff", 26, "modulus 'q1' is not one of q0 to q0"},
      {4, "%0 = input operand \"x\" : q coeff", 26, "modulus 'q' is not one of q0 to q0"},
      {4, "%0 = input operand \"x\" : p0 coeff", 26, "modulus 'p0' is not one of q0 to q0"},
      {4, "%0 = input operand \"x\" : q99999999999 coeff", 26,
       "modulus 'q99999999999' is not one of q0 to q0"},
      {4, "%0 = input operand \"x\" : q0 both", 29, "expected coeff or eval, found 'both'"},
      {4, "%0 = input operand \"x\" : q0 coeff !", 35, "expected the end of the line, found '!'"},
      {4, "%0 = input operand \"a\\b\" : q0 coeff", 1, "name has the character U+005C at byte 1"},
  };
  expect_faults(cases);
}

TEST(TextDiagnosticTest, each_fault_of_an_instruction_has_its_place) {
  const BadLine cases[] = {
      {5, "%1 = 5", 6, "expected an instruction, found '5'"},
      {5, "%1 = negate %0 : q0 coeff", 6, "instruction 'negate' is unknown"},
      {5, "%1 = neg x : q0 coeff", 10, "expected a value, found 'x'"},
      {5, "%1 = neg %x : q0 coeff", 10, "expected a value, found '%'"},
      {5, "%1 = neg %99999999999 : q0 coeff", 10, "%99999999999 exceeds %4294967295"},
      {5, "%1 = neg %99999999999999999999 : q0 coeff", 10,
       "expected a value, found a number that exceeds 64 bits"},
      {5, "%1 = neg %0 %0 : q0 coeff", 13, "expected ':', found %0"},
      {5, "%1 = neg %0 : q0 coeff \xc3\xa9", 24, "expected the end of the line, found byte 0xc3"},
      {5, "%1 = add %0 : q0 coeff", 13, "expected a value, found ':'"},
      {5, "%1 = dot %0 %0, %0 : q0 coeff", 20, "expected a value, found ':'"},
      {5, "%1 = add_scalar %0 : q0 coeff", 20, "expected a scalar, found ':'"},
      {5, "%1 = dot_scalar %0 : q0 coeff", 20, "expected '*', found ':'"},
      {5, "%1 = dot_scalar %0 * : q0 coeff", 22, "expected a scalar, found ':'"},
      {5, "%1 = dot_scalar %0 * 12ab : q0 coeff", 22, "expected a scalar, found '12ab'"},
      {5, "%1 = permute %0 : q0 coeff", 14, "expected the Galois element, found %0"},
      {5, "%1 = quotient up %0 : q0 coeff", 15, "expected floor or nearest, found 'up'"},
      {5, "%1 = reduce %0 : q0 coeff", 13, "expected plain or centred, found %0"},
      {5, "%1 = uniform %0 : q0 coeff", 17, "expected 'stream', found ':'"},
      {5, "%1 = uniform %0 stream x : q0 coeff", 24, "expected the stream, found 'x'"},
      {5, "negate", 1, "expected a modulus, a value or an output, found 'negate'"},
      {6, "output z = %1", 8, "expected the output's name in quotes, found 'z'"},
      {6, "output \"z\" %1", 12, "expected '=', found %1"},
      {6, "output \"z\" = z", 14, "expected a value, found 'z'"},
  };
  expect_faults(cases);
}

TEST(TextDiagnosticTest, values_are_numbered_in_order) {
  const BadLine cases[] = {{5, "%2 = neg %0 : q0 coeff", 1, "%2 is out of order, expected %1"},
                           {5, "%0 = neg %0 : q0 coeff", 1, "%0 is out of order, expected %1"}};
  expect_faults(cases);
}

TEST(TextDiagnosticTest, findings_of_the_verifier_point_at_their_line) {
  EXPECT_EQ(faults_of(with_line(4, "  %0 = input operand \"x\" : q0 eval")),
            (Diagnostics{{Position::line(5, 1), "operand 0 is in eval, the result in coeff"}}));
  EXPECT_EQ(faults_of(with_line(5, "   %1 = mul_scalar %0 97 : q0 coeff")),
            (Diagnostics{{Position::line(5, 4), "scalar 0 is 97, not below q0 = 97"}}));
  EXPECT_EQ(faults_of(with_line(6, " output \"z\" = %7\n\n#\noutput \"z\" = %0")),
            (Diagnostics{{Position::line(5, 1), "%1 is never used"},
                         {Position::line(6, 2), "%7 is not defined"},
                         {Position::line(9, 1), "name \"z\" is used before"}}));
  EXPECT_EQ(faults_of(with_line(6, "%2 = input seed \"x\"")),
            (Diagnostics{{{}, "the program has no output"},
                         {Position::line(6, 1), "name \"x\" is used before"},
                         {Position::line(6, 1), "%2 is never used"},
                         {Position::line(5, 1), "%1 is never used"}}));
}

TEST(TextDiagnosticTest, every_faulty_line_is_reported_once) {
  EXPECT_EQ(
      faults_of("limb_program 1 \"p\"\ndegree 17\nmodulus q0 96 psi 5\n%0 = input : q0 eval\n"
                "%1 = neg %0 : q0 eval\n%3 = neg %1 : q0 eval\n%4 = nothing\noutput \"z\"\n"),
      (Diagnostics{{Position::line(2, 8), "degree 17 is not a power of two in [2, 131072]"},
                   {Position::line(4, 12), "expected operand, key, constant or seed, found ':'"},
                   {Position::line(6, 1), "%3 is out of order, expected %2"},
                   {Position::line(7, 6), "instruction 'nothing' is unknown"},
                   {Position::line(8, 11), "expected '=', found the end of the line"}}));
}

/// Whatever a text is, the parser gives diagnostics or a program that verifies and round-trips.
bool survives(const std::string& text) {
  const auto result = parse_text(text);
  if (!result) return !result.diagnostics().empty();
  if (!verify(*result).empty()) return false;
  const auto again = parse_text(to_text(*result));
  return again && *again == *result;
}

TEST(TextHostileTest, every_truncation_yields_diagnostics_or_a_sound_program) {
  const std::string text = kAll;
  for (std::size_t length = 0; length <= text.size(); ++length) {
    EXPECT_TRUE(survives(text.substr(0, length))) << length;
  }
}

TEST(TextHostileTest, lines_deleted_doubled_and_swapped_yield_diagnostics_or_a_sound_program) {
  std::vector<std::string> lines{""};
  for (const char c : std::string(kAll)) {
    lines.back() += c;
    if (c == '\n') lines.emplace_back();
  }
  std::mt19937 random(7);
  const auto any_line = [&] { return random() % lines.size(); };
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> changed = lines;
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const auto at = changed.begin() + static_cast<std::ptrdiff_t>(random() % changed.size());
      switch (random() % 3) {
        case 0:
          changed.erase(at);
          break;
        case 1:
          changed.insert(at, lines[any_line()]);
          break;
        default:
          std::swap(*at, changed[random() % changed.size()]);
          break;
      }
    }
    std::string text;
    for (const std::string& line : changed) text += line;
    EXPECT_TRUE(survives(text)) << text;
  }
}

TEST(TextHostileTest, bytes_changed_at_random_yield_diagnostics_or_a_sound_program) {
  const std::string letters = "01289%\"=:,*#qx \n\t\xff";
  std::mt19937 random(8);
  for (int round = 0; round < 5000; ++round) {
    std::string text = kAll;
    for (auto edits = 1 + random() % 4; edits > 0; --edits) {
      text[random() % text.size()] = letters[random() % letters.size()];
    }
    EXPECT_TRUE(survives(text)) << text;
  }
}

}  // namespace
}  // namespace heliodor::program
