// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// ReferenceTarget: the meaning of a LimbProgram, executed. Instructions run one by one in program
// order, each by its definition in ring/reference.h. Other targets are compared with this one and
// never the reverse.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "heliodor/program/limb_program.h"
#include "heliodor/program/target.h"

namespace heliodor::reference {

/// Steps on single words that an instruction takes, for predict(): N for each operand (each pair of
/// `dot`), N * log2(N) for a transform, 2N for `uniform`, which rejects at most every second word
/// on average.
std::size_t word_steps(const program::LimbProgram& program,
                       const program::Instruction& instruction);

/// Runs every program on one thread; refuses nothing.
class ReferenceTarget : public program::Target {
 public:
  /// What predict() takes one word step to last: a round figure for a modular multiplication by
  /// 128-bit division.
  static constexpr double kSecondsPerWordStep = 1.5e-8;

  std::string name() const override { return "reference"; }
  std::optional<std::string> refusal(const program::LimbProgram& program) const override;
  program::Cost predict(const program::LimbProgram& program) const override;

 private:
  std::unique_ptr<const program::Plan> do_plan(
      std::shared_ptr<const program::LimbProgram> program) const override;
};

}  // namespace heliodor::reference
