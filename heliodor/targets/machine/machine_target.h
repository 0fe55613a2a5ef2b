// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// MachineTarget: a described machine as a target. Programs are lowered to micro-operations and
// executed with real data; the cost is counted in machine cycles. A batch runs item after item and
// its cycles add up.
//
//   const MachineTarget target(shipped_description("tutorial"));
//   const auto plan = target.plan(program);
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "heliodor/program/target.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/micro_op.h"
#include "heliodor/targets/machine/ntt_pass.h"
#include "heliodor/targets/machine/timeline.h"

namespace heliodor::machine {

class MachinePlan : public program::Plan {
 public:
  MachinePlan(std::shared_ptr<const program::LimbProgram> program,
              std::shared_ptr<const MachineDescription> description);

  /// A line per instruction (micro-operations by name), then a line per unit and memory.
  std::string describe() const override;

  const MicroProgram& micro_program() const noexcept { return micro_program_; }
  /// What one run keeps busy, whatever the data.
  const Activity& activity() const noexcept { return activity_; }

 private:
  program::RunReport do_run(std::span<const program::Binding> batch,
                            const program::SharedBinding& shared) const override;

  std::shared_ptr<const MachineDescription> description_;
  MicroProgram micro_program_;
  Activity activity_;
  mutable PassTables tables_;  // thread-safe; filled by the first run
};

class MachineTarget : public program::Target {
 public:
  explicit MachineTarget(MachineDescription description);

  std::string name() const override;  ///< "machine:" and the description's name
  std::optional<std::string> refusal(const program::LimbProgram& program) const override;
  /// Lowers the program and counts its cycles; exactly what a run takes.
  program::Cost predict(const program::LimbProgram& program) const override;
  /// Those of a word, or of a wide word where there are such.
  unsigned widest_fast_modulus_bits() const override;

  const MachineDescription& description() const noexcept { return *description_; }

 private:
  std::unique_ptr<const program::Plan> do_plan(
      std::shared_ptr<const program::LimbProgram> program) const override;

  std::shared_ptr<const MachineDescription> description_;
};

}  // namespace heliodor::machine
