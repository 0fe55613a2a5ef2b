// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/parts.h"

#include <gtest/gtest.h>

#include <array>

#include "heliodor/ring/automorphism.h"
#include "heliodor/targets/machine/frames.h"
#include "heliodor/targets/machine/internal/test_machine.h"
#include "heliodor/targets/machine/internal/test_program.h"
#include "heliodor/targets/machine/micro_text.h"
#include "heliodor/targets/machine/shipped_machines.h"

namespace heliodor::machine {
namespace {

using internal::moduli;
using internal::small_machine;
using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

/// The operations on chunk 0 of every part but loads and stores, as text; one string per part.
std::vector<std::string> parts_of(const MachineDescription& machine, const LimbProgram& program) {
  const std::vector<Task> tasks = make_tasks(program, machine, TaskOrder::kernelwise);
  const auto allocation = allocate(machine, program, tasks);
  std::vector<std::string> result;
  for (const Part& part : make_parts(machine, program, tasks, allocation->steps)) {
    if (info(part.ops[0].code).operation == Operation::transfer) continue;
    std::string& text = result.emplace_back();
    for (const MicroOp& op : part.ops) text += to_text(op) + "\n";
  }
  return result;
}

using Texts = std::vector<std::string>;

TEST(PartsTest, instructions_become_their_operations) {
  Builder b({ring::Modulus(97, 16), ring::Modulus(193, 16)});
  const ValueId x = b.operand("x", 0, Domain::coeff), y = b.operand("y", 1, Domain::coeff);
  const ValueId u = b.uniform(b.seed("s"), 7, 0, Domain::coeff);
  const ValueId s = b.add_scalar(b.mul_scalar(b.neg(u), 5), 6);
  const ValueId v = b.quotient(0, ring::Rounding::floor, std::array{s, y});
  b.output("z", b.sub(b.mul(v, b.reduce(0, ring::Lift::centred, y)), x));
  EXPECT_EQ(parts_of(small_machine(), b.build()),
            (Texts{"uniform i2 c0 offset 7 -> r0 : q0 first\n", "neg r0 c0 -> r0 : q0 @1\n",
                   "mul_imm r0 c0 5 -> r0 : q0 @2\n", "add_imm r0 c0 6 -> r0 : q0 @3\n",
                   // floor(2^55 / 97), floor(2^56 / 193)
                   "quotient_mac r0 c0 371430897102721 -> acc : q0 from q0 first @4\n"
                   "quotient_mac r4 c0 373355409522942 -> acc : q0 from q1 @4\n"
                   "quotient_round c0 4 -> r0 : q0 @4\n",
                   "reduce r4 c0 -> r4 : q0 from q1 centred @5\n", "mul r0 r4 c0 -> r0 : q0 @6\n",
                   "sub r0 r8 c0 -> r0 : q0 @7\n"}));
}

TEST(PartsTest, passes_of_a_transform_are_parts_and_the_first_moves_the_limb) {
  Builder b({ring::Modulus(97, 16)});
  const ValueId x = b.operand("x", 0, Domain::coeff);
  const ValueId e = b.ntt(x);
  b.output("z", b.mul(b.permute(3, b.intt(e)), x));
  b.output("e", e);
  const Texts parts = parts_of(small_machine(), b.build());
  ASSERT_EQ(parts.size(), 7u);
  EXPECT_EQ(parts[0], "ntt_pass r0 w2 c0 bit 2 stages 2 -> r4 : q0\n");
  EXPECT_EQ(parts[1], "ntt_pass r4 w0 c0 bit 0 stages 2 -> r4 : q0\n");
  EXPECT_EQ(parts[2], "intt_pass r4 w0 c0 bit 0 stages 2 -> r4 : q0 @1\n");
  EXPECT_EQ(parts[3], "intt_pass r4 w2 c0 bit 2 stages 2 -> r4 : q0 @1\n");
  EXPECT_EQ(parts[4], "unscramble r4 c0 -> r8 : q0 @2\n");
  EXPECT_EQ(parts[5], "permute_coeff r8 c0 step 11 offset 0 -> r12 : q0 @2\n");
}

TEST(PartsTest, a_limb_of_one_chunk_is_linear_as_it_is) {
  Builder b({ring::Modulus(97, 4)});
  b.output("z", b.permute(3, b.operand("x", 0, Domain::coeff)));
  EXPECT_EQ(parts_of(small_machine(), b.build()).size(), 1u);
}

TEST(PartsTest, a_kernel_reads_each_source_once_and_writes_each_result_once) {
  // ePrint 2022/657: base conversion 12 -> 40 takes 52 accesses per chunk, 492 operations.
  const MachineDescription basalisc = shipped_description("basalisc");
  Builder b(moduli(65536, 32, 52));
  std::vector<ValueId> x;
  std::vector<std::uint64_t> factors;
  for (std::uint32_t j = 0; j < 12; ++j) {
    x.push_back(b.operand("x" + std::to_string(j), j, Domain::coeff));
    factors.push_back(j + 2);
  }
  for (std::uint32_t i = 12; i < 52; ++i) {
    b.output("y" + std::to_string(i), b.dot_scalar(i, x, factors));
  }
  const LimbProgram program = b.build();
  const std::vector<Task> tasks = make_tasks(program, basalisc, TaskOrder::kernelwise);
  const auto allocation = allocate(basalisc, program, tasks, {.operands = true, .outputs = true});
  MicroProgram micro;
  micro.word_bits = 32;
  micro.moduli.assign(program.moduli().begin(), program.moduli().end());
  std::uint32_t reads = 0, writes = 0, operations = 0;
  for (const Part& part : make_parts(basalisc, program, tasks, allocation->steps)) {
    for (const MicroOp& op : part.ops) {
      if (op.resident) continue;
      ++operations;
      for (unsigned i = 0; i < info(op.code).reads; ++i) reads += rows_read(op, i, micro);
      writes += rows_written(op, micro);
    }
  }
  EXPECT_EQ(operations, 12u + 12 * 40);
  EXPECT_EQ(reads, 12u);
  EXPECT_EQ(writes, 40u);
}

TEST(PartsTest, factors_that_two_dots_share_are_fetched_once) {
  MachineDescription machine = small_machine();
  machine.scratchpad.ports = 1;
  machine.units[0].capabilities[static_cast<std::size_t>(Operation::arithmetic)]->lanes = 8;
  Builder b({ring::Modulus(97, 4)});
  const ValueId x = b.operand("x", 0, Domain::eval);
  for (const std::string name : {"a", "b", "c"}) {
    b.output(name, b.dot(std::array{std::pair{x, b.key("k" + name, 0, Domain::eval)}}));
  }
  EXPECT_EQ(parts_of(machine, b.build()), (Texts{"fetch r0 c0 -> reg0 : q0\n"
                                                 "mac reg0 r1 c0 -> r0 : q0 first last\n"
                                                 "mac reg0 r2 c0 -> r4 : q0 first last @1\n"
                                                 "mac reg0 r3 c0 -> r5 : q0 first last @2\n"}));
}

TEST(PartsTest, chunks_of_an_automorphism_of_evaluations_come_from_one_chunk_each) {
  // By definition: slot i of the result is slot sources[i] of the source.
  for (const std::uint32_t degree : {16u, 64u}) {
    for (std::uint64_t g = 1; g < 2 * degree; g += 2) {
      Builder b(moduli(degree, 30));
      b.output("z", b.permute(g, b.operand("x", 0, Domain::eval)));
      const LimbProgram program = b.build();
      const Layout layout = Frames(small_machine(), program).layout();
      const std::vector<std::uint32_t> sources = ring::automorphism_eval_sources(g, degree);
      MicroOp op;
      op.code = MicroCode::permute_eval;
      op.immediate = g % 4;
      for (std::uint32_t chunk = 0; chunk < degree / 4; ++chunk) {
        const MicroOp at = at_chunk(op, chunk, program, layout);
        for (std::uint32_t k = 0; k < 4; ++k) {
          const std::uint64_t from = (at.immediate * k + at.offset) % 4;
          const auto lane = ring::bit_reverse(static_cast<std::uint32_t>(from), 2);
          ASSERT_EQ(sources[chunk * 4 + ring::bit_reverse(k, 2)], at.source_chunk * 4 + lane);
        }
      }
    }
  }
}

TEST(PartsTest, chunks_of_an_automorphism_of_coefficients_start_where_the_definition_says) {
  const std::uint64_t degree = 64;
  for (std::uint64_t g = 1; g < 2 * degree; g += 2) {
    Builder b(moduli(degree, 30));
    b.output("z", b.permute(g, b.operand("x", 0, Domain::coeff)));
    const LimbProgram program = b.build();
    const auto sources = ring::automorphism_coeff_sources(g, degree);
    MicroOp op;
    op.code = MicroCode::permute_coeff;
    op.immediate = ring::inverse_galois_element(g, degree);
    for (std::uint32_t chunk = 0; chunk < 16; ++chunk) {
      const MicroOp at = at_chunk(op, chunk, program, Frames(small_machine(), program).layout());
      for (std::uint32_t lane = 0; lane < 4; ++lane) {
        const std::uint64_t e = (at.offset + lane * at.immediate) % (2 * degree);
        const ring::CoeffSource source{static_cast<std::uint32_t>(e % degree), e >= degree};
        ASSERT_EQ(sources[chunk * 4 + lane], source);
      }
    }
  }
}

TEST(PartsTest, passes_are_as_few_as_the_radix_allows_and_share_windows_where_they_can) {
  using Passes = std::vector<PassBits>;
  // BASALISC: N = 65536 = 256^2 on rows of 2048 words.
  EXPECT_EQ(ntt_passes({11, 16}, 256), (Passes{{8, 8, 5}, {0, 8, 0}}));
  EXPECT_EQ(ntt_passes({11, 13}, 256), (Passes{{8, 5, 2}, {0, 8, 0}}));
  EXPECT_EQ(ntt_passes({6, 6}, 64), (Passes{{0, 6, 0}}));
  EXPECT_EQ(ntt_passes({9, 16}, 16), (Passes{{12, 4, 7}, {8, 4, 7}, {4, 4, 0}, {0, 4, 0}}));
  EXPECT_EQ(ntt_passes({2, 5}, 4), (Passes{{4, 1, 3}, {2, 2, 2}, {0, 2, 0}}));
  EXPECT_EQ(ntt_passes({1, 1}, 4), (Passes{{0, 1, 0}}));  // a limb shorter than the radix
}

TEST(PartsTest, passes_cover_every_bit_once_inside_their_windows) {
  for (std::uint32_t degree_bits = 1; degree_bits <= 17; ++degree_bits) {
    for (std::uint32_t chunk_bits = 1; chunk_bits <= degree_bits; ++chunk_bits) {
      for (std::uint32_t radix_bits = 1; radix_bits <= 11; ++radix_bits) {
        const Layout layout{chunk_bits, degree_bits};
        const auto passes = ntt_passes(layout, 1u << radix_bits);
        const std::uint32_t most = std::min(radix_bits, chunk_bits);
        EXPECT_EQ(passes.size(), (degree_bits + most - 1) / most);
        std::uint32_t top = degree_bits;
        for (const PassBits& pass : passes) {
          EXPECT_EQ(pass.bit + pass.stages, top);
          EXPECT_GE(pass.stages, 1u);
          EXPECT_LE(pass.stages, most);
          EXPECT_LT(pass.window, layout.windows());
          EXPECT_LE(pass.window, pass.bit);
          EXPECT_LE(top, pass.window + chunk_bits);
          top = pass.bit;
        }
        EXPECT_EQ(top, 0u);
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::machine
