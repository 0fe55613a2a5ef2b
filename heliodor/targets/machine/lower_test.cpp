// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/lower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "heliodor/base/error.h"
#include "heliodor/targets/machine/internal/test_machine.h"
#include "heliodor/targets/machine/internal/test_program.h"
#include "heliodor/targets/machine/micro_text.h"

namespace heliodor::machine {
namespace {

using internal::awkward_machine;
using internal::expect_reference_words;
using internal::moduli;
using internal::RandomProgram;
using internal::small_machine;
using internal::wide_machine;
using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

using Counts = std::map<std::string, int>;

Counts codes(const MicroProgram& program) {
  Counts counts;
  for (const MicroOp& op : program.ops) ++counts[std::string(info(op.code).name)];
  return counts;
}

MachineDescription with_rows(MachineDescription machine, std::uint64_t rows) {
  machine.scratchpad.capacity_words = rows * machine.scratchpad.banks;
  return machine;
}

std::vector<ring::Modulus> narrow_and_wide(std::uint64_t degree) {
  std::vector<ring::Modulus> result = moduli(degree, 30, 2);
  for (const ring::Modulus& wide : moduli(degree, 45, 2)) result.push_back(wide);
  return result;
}

TEST(LowerTest, a_program_becomes_its_micro_operations_in_the_order_of_their_time) {
  MachineDescription machine = small_machine();
  machine.scratchpad.banks = 2;
  machine.scratchpad.capacity_words = 16;
  machine.units[1].capabilities[static_cast<std::size_t>(Operation::ntt)]->radix = 2;
  Builder b({ring::Modulus(97, 4, 33)});
  b.output("z", b.ntt(b.operand("x", 0, Domain::coeff)));
  EXPECT_EQ(to_text(lower(machine, b.build())),
            "micro 1\n"
            "degree 4 chunk 2 word_bits 64 rows 2 registers 0 spills 0\n"
            "modulus q0 = 97 psi 33\n"
            "input operand\n"
            "outputs 1\n"
            "load i0 c0 -> r0 : q0\n"
            "load i0 c1 -> r0 : q0\n"
            "ntt_pass r0 w1 c0 bit 1 stages 1 -> r0 : q0\n"
            "ntt_pass r0 w1 c1 bit 1 stages 1 -> r0 : q0\n"
            "ntt_pass r0 w0 c0 bit 0 stages 1 -> r0 : q0\n"
            "ntt_pass r0 w0 c1 bit 0 stages 1 -> r0 : q0\n"
            "store r0 c0 -> o0 : q0\n"
            "store r0 c1 -> o0 : q0\n");
}

TEST(LowerTest, random_programs_give_the_words_of_the_reference) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::uint64_t degree = std::uint64_t{2} << (seed % 6);
    const LimbProgram program = RandomProgram(seed, moduli(degree, 30, 3)).make(40);
    expect_reference_words(with_rows(small_machine(), 1 << 14), program);
    expect_reference_words(awkward_machine(), program);
  }
}

TEST(LowerTest, wide_limbs_give_the_words_of_the_reference) {
  for (std::uint64_t seed = 100; seed < 120; ++seed) {
    const std::uint64_t degree = std::uint64_t{4} << (seed % 4);
    const LimbProgram program = RandomProgram(seed, narrow_and_wide(degree)).make(30);
    expect_reference_words(with_rows(wide_machine(), 1 << 14), program);
  }
}

/// The machine with the fewest frames that take the program.
MachineDescription tightest(const MachineDescription& machine, const LimbProgram& program,
                            const Residency& residency = {}) {
  const std::uint64_t chunks = std::max<std::uint64_t>(1, program.degree() / 4);
  for (std::uint64_t frames = 1;; ++frames) {
    MachineDescription tight = with_rows(machine, frames * chunks);
    if (!refusal(tight, program, residency)) return tight;
  }
}

TEST(LowerTest, scratchpads_that_just_hold_one_task_at_a_time_give_the_words_of_the_reference) {
  std::uint32_t spills = 0;
  for (std::uint64_t seed = 200; seed < 220; ++seed) {
    const std::uint64_t degree = std::uint64_t{4} << (seed % 4);
    const LimbProgram narrow = RandomProgram(seed, moduli(degree, 30, 3)).make(30);
    expect_reference_words(tightest(small_machine(), narrow), narrow);
    const LimbProgram wide = RandomProgram(seed, narrow_and_wide(degree)).make(20);
    const MachineDescription machine = tightest(wide_machine(), wide);
    expect_reference_words(machine, wide);
    spills += lower(machine, wide).spill_slots;
  }
  EXPECT_GT(spills, 50u);
}

TEST(LowerTest, resident_limbs_give_the_words_of_the_reference) {
  for (std::uint64_t seed = 300; seed < 316; ++seed) {
    const LimbProgram program = RandomProgram(seed, narrow_and_wide(16)).make(20);
    const Residency residency{.operands = (seed & 1) != 0,
                              .keys = (seed & 2) != 0,
                              .constants = (seed & 4) != 0,
                              .outputs = (seed & 8) != 0};
    expect_reference_words(tightest(wide_machine(), program, residency), program, residency);
    expect_reference_words(with_rows(wide_machine(), 1 << 14), program, residency);
  }
}

TEST(LowerTest, resident_transfers_frame_the_program) {
  Builder b(moduli(16, 30));
  const ValueId x = b.operand("x", 0, Domain::coeff);
  const ValueId y = b.key("y", 0, Domain::coeff);
  b.output("z", b.mul(x, b.neg(y)));
  const MicroProgram micro = lower(small_machine(), b.build(), {.operands = true, .outputs = true});
  ASSERT_EQ(micro.ops.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(micro.ops[i].resident, i < 4 || i >= 16) << i;
  }
  EXPECT_EQ(micro.ops[0].code, MicroCode::load);
  EXPECT_EQ(micro.ops[19].code, MicroCode::store);
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
  EXPECT_EQ(codes(lower(small_machine(), b.build())),
            (Counts{{"load", 2}, {"store", 5}, {"neg", 1}, {"add", 1}}));
}

TEST(LowerTest, a_limb_shorter_than_a_row_takes_one_row) {
  Builder b(moduli(2, 20));
  b.output("z", b.ntt(b.operand("x", 0, Domain::coeff)));
  const MicroProgram micro = lower(small_machine(), b.build());
  EXPECT_EQ(micro.layout.chunk_words(), 2u);
  EXPECT_EQ(micro.rows, 1u);
  EXPECT_EQ(codes(micro), (Counts{{"load", 1}, {"ntt_pass", 1}, {"store", 1}}));
}

TEST(LowerTest, operations_name_their_instructions_and_copies_those_they_serve) {
  Builder b(moduli(4, 20));
  const ValueId x = b.operand("x", 0, Domain::eval);
  b.output("x", x);
  b.output("y", b.mul(b.neg(b.operand("w", 0, Domain::eval)), x));
  for (const MicroOp& op : lower(small_machine(), b.build()).ops) {
    switch (op.code) {
      case MicroCode::load:
        EXPECT_EQ(op.instruction, op.immediate == 0 ? 1u : 0u);
        break;
      case MicroCode::store:
        EXPECT_EQ(op.instruction, op.immediate == 0 ? 2u : 1u);
        break;
      default:
        EXPECT_EQ(op.instruction, op.code == MicroCode::neg ? 0u : 1u);
    }
  }
}

TEST(LowerTest, residences_span_the_operations_that_touch_their_rows) {
  const LimbProgram program = RandomProgram(7, narrow_and_wide(16)).make(30);
  const MicroProgram micro = lower(tightest(wide_machine(), program), program);
  std::size_t covered = 0;
  for (std::size_t i = 0; i < micro.ops.size(); ++i) {
    const MicroOp& op = micro.ops[i];
    const auto covers = [&](Place place) {
      return std::ranges::any_of(micro.residences, [&](const Residence& it) {
        return it.first_row == place.number() && it.first_op <= i && i <= it.last_op;
      });
    };
    const bool scratch = op.code == MicroCode::unscramble || op.code == MicroCode::permute_coeff;
    if (scratch) continue;
    for (unsigned k = 0; k < info(op.code).reads; ++k) {
      EXPECT_TRUE(op.in[k].is_register() || covers(op.in[k])) << to_text(op);
    }
    EXPECT_TRUE(write_count(op) == 0 || op.out.is_register() || covers(op.out)) << to_text(op);
    ++covered;
  }
  EXPECT_GT(covered, 100u);
}

TEST(LowerTest, the_faster_order_is_kept) {
  // The conversion of two limbs to ten, each transformed.
  Builder b(moduli(16, 30, 11));
  const std::array<ValueId, 2> x{b.operand("x", 0, Domain::coeff),
                                 b.operand("y", 0, Domain::coeff)};
  for (std::uint32_t i = 1; i < 11; ++i) {
    const ValueId sum = b.dot_scalar(i, x, std::array<std::uint64_t, 2>{2, 3});
    b.output("z" + std::to_string(i), b.ntt(sum));
  }
  const LimbProgram program = b.build();
  MachineDescription machine = with_rows(small_machine(), 64 * 4);
  machine.scratchpad.ports = 1;
  // With room for all, the kernel saves the single port most reads; without, its ten results would
  // be spilled.
  const Residency resident{.operands = true, .outputs = true};
  EXPECT_EQ(lower(machine, program, resident).registers, 2u);
  const MicroProgram tight = lower(with_rows(machine, 6 * 4), program);
  EXPECT_EQ(tight.registers, 0u);
  EXPECT_EQ(tight.spill_slots, 0u);
}

/// Needs `limbs` frames: the result takes the frame of one operand.
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
            "instruction 0 needs 68 rows, scratchpad holds 64");
  EXPECT_EQ(refusal(small_machine(), sum_of(17, 16), {.operands = true}),
            "what is resident at the start needs 68 rows, scratchpad holds 64");
  try {
    lower(small_machine(), sum_of(17, 16));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
  }
}

TEST(LowerTest, resident_outputs_that_do_not_fit_together_refuse) {
  Builder b(moduli(16, 30));
  const ValueId x = b.operand("x", 0, Domain::eval);
  for (std::uint64_t i = 0; i < 17; ++i) b.output("y" + std::to_string(i), b.add_scalar(x, i));
  const LimbProgram program = b.build();
  EXPECT_EQ(refusal(small_machine(), program), std::nullopt);
  EXPECT_EQ(refusal(small_machine(), program, {.outputs = true}),
            "what is resident at the end needs 68 rows, scratchpad holds 64");
}

TEST(LowerTest, words_shorter_than_a_modulus_refuse) {
  MachineDescription machine = small_machine();
  machine.word_bits = 30;
  EXPECT_EQ(refusal(machine, sum_of(1, 16)), std::nullopt);
  machine.word_bits = 29;
  EXPECT_EQ(refusal(machine, sum_of(1, 16)), "modulus q0 has 30 bits, words hold 29");
  machine.wide_word_bits = 30;
  EXPECT_EQ(refusal(machine, sum_of(1, 16)), std::nullopt);
}

TEST(LowerTest, a_quotients_sum_needs_words_of_64_bits_or_wide_ones) {
  MachineDescription machine = small_machine();
  Builder b(moduli(4, 30));
  const ValueId x = b.operand("x", 0, Domain::coeff);
  b.output("z", b.quotient(0, ring::Rounding::nearest, std::array{x, x, x}));
  const LimbProgram program = b.build();
  EXPECT_EQ(refusal(machine, program), std::nullopt);
  machine.word_bits = 63;
  EXPECT_EQ(refusal(machine, program),
            "instruction 0 (quotient) needs words of 64 bits or wide ones, words hold 63");
  machine.word_bits = 32;
  machine.wide_word_bits = 50;  // 3 * 2^48 + 2^47 + 3
  EXPECT_EQ(refusal(machine, program), std::nullopt);
  machine.wide_word_bits = 49;
  EXPECT_EQ(refusal(machine, program),
            "instruction 0 (quotient) needs sums of 50 bits, wide words hold 49");
}

TEST(LowerTest, an_instruction_without_its_unit_refuses) {
  const auto reason = [](Operation operation, const LimbProgram& program) {
    MachineDescription machine = small_machine();
    for (Unit& unit : machine.units) {
      unit.capabilities[static_cast<std::size_t>(operation)].reset();
    }
    return refusal(machine, program).value_or("");
  };
  Builder b(moduli(4, 30));
  const ValueId u = b.uniform(b.seed("s"), 0, 0, Domain::coeff);
  b.output("z", b.neg(b.permute(3, b.ntt(u))));
  const LimbProgram program = b.build();
  EXPECT_EQ(refusal(small_machine(), program), std::nullopt);
  EXPECT_EQ(reason(Operation::generator, program),
            "instruction 0 (uniform) needs a unit for generator, machine small has none");
  EXPECT_EQ(reason(Operation::ntt, program),
            "instruction 1 (ntt) needs a unit for ntt, machine small has none");
  EXPECT_EQ(reason(Operation::permutation, program),
            "instruction 2 (permute) needs a unit for permutation, machine small has none");
  EXPECT_EQ(reason(Operation::arithmetic, program),
            "instruction 3 (neg) needs a unit for arithmetic, machine small has none");
}

}  // namespace
}  // namespace heliodor::machine
