// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What each line of a trace becomes, and which lines are faults. That imported and exported
// programs compute the right limbs is tested in tests/formats/trace_test.cpp, where there is a
// target.

#include "heliodor/formats/trace/fhetch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/program/builder.h"
#include "heliodor/program/text.h"

namespace heliodor::formats::trace {
namespace {

using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;
using testing::HasSubstr;

// 97 = 0x61, 193 = 0xC1 and 257 = 0x101 are 1 modulo 2*16. 19, 8 and 15 are their smallest
// primitive 32nd roots of unity.
const std::string kTable =
    "modulus_count 4\n"
    "m[0] 0xFFFFFFFFFFFFFFFF\n"
    "m[1] 0x61\n"
    "m[2] 0xC1\n"
    "m[3] 0x101\n";

/// The program's lines from the first value on; the fault if there is one.
std::string imported(const std::string& instructions, std::optional<std::uint64_t> degree = 16) {
  const auto program = parse_fhetch(kTable + instructions, degree);
  if (!program) return to_string(program.diagnostics(), "trace");
  const std::string text = program::to_text(*program);
  return text.substr(text.find("%0"));
}

/// Where the fault is, lines counted from the one after the table, and what it is.
std::string fault(const std::string& instructions, std::optional<std::uint64_t> degree = 16) {
  const auto program = parse_fhetch(kTable + instructions, degree);
  if (program) return "no fault";
  const base::Diagnostic& diagnostic = program.diagnostics().front();
  if (diagnostic.position.kind != base::Position::Kind::text) return diagnostic.message;
  return std::to_string(diagnostic.position.index - 5) + ":" +
         std::to_string(diagnostic.position.column) + ": " + diagnostic.message;
}

TEST(FhetchTest, each_instruction_becomes_the_one_of_the_same_meaning) {
  EXPECT_EQ(imported("sr_addp %3, %1, %2, m=1\n"
                     "sr_subp %4, %3, %2, m=1\n"
                     "sr_mulp %5, %4, %1, m=1\n"
                     "sr_negp %6, %5, m=1\n"
                     "sr_addps %7, %6, 5, m=1\n"
                     "sr_subps %8, %7, 5, m=1\n"
                     "sr_mulps %9, %8, 0x60, m=1\n"
                     "sr_automorph_eval %10, %9, k=5, m=1\n"
                     "sr_intt %11, %10, m=1\n"
                     "sr_automorph_coeff %12, %11, k=31, m=1\n"
                     "sr_ntt %13, %12, m=1\n"
                     "halt\n"),
            "%0 = input operand \"%1\" : q0 eval\n"
            "%1 = input operand \"%2\" : q0 eval\n"
            "%2 = add %0 %1 : q0 eval\n"
            "%3 = sub %2 %1 : q0 eval\n"
            "%4 = mul %3 %0 : q0 eval\n"
            "%5 = neg %4 : q0 eval\n"
            "%6 = add_scalar %5 5 : q0 eval\n"
            "%7 = add_scalar %6 92 : q0 eval\n"
            "%8 = mul_scalar %7 96 : q0 eval\n"
            "%9 = permute 5 %8 : q0 eval\n"
            "%10 = intt %9 : q0 coeff\n"
            "%11 = permute 31 %10 : q0 coeff\n"
            "%12 = ntt %11 : q0 eval\n"
            "output \"%13\" = %12\n");
}

TEST(FhetchTest, domains_follow_from_transforms_on_either_side) {
  // %1 by the transform of what is made of it, %4 by the transform of what it is added to.
  EXPECT_EQ(imported("sr_addps %2, %1, 7, m=1\n"
                     "sr_mulps %3, %2, 3, m=1\n"
                     "sr_ntt %5, %3, m=1\n"
                     "sr_addp %6, %4, %5, m=1\n"),
            "%0 = input operand \"%1\" : q0 coeff\n"
            "%1 = input operand \"%4\" : q0 eval\n"
            "%2 = add_scalar %0 7 : q0 coeff\n"
            "%3 = mul_scalar %2 3 : q0 coeff\n"
            "%4 = ntt %3 : q0 eval\n"
            "%5 = add %1 %4 : q0 eval\n"
            "output \"%6\" = %5\n");
}

TEST(FhetchTest, an_immediate_is_taken_modulo_the_modulus) {
  EXPECT_EQ(imported("sr_addps %2, %1, 98, m=1\n"
                     "sr_mulps %3, %2, 97, m=1\n"
                     "sr_subps %4, %3, 97, m=1\n"
                     "sr_mulps %5, %4, 18446744073709551615, m=1\n"),
            "%0 = input operand \"%1\" : q0 eval\n"
            "%1 = add_scalar %0 1 : q0 eval\n"
            "%2 = mul_scalar %1 0 : q0 eval\n"
            "%3 = add_scalar %2 0 : q0 eval\n"
            "%4 = mul_scalar %3 60 : q0 eval\n"  // 2^64 - 1 = 60 mod 97
            "output \"%5\" = %4\n");
}

TEST(FhetchTest, a_product_with_a_residue_of_another_modulus_reads_it_as_an_integer) {
  // The rebasing of centred residues as recorders write it.
  EXPECT_EQ(imported("sr_mulps %2, %1, 5, m=1\n"
                     "sr_addps %2, %2, 48, m=1\n"
                     "sr_mulps %2, %2, 1, m=2\n"
                     "sr_addps %2, %2, 145, m=2\n"),
            "%0 = input operand \"%1\" : q0 coeff\n"
            "%1 = mul_scalar %0 5 : q0 coeff\n"
            "%2 = add_scalar %1 48 : q0 coeff\n"
            "%3 = dot_scalar %2 * 1 : q1 coeff\n"
            "%4 = add_scalar %3 145 : q1 coeff\n"
            "output \"%2\" = %4\n");
}

TEST(FhetchTest, a_name_may_be_written_again) {
  EXPECT_EQ(imported("sr_addp %1, %1, %1, m=1\n"
                     "sr_mulp %1, %1, %2, m=1\n"
                     "sr_addp %3, %1, %2, m=1\n"
                     "sr_negp %1, %2, m=1\n"),
            "%0 = input operand \"%1\" : q0 eval\n"
            "%1 = input operand \"%2\" : q0 eval\n"
            "%2 = add %0 %0 : q0 eval\n"
            "%3 = mul %2 %1 : q0 eval\n"
            "%4 = add %3 %1 : q0 eval\n"
            "%5 = neg %1 : q0 eval\n"
            "output \"%3\" = %4\n"
            "output \"%1\" = %5\n");
}

TEST(FhetchTest, what_is_overwritten_unread_is_left_out) {
  EXPECT_EQ(imported("sr_addp %4, %1, %3, m=1\n"
                     "sr_mulp %2, %4, %1, m=1\n"
                     "sr_negp %2, %1, m=1\n"),
            "%0 = input operand \"%1\" : q0 eval\n"
            "%1 = neg %0 : q0 eval\n"
            "output \"%2\" = %1\n");
}

TEST(FhetchTest, a_copy_is_the_same_value) {
  EXPECT_EQ(imported("sr_mulp %3, %1, %2, m=1\n"
                     "sr_addps %4, %3, 0, m=0\n"
                     "sr_mulp %5, %3, %3, m=1\n"),
            "%0 = input operand \"%1\" : q0 eval\n"
            "%1 = input operand \"%2\" : q0 eval\n"
            "%2 = mul %0 %1 : q0 eval\n"
            "%3 = mul %2 %2 : q0 eval\n"
            "output \"%4\" = %2\n"
            "output \"%5\" = %3\n");
}

TEST(FhetchTest, zeros_do_not_read_their_operand_and_are_made_once_for_each_type) {
  EXPECT_EQ(imported("sr_mulps %3, %3, 0, m=2\n"
                     "sr_mulps %4, %1, 0, m=0\n"
                     "sr_addp %3, %3, %2, m=2\n"
                     "sr_addp %4, %4, %2, m=2\n"
                     "sr_intt %5, %3, m=2\n"
                     "sr_mulps %6, %6, 0, m=1\n"
                     "sr_ntt %6, %6, m=1\n"),
            "%0 = input operand \"%2\" : q1 eval\n"
            "%1 = intt %0 : q1 coeff\n"
            "%2 = dot_scalar %1 * 0 : q1 coeff\n"
            "%3 = ntt %2 : q1 eval\n"
            "%4 = add %3 %0 : q1 eval\n"
            "%5 = add %3 %0 : q1 eval\n"
            "%6 = intt %4 : q1 coeff\n"
            "%7 = dot_scalar %1 * 0 : q0 coeff\n"
            "%8 = ntt %7 : q0 eval\n"
            "output \"%4\" = %5\n"
            "output \"%5\" = %6\n"
            "output \"%6\" = %8\n");
}

TEST(FhetchTest, an_automorphism_keeps_the_modulus_and_takes_k_modulo_2N) {
  EXPECT_EQ(imported("sr_automorph_eval %2, %1, k=37, m=0\n"
                     "sr_mulps %3, %2, 2, m=3\n"),
            "%0 = input operand \"%1\" : q2 eval\n"
            "%1 = permute 5 %0 : q2 eval\n"
            "%2 = mul_scalar %1 2 : q2 eval\n"
            "output \"%3\" = %2\n");
}

TEST(FhetchTest, comments_name_the_program_its_inputs_and_its_outputs) {
  const auto program = parse_fhetch(
      "# heliodor program \"a # in quotes\"\n"
      "# heliodor degree 16\n"
      "# Program: any comment\n\n" +
      kTable +
      "# heliodor input %7 key m=2 coeff \"k\"\n"
      "# heliodor input %1 constant m=1 eval \"w\"\n"
      "  sr_negp\t%2,%1 , m = 1  # inline\r\n"
      "sr_mulps %3, %7, 4, m=1\n"
      "# heliodor output %3 \"first\"\n"
      "sr_negp %3, %3, m=1\n"
      "# heliodor output %2 \"second\"\n"
      "# heliodor output %3 \"third\"\n"
      "halt\n");
  ASSERT_TRUE(program) << to_string(program.diagnostics(), "trace");
  EXPECT_EQ(program::to_text(*program),
            "limb_program 1 \"a # in quotes\"\n"
            "degree 16\n"
            "modulus q0 97 psi 19\n"
            "modulus q1 193 psi 8\n"
            "modulus q2 257 psi 15\n"
            "%0 = input key \"k\" : q1 coeff\n"
            "%1 = input constant \"w\" : q0 eval\n"
            "%2 = neg %1 : q0 eval\n"
            "%3 = dot_scalar %0 * 4 : q0 coeff\n"
            "%4 = neg %3 : q0 coeff\n"
            "output \"first\" = %3\n"
            "output \"second\" = %2\n"
            "output \"third\" = %4\n");
}

TEST(FhetchTest, the_degree_is_stated_by_a_caller_a_comment_or_an_automorphism) {
  const std::string negate = "sr_negp %2, %1, m=1\n";
  EXPECT_THAT(fault(negate, {}), HasSubstr("the degree of the ring is missing"));
  EXPECT_THAT(fault("# heliodor degree 8\n" + negate, 8), "no fault");
  EXPECT_THAT(fault("# heliodor degree 8\n" + negate, 16), "1:19: degree 8 contradicts degree 16");
  const std::string automorphism = "sr_automorph_eval %2, %1, m=1, mask=15, logn=4, k=3\n";
  const auto program = parse_fhetch(kTable + automorphism);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->degree(), 16U);
  EXPECT_EQ(fault(automorphism, 32), "1:32: degree 16 contradicts degree 32");
  EXPECT_EQ(fault("sr_automorph_eval %2, %1, m=1, logn=3, mask=15, k=3\n", {}),
            "1:32: degree 8 contradicts degree 16");
  EXPECT_THAT(fault("sr_automorph_eval %2, %1, m=1, logn=18, k=3\n", {}), HasSubstr("1:32: "));
  EXPECT_THAT(fault("sr_automorph_eval %2, %1, m=1, logn=64, k=3\n", {}), HasSubstr("1:32: "));
  EXPECT_THAT(fault("sr_automorph_eval %2, %1, m=1, mask=18446744073709551615, k=3\n", {}),
              HasSubstr("1:32: "));
  EXPECT_THAT(fault(negate, 15), HasSubstr("15"));
}

TEST(FhetchTest, the_root_is_omega_and_without_it_the_smallest) {
  const auto psi = [](const std::string& instructions) {
    const auto program = parse_fhetch(kTable + instructions, 16);
    return program ? program->moduli()[0].psi() : 0;
  };
  EXPECT_EQ(psi("sr_ntt %2, %1, m=1\n"), 19U);
  EXPECT_EQ(psi("sr_ntt %2, %1, m=1, omega=19\n"
                "sr_intt %3, %2, m=1\n"),
            19U);
  // 78 = -19 is primitive too.
  EXPECT_EQ(psi("sr_ntt %2, %1, m=1, omega=0x4E\n"
                "sr_intt %3, %2, m=1, omega=78\n"),
            78U);
  EXPECT_EQ(fault("sr_ntt %2, %1, m=1, omega=78\n"
                  "sr_intt %3, %2, m=1, omega=19\n"),
            "2:22: omega 19 contradicts omega 78 of another transform modulo 97");
  EXPECT_EQ(fault("sr_intt %3, %2, m=1\n"
                  "sr_ntt %2, %1, m=1, omega=78\n"),
            "1:13: without omega the root is 19, another transform modulo 97 states 78");
  // 70 = 19^2 has order 16; 0 and 19 + 97 are no roots at all.
  for (const std::string root : {"70", "0", "116"}) {
    EXPECT_EQ(fault("sr_ntt %2, %1, m=1, omega=" + root + "\n"),
              "1:21: omega " + root + " is not a primitive root of order 32 modulo 97");
  }
}

TEST(FhetchTest, contradictions_are_faults) {
  EXPECT_EQ(fault("sr_negp %2, %1, m=1\n"
                  "sr_addp %3, %2, %2, m=2\n"),
            "2:13: %2 is a residue modulo 97, not modulo 193");
  EXPECT_EQ(fault("sr_addps %2, %1, 0, m=1\n"
                  "sr_addps %3, %2, 0, m=2\n"),
            "2:14: %2 is a residue modulo 97, not modulo 193");
  EXPECT_EQ(fault("sr_automorph_eval %2, %1, k=3, m=0\n"
                  "sr_negp %3, %1, m=1\n"
                  "sr_negp %4, %2, m=2\n"),
            "3:13: %2 is a residue modulo 97, not modulo 193");
  EXPECT_EQ(fault("sr_ntt %2, %1, m=1\n"
                  "sr_ntt %3, %2, m=1\n"),
            "2:12: %2 is in evaluations, expected coefficients");
  EXPECT_EQ(fault("sr_ntt %2, %1, m=1\n"
                  "sr_mulp %3, %2, %1, m=1\n"),
            "2:17: %1 is in coefficients, the other operand in evaluations");
  EXPECT_EQ(fault("sr_intt %2, %1, m=1\n"
                  "sr_automorph_eval %3, %2, k=3, m=1\n"),
            "2:23: %2 is in coefficients, expected evaluations");
  EXPECT_EQ(fault("sr_intt %2, %1, m=1\n"
                  "sr_mulps %3, %1, 5, m=2\n"),
            "2:10: the operand of another modulus is in evaluations, expected coefficients");
  EXPECT_EQ(fault("sr_negp %2, %1, m=1\n"
                  "sr_mulps %3, %2, 5, m=2\n"
                  "sr_intt %4, %3, m=2\n"),
            "2:10: the result of an operand of another modulus is in evaluations, expected "
            "coefficients");
}

TEST(FhetchTest, what_nothing_decides_is_a_fault) {
  EXPECT_EQ(fault("sr_automorph_eval %2, %1, k=3, m=0\n"),
            "1:23: nothing states the modulus of this value");
  EXPECT_EQ(fault("sr_mulps %2, %1, 0, m=0\n"), "1:10: nothing states the modulus of this value");
  EXPECT_EQ(fault("sr_mulps %2, %1, 3, m=1\n"
                  "sr_mulps %3, %1, 3, m=2\n"),
            "2:10: nothing states whether the operand is a residue modulo 97 or 193");
  EXPECT_EQ(fault("sr_automorph_coeff %4, %1, k=3, m=0\n"
                  "sr_mulps %2, %1, 3, m=1\n"
                  "sr_mulps %3, %4, 3, m=2\n"),
            "3:10: nothing states whether the operand is a residue modulo 97 or 193");
  // A comment decides it, and so does any other instruction.
  EXPECT_EQ(fault("# heliodor input %1 operand m=2 coeff \"x\"\n"
                  "sr_mulps %2, %1, 3, m=1\n"
                  "sr_mulps %3, %1, 3, m=2\n"),
            "no fault");
  EXPECT_EQ(fault("sr_mulps %2, %1, 3, m=1\n"
                  "sr_mulps %3, %1, 3, m=2\n"
                  "sr_negp %4, %1, m=1\n"),
            "no fault");
  EXPECT_EQ(fault("sr_mulps %2, %2, 0, m=1\n"), "1:10: zeros need an input to be made from");
}

TEST(FhetchTest, instructions_without_an_exact_meaning_are_refused_with_the_reason) {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"sr_permute %2, %1, m=1", "does not say which permutation"},
      {"sr_rot_automorph_coeff %2, %1, offset=3, m=1", "power of X"},
      {"sr_addps_coeff %2, %1, 3, m=1", "coefficient 0 by its definition"},
      {"sr_subps_coeff %2, %1, 3, m=1", "coefficient 0 by its definition"},
      {"sr_addp_ni %2, %1, %1", "real numbers"},
      {"sr_mulps_ni %2, %1, 0.5", "real numbers"},
      {"sr_ft %2, %1", "real numbers"},
      {"sr_ift %2, %1", "real numbers"},
      {"sr_mystery %2, %1, m=1", "instruction 'sr_mystery' is unknown"},
      {"SR_ADDP %2, %1, %1, m=1", "instruction 'SR_ADDP' is unknown"},
      {"mr_addp %2, %1, %1", "is unknown"}};
  for (const auto& [line, reason] : refused) {
    EXPECT_THAT(fault("sr_negp %9, %8, m=1\n  " + line + "\n"),
                testing::AllOf(testing::StartsWith("2:3: "), HasSubstr(reason)));
  }
}

TEST(FhetchTest, faults_of_a_line_have_their_place) {
  const std::vector<std::pair<std::string, std::string>> faults{
      {"sr_addp %3, %1, m=1",
       "1:17: expected an address, % and a decimal number below 2^64, found "
       "'m'"},
      {"sr_addp %3 %1, %2, m=1", "1:12: expected ',', found '%'"},
      {"sr_addp %3, %1, %2", "1:19: m=.. is missing"},
      {"sr_addp %3, %1, %2, m=1 %4", "1:25: expected ',', found '%'"},
      {"sr_addp %3, %1, %2, m=1,", "1:25: expected a named number, found the end of the line"},
      {"sr_addp %3, %1, %2, m=1, m=1", "1:26: m is stated twice"},
      {"sr_addp %3, %1, %2, m=1, k=3", "1:26: 'k' has no meaning here, expected one of: m"},
      {"sr_addp %3, %1, %2, m=4", "1:21: m=4 is not below modulus_count 4"},
      {"sr_addp %3, %1, %2, m=0", "1:21: m=0 is the sentinel"},
      {"sr_addp %03, %1, %2, m=1", "1:9: expected an address"},
      {"sr_addp % 3, %1, %2, m=1", "1:9: expected an address"},
      {"sr_addp %0x3, %1, %2, m=1", "1:9: expected an address"},
      {"sr_addp %18446744073709551616, %1, %2, m=1", "1:9: expected an address"},
      {"sr_addps %2, %1, -3, m=1", "1:18: expected an immediate"},
      {"sr_addps %2, %1, 010, m=1", "1:18: expected an immediate"},
      {"sr_addps %2, %1, 0x, m=1", "1:18: expected an immediate"},
      {"sr_addps %2, %1, 7q, m=1", "1:18: expected an immediate"},
      {"sr_addps %2, %1, 18446744073709551616, m=1", "1:18: expected an immediate"},
      {"sr_addps %2, %1, 3, m=0", "1:21: m=0 is the sentinel"},
      {"sr_subps %2, %1, 0, m=0", "1:21: m=0 is the sentinel"},
      {"sr_mulps %2, %1, 3, m=0", "1:21: m=0 is the sentinel"},
      {"sr_ntt %2, %1, m=0", "1:16: m=0 is the sentinel"},
      {"sr_automorph_eval %2, %1, m=1", "1:25: k=.. is missing"},
      {"sr_automorph_eval %2, %1, k=4, m=1", "1:27: k 4 is even"},
      {"sr_automorph_eval %2, %1, k=3", "1:25: m=.. is missing"},
      {"sr_automorph_coeff %2, %1, k=3, m=1, logn=4", "1:38: 'logn' has no meaning here"},
      {"halt now", "1:6: expected the end of the line, found 'now'"},
      {"halt\nsr_negp %2, %1, m=1", "2:1: nothing may follow halt"},
      {"\x01", "1:1: expected an instruction, found byte 0x01"},
      {"\xc3\xa9", "1:1: expected an instruction, found byte 0xc3"},
      {"m[4] 0x1C1", "1:3: m[4] is out of order, expected no further modulus"},
      {"modulus_count 4", "1:15: the number of moduli is stated twice"},
      {"# heliodor", "1:11: expected program, degree, input or output, found the end of the line"},
      {"# heliodor moduli 3", "1:12: expected program, degree, input or output, found 'moduli'"},
      {"# heliodor degree 12", "1:19: "},
      {"# heliodor input %1 operand m=1 eval x", "1:38: expected the input's name in quotes"},
      {"# heliodor input %1 operand m=1 eval \"x",
       "1:38: the input's name in quotes has no closing"},
      {"# heliodor input %1 seed m=1 eval \"x\"", "1:21: expected operand, key or constant"},
      {"# heliodor input %1 key q=1 eval \"x\"", "1:25: expected m=.., found 'q'"},
      {"# heliodor input %1 key m=0 eval \"x\"", "1:25: m=0 is the sentinel"},
      {"# heliodor input %1 key m=1 ntt \"x\"", "1:29: expected coeff or eval, found 'ntt'"},
      {"# heliodor input %1 key m=1 eval \"x\" 7", "1:38: expected the end of the line"},
      {"sr_negp %2, %1, m=1\n# heliodor input %1 key m=1 eval \"x\"", "2:18: %1 is used before"},
      {"# heliodor input %1 key m=1 eval \"x\"\nsr_negp %3, %2, m=1",
       "1:18: no output depends on input \"x\""},
      {"# heliodor output %1 \"x\"", "1:19: %1 is not defined"}};
  for (const auto& [line, expected] : faults) {
    EXPECT_THAT(fault(line + "\n", line.find("degree 12") == std::string::npos
                                       ? std::optional<std::uint64_t>(16)
                                       : std::nullopt),
                testing::StartsWith(expected))
        << line;
  }
}

TEST(FhetchTest, names_that_a_program_cannot_have_are_faults) {
  for (const std::string comment :
       {"# heliodor program \"\"\n", "# heliodor program \"\\\"\n", "# heliodor output %2 \"\"\n",
        "# heliodor output %2 \"a\"\n# heliodor output %2 \"a\"\n"}) {
    EXPECT_NE(fault("sr_negp %2, %1, m=1\n" + comment), "no fault") << comment;
  }
}

TEST(FhetchTest, faults_of_the_table_have_their_place) {
  const std::string sentinel = "m[0] 0xFFFFFFFFFFFFFFFF\n";
  const std::vector<std::pair<std::string, std::string>> faults{
      {"", "modulus_count is missing"},
      {"sr_negp %2, %1, m=1\n", "1:1: modulus_count is missing"},
      {"m[0] 0xFFFFFFFFFFFFFFFF\n", "1:3: modulus_count must come first"},
      {"modulus_count 1\n", "1:15: modulus_count 1 is not from 2, with the sentinel, to 1025"},
      {"modulus_count 1026\n", "1:15: modulus_count 1026 is not"},
      {"modulus_count 18446744073709551615\n", "1:15: modulus_count"},
      {"modulus_count 2\n", "the table of moduli ends after 0 of 2"},
      {"modulus_count 2\n" + sentinel + "halt\n", "3:1: the table of moduli ends after 1 of 2"},
      {"modulus_count 2\nm[1] 0x61\n", "2:3: m[1] is out of order, expected m[0]"},
      {"modulus_count 2\n" + sentinel + sentinel, "3:3: m[0] is out of order, expected m[1]"},
      {"modulus_count 2\nm[0] 0x61\n", "2:6: m[0] is 0x61, not the sentinel 0xFFFFFFFFFFFFFFFF"},
      {"modulus_count 2\n" + sentinel + "m[1] 97\n", "3:6: expected the modulus as 0x.."},
      {"modulus_count 2\n" + sentinel + "m[1] 0x1\n", "3:6: the modulus 1 is below 2"},
      {"modulus_count 3\n" + sentinel + "m[1] 0x61\nm[2] 0x61\n",
       "4:6: the modulus 0x61 stands in the table twice"},
      // 95 = 5 * 19, 71 is not 1 mod 32, 2^61 - 1 has too many bits.
      {"modulus_count 2\n" + sentinel + "m[1] 0x5F\nsr_negp %2, %1, m=1\n", "3:6: "},
      {"modulus_count 2\n" + sentinel + "m[1] 0x47\nsr_negp %2, %1, m=1\n", "3:6: "},
      {"modulus_count 2\n" + sentinel + "m[1] 0x1FFFFFFFFFFFFFFF\nsr_negp %2, %1, m=1\n", "3:6: "},
      {"modulus_count 2\n" + sentinel + "m[1] 0x61\n", "trace: the program has no output"},
      {"modulus_count 2\n" + sentinel + "m[1] 0x61 7\n", "3:11: expected the end of the line"}};
  for (const auto& [text, expected] : faults) {
    const auto program = parse_fhetch(text, 16);
    ASSERT_FALSE(program) << text;
    EXPECT_THAT(to_string(program.diagnostics(), "t"), HasSubstr("t:")) << text;
    const base::Diagnostic& diagnostic = program.diagnostics().front();
    EXPECT_THAT(to_string(diagnostic.position) +
                    (to_string(diagnostic.position).empty() ? "" : ": ") + diagnostic.message,
                testing::StartsWith(expected))
        << text;
  }
}

TEST(FhetchTest, a_trace_is_recognised_by_its_first_statement) {
  EXPECT_TRUE(is_fhetch(kTable));
  EXPECT_TRUE(is_fhetch("\n# any\n#\n  modulus_count 2"));
  EXPECT_FALSE(is_fhetch(""));
  EXPECT_FALSE(is_fhetch("# only a comment"));
  EXPECT_FALSE(is_fhetch("limb_program 1 \"p\"\nmodulus_count 2\n"));
  EXPECT_FALSE(is_fhetch("primes Q = [97];\n"));  // the language of the same suffix
  EXPECT_FALSE(is_fhetch("modulus_counts 2"));
}

std::vector<ring::Modulus> moduli() {
  return {ring::Modulus(257, 16), ring::Modulus(97, 16, 78), ring::Modulus(193, 16)};
}

TEST(FhetchTest, export_writes_what_readers_of_the_format_expect) {
  Builder b(moduli(), "every form");
  const ValueId x = b.operand("x", 1, Domain::coeff);
  const ValueId k = b.key("k", 1, Domain::eval);
  const ValueId w = b.constant("w", 2, Domain::coeff);
  const ValueId e = b.ntt(x);
  const ValueId d = b.dot(std::array{std::pair{e, k}, std::pair{k, k}, std::pair{e, e}});
  const ValueId s = b.dot_scalar(1, std::array{w, x}, std::array<std::uint64_t, 2>{0, 5});
  const ValueId c = b.reduce(0, ring::Lift::centred, w);
  const ValueId p = b.reduce(0, ring::Lift::plain, w);
  b.output("d", b.permute(5, d));
  b.output("s", b.permute(3, b.mul_scalar(s, 0)));
  b.output("r", b.sub(c, p));
  b.output("n", b.neg(b.intt(b.add_scalar(b.mul(e, b.add(e, k)), 0))));
  EXPECT_EQ(to_fhetch(b.build()),
            "# heliodor program \"every form\"\n"
            "# heliodor degree 16\n"
            "modulus_count 4\n"
            "m[0] 0xFFFFFFFFFFFFFFFF\n"
            "m[1] 0x61\n"
            "m[2] 0xC1\n"
            "m[3] 0x101\n"
            "# heliodor input %1 operand m=1 coeff \"x\"\n"
            "# heliodor input %2 key m=1 eval \"k\"\n"
            "# heliodor input %3 constant m=2 coeff \"w\"\n"
            "sr_ntt %4, %1, m=1, omega=78\n"
            "sr_mulp %18, %4, %2, m=1\n"
            "sr_mulp %19, %2, %2, m=1\n"
            "sr_addp %20, %18, %19, m=1\n"
            "sr_mulp %21, %4, %4, m=1\n"
            "sr_addp %5, %20, %21, m=1\n"
            "sr_mulps %22, %3, 97, m=1\n"
            "sr_mulps %23, %1, 5, m=1\n"
            "sr_addp %6, %22, %23, m=1\n"
            "sr_addps %24, %3, 96, m=2\n"
            "sr_mulps %25, %24, 1, m=3\n"
            "sr_addps %7, %25, 161, m=3\n"
            "sr_mulps %8, %3, 1, m=3\n"
            "sr_automorph_eval %9, %5, k=5, m=1\n"
            "sr_mulps %10, %6, 97, m=1\n"
            "sr_automorph_coeff %11, %10, k=3, m=1\n"
            "sr_subp %12, %7, %8, m=3\n"
            "sr_addp %13, %4, %2, m=1\n"
            "sr_mulp %14, %4, %13, m=1\n"
            "sr_addps %15, %14, 0, m=1\n"
            "sr_intt %16, %15, m=1, omega=78\n"
            "sr_negp %17, %16, m=1\n"
            "# heliodor output %9 \"d\"\n"
            "# heliodor output %11 \"s\"\n"
            "# heliodor output %12 \"r\"\n"
            "# heliodor output %17 \"n\"\n"
            "halt\n");
}

TEST(FhetchTest, a_program_of_expressible_instructions_comes_back_the_same) {
  Builder b({ring::Modulus(97, 16, 78), ring::Modulus(193, 16)}, "same");
  const ValueId x = b.operand("x", 0, Domain::coeff);
  const ValueId k = b.key("k", 0, Domain::eval);
  const ValueId y = b.constant("y", 1, Domain::eval);
  const ValueId e = b.mul_scalar(b.sub(b.permute(31, b.mul(b.ntt(x), k)), k), 0);
  b.output("e", b.neg(b.add(b.intt(b.add_scalar(e, 0)), b.permute(3, x))));
  b.output("y", y);
  b.output("y again", y);
  const LimbProgram program = b.build();
  const auto back = parse_fhetch(to_fhetch(program));
  ASSERT_TRUE(back) << to_string(back.diagnostics(), "trace");
  EXPECT_EQ(program::to_text(*back), program::to_text(program));
}

template <typename Emit>
void expect_refusal(Emit emit, ErrorCode code, const std::string& message) {
  try {
    to_fhetch(emit());
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

TEST(FhetchTest, export_names_the_instruction_that_cannot_be_expressed) {
  const auto quotient = [] {
    Builder b(moduli());
    const ValueId x = b.operand("x", 0, Domain::coeff);
    b.output("v", b.quotient(0, ring::Rounding::floor, std::array{b.neg(x)}));
    return b.build();
  };
  expect_refusal(quotient, ErrorCode::unsupported, "instruction 1 is quotient");
  const auto uniform = [] {
    Builder b(moduli());
    b.output("u", b.uniform(b.seed("s"), 0, 0, Domain::eval));
    return b.build();
  };
  expect_refusal(uniform, ErrorCode::unsupported, "instruction 0 is uniform");
  const auto twins = [] {
    Builder b({ring::Modulus(97, 16), ring::Modulus(97, 16, 78)});
    b.output("x", b.operand("x", 1, Domain::eval));
    return b.build();
  };
  expect_refusal(twins, ErrorCode::unsupported, "two moduli are 97");
  expect_refusal([] { return LimbProgram(moduli()); }, ErrorCode::invalid_program, "no output");
}

}  // namespace
}  // namespace heliodor::formats::trace
