// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The harness finds planted faults, names them and shrinks their programs to one instruction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "heliodor/program/builder.h"
#include "heliodor/program/text.h"
#include "heliodor/program/verifier.h"
#include "heliodor/targets/reference/reference_target.h"
#include "tests/agree/compare.h"
#include "tests/agree/random_program.h"
#include "tests/agree/rewrite.h"
#include "tests/agree/shrink.h"
#include "tests/agree/wrong_target.h"

namespace heliodor::agree {
namespace {

using program::LimbOp;
using program::LimbProgram;
using testing::HasSubstr;

// The first random program that has the instruction, and the modulus of its first occurrence.
struct Found {
  std::uint64_t seed;
  LimbProgram program;
  std::uint64_t q;
  std::size_t instruction;
};

Found find_program_with(LimbOp op) {
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    LimbProgram program = random_program(seed);
    for (std::size_t i = 3; i < program.instruction_count(); ++i) {
      const program::Instruction instruction = program.instruction(i);
      if (instruction.op != op) continue;
      const std::uint64_t q = program.modulus(instruction.result).value();
      const auto is_hit = [&](std::size_t k) {
        const program::Instruction other = program.instruction(k);
        return other.op == op && program.modulus(other.result).value() == q;
      };
      std::size_t first = 0;
      while (!is_hit(first)) ++first;
      return {seed, std::move(program), q, first};
    }
  }
  throw std::logic_error("no program has the instruction");
}

class PlantedFaultTest : public testing::TestWithParam<LimbOp> {};

TEST_P(PlantedFaultTest, is_found_named_and_shrunk_to_one_instruction) {
  const Found found = find_program_with(GetParam());
  const WrongTarget wrong({.op = GetParam(), .q = found.q, .word = 3});
  const Trial trial{.seed = found.seed, .fill = Fill::random, .batch = 2};

  const auto instruction = find_wrong_instruction(found.program, wrong, trial);
  ASSERT_TRUE(instruction.has_value());
  EXPECT_EQ(instruction->instruction, found.instruction);
  EXPECT_EQ(instruction->difference.word, 3U);
  EXPECT_EQ(instruction->difference.run, 0U);
  EXPECT_EQ(instruction->difference.actual, (instruction->difference.expected + 1) % found.q);

  const LimbProgram smallest = shrink(found.program, [&](const LimbProgram& candidate) {
    return !wrong.refusal(candidate) && compare(candidate, wrong, trial).has_value();
  });
  EXPECT_EQ(smallest.instruction_count(), 1U) << program::to_text(smallest);
  EXPECT_EQ(smallest.instruction(0).op, GetParam());
  EXPECT_EQ(term_count(smallest.instruction(0)), 1U);
  EXPECT_EQ(smallest.outputs().size(), 1U);
  EXPECT_LE(smallest.moduli().size(), 2U);
  EXPECT_EQ(smallest.degree(), 4U);  // word 3 needs four words
  EXPECT_TRUE(compare(smallest, wrong, trial).has_value());
}

INSTANTIATE_TEST_SUITE_P(op, PlantedFaultTest, testing::ValuesIn(program::kAllLimbOps),
                         [](const auto& op) { return std::string(program::info(op.param).name); });

TEST(HarnessTest, explanation_names_target_instruction_limb_word_and_seed) {
  const Found found = find_program_with(LimbOp::ntt);
  const WrongTarget wrong({.op = LimbOp::ntt, .q = found.q, .word = 3});
  const Trial trial{.seed = found.seed, .fill = Fill::zero, .batch = 1};
  const std::string text = explain(found.program, wrong, trial);
  EXPECT_THAT(text, HasSubstr("target wrong disagrees"));
  EXPECT_THAT(text, HasSubstr("zero data, batch 1, seed " + std::to_string(found.seed)));
  EXPECT_THAT(text, HasSubstr("first wrong instruction: " +
                              program::to_text(found.program, found.instruction)));
  EXPECT_THAT(text, HasSubstr(" = " + std::to_string(found.q) + " ("));
  EXPECT_THAT(text, HasSubstr("word 3: expected"));
  EXPECT_THAT(text, HasSubstr("1 of " + std::to_string(found.program.instruction_count())));
  EXPECT_THAT(text, HasSubstr("limb_program 1"));
}

TEST(HarnessTest, a_right_target_agrees_with_itself) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Trial trial{.seed = seed, .fill = Fill::random, .batch = 2};
    EXPECT_FALSE(compare(random_program(seed), reference::ReferenceTarget(), trial).has_value());
  }
}

// A fault of a target that computes nothing wrong but stops, or throws.
class BrokenTarget : public reference::ReferenceTarget {
 public:
  explicit BrokenTarget(bool throws) : throws_(throws) {}
  std::string name() const override { return "broken"; }

 private:
  class BrokenPlan : public program::Plan {
   public:
    BrokenPlan(std::shared_ptr<const LimbProgram> program, bool throws)
        : Plan(std::move(program)), throws_(throws) {}
    std::string describe() const override { return ""; }

   private:
    program::RunReport do_run(std::span<const program::Binding> /*batch*/,
                              const program::SharedBinding& /*shared*/) const override {
      if (throws_) throw std::runtime_error("lost its way");
      return {.cost = {},
              .fault = program::Fault{.cycle = 12, .instruction = 0, .reason = "bank conflict"}};
    }
    bool throws_;
  };

  std::unique_ptr<const program::Plan> do_plan(
      std::shared_ptr<const LimbProgram> program) const override {
    return std::make_unique<BrokenPlan>(std::move(program), throws_);
  }
  bool throws_;
};

TEST(HarnessTest, a_fault_and_an_exception_of_a_target_are_mismatches) {
  const Trial trial{.seed = 1, .fill = Fill::random, .batch = 1};
  EXPECT_EQ(compare(random_program(1), BrokenTarget(false), trial)->failure,
            "fault in cycle 12 at instruction 0: bank conflict");
  EXPECT_EQ(compare(random_program(1), BrokenTarget(true), trial)->failure,
            "run threw: lost its way");
}

// Errs only where some result stays inside the target, as a wrong fusion does.
class FusionFaultTarget : public WrongTarget {
 public:
  using WrongTarget::WrongTarget;

 private:
  std::unique_ptr<const program::Plan> do_plan(
      std::shared_ptr<const LimbProgram> program) const override {
    if (program->outputs().size() < program->instruction_count()) {
      return WrongTarget::do_plan(program);
    }
    return reference::ReferenceTarget().plan(*program);
  }
};

TEST(HarnessTest, a_fault_that_hides_when_results_are_outputs_is_still_shrunk) {
  program::Builder b({ring::Modulus(97, 16)});
  program::ValueId x = b.operand("x", 0, program::Domain::coeff);
  for (int i = 0; i < 4; ++i) x = b.neg(b.intt(b.mul_scalar(b.ntt(x), 3)));
  b.output("z", x);
  const LimbProgram program = b.build();
  const FusionFaultTarget wrong({.op = LimbOp::neg, .q = 97, .word = 3});
  const Trial trial{.seed = 1, .fill = Fill::random, .batch = 1};
  EXPECT_FALSE(find_wrong_instruction(program, wrong, trial).has_value());
  const std::string text = explain(program, wrong, trial);
  EXPECT_THAT(text, HasSubstr("first wrong output: \"z\""));
  EXPECT_THAT(text, HasSubstr("no instruction is wrong when every result is an output"));
  EXPECT_THAT(text, HasSubstr("2 of 16 instructions"));
}

TEST(RewriteTest, every_step_of_shrinking_leaves_a_well_formed_program) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const LimbProgram program = random_program(seed);
    EXPECT_TRUE(verify(with_every_result_as_output(program)).empty()) << seed;
    std::size_t candidates = 0;
    // Accepts every third candidate, so that steps pile up.
    shrink(program, [&](const LimbProgram& candidate) {
      const auto diagnostics = verify(candidate);
      EXPECT_TRUE(diagnostics.empty())
          << "seed " << seed << "\n"
          << base::to_string(diagnostics, "candidate") << program::to_text(candidate);
      return ++candidates % 3 == 0;
    });
    EXPECT_GT(candidates, 3U);
  }
}

TEST(RewriteTest, what_remains_keeps_its_words) {
  for (std::uint64_t seed = 20; seed <= 25; ++seed) {
    const LimbProgram program = random_program(seed);
    const Trial trial{.seed = seed, .fill = Fill::random, .batch = 1};
    TrialSource whole_source(trial);
    const reference::RunInputs inputs(program, 1, whole_source);
    reference::RunOutputs outputs(program, 1);
    reference::ReferenceTarget().plan(program)->run(bind(inputs, outputs), inputs.shared());

    const std::size_t last = program.outputs().size() - 1;
    Edit edit;
    edit.outputs = {last};
    edit.degree = program.degree();
    const LimbProgram part = rewrite(program, edit);
    TrialSource part_source(trial);
    const reference::RunInputs part_inputs(part, 1, part_source);
    reference::RunOutputs part_outputs(part, 1);
    reference::ReferenceTarget().plan(part)->run(bind(part_inputs, part_outputs),
                                                 part_inputs.shared());
    EXPECT_TRUE(std::ranges::equal(outputs.limb(0, last), part_outputs.limb(0, 0))) << seed;
  }
}

TEST(RandomProgramTest, is_reproducible_and_covers_what_it_promises) {
  EXPECT_EQ(random_program(7), random_program(7));
  EXPECT_FALSE(random_program(7) == random_program(8));
  std::set<LimbOp> ops;
  std::set<std::uint64_t> degrees;
  std::set<std::size_t> limb_counts;
  std::set<program::InputKind> kinds;
  unsigned smallest = 64;
  unsigned largest = 0;
  for (std::uint64_t seed = 1; seed <= 160; ++seed) {
    const LimbProgram program = random_program(seed);
    degrees.insert(program.degree());
    limb_counts.insert(program.moduli().size());
    for (const ring::Modulus& q : program.moduli()) {
      smallest = std::min(smallest, q.bits());
      largest = std::max(largest, q.bits());
    }
    for (const program::Input& input : program.inputs()) kinds.insert(input.kind);
    for (std::size_t i = 0; i < program.instruction_count(); ++i) {
      ops.insert(program.instruction(i).op);
    }
  }
  EXPECT_EQ(ops.size(), program::kAllLimbOps.size());
  EXPECT_EQ(degrees.size(), 10U);
  EXPECT_EQ(*degrees.begin(), 16U);
  EXPECT_EQ(*degrees.rbegin(), 8192U);
  EXPECT_EQ(limb_counts.size(), 8U);
  EXPECT_EQ(kinds.size(), 4U);
  EXPECT_EQ(smallest, 20U);
  EXPECT_EQ(largest, 60U);
}

TEST(TrialTest, data_is_canonical_and_follows_the_name_and_the_run) {
  const ring::Modulus q(97, 16);
  const program::Input x{program::InputKind::operand, 0, "x"};
  const program::Input y{program::InputKind::operand, 5, "y"};
  const program::Input moved_x{program::InputKind::operand, 9, "x"};
  for (const Fill fill : kAllFills) {
    TrialSource source({.seed = 3, .fill = fill, .batch = 2});
    std::vector<std::uint64_t> a(16), b(16), c(16), d(16);
    source.fill(x, q, 0, a);
    source.fill(moved_x, q, 0, b);
    source.fill(y, q, 0, c);
    source.fill(x, q, 1, d);
    EXPECT_EQ(a, b) << to_string(fill);
    EXPECT_LT(std::ranges::max(a), 97U) << to_string(fill);
    if (fill == Fill::random || fill == Fill::edges) {
      EXPECT_NE(a, c) << to_string(fill);
      EXPECT_NE(a, d) << to_string(fill);
    }
  }
}

}  // namespace
}  // namespace heliodor::agree
