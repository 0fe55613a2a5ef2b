// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/micro_op.h"

#include <gtest/gtest.h>

#include <set>

#include "heliodor/ring/primes.h"

namespace heliodor::machine {
namespace {

MicroProgram program_of_eight() {
  MicroProgram program;
  program.degree = 8;
  program.chunk_words = 4;
  program.rows = 4;
  program.inputs = 2;
  program.outputs = 1;
  program.moduli.emplace_back(ring::generate_primes(20, 8, 1)[0], 8);
  program.twiddles.push_back(make_twiddle_tables(program.moduli[0]));
  return program;
}

MicroOp make(MicroCode code) {
  MicroOp op;
  op.code = code;
  return op;
}

TEST(MicroOpTest, codes_have_distinct_names) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kMicroCodes; ++i) names.insert(info(static_cast<MicroCode>(i)).name);
  EXPECT_EQ(names.size(), kMicroCodes);
  EXPECT_EQ(info(MicroCode::uniform).name, "uniform");
  EXPECT_EQ(info(MicroCode::permute_coeff).name, "permute_coeff");
}

TEST(MicroOpTest, twiddle_tables_hold_bit_reversed_powers_and_their_halved_inverses) {
  const MicroProgram program = program_of_eight();
  const ring::Modulus& q = program.moduli[0];
  const std::uint64_t exponents[] = {0, 4, 2, 6, 1, 5, 3, 7};
  for (std::size_t i = 0; i < 8; ++i) {
    const std::uint64_t power = q.pow(q.psi(), exponents[i]);
    EXPECT_EQ(program.twiddles[0].forward[i], power);
    EXPECT_EQ(q.mul(2, q.mul(program.twiddles[0].inverse[i], power)), 1u);
  }
}

TEST(MicroOpTest, text_names_rows_immediates_and_origin) {
  MicroOp op = make(MicroCode::mac);
  op.in = {4, 12};
  op.out = {20, 0};
  op.instruction = 3;
  op.first = true;
  EXPECT_EQ(to_text(op), "mac r4 r12 -> acc : q0 first  # instruction 3");
  op.last = true;
  EXPECT_EQ(to_text(op), "mac r4 r12 -> r20 : q0 first last  # instruction 3");
  op = make(MicroCode::ntt_butterfly);
  op.in = {0, 8};
  op.out = {16, 24};
  op.immediate = 5;
  EXPECT_EQ(to_text(op), "ntt_butterfly r0 r8 twiddle 5 -> r16 r24 : q0  # instruction 0");
  op = make(MicroCode::reduce);
  op.centred = true;
  op.source_modulus = 1;
  EXPECT_EQ(to_text(op), "reduce r0 -> r0 : q0 from q1 centred  # instruction 0");
  op = make(MicroCode::quotient_mac);
  op.immediate = 9;
  EXPECT_EQ(to_text(op), "quotient_mac r0 9 -> acc : q0 from q0  # instruction 0");
  op = make(MicroCode::load);
  op.immediate = 2;
  op.chunk = 1;
  EXPECT_EQ(to_text(op), "load input 2 chunk 1 -> r0  # instruction 0");
  op = make(MicroCode::ntt_stages);
  op.stride = 2;
  op.count = 2;
  op.immediate = 1;
  EXPECT_EQ(to_text(op), "ntt_stages r0 twiddle 1 stride 2 count 2 -> r0 : q0  # instruction 0");
}

TEST(MicroOpTest, a_program_lists_its_operations_with_their_number) {
  MicroProgram program = program_of_eight();
  program.ops = {make(MicroCode::neg), make(MicroCode::neg)};
  EXPECT_EQ(to_text(program),
            "0: neg r0 -> r0 : q0  # instruction 0\n1: neg r0 -> r0 : q0  # instruction 0\n");
}

TEST(MicroOpTest, operations_within_their_program_pass) {
  const MicroProgram program = program_of_eight();
  for (std::size_t i = 0; i < kMicroCodes; ++i) {
    EXPECT_EQ(malformed(make(static_cast<MicroCode>(i)), program), std::nullopt);
  }
}

TEST(MicroOpTest, places_that_do_not_exist_are_named) {
  const MicroProgram program = program_of_eight();
  const auto reason = [&](MicroCode code, auto edit) {
    MicroOp op = make(code);
    edit(op);
    return malformed(op, program).value_or("");
  };
  EXPECT_EQ(reason(MicroCode::add, [](MicroOp& op) { op.in[1] = 4; }), "row 4 is not below 4");
  EXPECT_EQ(reason(MicroCode::add, [](MicroOp& op) { op.out[0] = 9; }), "row 9 is not below 4");
  EXPECT_EQ(reason(MicroCode::ntt_butterfly, [](MicroOp& op) { op.out[1] = 4; }),
            "row 4 is not below 4");
  EXPECT_EQ(reason(MicroCode::add, [](MicroOp& op) { op.modulus = 1; }),
            "modulus 1 is not below 1");
  EXPECT_EQ(reason(MicroCode::reduce, [](MicroOp& op) { op.source_modulus = 1; }),
            "source modulus 1 is not below 1");
  EXPECT_EQ(reason(MicroCode::load, [](MicroOp& op) { op.immediate = 2; }),
            "input 2 is not below 2");
  EXPECT_EQ(reason(MicroCode::store, [](MicroOp& op) { op.immediate = 1; }),
            "output 1 is not below 1");
  EXPECT_EQ(reason(MicroCode::load, [](MicroOp& op) { op.chunk = 2; }), "chunk 2 is not below 2");
  EXPECT_EQ(reason(MicroCode::uniform, [](MicroOp& op) { op.immediate = 2; }),
            "seed input 2 is not below 2");
  EXPECT_EQ(reason(MicroCode::permute_coeff, [](MicroOp& op) { op.in[0] = 3; }),
            "row 4 is not below 4");
  EXPECT_EQ(reason(MicroCode::intt_butterfly, [](MicroOp& op) { op.immediate = 8; }),
            "twiddle 8 is not below 8");
}

TEST(MicroOpTest, stages_stay_inside_the_chunk_and_the_table) {
  const MicroProgram program = program_of_eight();
  const auto accepted = [&](MicroCode code, unsigned stride, unsigned count, std::uint64_t index) {
    MicroOp op = make(code);
    op.stride = static_cast<std::uint16_t>(stride);
    op.count = static_cast<std::uint16_t>(count);
    op.immediate = index;
    return !malformed(op, program);
  };
  EXPECT_TRUE(accepted(MicroCode::ntt_stages, 2, 2, 3));   // then 6, 7
  EXPECT_FALSE(accepted(MicroCode::ntt_stages, 2, 2, 4));  // then 8, 9 of 8
  EXPECT_FALSE(accepted(MicroCode::ntt_stages, 4, 1, 1));  // 8 words do not fit into 4
  EXPECT_FALSE(accepted(MicroCode::ntt_stages, 2, 3, 1));  // the third stride would be a half
  EXPECT_FALSE(accepted(MicroCode::ntt_stages, 3, 1, 1));
  EXPECT_TRUE(accepted(MicroCode::intt_stages, 1, 2, 6));
  EXPECT_FALSE(accepted(MicroCode::intt_stages, 1, 1, 7));  // twiddles 7 and 8
  EXPECT_FALSE(accepted(MicroCode::intt_stages, 1, 3, 4));
  EXPECT_FALSE(accepted(MicroCode::ntt_stages, 2, 1, ~std::uint64_t{0}));
}

}  // namespace
}  // namespace heliodor::machine
