// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/micro_op.h"

#include <gtest/gtest.h>

#include <set>

#include "heliodor/ring/primes.h"

namespace heliodor::machine {
namespace {

using program::InputKind;

/// Limbs of 64 words in chunks of 8; q0 narrow, q1 wide; 40 rows.
MicroProgram sample_program() {
  MicroProgram program;
  program.layout = {.chunk_bits = 3, .degree_bits = 6};
  program.word_bits = 32;
  program.rows = 40;
  program.registers = 4;
  program.spill_slots = 2;
  program.inputs = {InputKind::operand, InputKind::seed};
  program.outputs = 1;
  for (const unsigned bits : {32u, 50u}) {
    program.moduli.emplace_back(ring::generate_primes(bits, 64, 1)[0], 64);
  }
  return program;
}

/// An operation that belongs to the program.
MicroOp sound(MicroCode code, std::uint32_t modulus = 0) {
  MicroOp op;
  op.code = code;
  op.modulus = op.source_modulus = modulus;
  op.in = {Place::limb(0), Place::limb(16)};
  op.out = code == MicroCode::fetch ? Place::reg(3) : Place::limb(24);
  op.stages = 3;
  op.immediate = code == MicroCode::uniform ? 1 : 0;
  return op;
}

std::vector<MicroCode> all_codes() {
  std::vector<MicroCode> codes;
  for (std::size_t i = 0; i < kMicroCodes; ++i) codes.push_back(static_cast<MicroCode>(i));
  return codes;
}

/// What malformed() says after an edit of a sound operation.
template <typename Edit>
std::string reason(MicroCode code, Edit edit) {
  MicroOp op = sound(code);
  edit(op);
  return malformed(op, sample_program()).value_or("");
}

TEST(MicroOpTest, codes_have_distinct_names) {
  std::set<std::string_view> names;
  for (const MicroCode code : all_codes()) names.insert(info(code).name);
  EXPECT_EQ(names.size(), kMicroCodes);
  EXPECT_EQ(info(MicroCode::fence).name, "fence");
  EXPECT_EQ(info(MicroCode::permute_coeff).name, "permute_coeff");
}

TEST(MicroOpTest, sums_are_written_at_their_last_term) {
  for (const MicroCode code : {MicroCode::mac, MicroCode::mac_imm}) {
    MicroOp op = sound(code);
    EXPECT_EQ(write_count(op), 0u);
    op.last = true;
    EXPECT_EQ(write_count(op), 1u);
  }
  EXPECT_EQ(write_count(sound(MicroCode::quotient_mac)), 0u);
  EXPECT_EQ(write_count(sound(MicroCode::quotient_round)), 1u);
}

TEST(MicroOpTest, sound_operations_pass) {
  for (const MicroCode code : all_codes()) {
    for (const std::uint32_t modulus : {0u, 1u}) {
      EXPECT_EQ(malformed(sound(code, modulus), sample_program()), std::nullopt)
          << info(code).name << " q" << modulus;
    }
  }
}

TEST(MicroOpTest, limbs_end_within_the_rows) {
  const auto last_limb = [](MicroOp& op) { op.in[0] = Place::limb(32); };
  const auto last_wide_limb = [](MicroOp& op) {
    op.in[0] = Place::limb(25);
    op.modulus = op.source_modulus = 1;
  };
  EXPECT_EQ(reason(MicroCode::neg, last_limb), "");
  EXPECT_EQ(reason(MicroCode::neg, last_wide_limb), "row 40 is not below 40");
  EXPECT_EQ(reason(MicroCode::add, [](MicroOp& op) { op.in[1] = Place::limb(33); }),
            "row 40 is not below 40");
  EXPECT_EQ(reason(MicroCode::ntt_pass, [](MicroOp& op) { op.out = Place::limb(0x7fffffff); }),
            "row 2147483654 is not below 40");
  EXPECT_EQ(reason(MicroCode::permute_coeff, [](MicroOp& op) { op.in[0] = Place::limb(34); }),
            "row 41 is not below 40");
}

TEST(MicroOpTest, registers_belong_to_arithmetic_alone) {
  const auto from_register = [](MicroOp& op) { op.in[0] = Place::reg(2); };
  const auto to_register = [](MicroOp& op) { op.out = Place::reg(2); };
  EXPECT_EQ(reason(MicroCode::reduce, from_register), "");
  EXPECT_EQ(reason(MicroCode::reduce, to_register), "");
  for (const MicroCode code : {MicroCode::store, MicroCode::spill, MicroCode::ntt_pass,
                               MicroCode::permute_eval, MicroCode::permute_coeff}) {
    EXPECT_EQ(reason(code, from_register), "a register stands where a limb must be");
  }
  for (const MicroCode code : {MicroCode::load, MicroCode::reload, MicroCode::intt_pass,
                               MicroCode::unscramble, MicroCode::uniform}) {
    EXPECT_EQ(reason(code, to_register), "a register stands where a limb must be");
  }
  EXPECT_EQ(reason(MicroCode::add, [](MicroOp& op) { op.in[1] = Place::reg(4); }),
            "register 4 is not below 4");
  EXPECT_EQ(reason(MicroCode::fetch, [](MicroOp& op) { op.out = Place::limb(0); }),
            "the result of fetch is no register");
}

TEST(MicroOpTest, what_an_operation_names_must_exist) {
  const auto immediate = [](std::uint64_t value) {
    return [value](MicroOp& op) { op.immediate = value; };
  };
  EXPECT_EQ(reason(MicroCode::add, [](MicroOp& op) { op.modulus = 2; }),
            "modulus 2 is not below 2");
  EXPECT_EQ(reason(MicroCode::reduce, [](MicroOp& op) { op.source_modulus = 2; }),
            "source modulus 2 is not below 2");
  EXPECT_EQ(reason(MicroCode::add, [](MicroOp& op) { op.chunk = 8; }), "chunk 8 is not below 8");
  EXPECT_EQ(reason(MicroCode::permute_eval, [](MicroOp& op) { op.source_chunk = 8; }),
            "source chunk 8 is not below 8");
  EXPECT_EQ(reason(MicroCode::load, immediate(2)), "input 2 is not below 2");
  EXPECT_EQ(reason(MicroCode::load, immediate(1)), "input 1 is a seed");
  EXPECT_EQ(reason(MicroCode::uniform, immediate(0)), "input 0 is no seed");
  EXPECT_EQ(reason(MicroCode::store, immediate(1)), "output 1 is not below 1");
  EXPECT_EQ(reason(MicroCode::spill, immediate(2)), "spill slot 2 is not below 2");
  EXPECT_EQ(reason(MicroCode::reload, immediate(2)), "spill slot 2 is not below 2");
}

TEST(MicroOpTest, constants_are_below_their_modulus) {
  const std::uint64_t q = sample_program().moduli[0].value();
  for (const MicroCode code : {MicroCode::add_imm, MicroCode::mul_imm, MicroCode::mac_imm}) {
    EXPECT_EQ(reason(code, [&](MicroOp& op) { op.immediate = q - 1; }), "");
    EXPECT_NE(reason(code, [&](MicroOp& op) { op.immediate = q; }), "");
  }
}

TEST(MicroOpTest, the_bits_of_a_pass_lie_in_its_window) {
  const auto pass = [](unsigned window, unsigned bit, unsigned stages) {
    return reason(MicroCode::ntt_pass, [=](MicroOp& op) {
      op.window = static_cast<std::uint8_t>(window);
      op.bit = static_cast<std::uint8_t>(bit);
      op.stages = static_cast<std::uint8_t>(stages);
    });
  };
  EXPECT_EQ(pass(3, 3, 3), "");
  EXPECT_EQ(pass(1, 2, 2), "");
  EXPECT_EQ(pass(1, 0, 1), "index bits [0, 1) are not in the window [1, 4)");
  EXPECT_EQ(pass(1, 2, 3), "index bits [2, 5) are not in the window [1, 4)");
  EXPECT_EQ(pass(1, 2, 0), "index bits [2, 2) are not in the window [1, 4)");
  EXPECT_EQ(pass(0, 255, 255), "index bits [255, 510) are not in the window [0, 3)");
  EXPECT_EQ(pass(4, 4, 1), "window 4 is not below 4");
  EXPECT_EQ(reason(MicroCode::add, [](MicroOp& op) { op.window = 1; }), "window 1 is not below 1");
}

TEST(MicroOpTest, wide_limbs_take_two_rows_for_each_chunk) {
  const MicroProgram program = sample_program();
  MicroOp op = sound(MicroCode::mac_imm);
  op.source_modulus = 1;
  op.last = true;
  EXPECT_EQ(rows_read(op, 0, program), 2u);
  EXPECT_EQ(rows_read(op, 1, program), 0u);
  EXPECT_EQ(rows_written(op, program), 1u);
  EXPECT_TRUE(is_wide(op, program));
  op.in[0] = Place::reg(0);
  EXPECT_EQ(rows_read(op, 0, program), 0u);
  op.last = false;
  EXPECT_EQ(rows_written(op, program), 0u);
  op = sound(MicroCode::mul, 1);
  EXPECT_EQ(rows_read(op, 1, program), 2u);
  EXPECT_EQ(rows_written(op, program), 2u);
  op.out = Place::reg(0);
  EXPECT_EQ(rows_written(op, program), 0u);
  op = sound(MicroCode::mul, 0);
  op.source_modulus = 1;  // not a code that has one
  EXPECT_EQ(rows_read(op, 0, program), 1u);
  EXPECT_FALSE(is_wide(op, program));
}

TEST(MicroOpTest, sums_of_quotients_are_wide_where_words_are_short) {
  MicroProgram program = sample_program();
  for (const MicroCode code : {MicroCode::quotient_mac, MicroCode::quotient_round}) {
    program.word_bits = 63;
    EXPECT_TRUE(is_wide(sound(code), program));
    program.word_bits = 64;
    EXPECT_FALSE(is_wide(sound(code), program));
  }
}

TEST(MicroOpTest, frames_that_cannot_be_are_named) {
  const auto frame = [](auto edit) {
    MicroProgram program = sample_program();
    edit(program);
    return malformed_frame(program).value_or("");
  };
  EXPECT_EQ(frame([](MicroProgram&) {}), "");
  EXPECT_EQ(frame([](MicroProgram& p) { p.layout.degree_bits = 0; }),
            "degree 2^0 is not in [2, 131072]");
  EXPECT_EQ(frame([](MicroProgram& p) { p.layout.degree_bits = 18; }),
            "degree 2^18 is not in [2, 131072]");
  EXPECT_EQ(frame([](MicroProgram& p) { p.layout.degree_bits = 0xffffffff; }),
            "degree 2^4294967295 is not in [2, 131072]");
  EXPECT_EQ(frame([](MicroProgram& p) { p.layout.chunk_bits = 7; }),
            "chunks of 2^7 words exceed limbs of 64");
  EXPECT_EQ(frame([](MicroProgram& p) { p.word_bits = 0; }), "word_bits 0 is not in [1, 64]");
  EXPECT_EQ(frame([](MicroProgram& p) { p.word_bits = 65; }), "word_bits 65 is not in [1, 64]");
  EXPECT_EQ(frame([](MicroProgram& p) { p.word_bits = 24; }),
            "modulus q1 has 50 bits, more than two words of 24");
  EXPECT_EQ(frame([](MicroProgram& p) { p.layout.degree_bits = 5; }),
            "modulus q0 has degree 64, the program 32");
  EXPECT_EQ(frame([](MicroProgram& p) { p.rows = 0x80000001; }),
            "2147483649 rows exceed 2147483648");
  EXPECT_EQ(frame([](MicroProgram& p) { p.moduli.resize(1025, p.moduli[0]); }),
            "1025 moduli exceed 1024");
}

}  // namespace
}  // namespace heliodor::machine
