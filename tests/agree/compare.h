// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Comparison of a target with the reference, and the search for the instruction that is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "heliodor/program/limb_program.h"
#include "heliodor/program/target.h"
#include "heliodor/targets/reference/run_data.h"
#include "tests/agree/trial.h"

namespace heliodor::agree {

/// How a run went wrong: a word that differs, or no words at all.
struct Mismatch {
  reference::Difference difference;
  std::string failure;  ///< what the target threw, or its fault; then `difference` says nothing

  bool operator==(const Mismatch&) const = default;
};

/// What a program must return for a trial, computed once by the reference and compared with many
/// targets.
class Expectation {
 public:
  Expectation(const program::LimbProgram& program, const Trial& trial);

  /// Nothing if the plan of a target returns the same words.
  std::optional<Mismatch> compare(const program::Plan& plan) const;

 private:
  Trial trial_;
  reference::RunInputs inputs_;
  reference::RunOutputs outputs_;
};

/// Plans and compares once; a failure to plan is a mismatch. Requires that the target does not
/// refuse the program.
std::optional<Mismatch> compare(const program::LimbProgram& program, const program::Target& target,
                                const Trial& trial);

/// The first instruction whose result differs when every result is an output. Nothing if all are
/// equal then: the fault lies in what the target does across instructions (fusion, reuse of
/// memory), or the target failed.
struct WrongInstruction {
  std::size_t instruction;
  reference::Difference difference;  ///< `output` is unused
};
std::optional<WrongInstruction> find_wrong_instruction(const program::LimbProgram& program,
                                                       const program::Target& target,
                                                       const Trial& trial);

/// For people: target, instruction, limb, words, data, and the smallest program that still fails,
/// in text form.
std::string explain(const program::LimbProgram& program, const program::Target& target,
                    const Trial& trial);

}  // namespace heliodor::agree
