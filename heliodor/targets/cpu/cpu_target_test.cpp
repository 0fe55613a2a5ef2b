// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plans against ring/reference, instruction by instruction, on pseudo-random programs.
#include "heliodor/targets/cpu/cpu_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "heliodor/base/error.h"
#include "heliodor/program/builder.h"
#include "heliodor/program/text.h"
#include "heliodor/targets/cpu/internal/batch.h"
#include "heliodor/targets/cpu/internal/kernel_inputs.h"

namespace heliodor::cpu {
namespace {

using internal::Batch;
using internal::Limb;
using internal::mixed_moduli;
using internal::random_program;
using program::Binding;
using program::Builder;
using program::Domain;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;
using testing::HasSubstr;

TEST(CpuTargetTest, random_programs_give_the_words_of_the_reference) {
  for (const KernelTable* table : supported_kernel_tables()) {
    CpuTarget target(*table);
    for (std::uint64_t number = 0; number < 20; ++number) {
      const std::uint64_t degree = std::array<std::uint64_t, 4>{2, 8, 64, 256}[number % 4];
      const LimbProgram program = random_program(degree, number, 120);
      const Batch batch(program, 2, number);
      EXPECT_EQ(batch.run(*target.plan(program)), batch.expected())
          << table->name << ", program " << number << ", degree " << degree;
    }
  }
}

TEST(CpuTargetTest, words_do_not_depend_on_threads_or_batch_size) {
  const LimbProgram program = random_program(64, 50, 200);
  for (const KernelTable* table : supported_kernel_tables()) {
    for (const unsigned threads : {1u, 2u, 8u}) {
      CpuTarget target(*table, threads);
      const auto plan = target.plan(program);
      for (const std::size_t size : {0u, 1u, 2u, 3u, 5u, 17u}) {
        const Batch batch(program, size, 51);
        EXPECT_EQ(batch.run(*plan), batch.expected())
            << table->name << ", " << threads << " threads, batch of " << size;
      }
    }
  }
}

TEST(CpuTargetTest, one_plan_serves_several_threads_at_once) {
  const LimbProgram program = random_program(64, 60, 100);
  for (const unsigned pool : {1u, 2u}) {
    CpuTarget target(chosen_kernel_table(), pool);
    const auto plan = target.plan(program);
    constexpr std::size_t kCallers = 4;
    std::vector<Batch> batches;
    for (std::size_t i = 0; i < kCallers; ++i) batches.emplace_back(program, 1 + i % 2, 61 + i);
    std::vector<std::vector<std::vector<std::vector<Limb>>>> results(kCallers);
    std::vector<std::thread> callers;
    for (std::size_t i = 0; i < kCallers; ++i) {
      callers.emplace_back([&, i] {
        for (int repeat = 0; repeat < 5; ++repeat) results[i].push_back(batches[i].run(*plan));
      });
    }
    for (std::thread& caller : callers) caller.join();
    for (std::size_t i = 0; i < kCallers; ++i) {
      const auto expected = batches[i].expected();
      for (const auto& outputs : results[i]) EXPECT_EQ(outputs, expected) << "caller " << i;
    }
  }
}

TEST(CpuTargetTest, repeated_runs_give_the_same_words) {
  const LimbProgram program = random_program(64, 70, 100);
  CpuTarget target(chosen_kernel_table());
  const auto plan = target.plan(program);
  for (std::uint64_t number = 71; number < 75; ++number) {
    const Batch batch(program, 1, number);
    EXPECT_EQ(batch.run(*plan), batch.expected());
  }
}

TEST(CpuTargetTest, plans_outlive_their_target_and_share_transforms) {
  const LimbProgram program = random_program(64, 80, 60);
  auto target = std::make_unique<CpuTarget>(chosen_kernel_table(), 2);
  const auto first = target->plan(program), second = target->plan(program);
  target.reset();
  const Batch batch(program, 1, 81);
  EXPECT_EQ(batch.run(*first), batch.expected());
  EXPECT_EQ(batch.run(*second), batch.expected());
}

TEST(CpuTargetTest, transforms_of_a_modulus_are_made_once_while_in_use) {
  NttCache cache(chosen_kernel_table());
  const ring::Modulus q = internal::ends_of_size(46, 64).back();
  const ring::Modulus other_root(q.value(), 64, q.pow(q.psi(), 3));
  const auto ntt = cache.get(q);
  EXPECT_EQ(cache.get(q), ntt);
  EXPECT_NE(cache.get(other_root), ntt);
}

TEST(CpuTargetTest, name_is_that_of_the_table) {
  for (const KernelTable* table : supported_kernel_tables()) {
    EXPECT_EQ(CpuTarget(*table).name(), "cpu:" + std::string(table->name));
  }
}

TEST(CpuTargetTest, no_program_is_refused) {
  EXPECT_FALSE(CpuTarget(chosen_kernel_table()).refusal(random_program(8, 90, 20)));
}

/// One instruction, the program's only one, on its own inputs.
LimbProgram single(LimbOp op, std::uint64_t degree, std::size_t terms = 1) {
  Builder b(mixed_moduli(degree));
  const ValueId x = b.operand("x", 0, op == LimbOp::intt ? Domain::eval : Domain::coeff);
  const std::vector<ValueId> list(terms, x);
  const std::vector<std::pair<ValueId, ValueId>> pairs(terms, {x, x});
  const auto result = [&] {
    switch (op) {
      case LimbOp::add:
        return b.add(x, x);
      case LimbOp::sub:
        return b.sub(x, x);
      case LimbOp::neg:
        return b.neg(x);
      case LimbOp::mul:
        return b.mul(x, x);
      case LimbOp::add_scalar:
        return b.add_scalar(x, 1);
      case LimbOp::mul_scalar:
        return b.mul_scalar(x, 2);
      case LimbOp::dot:
        return b.dot(pairs);
      case LimbOp::dot_scalar:
        return b.dot_scalar(0, list, std::vector<std::uint64_t>(terms, 3));
      case LimbOp::quotient:
        return b.quotient(0, ring::Rounding::floor, list);
      case LimbOp::reduce:
        return b.reduce(1, ring::Lift::centred, x);
      case LimbOp::ntt:
        return b.ntt(x);
      case LimbOp::intt:
        return b.intt(x);
      case LimbOp::permute:
        return b.permute(3, x);
      default:
        return b.add(x, b.uniform(b.seed("s"), 0, 0, Domain::coeff));
    }
  };
  b.output("z", result());
  return b.build();
}

// What it should be is cost_model_test.cpp's business.
TEST(CpuTargetTest, predicted_time_is_positive_and_the_same_when_asked_again) {
  for (const KernelTable* table : supported_kernel_tables()) {
    const CpuTarget target(*table), again(*table);
    const LimbProgram program = random_program(64, 1, 100);
    const double seconds = target.predict(program).seconds;
    EXPECT_GT(seconds, 0);
    EXPECT_EQ(again.predict(program).seconds, seconds);
    EXPECT_FALSE(target.predict(program).cycles.has_value());
  }
}

TEST(CpuTargetTest, description_mentions_every_instruction) {
  const LimbProgram program = random_program(64, 91, 60);
  for (const unsigned threads : {1u, 2u}) {
    CpuTarget target(chosen_kernel_table(), threads);
    const std::string text = target.plan(program)->describe();
    for (std::size_t i = 0; i < program.instruction_count(); ++i) {
      EXPECT_THAT(text, HasSubstr(program::to_text(program, i)));
    }
  }
}

TEST(CpuTargetTest, operand_that_is_not_canonical_is_a_range_violation_in_checked_builds) {
#ifndef HELIODOR_CHECKED
  GTEST_SKIP() << "needs a build with HELIODOR_CHECKED";
#else
  const LimbProgram program = single(LimbOp::neg, 8);
  CpuTarget target(chosen_kernel_table());
  const auto plan = target.plan(program);
  Limb x(8, 0), z(8);
  x[5] = program.moduli()[0].value();
  const std::array<Binding, 1> batch = {Binding{{x}, {z}}};
  try {
    plan->run(batch);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::range_violation);
  }
  x[5] -= 1;
  plan->run(batch);
  EXPECT_EQ(z[5], 1u);
#endif
}

TEST(CpuTargetTest, binding_of_the_wrong_length_is_a_mismatch) {
  const LimbProgram program = single(LimbOp::neg, 8);
  CpuTarget target(chosen_kernel_table());
  const auto plan = target.plan(program);
  Limb x(7, 0), z(8);
  const std::array<Binding, 1> batch = {Binding{{x}, {z}}};
  try {
    plan->run(batch);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::mismatch);
  }
}

}  // namespace
}  // namespace heliodor::cpu
