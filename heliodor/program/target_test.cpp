// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "heliodor/base/error.h"
#include "heliodor/program/builder.h"
#include "heliodor/program/internal/sample_program.h"

namespace heliodor::program {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Words = std::vector<std::uint64_t>;

/// Copies operand 0 to output 0 and says how often it was called.
class CopyPlan final : public Plan {
 public:
  CopyPlan(std::shared_ptr<const LimbProgram> program, int& runs)
      : Plan(std::move(program)), runs_(runs) {}

  std::string describe() const override { return "copy"; }

 private:
  RunReport do_run(std::span<const Binding> batch, const SharedBinding&) const override {
    ++runs_;
    for (const Binding& binding : batch) {
      std::copy(binding.operands[0].begin(), binding.operands[0].end(), binding.outputs[0].begin());
    }
    return {{1.5, std::uint64_t{batch.size()}}, std::nullopt};
  }

  int& runs_;
};

/// Runs programs of at most two instructions.
class CopyTarget final : public Target {
 public:
  std::string name() const override { return "copy"; }
  Cost predict(const LimbProgram&) const override { return {}; }
  std::optional<std::string> refusal(const LimbProgram& program) const override {
    if (program.instruction_count() <= 2) return std::nullopt;
    return std::to_string(program.instruction_count()) + " instructions exceed 2";
  }

  mutable int runs = 0;

 private:
  std::unique_ptr<const Plan> do_plan(std::shared_ptr<const LimbProgram> program) const override {
    return std::make_unique<const CopyPlan>(std::move(program), runs);
  }
};

/// Inputs of every kind: operands x (q0) and y (q1), key k (q1), constant c (q0), seed s.
LimbProgram mixed_program() {
  Builder b(internal::sample_moduli(), "mixed");
  const ValueId x = b.operand("x", 0, Domain::eval);
  const ValueId k = b.key("k", 1, Domain::eval);
  const ValueId y = b.operand("y", 1, Domain::eval);
  const ValueId s = b.seed("s");
  const ValueId c = b.constant("c", 0, Domain::eval);
  b.output("z", b.dot(std::array{std::pair{x, c}, std::pair{x, x}}));
  b.output("v", b.dot(std::array{std::pair{y, k}, std::pair{y, y}}));
  const ValueId a = s;
  b.output("u", b.uniform(a, 1, 0, Domain::eval));
  return b.build();
}

LimbProgram copy_program() {
  Builder b(internal::sample_moduli(), "copy");
  b.output("z", b.operand("x", 0, Domain::eval));
  return b.build();
}

/// What a call throws.
std::pair<ErrorCode, std::string> thrown_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {ErrorCode::io, "nothing"};
}

class PlanTest : public ::testing::Test {
 protected:
  PlanTest()
      : plan_(std::make_shared<const LimbProgram>(mixed_program()), runs_),
        binding_{{x_, y_}, {z_, v_, u_}},
        shared_{{k_, c_}, {base::PublicSeed{}}} {}

  std::pair<ErrorCode, std::string> run() {
    return thrown_by([&] { plan_.run(std::span(&binding_, 1), shared_); });
  }

  int runs_ = 0;
  Words x_ = Words(16, 5), y_ = Words(16, 192), k_ = Words(16, 192), c_ = Words(16, 96);
  Words z_ = Words(16), v_ = Words(16), u_ = Words(16);
  CopyPlan plan_;
  Binding binding_;
  SharedBinding shared_;
};

using Mismatch = std::pair<ErrorCode, std::string>;

TEST_F(PlanTest, a_batch_of_right_shape_runs) {
  const std::vector<Binding> batch{binding_, binding_};
  const RunReport report = plan_.run(batch, shared_);
  EXPECT_EQ(z_, Words(16, 5));
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(report.cost.seconds, 1.5);
  EXPECT_EQ(report.cost.cycles, 2U);
  EXPECT_FALSE(report.fault);
}

TEST_F(PlanTest, an_empty_batch_costs_nothing_but_is_checked) {
  const RunReport report = plan_.run({}, shared_);
  EXPECT_EQ(report.cost.seconds, 0);
  EXPECT_EQ(thrown_by([&] { plan_.run({}, {}); }).first, ErrorCode::mismatch);
  EXPECT_EQ(runs_, 0);
}

TEST_F(PlanTest, what_is_loaded_serves_many_runs) {
  const auto loaded = plan_.load(shared_);
  EXPECT_EQ(loaded->binding().limbs[1].data(), c_.data());
  for (int run = 0; run < 3; ++run) {
    std::ranges::fill(z_, 0);
    EXPECT_EQ(plan_.run({&binding_, 1}, *loaded).cost.cycles, 1U);
    EXPECT_EQ(z_, Words(16, 5));
  }
  EXPECT_EQ(runs_, 3);
}

TEST_F(PlanTest, what_is_loaded_must_fit_the_program) {
  const auto loaded = plan_.load(shared_);
  binding_.operands.pop_back();
  EXPECT_EQ(thrown_by([&] { plan_.run({&binding_, 1}, *loaded); }).first, ErrorCode::mismatch);
  shared_.limbs.pop_back();
  EXPECT_EQ(thrown_by([&] { plan_.load(shared_); }),
            Mismatch(ErrorCode::mismatch, "shared limb count 1 differs from the program's 2"));
}

TEST_F(PlanTest, what_another_plan_loaded_is_refused) {
  const CopyPlan other(std::make_shared<const LimbProgram>(mixed_program()), runs_);
  const auto loaded = other.load(shared_);
  EXPECT_EQ(thrown_by([&] { plan_.run({&binding_, 1}, *loaded); }).first, ErrorCode::mismatch);
  EXPECT_EQ(runs_, 0);
}

TEST_F(PlanTest, counts_of_spans_must_be_the_programs) {
  binding_.operands.pop_back();
  EXPECT_EQ(run(), Mismatch(ErrorCode::mismatch,
                            "binding 0 operand count 1 differs from the program's 2"));
  binding_.operands = {x_, y_, y_};
  EXPECT_EQ(run(), Mismatch(ErrorCode::mismatch,
                            "binding 0 operand count 3 differs from the program's 2"));
  binding_.operands = {x_, y_};
  binding_.outputs.pop_back();
  EXPECT_EQ(run(),
            Mismatch(ErrorCode::mismatch, "binding 0 output count 2 differs from the program's 3"));
  binding_.outputs.push_back(u_);
  shared_.limbs.pop_back();
  EXPECT_EQ(run(),
            Mismatch(ErrorCode::mismatch, "shared limb count 1 differs from the program's 2"));
  shared_.limbs.push_back(c_);
  shared_.seeds.clear();
  EXPECT_EQ(run(),
            Mismatch(ErrorCode::mismatch, "shared seed count 0 differs from the program's 1"));
  EXPECT_EQ(runs_, 0);
}

TEST_F(PlanTest, lengths_of_spans_must_be_the_degree) {
  binding_.operands[1] = std::span(y_).first(15);
  EXPECT_EQ(run(), Mismatch(ErrorCode::mismatch,
                            "binding 0 operand \"y\" has 15 words, the degree is 16"));
  binding_.operands[1] = y_;
  Words longer(17);
  binding_.outputs[2] = longer;
  EXPECT_EQ(run(),
            Mismatch(ErrorCode::mismatch, "binding 0 output \"u\" has 17 words, the degree is 16"));
  binding_.outputs[2] = u_;
  shared_.limbs[1] = {};
  EXPECT_EQ(run(),
            Mismatch(ErrorCode::mismatch, "shared limb \"c\" has 0 words, the degree is 16"));
}

TEST_F(PlanTest, the_message_names_the_binding_of_a_batch) {
  std::vector<Binding> batch{binding_, binding_};
  batch[1].operands.clear();
  EXPECT_THAT(thrown_by([&] { plan_.run(batch, shared_); }).second, HasSubstr("binding 1 operand"));
}

TEST_F(PlanTest, checked_builds_refuse_input_words_not_below_their_modulus) {
#ifndef HELIODOR_CHECKED
  GTEST_SKIP() << "range checks are compiled only into checked builds";
#else
  x_[3] = 97;
  const auto operand = run();
  EXPECT_EQ(operand.first, ErrorCode::range_violation);
  EXPECT_THAT(operand.second, HasSubstr("binding 0 operand \"x\""));
  x_[3] = 96;
  k_[15] = 193;
  const auto key = run();
  EXPECT_EQ(key.first, ErrorCode::range_violation);
  EXPECT_THAT(key.second, HasSubstr("shared limb \"k\""));
  k_[15] = 192;
  c_[0] = 97;
  EXPECT_EQ(run().first, ErrorCode::range_violation);
  c_[0] = 0;
  EXPECT_EQ(run().second, "nothing");
#endif
}

TEST(TargetTest, plans_hold_the_program_they_were_made_of) {
  const CopyTarget target;
  const auto plan = target.plan(copy_program());
  EXPECT_TRUE(plan->program() == copy_program());
  EXPECT_EQ(plan->describe(), "copy");
}

TEST(TargetTest, malformed_programs_are_refused_with_every_diagnostic) {
  LimbProgram program(internal::sample_moduli(), "broken");
  program.append_input(InputKind::operand, "x", {0, Domain::eval});
  const auto [code, message] = thrown_by([&] { CopyTarget().plan(program); });
  EXPECT_EQ(code, ErrorCode::invalid_program);
  EXPECT_THAT(message, HasSubstr("the program has no output"));
  EXPECT_THAT(message, HasSubstr("%0 is never used"));
}

TEST(TargetTest, programs_a_target_cannot_run_are_refused_with_its_reason) {
  const auto [code, message] = thrown_by([] { CopyTarget().plan(mixed_program()); });
  EXPECT_EQ(code, ErrorCode::unsupported);
  EXPECT_EQ(message, "target copy: 3 instructions exceed 2");
}

TEST(TargetTest, memory_of_a_target_has_a_limb_of_zeros_per_limb) {
  const base::LimbArena arena = CopyTarget().allocate(3, 16);
  EXPECT_EQ(arena.limb_count(), 3U);
  EXPECT_EQ(arena.words(), 16U);
  EXPECT_EQ(arena.limb(2)[15], 0U);
}

}  // namespace
}  // namespace heliodor::program
