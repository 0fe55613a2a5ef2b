// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/agree/compare.h"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <vector>

#include "heliodor/program/text.h"
#include "heliodor/targets/reference/reference_target.h"
#include "tests/agree/rewrite.h"
#include "tests/agree/shrink.h"

namespace heliodor::agree {
namespace {

using program::LimbProgram;
using program::Plan;
using program::Target;

reference::RunInputs inputs_of(const LimbProgram& program, const Trial& trial) {
  TrialSource source(trial);
  return {program, trial.batch, source};
}

std::string describe(const LimbProgram& program, program::ValueId value,
                     const reference::Difference& difference) {
  const ring::Modulus& q = program.modulus(value);
  return fmt::format("value %{} of limb q{} = {} ({} bits), run {}, word {}: expected {}, got {}",
                     value, program.type(value).modulus, q.value(), q.bits(), difference.run,
                     difference.word, difference.expected, difference.actual);
}

std::string describe(const LimbProgram& program, const Target& target, const Trial& trial,
                     const Mismatch& mismatch) {
  if (!mismatch.failure.empty()) return "the target failed: " + mismatch.failure;
  const program::Output& output = program.outputs()[mismatch.difference.output];
  std::string text = fmt::format("first wrong output: \"{}\", {}", output.name,
                                 describe(program, output.value, mismatch.difference));
  if (const auto wrong = find_wrong_instruction(program, target, trial)) {
    const auto instruction = program.instruction(wrong->instruction);
    text += fmt::format("\nfirst wrong instruction: {}\n  {}",
                        program::to_text(program, wrong->instruction),
                        describe(program, instruction.result, wrong->difference));
  } else {
    text +=
        "\nno instruction is wrong when every result is an output: suspect fusion or reuse of "
        "memory";
  }
  return text;
}

}  // namespace

Expectation::Expectation(const LimbProgram& program, const Trial& trial)
    : trial_(trial), inputs_(inputs_of(program, trial)), outputs_(program, trial.batch) {
  reference::ReferenceTarget().plan(program)->run(bind(inputs_, outputs_), inputs_.shared());
}

std::optional<Mismatch> Expectation::compare(const Plan& plan) const {
  reference::RunOutputs actual(plan.program(), trial_.batch);
  try {
    const auto report = plan.run(bind(inputs_, actual), *plan.load(inputs_.shared()));
    if (report.fault) {
      return Mismatch{
          .difference = {},
          .failure = fmt::format("fault in cycle {} at instruction {}: {}", report.fault->cycle,
                                 report.fault->instruction, report.fault->reason)};
    }
  } catch (const std::exception& error) {
    return Mismatch{.difference = {}, .failure = fmt::format("run threw: {}", error.what())};
  }
  const auto difference = first_difference(outputs_, actual, trial_.batch);
  if (!difference) return std::nullopt;
  return Mismatch{.difference = *difference, .failure = {}};
}

std::optional<Mismatch> compare(const LimbProgram& program, const Target& target,
                                const Trial& trial) {
  std::unique_ptr<const Plan> plan;
  try {
    plan = target.plan(program);
  } catch (const std::exception& error) {
    return Mismatch{.difference = {}, .failure = fmt::format("plan threw: {}", error.what())};
  }
  return Expectation(program, trial).compare(*plan);
}

std::optional<WrongInstruction> find_wrong_instruction(const LimbProgram& program,
                                                       const Target& target, const Trial& trial) {
  if (program.instruction_count() == 0) return std::nullopt;
  const LimbProgram visible = with_every_result_as_output(program);
  if (target.refusal(visible)) return std::nullopt;
  const auto mismatch = compare(visible, target, trial);
  if (!mismatch || !mismatch->failure.empty()) return std::nullopt;
  // The outputs of `visible` are the instructions' results in order, and first_difference goes by
  // output.
  return WrongInstruction{.instruction = mismatch->difference.output,
                          .difference = mismatch->difference};
}

std::string explain(const LimbProgram& program, const Target& target, const Trial& trial) {
  const auto mismatch = compare(program, target, trial);
  if (!mismatch) return "the mismatch does not come back: suspect a race";
  const auto fails = [&](const LimbProgram& candidate) {
    return !target.refusal(candidate) && compare(candidate, target, trial).has_value();
  };
  const LimbProgram smallest = shrink(program, fails);
  std::string text = fmt::format("target {} disagrees with the reference ({})\n{}\n", target.name(),
                                 to_string(trial), describe(program, target, trial, *mismatch));
  text += fmt::format("\nsmallest program that fails, {} of {} instructions:\n{}\n",
                      smallest.instruction_count(), program.instruction_count(),
                      program::to_text(smallest));
  if (const auto last = compare(smallest, target, trial)) {
    text += describe(smallest, target, trial, *last) + "\n";
  }
  return text;
}

}  // namespace heliodor::agree
