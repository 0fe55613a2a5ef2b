// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// WrongTarget: the reference with one planted fault, to test the harness.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "heliodor/program/target.h"

namespace heliodor::agree {

/// What is wrong: results of `op` modulo `q` are 1 too large in word `word`.
struct PlantedFault {
  program::LimbOp op;
  std::uint64_t q;
  std::size_t word;
};

class WrongTarget : public program::Target {
 public:
  explicit WrongTarget(const PlantedFault& fault) : fault_(fault) {}

  std::string name() const override { return "wrong"; }
  /// Degrees that have no word to corrupt.
  std::optional<std::string> refusal(const program::LimbProgram& program) const override;
  program::Cost predict(const program::LimbProgram& program) const override;

 protected:
  std::unique_ptr<const program::Plan> do_plan(
      std::shared_ptr<const program::LimbProgram> program) const override;

 private:
  PlantedFault fault_;
};

}  // namespace heliodor::agree
