// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Hand-made micro-programs: data, faults, and the equality of both ways to count cycles.
#include "heliodor/targets/machine/simulator.h"

#include <gtest/gtest.h>

#include <numeric>

#include "heliodor/ring/primes.h"
#include "heliodor/targets/machine/internal/test_machine.h"

namespace heliodor::machine {
namespace {

using internal::small_machine;

constexpr std::uint64_t kDegree = 8;  // two rows of four words

class SimulatorTest : public testing::Test {
 protected:
  SimulatorTest() {
    program_.degree = kDegree;
    program_.chunk_words = 4;
    program_.rows = 16;
    program_.inputs = 2;
    program_.outputs = 1;
    program_.moduli.emplace_back(ring::generate_primes(30, kDegree, 1)[0], kDegree);
    program_.twiddles.push_back(make_twiddle_tables(program_.moduli[0]));
    std::iota(input_.begin(), input_.end(), 100);
    host_.inputs = {input_, input_};
    host_.seeds.resize(2);
    host_.outputs = {output_};
  }

  MicroOp& emit(MicroCode code, Row in0, Row in1, Row out) {
    MicroOp op;
    op.code = code;
    op.instruction = 7;
    op.in = {in0, in1};
    op.out = {out, out + 1};
    program_.ops.push_back(op);
    return program_.ops.back();
  }

  void load(Row row, std::uint32_t chunk) { emit(MicroCode::load, 0, 0, row).chunk = chunk; }
  void store(Row row, std::uint32_t chunk) { emit(MicroCode::store, row, 0, 0).chunk = chunk; }

  Simulation run() { return simulate(small_machine(), program_, host_); }

  MicroProgram program_;
  std::vector<std::uint64_t> input_ = std::vector<std::uint64_t>(kDegree);
  std::vector<std::uint64_t> output_ = std::vector<std::uint64_t>(kDegree);
  HostMemory host_;
};

TEST_F(SimulatorTest, chunks_travel_through_rows) {
  load(5, 0);
  load(2, 1);
  store(2, 0);
  store(5, 1);
  const Simulation simulation = run();
  EXPECT_FALSE(simulation.fault);
  EXPECT_EQ(output_, (std::vector<std::uint64_t>{104, 105, 106, 107, 100, 101, 102, 103}));
}

TEST_F(SimulatorTest, reading_an_unwritten_row_is_a_fault_with_cycle_and_instruction) {
  load(0, 0);
  emit(MicroCode::add, 0, 1, 2);
  const Simulation simulation = run();
  ASSERT_TRUE(simulation.fault);
  EXPECT_EQ(simulation.fault->instruction, 7u);
  EXPECT_EQ(simulation.fault->cycle, 0u + 10 + 1 + 2);  // link latency, write, scratchpad latency
  EXPECT_EQ(simulation.fault->reason,
            "add r0 r1 -> r2 : q0  # instruction 7: row 1 is read before it is written");
}

TEST_F(SimulatorTest, a_gather_from_an_unwritten_row_is_a_fault) {
  load(0, 0);
  emit(MicroCode::permute_coeff, 0, 0, 4).immediate = 3;
  const Simulation simulation = run();
  ASSERT_TRUE(simulation.fault);
  EXPECT_NE(simulation.fault->reason.find("row 1 is read before"), std::string::npos);
}

TEST_F(SimulatorTest, two_words_of_one_bank_in_one_access_are_a_fault) {
  load(0, 0);
  load(1, 1);
  emit(MicroCode::permute_coeff, 0, 0, 4).immediate = 2;  // words 0 2 4 6: banks 0 2 0 2
  const Simulation simulation = run();
  ASSERT_TRUE(simulation.fault);
  EXPECT_NE(
      simulation.fault->reason.find("bank 0 is accessed twice in one cycle, for lane 2 in row 1"),
      std::string::npos)
      << simulation.fault->reason;
}

TEST_F(SimulatorTest, an_odd_step_gathers_without_conflict) {
  load(0, 0);
  load(1, 1);
  emit(MicroCode::permute_coeff, 0, 0, 4).immediate = 3;  // exponents 0 3 6 9 of 16: words 0 3 6 -1
  store(4, 0);
  EXPECT_FALSE(run().fault);
  const std::uint64_t q = program_.moduli[0].value();
  EXPECT_EQ(output_, (std::vector<std::uint64_t>{100, 103, 106, q - 101, 0, 0, 0, 0}));
}

TEST_F(SimulatorTest, a_gather_negates_from_the_degree_on) {
  load(0, 0);
  load(1, 1);
  MicroOp& gather = emit(MicroCode::permute_coeff, 0, 0, 4);
  gather.immediate = 15;  // exponents 9 8 7 6 of 16: words -1 -0 7 6
  gather.offset = 9;
  store(4, 0);
  EXPECT_FALSE(run().fault);
  const std::uint64_t q = program_.moduli[0].value();
  EXPECT_EQ(output_, (std::vector<std::uint64_t>{q - 101, q - 100, 107, 106, 0, 0, 0, 0}));
}

TEST_F(SimulatorTest, malformed_operations_and_absent_units_are_faults) {
  emit(MicroCode::load, 0, 0, 16);
  EXPECT_NE(run().fault->reason.find("row 16 is not below 16"), std::string::npos);
  program_.ops.clear();
  load(0, 0);
  MachineDescription machine = small_machine();
  machine.unit(UnitKind::vector).reset();
  emit(MicroCode::neg, 0, 0, 0);
  const Simulation simulation = simulate(machine, program_, host_);
  ASSERT_TRUE(simulation.fault);
  EXPECT_NE(simulation.fault->reason.find("there is no vector unit"), std::string::npos);
}

TEST_F(SimulatorTest, missing_host_data_is_a_fault) {
  load(0, 0);
  store(0, 1);
  host_.outputs[0] = std::span(output_).first(4);
  EXPECT_NE(run().fault->reason.find("output 0 has no chunk 1"), std::string::npos);
  host_.inputs.clear();
  EXPECT_NE(run().fault->reason.find("input 0 has no chunk 0"), std::string::npos);
  program_.ops.clear();
  emit(MicroCode::uniform, 0, 0, 0).first = true;
  host_.seeds.clear();
  EXPECT_NE(run().fault->reason.find("input 0 has no seed"), std::string::npos);
}

TEST_F(SimulatorTest, programs_too_large_for_the_scratchpad_are_faults) {
  program_.rows = 65;
  EXPECT_EQ(run().fault->reason, "65 rows exceed the scratchpad's 64");
  program_.rows = 16;
  program_.chunk_words = 8;
  EXPECT_EQ(estimate(small_machine(), program_).fault->reason, "chunks of 8 words exceed 4 banks");
  program_.chunk_words = 0;
  EXPECT_EQ(run().fault->reason, "chunks of 0 words do not divide limbs of 8");
}

TEST_F(SimulatorTest, the_accumulator_restarts_at_first_and_writes_at_last) {
  load(0, 0);
  MicroOp& start = emit(MicroCode::mac_imm, 0, 0, 1);
  start.first = true;
  start.immediate = 2;
  MicroOp& finish = emit(MicroCode::mac_imm, 0, 0, 1);
  finish.immediate = 3;
  finish.last = true;
  store(1, 0);
  program_.ops.insert(program_.ops.begin() + 1, program_.ops[1]);  // its sum is dropped by `first`
  EXPECT_FALSE(run().fault);
  EXPECT_EQ(output_[0], 5 * input_[0]);
  EXPECT_EQ(output_[3], 5 * input_[3]);
}

TEST_F(SimulatorTest, inverse_stages_undo_forward_stages) {
  load(0, 0);
  load(1, 1);
  emit(MicroCode::ntt_butterfly, 0, 1, 0).immediate = 1;
  for (std::uint16_t chunk = 0; chunk < 2; ++chunk) {
    MicroOp& forward = emit(MicroCode::ntt_stages, chunk, 0, chunk);
    forward.immediate = 2u + chunk;
    forward.stride = 2;
    forward.count = 2;
  }
  store(0, 0);
  const std::size_t half = program_.ops.size();
  EXPECT_FALSE(run().fault);
  const std::vector<std::uint64_t> transformed = output_;
  EXPECT_NE(transformed, input_);

  for (std::uint16_t chunk = 0; chunk < 2; ++chunk) {
    MicroOp& inverse = emit(MicroCode::intt_stages, chunk, 0, chunk);
    inverse.immediate = 4u + 2u * chunk;
    inverse.stride = 1;
    inverse.count = 2;
  }
  MicroOp& last = emit(MicroCode::intt_butterfly, 0, 1, 0);
  last.immediate = 1;
  store(0, 0);
  store(1, 1);
  EXPECT_GT(program_.ops.size(), half);
  EXPECT_FALSE(run().fault);
  EXPECT_EQ(output_, input_);
}

TEST_F(SimulatorTest, counting_without_data_gives_the_same_activity) {
  load(0, 0);
  load(1, 1);
  emit(MicroCode::ntt_butterfly, 0, 1, 2).immediate = 1;
  emit(MicroCode::permute_coeff, 2, 0, 4).immediate = 5;
  store(4, 0);
  EXPECT_EQ(run().activity, estimate(small_machine(), program_).activity);
}

}  // namespace
}  // namespace heliodor::machine
