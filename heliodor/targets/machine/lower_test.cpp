// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/lower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "heliodor/base/error.h"
#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/targets/machine/internal/test_machine.h"
#include "heliodor/targets/machine/shipped_machines.h"

namespace heliodor::machine {
namespace {

using internal::small_machine;
using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

std::vector<ring::Modulus> moduli(std::uint64_t degree, unsigned bits, std::size_t count = 1) {
  std::vector<ring::Modulus> result;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, count)) {
    result.emplace_back(q, degree);
  }
  return result;
}

/// Micro-operations by name of one instruction.
std::map<std::string, int> names(const MicroProgram& program, std::uint32_t instruction) {
  std::map<std::string, int> counts;
  for (const MicroOp& op : program.ops) {
    if (op.instruction == instruction) ++counts[std::string(info(op.code).name)];
  }
  return counts;
}

using Counts = std::map<std::string, int>;

TEST(LowerTest, every_instruction_becomes_its_micro_operations) {
  // N = 16 in 4 rows of 4 words.
  Builder b(moduli(16, 30, 2));
  const ValueId x = b.operand("x", 0, Domain::coeff);
  const ValueId z = b.operand("z", 1, Domain::coeff);
  const ValueId s = b.seed("s");
  const ValueId e = b.ntt(x);                                                                 // 0
  const ValueId p = b.permute(3, e);                                                          // 1
  const ValueId d = b.dot(std::vector<std::pair<ValueId, ValueId>>{{e, p}, {p, p}, {e, e}});  // 2
  const ValueId c = b.intt(d);                                                                // 3
  const ValueId g = b.permute(5, c);                                                          // 4
  const ValueId v = b.quotient(0, ring::Rounding::floor, std::array{g, z});                   // 5
  const ValueId w = b.dot_scalar(0, std::array{v, z}, std::array<std::uint64_t, 2>{1, 2});    // 6
  const ValueId r = b.reduce(1, ring::Lift::centred, w);                                      // 7
  const ValueId u = b.uniform(s, 1, 1, Domain::coeff);                                        // 8
  const ValueId a = b.add(r, u);                                                              // 9
  b.output("o", b.mul_scalar(b.add_scalar(b.neg(b.sub(a, b.mul(a, a))), 1), 2));  // 10..14
  const MicroProgram micro = lower(small_machine(), b.build());
  EXPECT_EQ(names(micro, 0), (Counts{{"load", 4}, {"ntt_butterfly", 4}, {"ntt_stages", 4}}));
  EXPECT_EQ(names(micro, 1), (Counts{{"permute_eval", 4}}));
  EXPECT_EQ(names(micro, 2), (Counts{{"mac", 12}}));
  EXPECT_EQ(names(micro, 3), (Counts{{"intt_butterfly", 4}, {"intt_stages", 4}}));
  EXPECT_EQ(names(micro, 4), (Counts{{"permute_coeff", 4}}));
  EXPECT_EQ(names(micro, 5), (Counts{{"load", 4}, {"quotient_mac", 8}, {"quotient_round", 4}}));
  EXPECT_EQ(names(micro, 6), (Counts{{"mac_imm", 8}}));
  EXPECT_EQ(names(micro, 7), (Counts{{"reduce", 4}}));
  EXPECT_EQ(names(micro, 8), (Counts{{"uniform", 4}}));
  EXPECT_EQ(names(micro, 9), (Counts{{"add", 4}}));
  EXPECT_EQ(names(micro, 10), (Counts{{"mul", 4}}));
  EXPECT_EQ(names(micro, 11), (Counts{{"sub", 4}}));
  EXPECT_EQ(names(micro, 12), (Counts{{"neg", 4}}));
  EXPECT_EQ(names(micro, 13), (Counts{{"add_imm", 4}}));
  EXPECT_EQ(names(micro, 14), (Counts{{"mul_imm", 4}, {"store", 4}}));
  for (const MicroOp& op : micro.ops) EXPECT_EQ(malformed(op, micro), std::nullopt) << to_text(op);
}

TEST(LowerTest, the_example_of_the_header_holds) {
  MachineDescription machine = small_machine();
  machine.scratchpad.banks = 2;
  Builder b(moduli(4, 20));
  b.output("z", b.ntt(b.operand("x", 0, Domain::coeff)));
  EXPECT_EQ(to_text(lower(machine, b.build())),
            "0: load input 0 chunk 0 -> r0  # instruction 0\n"
            "1: load input 0 chunk 1 -> r1  # instruction 0\n"
            "2: ntt_butterfly r0 r1 twiddle 1 -> r0 r1 : q0  # instruction 0\n"
            "3: ntt_stages r0 twiddle 2 stride 1 count 1 -> r0 : q0  # instruction 0\n"
            "4: ntt_stages r1 twiddle 3 stride 1 count 1 -> r1 : q0  # instruction 0\n"
            "5: store r0 output 0 chunk 0  # instruction 0\n"
            "6: store r1 output 0 chunk 1  # instruction 0\n");
}

TEST(LowerTest, an_accumulator_travels_through_the_scratchpad_only_at_its_end) {
  Builder b(moduli(4, 20));
  const ValueId x = b.operand("x", 0, Domain::eval);
  b.output("z", b.dot(std::vector<std::pair<ValueId, ValueId>>(8, {x, x})));
  const MicroProgram micro = lower(small_machine(), b.build());
  unsigned writes = 0;
  for (const MicroOp& op : micro.ops) {
    if (op.code == MicroCode::mac) writes += write_count(op);
  }
  EXPECT_EQ(writes, 1u);
}

TEST(LowerTest, inputs_are_loaded_once_and_outputs_stored_as_often_as_named) {
  Builder b(moduli(4, 20));
  const ValueId x = b.operand("x", 0, Domain::eval);
  const ValueId y = b.neg(x);
  b.output("x", x);
  b.output("y", y);
  b.output("y_again", y);
  b.output("sum", b.add(x, y));
  b.output("z", b.operand("z", 0, Domain::eval));
  const MicroProgram micro = lower(small_machine(), b.build());
  EXPECT_EQ(names(micro, 0), (Counts{{"load", 1}, {"store", 3}, {"neg", 1}}));
  EXPECT_EQ(names(micro, 1), (Counts{{"add", 1}, {"store", 1}}));
  EXPECT_EQ(names(micro, 2), (Counts{{"load", 1}, {"store", 1}}));
}

TEST(LowerTest, a_limb_shorter_than_a_row_takes_one_row) {
  Builder b(moduli(2, 20));
  b.output("z", b.ntt(b.operand("x", 0, Domain::coeff)));
  const MicroProgram micro = lower(small_machine(), b.build());
  EXPECT_EQ(micro.chunk_words, 2u);
  EXPECT_EQ(micro.rows, 1u);
  EXPECT_EQ(names(micro, 0), (Counts{{"load", 1}, {"ntt_stages", 1}, {"store", 1}}));
}

LimbProgram sum_of(std::size_t limbs, std::uint64_t degree) {
  Builder b(moduli(degree, 30));
  std::vector<std::pair<ValueId, ValueId>> pairs;
  for (std::size_t i = 0; i < limbs; ++i) {
    const ValueId x = b.operand("x" + std::to_string(i), 0, Domain::eval);
    pairs.emplace_back(x, x);
  }
  b.output("z", b.neg(b.dot(pairs)));
  return b.build();
}

TEST(LowerTest, a_scratchpad_too_small_by_one_limb_refuses_and_says_so) {
  EXPECT_EQ(refusal(small_machine(), sum_of(16, 16)), std::nullopt);  // 16 limbs of 4 rows
  EXPECT_EQ(refusal(small_machine(), sum_of(17, 16)),
            "needs 68 rows at instruction 0, scratchpad holds 64");
  try {
    lower(small_machine(), sum_of(17, 16));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
  }
}

TEST(LowerTest, words_shorter_than_a_modulus_refuse) {
  MachineDescription machine = small_machine();
  machine.word_bits = 30;
  EXPECT_EQ(refusal(machine, sum_of(1, 16)), std::nullopt);
  machine.word_bits = 29;
  EXPECT_EQ(refusal(machine, sum_of(1, 16)), "modulus q0 has 30 bits, words hold 29");
}

TEST(LowerTest, words_shorter_than_a_quotients_sum_refuse) {
  MachineDescription machine = small_machine();
  Builder b(moduli(4, 30));
  const ValueId x = b.operand("x", 0, Domain::coeff);
  b.output("z", b.quotient(0, ring::Rounding::nearest, std::array{x, x, x}));
  const LimbProgram program = b.build();
  machine.word_bits = 50;  // 3 * 2^48 + 2^47 + 3
  EXPECT_EQ(refusal(machine, program), std::nullopt);
  machine.word_bits = 49;
  EXPECT_EQ(refusal(machine, program),
            "instruction 0 (quotient) needs sums of 50 bits, words hold 49");
}

TEST(LowerTest, an_instruction_without_its_unit_refuses) {
  const auto reason = [](UnitKind kind, const LimbProgram& program) {
    MachineDescription machine = small_machine();
    machine.unit(kind).reset();
    return refusal(machine, program).value_or("");
  };
  Builder b(moduli(4, 30));
  const ValueId u = b.uniform(b.seed("s"), 0, 0, Domain::coeff);
  b.output("z", b.neg(b.permute(3, b.ntt(u))));
  const LimbProgram program = b.build();
  EXPECT_EQ(refusal(small_machine(), program), std::nullopt);
  EXPECT_EQ(reason(UnitKind::generator, program),
            "instruction 0 (uniform) needs a generator unit, machine small has none");
  EXPECT_EQ(reason(UnitKind::ntt, program),
            "instruction 1 (ntt) needs a ntt unit, machine small has none");
  EXPECT_EQ(reason(UnitKind::permutation, program),
            "instruction 2 (permute) needs a permutation unit, machine small has none");
  EXPECT_EQ(reason(UnitKind::vector, program),
            "instruction 3 (neg) needs a vector unit, machine small has none");
}

}  // namespace
}  // namespace heliodor::machine
