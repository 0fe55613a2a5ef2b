// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/reference/run_data.h"

#include <algorithm>

#include "heliodor/ring/sampler.h"

namespace heliodor::reference {
namespace {

using program::Input;
using program::InputKind;
using program::LimbProgram;

std::size_t input_limbs(const LimbProgram& program, std::size_t batch) {
  std::size_t count = 0;
  for (const Input& input : program.inputs()) {
    if (input.kind == InputKind::operand) {
      count += batch;
    } else if (input.kind != InputKind::seed) {
      ++count;
    }
  }
  return count;
}

}  // namespace

UniformSource::UniformSource(std::uint64_t seed)
    : random_(base::TestSeed(seed), "program inputs") {}

void UniformSource::fill(const Input& /*input*/, const ring::Modulus& q, std::size_t /*run*/,
                         std::span<std::uint64_t> words) {
  ring::sample_uniform(q, random_, words);
}

base::PublicSeed UniformSource::seed(const Input& /*input*/) { return random_.public_seed(); }

RunInputs::RunInputs(const LimbProgram& program, std::size_t batch, InputSource& source)
    : arena_(input_limbs(program, batch), program.degree()), operands_(batch) {
  std::size_t next = 0;
  for (const Input& input : program.inputs()) {
    if (input.kind == InputKind::seed) {
      shared_.seeds.push_back(source.seed(input));
      continue;
    }
    const ring::Modulus& q = program.modulus(input.value);
    if (input.kind == InputKind::operand) {
      for (std::size_t run = 0; run < batch; ++run) {
        const std::span<std::uint64_t> words = arena_.limb(next++);
        source.fill(input, q, run, words);
        operands_[run].push_back(words);
      }
    } else {
      const std::span<std::uint64_t> words = arena_.limb(next++);
      source.fill(input, q, 0, words);
      shared_.limbs.push_back(words);
    }
  }
}

RunOutputs::RunOutputs(const LimbProgram& program, std::size_t batch)
    : output_count_(program.outputs().size()), arena_(output_count_ * batch, program.degree()) {
  for (std::size_t i = 0; i < arena_.limb_count(); ++i) {
    std::ranges::fill(arena_.limb(i), ~std::uint64_t{0});
  }
}

std::vector<program::Binding> bind(const RunInputs& inputs, RunOutputs& outputs) {
  std::vector<program::Binding> bindings(inputs.batch());
  for (std::size_t run = 0; run < inputs.batch(); ++run) {
    const auto operands = inputs.operands(run);
    bindings[run].operands.assign(operands.begin(), operands.end());
    for (std::size_t k = 0; k < outputs.output_count(); ++k) {
      bindings[run].outputs.push_back(outputs.limb(run, k));
    }
  }
  return bindings;
}

std::optional<Difference> first_difference(const RunOutputs& expected, const RunOutputs& actual,
                                           std::size_t batch) {
  for (std::size_t output = 0; output < expected.output_count(); ++output) {
    for (std::size_t run = 0; run < batch; ++run) {
      const auto want = expected.limb(run, output);
      const auto got = actual.limb(run, output);
      const auto [at, other] = std::ranges::mismatch(want, got);
      if (at == want.end()) continue;
      const auto word = static_cast<std::size_t>(at - want.begin());
      return Difference{
          .run = run, .output = output, .word = word, .expected = *at, .actual = *other};
    }
  }
  return std::nullopt;
}

}  // namespace heliodor::reference
