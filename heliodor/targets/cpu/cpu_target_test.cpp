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
#include "heliodor/ring/reference.h"
#include "heliodor/targets/cpu/internal/kernel_inputs.h"
#include "heliodor/targets/cpu/internal/random_program.h"

namespace heliodor::cpu {
namespace {

namespace reference = ring::reference;

using internal::Limb;
using internal::RandomProgram;
using program::Binding;
using program::Builder;
using program::Domain;
using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::SharedBinding;
using program::ValueId;
using testing::HasSubstr;

/// Moduli on both sides of what the 52-bit kernels take.
std::vector<ring::Modulus> mixed_moduli(std::uint64_t degree) {
  std::vector<ring::Modulus> moduli;
  for (const unsigned bits : {46u, 60u, 30u, 50u}) {
    moduli.push_back(internal::ends_of_size(bits, degree).back());
  }
  return moduli;
}

/// The values of a program for one binding, by the definitions.
class Interpreter {
 public:
  Interpreter(const LimbProgram& program, const std::vector<Limb>& operands,
              const std::vector<Limb>& shared, const std::vector<base::PublicSeed>& seeds)
      : program_(program), values_(program.value_count(), Limb(program.degree())) {
    std::size_t operand = 0, limb = 0, seed = 0;
    for (const program::Input& input : program.inputs()) {
      switch (input.kind) {
        case program::InputKind::operand:
          values_[input.value] = operands[operand++];
          break;
        case program::InputKind::seed:
          seeds_[input.value] = seeds[seed++];
          break;
        default:
          values_[input.value] = shared[limb++];
      }
    }
    for (std::size_t i = 0; i < program.instruction_count(); ++i) execute(program.instruction(i));
  }

  std::vector<Limb> outputs() const {
    std::vector<Limb> result;
    for (const program::Output& output : program_.outputs()) {
      result.push_back(values_[output.value]);
    }
    return result;
  }

 private:
  void execute(const Instruction& in) {
    const ring::Modulus& q = program_.modulus(in.result);
    const auto x = [&](std::size_t k) -> const Limb& { return values_[in.operands[k]]; };
    Limb& z = values_[in.result];
    switch (in.op) {
      case LimbOp::add:
        return reference::add(q, x(0), x(1), z);
      case LimbOp::sub:
        return reference::sub(q, x(0), x(1), z);
      case LimbOp::neg:
        return reference::neg(q, x(0), z);
      case LimbOp::mul:
        return reference::mul(q, x(0), x(1), z);
      case LimbOp::add_scalar:
        return reference::add_scalar(q, x(0), in.scalars[0], z);
      case LimbOp::mul_scalar:
        return reference::mul_scalar(q, x(0), in.scalars[0], z);
      case LimbOp::dot:
        return dot(in, q, z);
      case LimbOp::dot_scalar:
        return dot_scalar(in, q, z);
      case LimbOp::quotient:
        return reference::quotient(sources(in), limbs(in), in.rounding(), z);
      case LimbOp::reduce:
        return reference::reduce(program_.modulus(in.operands[0]), q, in.lift(), x(0), z);
      case LimbOp::ntt:
        return reference::ntt(q, x(0), z);
      case LimbOp::intt:
        return reference::intt(q, x(0), z);
      case LimbOp::permute:
        return reference::permute(q, in.parameter, program_.type(in.result).domain, x(0), z);
      case LimbOp::uniform:
        return reference::uniform(q, seeds_.at(in.operands[0]), in.parameter, z);
    }
  }

  void dot(const Instruction& in, const ring::Modulus& q, Limb& z) const {
    std::vector<reference::In> a, b;
    for (std::size_t k = 0; k < in.operands.size(); k += 2) {
      a.emplace_back(values_[in.operands[k]]);
      b.emplace_back(values_[in.operands[k + 1]]);
    }
    reference::dot(q, a, b, z);
  }

  void dot_scalar(const Instruction& in, const ring::Modulus& q, Limb& z) const {
    reference::dot_scalar(q, sources(in), limbs(in), in.scalars, z);
  }

  std::vector<ring::Modulus> sources(const Instruction& in) const {
    std::vector<ring::Modulus> result;
    for (const ValueId x : in.operands) result.push_back(program_.modulus(x));
    return result;
  }

  std::vector<reference::In> limbs(const Instruction& in) const {
    std::vector<reference::In> result;
    for (const ValueId x : in.operands) result.emplace_back(values_[x]);
    return result;
  }

  const LimbProgram& program_;
  std::vector<Limb> values_;
  std::map<ValueId, base::PublicSeed> seeds_;
};

/// Data for a batch: random and with extremes.
class Batch {
 public:
  Batch(const LimbProgram& program, std::size_t size, std::uint64_t number) : program_(program) {
    base::RandomStream random(base::TestSeed(number), "batch");
    operands_.resize(size);
    for (const program::Input& input : program.inputs()) {
      if (input.kind == program::InputKind::seed) {
        shared_.seeds.push_back(random.public_seed());
        continue;
      }
      const auto limb = [&] {
        return internal::spiked_limb(random, program.modulus(input.value).value(),
                                     program.degree());
      };
      if (input.kind == program::InputKind::operand) {
        for (std::vector<Limb>& operands : operands_) operands.push_back(limb());
      } else {
        shared_limbs_.push_back(limb());
      }
    }
    for (const Limb& limb : shared_limbs_) shared_.limbs.emplace_back(limb);
  }

  const SharedBinding& shared() const { return shared_; }

  /// Outputs of every binding.
  std::vector<std::vector<Limb>> run(const program::Plan& plan) const {
    std::vector<std::vector<Limb>> outputs(
        operands_.size(),
        std::vector<Limb>(program_.outputs().size(), Limb(program_.degree(), ~Word{0})));
    std::vector<Binding> bindings(operands_.size());
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      for (const Limb& limb : operands_[i]) bindings[i].operands.emplace_back(limb);
      for (Limb& limb : outputs[i]) bindings[i].outputs.emplace_back(limb);
    }
    const program::RunReport report = plan.run(bindings, shared_);
    EXPECT_FALSE(report.fault);
    EXPECT_GE(report.cost.seconds, 0);
    return outputs;
  }

  std::vector<std::vector<Limb>> expected() const {
    std::vector<std::vector<Limb>> outputs;
    for (const std::vector<Limb>& operands : operands_) {
      outputs.push_back(Interpreter(program_, operands, shared_limbs_, shared_.seeds).outputs());
    }
    return outputs;
  }

 private:
  const LimbProgram& program_;
  std::vector<std::vector<Limb>> operands_;
  std::vector<Limb> shared_limbs_;
  SharedBinding shared_;
};

LimbProgram random_program(std::uint64_t degree, std::uint64_t number, std::size_t instructions) {
  return RandomProgram(mixed_moduli(degree), number).make(instructions);
}

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
      for (const std::size_t size : {0u, 1u, 2u, 3u, 17u}) {
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

constexpr LimbOp kAllOps[] = {
    LimbOp::add, LimbOp::sub,        LimbOp::neg,      LimbOp::mul,    LimbOp::add_scalar,
    LimbOp::dot, LimbOp::dot_scalar, LimbOp::quotient, LimbOp::reduce, LimbOp::mul_scalar,
    LimbOp::ntt, LimbOp::intt,       LimbOp::permute,  LimbOp::uniform};

TEST(CpuTargetTest, predicted_time_is_positive_and_grows_with_the_degree) {
  for (const KernelTable* table : supported_kernel_tables()) {
    const CpuTarget target(*table);
    for (const LimbOp op : kAllOps) {
      const double small = target.predict(single(op, 64)).seconds;
      EXPECT_GT(small, 0) << static_cast<int>(op);
      EXPECT_GE(target.predict(single(op, 128)).seconds, 2 * small) << static_cast<int>(op);
    }
  }
}

TEST(CpuTargetTest, predicted_time_grows_with_terms_and_instructions) {
  const CpuTarget target(chosen_kernel_table());
  for (const LimbOp op : {LimbOp::dot, LimbOp::dot_scalar, LimbOp::quotient}) {
    EXPECT_GT(target.predict(single(op, 64, 5)).seconds, target.predict(single(op, 64, 4)).seconds);
  }
  EXPECT_GT(target.predict(random_program(64, 1, 200)).seconds,
            target.predict(random_program(64, 1, 100)).seconds);
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
