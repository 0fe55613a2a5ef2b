// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Hand-made micro-programs on whole machines: data, faults with their cycle, and the equality of
// all ways to run one.
#include "heliodor/targets/machine/simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "heliodor/ring/reference.h"
#include "heliodor/targets/machine/internal/test_machine.h"
#include "heliodor/targets/machine/internal/test_rig.h"
#include "heliodor/targets/machine/micro_text.h"
#include "heliodor/targets/machine/shipped_machines.h"

namespace heliodor::machine {
namespace {

using internal::small_machine;
using internal::TestRig;
using internal::wide_machine;
using Words = TestRig::Words;

constexpr Layout kLayout{.chunk_bits = 2, .degree_bits = 4};

/// A rig with one limb on chip and the outputs of a run.
class SimulatorTest : public testing::Test {
 protected:
  TestRig rig_{kLayout, 64, {30, 59}};
  const Words x_ = rig_.random_limb(0);
  const Row row_ = rig_.load(x_, 0);

  MicroOp& neg(Row in, Row out) {
    MicroOp& op = rig_.emit(MicroCode::neg, 0);
    op.in[0] = Place::limb(in);
    op.out = Place::limb(out);
    return op;
  }

  Simulation simulated() { return simulate(small_machine(), rig_.program, rig_.host()); }

  /// The fault of a run, which must be that of both ways to run with data.
  program::Fault fault() {
    const Simulation simulation = simulated();
    PassTables tables;
    const auto again = execute(small_machine(), rig_.program, rig_.host(), tables);
    EXPECT_EQ(simulation.fault.has_value(), again.has_value());
    if (!simulation.fault || !again) return {};
    EXPECT_EQ(simulation.fault->cycle, again->cycle);
    EXPECT_EQ(simulation.fault->instruction, again->instruction);
    EXPECT_EQ(simulation.fault->reason, again->reason);
    return *simulation.fault;
  }
};

TEST_F(SimulatorTest, all_ways_to_run_agree) {
  const Row out = rig_.allocate(0);
  rig_.emit_limb(MicroCode::ntt_pass, 0, [&](MicroOp& op) {
    op.window = op.bit = op.stages = 2;
    op.in[0] = op.out = Place::limb(row_);
  });
  rig_.emit(MicroCode::fence, 0);
  rig_.emit_limb(MicroCode::mul, 0, [&](MicroOp& op) {
    op.in = {Place::limb(row_), Place::limb(row_)};
    op.out = Place::limb(out);
  });
  const std::size_t output = rig_.store(out, 0);
  const Simulation simulation = simulated();
  ASSERT_FALSE(simulation.fault) << simulation.fault->reason;
  const Words words = rig_.output(output);
  EXPECT_NE(words, Words(16));

  std::size_t seen = 0;
  std::uint64_t last_end = 0;
  const auto observer = [&](std::size_t index, const MicroOp& op, const MicroTiming& timing) {
    EXPECT_EQ(index, seen++);
    EXPECT_EQ(op, rig_.program.ops[index]);
    last_end = std::max(last_end, timing.end);
  };
  EXPECT_EQ(estimate(small_machine(), rig_.program, observer).activity, simulation.activity);
  EXPECT_EQ(seen, rig_.program.ops.size());
  EXPECT_EQ(last_end, simulation.activity.cycles);

  PassTables tables;
  EXPECT_FALSE(execute(small_machine(), rig_.program, rig_.host(), tables));
  EXPECT_EQ(rig_.output(output), words);
  EXPECT_FALSE(execute(small_machine(), rig_.program, rig_.host(), tables));  // with made tables
  EXPECT_EQ(rig_.output(output), words);
}

TEST_F(SimulatorTest, a_read_before_a_write_is_a_fault_with_cycle_and_instruction) {
  const Row unwritten = rig_.allocate(0);
  neg(unwritten, row_);
  std::uint64_t enter = 0;
  estimate(small_machine(), rig_.program,
           [&](std::size_t, const MicroOp& op, const MicroTiming& timing) {
             if (op.code == MicroCode::neg) enter = timing.enter;
           });
  const program::Fault found = fault();
  EXPECT_EQ(found.cycle, enter);
  EXPECT_GT(found.cycle, 0u);
  EXPECT_EQ(found.instruction, 7u);
  EXPECT_EQ(found.reason, "neg r4 c0 -> r0 : q0 @7: bank 0 of row 4 is read before it is written");
}

TEST_F(SimulatorTest, bank_and_network_conflicts_are_faults) {
  MicroOp& gather = rig_.emit(MicroCode::permute_coeff, 0);
  gather.out = Place::limb(rig_.allocate(0));
  gather.immediate = 2;
  EXPECT_NE(fault().reason.find("lanes 0 and 2 need bank 0 in one access"), std::string::npos);
  MicroOp& permute = rig_.program.ops.back();
  permute.code = MicroCode::permute_eval;
  EXPECT_NE(fault().reason.find("lane 0 of the permutation network is needed by two results"),
            std::string::npos);
}

TEST_F(SimulatorTest, malformed_operations_are_faults) {
  neg(row_, 4);
  const program::Fault found = fault();
  EXPECT_EQ(found.reason, "neg r0 c0 -> r4 : q0 @7: row 7 is not below 4");
  const Simulation estimated = estimate(small_machine(), rig_.program);
  ASSERT_TRUE(estimated.fault);
  EXPECT_EQ(estimated.fault->cycle, found.cycle);
  EXPECT_EQ(found.cycle, estimated.activity.cycles);
}

TEST_F(SimulatorTest, operations_that_no_unit_executes_are_faults) {
  neg(row_, row_);
  MachineDescription machine = small_machine();
  std::erase_if(machine.units, [](const Unit& unit) { return unit.name == "vector"; });
  rig_.program.registers = 0;
  const Simulation simulation = estimate(machine, rig_.program);
  ASSERT_TRUE(simulation.fault);
  EXPECT_EQ(simulation.fault->reason, "neg r0 c0 -> r0 : q0 @7: there is no unit for arithmetic");
}

TEST_F(SimulatorTest, a_pass_beyond_the_radix_is_a_fault) {
  MicroOp& op = rig_.emit(MicroCode::ntt_pass, 0);
  op.stages = 2;
  EXPECT_FALSE(estimate(small_machine(), rig_.program).fault);
  MachineDescription machine = small_machine();
  for (Unit& unit : machine.units) {
    auto& ntt = unit.capabilities[static_cast<std::size_t>(Operation::ntt)];
    if (ntt) ntt->radix = 2;
  }
  const Simulation simulation = estimate(machine, rig_.program);
  ASSERT_TRUE(simulation.fault);
  EXPECT_NE(simulation.fault->reason.find("a pass of 2 stages exceeds radix 2"), std::string::npos);
}

TEST_F(SimulatorTest, programs_for_other_machines_are_refused) {
  const auto reason = [](auto edit) {
    TestRig rig(kLayout, 64, {30, 59});
    edit(rig.program);
    const Simulation simulation = estimate(small_machine(), rig.program);
    return simulation.fault ? simulation.fault->reason : "";
  };
  EXPECT_EQ(reason([](MicroProgram&) {}), "");
  EXPECT_EQ(reason([](MicroProgram& p) { p.rows = 65; }), "65 rows exceed the machine's 64");
  EXPECT_EQ(reason([](MicroProgram& p) { p.layout.chunk_bits = 3; }),
            "8 words of a chunk exceed the machine's 4");
  EXPECT_EQ(reason([](MicroProgram& p) { p.registers = 5; }), "5 registers exceed the machine's 4");
  EXPECT_EQ(reason([](MicroProgram& p) { p.word_bits = 60; }),
            "the program's words have 60 bits, the machine's 64");
  EXPECT_EQ(reason([](MicroProgram& p) { p.layout.chunk_bits = 5; }),
            "chunks of 2^5 words exceed limbs of 16");
}

TEST(SimulatorWideTest, wide_words_run_where_the_machine_has_lanes_for_them) {
  TestRig rig(kLayout, 32, {59, 30});
  const Words x = rig.random_limb(0);
  const Row row = rig.load(x, 0);
  rig.emit_limb(MicroCode::mul, 0, [&](MicroOp& op) {
    op.in = {Place::limb(row), Place::limb(row)};
    op.out = Place::limb(row);
  });
  const std::size_t output = rig.store(row, 0);
  const Simulation simulation = simulate(wide_machine(), rig.program, rig.host());
  ASSERT_FALSE(simulation.fault) << simulation.fault->reason;
  Words expected(x.size());
  ring::reference::mul(rig.q(0), x, x, expected);
  EXPECT_EQ(rig.output(output), expected);

  MachineDescription machine = wide_machine();
  machine.wide_word_bits = 58;
  EXPECT_EQ(estimate(machine, rig.program).fault->reason, "modulus q0 has 59 bits, words hold 58");
  machine = wide_machine();
  for (Unit& unit : machine.units) {
    for (auto& capability : unit.capabilities) {
      if (capability) capability->wide_lanes = 0;
    }
  }
  EXPECT_NE(estimate(machine, rig.program).fault->reason.find("has no lanes for words above 32"),
            std::string::npos);
}

TEST(SimulatorExampleTest, the_hand_written_product_is_that_of_the_reference) {
  std::ifstream file("heliodor/targets/machine/examples/negacyclic_product.micro");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto program = parse_micro_text(text);
  ASSERT_TRUE(program) << base::to_string(program.diagnostics(), "negacyclic_product.micro");
  EXPECT_EQ(program->degree(), 256u);
  EXPECT_EQ(program->layout.chunk_words(), 64u);

  const ring::Modulus& q = program->moduli.at(0);
  Words x(256);
  Words y(256);
  Words product(256);
  base::RandomStream random(base::TestSeed(1), "product");
  for (std::uint64_t& word : x) word = random.below(q.value());
  for (std::uint64_t& word : y) word = random.below(q.value());
  const HostMemory host{{x, y}, std::vector<base::PublicSeed>(2), {product}};
  const Simulation simulation = simulate(shipped_description("tutorial"), *program, host);
  ASSERT_FALSE(simulation.fault) << simulation.fault->reason;

  Words expected(256);
  for (std::size_t i = 0; i < 256; ++i) {
    for (std::size_t j = 0; j < 256; ++j) {
      const std::uint64_t term = q.mul(x[i], y[j]);
      std::uint64_t& word = expected[(i + j) % 256];
      word = i + j < 256 ? q.add(word, term) : q.sub(word, term);
    }
  }
  EXPECT_EQ(product, expected);
}

}  // namespace
}  // namespace heliodor::machine
