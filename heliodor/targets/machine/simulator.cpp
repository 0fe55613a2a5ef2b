// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/simulator.h"

#include <fmt/format.h>

#include <bit>

namespace heliodor::machine {
namespace {

/// Why this machine cannot execute the operation, whatever the data.
std::optional<std::string> impossible(const MachineDescription& description,
                                      const MicroProgram& program, const MicroOp& op) {
  const UnitKind kind = info(op.code).unit;
  if (!description.unit(kind)) return fmt::format("there is no {} unit", to_string(kind));
  return malformed(op, program);
}

/// Why no chunk of the program can have its place in this machine.
std::optional<std::string> misfit(const MachineDescription& description,
                                  const MicroProgram& program) {
  const Scratchpad& scratchpad = description.scratchpad;
  if (!std::has_single_bit(program.degree) || !std::has_single_bit(program.chunk_words) ||
      program.chunk_words > program.degree) {
    return fmt::format("chunks of {} words do not divide limbs of {}", program.chunk_words,
                       program.degree);
  }
  if (program.rows > scratchpad.rows()) {
    return fmt::format("{} rows exceed the scratchpad's {}", program.rows, scratchpad.rows());
  }
  if (program.chunk_words > scratchpad.banks) {
    return fmt::format("chunks of {} words exceed {} banks", program.chunk_words, scratchpad.banks);
  }
  return {};
}

Simulation run(const MachineDescription& description, const MicroProgram& program,
               Datapath* datapath) {
  Timeline timeline(description, program);
  for (const MicroOp& op : program.ops) {
    std::optional<std::string> reason = impossible(description, program, op);
    std::uint64_t cycle = timeline.activity().cycles;
    if (!reason) {
      cycle = timeline.place(op).enter;
      if (datapath != nullptr) reason = datapath->execute(op);
    }
    if (reason) {
      return {timeline.activity(),
              program::Fault{cycle, op.instruction, to_text(op) + ": " + *reason}};
    }
  }
  return {timeline.activity(), {}};
}

}  // namespace

Simulation simulate(const MachineDescription& description, const MicroProgram& program,
                    const HostMemory& host) {
  if (auto reason = misfit(description, program)) return {{}, program::Fault{0, 0, *reason}};
  Datapath datapath(program, host);
  return run(description, program, &datapath);
}

Simulation estimate(const MachineDescription& description, const MicroProgram& program) {
  if (auto reason = misfit(description, program)) return {{}, program::Fault{0, 0, *reason}};
  return run(description, program, nullptr);
}

}  // namespace heliodor::machine
