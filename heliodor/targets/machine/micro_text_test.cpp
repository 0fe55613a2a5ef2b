// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/micro_text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "heliodor/targets/machine/internal/test_micro_program.h"

namespace heliodor::machine {
namespace {

using internal::every_operation;

/// The diagnostics of a text, "line:column: message" each.
std::string faults(std::string_view text) {
  const auto program = parse_micro_text(text);
  return program ? "" : base::to_string(program.diagnostics(), "t");
}

constexpr std::string_view kHead =
    "micro 1\n"
    "degree 64 chunk 8 word_bits 32 rows 40 registers 4 spills 2\n"
    "modulus q0 = 4294966657\n"
    "modulus q1 = 1125899906840833\n"
    "input operand\n"
    "input seed\n"
    "outputs 1\n";

/// The faults of one line after the head, or the line as it is written again.
std::string after_head(std::string_view line) {
  const auto program = parse_micro_text(std::string(kHead) + std::string(line) + "\n");
  if (!program) return base::to_string(program.diagnostics(), "t");
  return to_text(program->ops.at(0));
}

bool is_code(std::string_view name) {
  for (std::size_t code = 0; code < kMicroCodes; ++code) {
    if (info(static_cast<MicroCode>(code)).name == name) return true;
  }
  return false;
}

TEST(MicroTextTest, programs_survive_the_way_through_text) {
  const MicroProgram program = every_operation();
  const auto parsed = parse_micro_text(to_text(program));
  ASSERT_TRUE(parsed) << base::to_string(parsed.diagnostics(), "t");
  EXPECT_EQ(parsed->layout.chunk_bits, program.layout.chunk_bits);
  EXPECT_EQ(parsed->layout.degree_bits, program.layout.degree_bits);
  EXPECT_EQ(parsed->word_bits, program.word_bits);
  EXPECT_EQ(parsed->rows, program.rows);
  EXPECT_EQ(parsed->registers, program.registers);
  EXPECT_EQ(parsed->spill_slots, program.spill_slots);
  EXPECT_EQ(parsed->inputs, program.inputs);
  EXPECT_EQ(parsed->outputs, program.outputs);
  EXPECT_EQ(parsed->moduli, program.moduli);
  ASSERT_EQ(parsed->ops.size(), program.ops.size());
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    EXPECT_EQ(parsed->ops[i], program.ops[i]) << to_text(program.ops[i]);
  }
}

TEST(MicroTextTest, every_operation_has_its_line) {
  const char* const lines[] = {
      "load i0 c7 -> r0 : q0 resident",
      "load i0 c7 -> r0 : q0",
      "store r32 c1 -> o0 : q0 @7",
      "spill r0 c1 -> s1 : q1",
      "reload s1 c1 -> r0 : q1",
      "fetch r0 c3 -> reg3 : q0",
      "add r0 reg1 c2 -> r8 : q0",
      "neg r0 c2 -> reg1 : q0",
      "add_imm r0 c2 5 -> r8 : q0",
      "mac r0 r16 c3 -> r24 : q0 first last",
      "mac r0 r16 c3 -> acc : q0",
      "mac_imm reg0 c3 17 -> acc : q0 from q1 first",
      "mac_imm reg0 c3 17 -> reg1 : q0 from q1 last @4294967295",
      "quotient_mac r0 c3 18446744073709551615 -> acc : q0 from q1",
      "quotient_round c3 140737488355330 -> r0 : q0 first",
      "reduce r0 c3 -> r16 : q1 from q0 centred",
      "ntt_pass r0 w3 c5 bit 4 stages 2 -> r8 : q0",
      "intt_pass r0 w0 c5 bit 0 stages 3 -> r8 : q0",
      "permute_eval r0 c1 from c6 step 5 offset 7 -> r8 : q0",
      "unscramble r0 c1 -> r8 : q0",
      "permute_coeff r0 c1 step 25 offset 200 -> r8 : q0",
      "uniform i1 c0 offset 77 -> r0 : q0 first",
      "fence",
      "fence @3",
  };
  for (const char* line : lines) EXPECT_EQ(after_head(line), line);
}

TEST(MicroTextTest, the_reference_page_shows_every_operation_as_it_is_read) {
  std::ifstream page("docs/reference/micro-operations.md");
  ASSERT_TRUE(page);
  std::set<std::string> shown;
  for (std::string line; std::getline(page, line);) {
    const std::size_t end = line.find("` |");
    if (!line.starts_with("| `") || end == std::string::npos) continue;
    const std::string operation = line.substr(3, end - 3);
    const std::string name = operation.substr(0, operation.find(' '));
    if (!is_code(name)) continue;  // a word, not an operation
    shown.insert(name);
    EXPECT_EQ(after_head(operation), operation);
  }
  EXPECT_EQ(shown.size(), kMicroCodes);
}

TEST(MicroTextTest, spaces_blank_lines_and_comments_are_free) {
  EXPECT_EQ(after_head("\n# a comment\n \t mul  r0\tr8 c1 -> r0 : q0 # mul\r"),
            "mul r0 r8 c1 -> r0 : q0");
}

TEST(MicroTextTest, faults_of_operations_have_line_and_column) {
  EXPECT_EQ(after_head("frobnicate r0"), "t:8:1: expected an operation, found \"frobnicate\"\n");
  EXPECT_EQ(after_head("neg x0 c0 -> r0 : q0"), "t:8:5: expected r and a number, found \"x0\"\n");
  EXPECT_EQ(after_head("neg r0"), "t:8:7: expected c and a number, found the end of the line\n");
  EXPECT_EQ(after_head("neg r0 c0 r0 : q0"), "t:8:11: expected ->, found \"r0\"\n");
  EXPECT_EQ(after_head("neg r0 c0 -> r0 : q0 first"),
            "t:8:22: expected the end of the line, found \"first\"\n");
  EXPECT_EQ(after_head("neg r0x c0 -> r0 : q0"), "t:8:5: expected r and a number, found \"r0x\"\n");
  EXPECT_EQ(after_head("neg r0 c4294967296 -> r0 : q0"),
            "t:8:8: the number after c has more than 32 bits, found \"c4294967296\"\n");
  EXPECT_EQ(after_head("neg r2147483648 c0 -> r0 : q0"),
            "t:8:5: 2147483648 is not below 2147483648\n");
  EXPECT_EQ(after_head("ntt_pass r0 w256 c0 bit 0 stages 1 -> r0 : q0"),
            "t:8:13: the number after w has more than 8 bits, found \"w256\"\n");
  EXPECT_EQ(after_head("mul_imm r0 c0 -5 -> r0 : q0"), "t:8:15: expected a number, found \"-5\"\n");
  EXPECT_EQ(after_head("neg r0 c0 -> r0 : q0 \x01"),
            "t:8:22: expected the end of the line, found an unreadable word\n");
}

TEST(MicroTextTest, sums_name_the_accumulator_until_they_end) {
  EXPECT_EQ(after_head("mac r0 r8 c0 -> acc : q0 last"),
            "t:8:17: the result must be a place, not acc\n");
  EXPECT_EQ(after_head("mac r0 r8 c0 -> r16 : q0 first"),
            "t:8:17: the result must be acc without last\n");
  EXPECT_EQ(after_head("quotient_mac r0 c0 5 -> r0 : q0 from q0"),
            "t:8:25: the result must be acc without last\n");
  EXPECT_EQ(after_head("neg r0 c0 -> acc : q0"), "t:8:14: the result must be a place, not acc\n");
}

TEST(MicroTextTest, malformed_operations_are_found_where_they_stand) {
  EXPECT_EQ(after_head("  neg r33 c0 -> r0 : q0\nneg r0 c8 -> r0 : q0"),
            "t:8:3: row 40 is not below 40\nt:9:1: chunk 8 is not below 8\n");
}

TEST(MicroTextTest, faults_of_the_head_are_found) {
  EXPECT_EQ(faults(""), "t: the text has no micro line\n");
  EXPECT_EQ(faults("micro 1"), "t: the text has no degree line\n");
  EXPECT_EQ(faults("micro 2"), "t:1:7: version 2 is not 1\n");
  EXPECT_EQ(faults("fence"), "t:1:1: expected micro, found \"fence\"\n");
  const auto frame = [](std::string_view line) { return faults("micro 1\n" + std::string(line)); };
  EXPECT_EQ(frame("degree 64 chunk 7 word_bits 32 rows 1 registers 0 spills 0"),
            "t:2:1: 7 is not a power of two\n");
  EXPECT_EQ(frame("degree 64 chunk 128 word_bits 32 rows 1 registers 0 spills 0"),
            "t:2:1: chunks of 2^7 words exceed limbs of 64\n");
  EXPECT_EQ(frame("degree 64 chunk 8"), "t:2:18: expected word_bits, found the end of the line\n");
}

TEST(MicroTextTest, faults_of_tables_are_found) {
  const std::string frame = "micro 1\ndegree 64 chunk 8 word_bits 20 rows 1 registers 0 spills 0\n";
  EXPECT_EQ(faults(frame + "modulus q1 = 257"), "t:3:9: expected q0, found \"q1\"\n");
  EXPECT_NE(faults(frame + "modulus q0 = 259").find("t:3:14: "), std::string::npos);
  EXPECT_NE(faults(frame + "modulus q0 = 257 psi 1").find("t:3:14: "), std::string::npos);
  EXPECT_EQ(faults(frame + "modulus q0 = 1125899906840833"),
            "t:3:14: modulus q0 has 50 bits, more than two words of 20\n");
  EXPECT_EQ(faults(frame + "input secret"),
            "t:3:7: expected operand, key, constant or seed, found \"secret\"\n");
  EXPECT_EQ(faults(frame + "outputs x"), "t:3:9: expected a number, found \"x\"\n");
  EXPECT_EQ(faults(frame + "fence\noutputs 1"),
            "t:4:1: expected an operation, found \"outputs\"\n");
}

TEST(MicroTextTest, operations_after_a_faulty_head_are_read_for_their_syntax) {
  EXPECT_EQ(faults("micro 1\ndegree 64 chunk 8\nneg r99 c0 -> r0 : q9\nneg x\n"),
            "t:2:18: expected word_bits, found the end of the line\n"
            "t:4:5: expected r and a number, found \"x\"\n");
}

TEST(MicroTextTest, cut_and_changed_texts_give_programs_or_diagnostics) {
  const std::string text = to_text(every_operation());
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto cut = parse_micro_text(std::string_view(text).substr(0, length));
    EXPECT_TRUE(cut || !cut.diagnostics().empty());
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
    const auto program = parse_micro_text(changed);
    if (!program) continue;
    for (const MicroOp& op : program->ops) EXPECT_EQ(malformed(op, *program), std::nullopt);
  }
}

}  // namespace
}  // namespace heliodor::machine
