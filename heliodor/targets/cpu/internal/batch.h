// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Batch: data for a program, the words that it should give, and those that a plan gives.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/targets/cpu/internal/interpreter.h"
#include "heliodor/targets/cpu/internal/kernel_inputs.h"
#include "heliodor/targets/cpu/internal/random_program.h"

namespace heliodor::cpu::internal {

/// Moduli on both sides of what the 52-bit kernels take.
inline std::vector<ring::Modulus> mixed_moduli(std::uint64_t degree) {
  std::vector<ring::Modulus> moduli;
  for (const unsigned bits : {46u, 60u, 30u, 50u}) {
    moduli.push_back(ends_of_size(bits, degree).back());
  }
  return moduli;
}

inline program::LimbProgram random_program(std::uint64_t degree, std::uint64_t number,
                                           std::size_t instructions) {
  return RandomProgram(mixed_moduli(degree), number).make(instructions);
}

/// Every limb is random and has words at both ends of its range.
class Batch {
 public:
  Batch(const program::LimbProgram& program, std::size_t size, std::uint64_t number)
      : program_(program) {
    base::RandomStream random(base::TestSeed(number), "batch");
    operands_.resize(size);
    for (const program::Input& input : program.inputs()) {
      if (input.kind == program::InputKind::seed) {
        shared_.seeds.push_back(random.public_seed());
        continue;
      }
      const auto limb = [&] {
        return spiked_limb(random, program.modulus(input.value).value(), program.degree());
      };
      if (input.kind == program::InputKind::operand) {
        for (std::vector<Limb>& operands : operands_) operands.push_back(limb());
      } else {
        shared_limbs_.push_back(limb());
      }
    }
    for (const Limb& limb : shared_limbs_) shared_.limbs.emplace_back(limb);
  }

  // Spans point into it.
  Batch(const Batch&) = delete;
  Batch(Batch&&) = default;

  /// Outputs of every binding, the same whether the plan loaded what they share or not.
  std::vector<std::vector<Limb>> run(const program::Plan& plan) const {
    const auto outputs = run_with(plan, shared_);
    EXPECT_EQ(run_with(plan, *plan.load(shared_)), outputs) << "loaded";
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
  template <typename Shared>
  std::vector<std::vector<Limb>> run_with(const program::Plan& plan, const Shared& shared) const {
    std::vector<std::vector<Limb>> outputs(
        operands_.size(),
        std::vector<Limb>(program_.outputs().size(), Limb(program_.degree(), ~Word{0})));
    std::vector<program::Binding> bindings(operands_.size());
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      for (const Limb& limb : operands_[i]) bindings[i].operands.emplace_back(limb);
      for (Limb& limb : outputs[i]) bindings[i].outputs.emplace_back(limb);
    }
    const program::RunReport report = plan.run(bindings, shared);
    EXPECT_FALSE(report.fault);
    EXPECT_GE(report.cost.seconds, 0);
    return outputs;
  }

  const program::LimbProgram& program_;
  std::vector<std::vector<Limb>> operands_;
  std::vector<Limb> shared_limbs_;
  program::SharedBinding shared_;
};

}  // namespace heliodor::cpu::internal
