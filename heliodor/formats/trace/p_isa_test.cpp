// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/trace/p_isa.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/text.h"

namespace heliodor::formats::trace {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Small registers, so that programs are small: 97 and 193 are 1 modulo 2*16.
const PIsaContext kContext{{97, 193}, 16};

std::string imported(const std::string& kernel) {
  const auto program = parse_p_isa(kernel, kContext);
  if (!program) return to_string(program.diagnostics(), "kernel");
  const std::string text = program::to_text(*program);
  return text.substr(text.find("%0"));
}

std::string fault(const std::string& kernel, const PIsaContext& context = kContext) {
  const auto program = parse_p_isa(kernel, context);
  if (program) return "no fault";
  const std::string text = to_string(program.diagnostics(), "k");
  return text.substr(2, text.size() - 3);
}

TEST(PIsaTest, a_tensor_product_becomes_products_and_sums) {
  EXPECT_EQ(imported("# kernel\n"
                     "0, mul, c_0_0_0, a_0_0_0, b_0_0_0, 0\n"
                     "0, mul, c_1_0_0, a_0_0_0, b_1_0_0, 0\n"
                     "\n"
                     "0, mac, c_1_0_0, a_1_0_0, b_0_0_0, 0\n"
                     "0, mul, c_2_0_0, a_1_0_0, b_1_0_0, 0\r\n"),
            "%0 = input operand \"a_0_0_0\" : q0 eval\n"
            "%1 = input operand \"b_0_0_0\" : q0 eval\n"
            "%2 = input operand \"b_1_0_0\" : q0 eval\n"
            "%3 = input operand \"a_1_0_0\" : q0 eval\n"
            "%4 = mul %0 %1 : q0 eval\n"
            "%5 = mul %0 %2 : q0 eval\n"
            "%6 = mul %3 %1 : q0 eval\n"
            "%7 = add %5 %6 : q0 eval\n"
            "%8 = mul %3 %2 : q0 eval\n"
            "output \"c_0_0_0\" = %4\n"
            "output \"c_1_0_0\" = %7\n"
            "output \"c_2_0_0\" = %8\n");
}

TEST(PIsaTest, an_immediate_becomes_a_constant_for_each_modulus) {
  EXPECT_EQ(imported("key_1, muli, c_0, a_0, x, 0\n"
                     "key_1, muli, c_1, a_1, x, 1\n"
                     "key_1, maci, c_0, a_0, x, 0\n"),
            "%0 = input constant \"x[0]\" : q0 eval\n"
            "%1 = input operand \"a_0\" : q0 eval\n"
            "%2 = input constant \"x[1]\" : q1 eval\n"
            "%3 = input operand \"a_1\" : q1 eval\n"
            "%4 = mul %1 %0 : q0 eval\n"
            "%5 = mul %3 %2 : q1 eval\n"
            "%6 = mul %1 %0 : q0 eval\n"
            "%7 = add %4 %6 : q0 eval\n"
            "output \"c_1\" = %5\n"
            "output \"c_0\" = %7\n");
}

TEST(PIsaTest, sums_differences_and_copies_keep_their_order) {
  EXPECT_EQ(imported("14, add, c, a, b, 1\n"
                     "14, sub, c, b, c, 1\n"
                     "14, copy, d, c\n"
                     "14, mac, e, d, d, 1\n"),
            "%0 = input operand \"a\" : q1 eval\n"
            "%1 = input operand \"b\" : q1 eval\n"
            "%2 = input operand \"e\" : q1 eval\n"
            "%3 = add %0 %1 : q1 eval\n"
            "%4 = sub %1 %3 : q1 eval\n"
            "%5 = mul %4 %4 : q1 eval\n"
            "%6 = add %2 %5 : q1 eval\n"
            "output \"e\" = %6\n");
}

TEST(PIsaTest, a_value_is_one_register_of_8192_words) {
  const auto program = parse_p_isa("0, add, c, a, b, 0\n", {{65537, 1179649}});
  // 2 * 8192 divides 65536 = 65537 - 1 and 1179648 = 72 * 2^14.
  ASSERT_TRUE(program) << to_string(program.diagnostics(), "kernel");
  EXPECT_EQ(program->degree(), 8192U);
}

TEST(PIsaTest, rows_without_an_exact_meaning_are_refused_with_the_reason) {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"0, ntt, o_0, o_1, i_0, i_1, 0, 0, 0", "2:4: ntt is one stage of a transform"},
      {"0, intt, o_0, o_1, i_0, i_1, w_0_0_0, 0", "2:4: intt is one stage of a transform"},
      {"0, twntt, a, b, 0", "2:4: twntt computes twiddle factors"},
      {"0, twintt, a, b, 0", "2:4: twintt computes twiddle factors"},
      {"0, rshuffle, a, b, 0", "2:4: instruction 'rshuffle' is unknown"}};
  for (const auto& [row, expected] : refused) {
    EXPECT_THAT(fault("0, add, c, a, b, 0\n" + row + "\n"), StartsWith(expected));
  }
}

TEST(PIsaTest, faults_have_their_place) {
  const std::vector<std::pair<std::string, std::string>> faults{
      {"add, c, a, b, 0", "1:6: instruction 'c' is unknown"},
      {"0 add, c, a, b, 0", "1:3: expected ',', found 'add'"},
      {"0, add, c, a, b", "1:16: expected ',', found the end of the line"},
      {"0, add, c, a, b, 0, 0", "1:19: expected the end of the line, found ','"},
      {"0, add, c, a, b, 2", "1:18: residue index 2 is not below the number of moduli, 2"},
      {"0, add, c, a, b, -1", "1:18: expected the index of a modulus"},
      {"0, add, c, 7, b, 0", "1:12: expected a register, found '7'"},
      {"0, add, c (2), a, b, 0", "1:11: expected ',', found '('"},
      {"0, muli, c, a, 7, 0", "1:16: expected an immediate, found '7'"},
      {"0, copy, c, a, 0", "1:14: expected the end of the line, found ','"},
      {"0, add, c, a, b, 0\n0, add, d, c, b, 1", "2:12: c is a residue modulo 97, not modulo 193"},
      {"0, muli, c, a, a, 0", "1:16: a is a register elsewhere"},
      {"0, muli, c, a, x, 0\n0, add, d, x, c, 0", "2:12: x is an immediate elsewhere"},
      {"0, muli, c, a, x, 0\n0, add, x, a, c, 0", "2:9: x is an immediate elsewhere"},
      {"0, copy, c, a", "1:13: nothing states the modulus of this value"},
      {"# nothing", " program has no output"}};
  for (const auto& [kernel, expected] : faults) {
    EXPECT_THAT(fault(kernel), HasSubstr(expected)) << kernel;
  }
}

TEST(PIsaTest, moduli_that_cannot_be_are_faults) {
  EXPECT_NE(fault("0, add, c, a, b, 0\n", {{95}, 16}), "no fault");
  EXPECT_NE(fault("0, add, c, a, b, 0\n", {{0}, 16}), "no fault");
  EXPECT_NE(fault("0, add, c, a, b, 0\n", {{97}, 17}), "no fault");
  EXPECT_THAT(fault("0, add, c, a, b, 0\n", {{}, 16}), HasSubstr("residue index 0"));
}

TEST(PIsaTest, a_kernel_is_recognised_by_its_first_row) {
  EXPECT_TRUE(is_p_isa("0, add, c, a, b, 0\n"));
  EXPECT_TRUE(is_p_isa("# comment\n\n0, ntt, a, b, c, d, 0, 0, 0\n"));
  EXPECT_TRUE(is_p_isa("14, copy, c, a"));
  EXPECT_FALSE(is_p_isa(""));
  EXPECT_FALSE(is_p_isa("# comment\n"));
  EXPECT_FALSE(is_p_isa("add,BGV,8192,2,out-2-3"));  // a program trace
  EXPECT_FALSE(is_p_isa("modulus_count 2\n"));
  EXPECT_FALSE(is_p_isa("\xff\xfe"));
}

}  // namespace
}  // namespace heliodor::formats::trace
