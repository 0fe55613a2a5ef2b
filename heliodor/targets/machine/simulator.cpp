// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/simulator.h"

#include <fmt/format.h>

#include "heliodor/targets/machine/micro_text.h"

namespace heliodor::machine {
namespace {

using program::Fault;
using Reason = std::optional<std::string>;

/// Why the program as a whole cannot run on this machine.
Reason misfit(const MachineDescription& description, const MicroProgram& program) {
  if (auto reason = malformed_frame(program)) return reason;
  const auto exceeds = [](std::string_view what, std::uint64_t value,
                          std::uint64_t bound) -> Reason {
    if (value <= bound) return {};
    return fmt::format("{} {} exceed the machine's {}", value, what, bound);
  };
  const Scratchpad& scratchpad = description.scratchpad;
  if (auto reason = exceeds("rows", program.rows, scratchpad.rows())) return reason;
  if (auto reason = exceeds("words of a chunk", program.layout.chunk_words(), scratchpad.banks)) {
    return reason;
  }
  const Unit* arithmetic = description.unit_for(Operation::arithmetic);
  const std::uint32_t registers =
      arithmetic != nullptr ? arithmetic->can(Operation::arithmetic)->registers : 0;
  if (auto reason = exceeds("registers", program.registers, registers)) return reason;
  if (program.word_bits != description.word_bits) {
    return fmt::format("the program's words have {} bits, the machine's {}", program.word_bits,
                       description.word_bits);
  }
  for (std::size_t i = 0; i < program.moduli.size(); ++i) {
    const unsigned bits = program.moduli[i].bits();
    if (bits > description.largest_word_bits()) {
      return fmt::format("modulus q{} has {} bits, words hold {}", i, bits,
                         description.largest_word_bits());
    }
  }
  return {};
}

/// Why the operation cannot run on this machine, whatever the data.
Reason impossible(const MachineDescription& description, const MicroProgram& program,
                  const MicroOp& op) {
  if (auto reason = malformed(op, program)) return reason;
  const Operation operation = info(op.code).operation;
  if (operation == Operation::transfer) return {};
  const Unit* unit = description.unit_for(operation);
  if (unit == nullptr) return fmt::format("there is no unit for {}", to_string(operation));
  const Capability& capability = *unit->can(operation);
  if (capability.wide_lanes == 0 && is_wide(op, program)) {
    return fmt::format("unit {} has no lanes for words above {} bits", unit->name,
                       program.word_bits);
  }
  if (operation == Operation::ntt && (std::uint64_t{1} << op.stages) > capability.radix) {
    return fmt::format("a pass of {} stages exceeds radix {}", op.stages, capability.radix);
  }
  return {};
}

Fault make_fault(const MicroOp& op, std::uint64_t cycle, const std::string& reason) {
  return {cycle, op.instruction, to_text(op) + ": " + reason};
}

/// The cycle at which operation `index` enters its unit, or up to which time was counted if it
/// cannot.
std::uint64_t cycle_of(const MachineDescription& description, const MicroProgram& program,
                       std::size_t index) {
  Timeline timeline(description, program);
  for (std::size_t i = 0; i < index; ++i) timeline.place(program.ops[i]);
  const MicroOp& op = program.ops[index];
  if (impossible(description, program, op)) return timeline.activity().cycles;
  return timeline.place(op).enter;
}

/// Counts time, moves data if there is a datapath, tells the observer if there is one.
Simulation run(const MachineDescription& description, const MicroProgram& program,
               Datapath* datapath, const Observer& observer) {
  Timeline timeline(description, program);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const MicroOp& op = program.ops[i];
    if (const Reason reason = impossible(description, program, op)) {
      const Activity activity = timeline.activity();
      return {activity, make_fault(op, activity.cycles, *reason)};
    }
    const MicroTiming timing = timeline.place(op);
    if (observer) observer(i, op, timing);
    const Reason reason = datapath != nullptr ? datapath->execute(op) : Reason();
    if (reason) return {timeline.activity(), make_fault(op, timing.enter, *reason)};
  }
  return {timeline.activity(), {}};
}

}  // namespace

Simulation simulate(const MachineDescription& description, const MicroProgram& program,
                    const HostMemory& host) {
  if (auto reason = misfit(description, program)) return {{}, Fault{0, 0, *reason}};
  PassTables tables;
  Datapath datapath(program, host, tables);
  return run(description, program, &datapath, {});
}

Simulation estimate(const MachineDescription& description, const MicroProgram& program,
                    const Observer& observer) {
  if (auto reason = misfit(description, program)) return {{}, Fault{0, 0, *reason}};
  return run(description, program, nullptr, observer);
}

std::optional<Fault> execute(const MachineDescription& description, const MicroProgram& program,
                             const HostMemory& host, PassTables& tables) {
  if (auto reason = misfit(description, program)) return Fault{0, 0, *reason};
  Datapath datapath(program, host, tables);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const MicroOp& op = program.ops[i];
    Reason reason = impossible(description, program, op);
    if (!reason) reason = datapath.execute(op);
    if (reason) return make_fault(op, cycle_of(description, program, i), *reason);
  }
  return {};
}

}  // namespace heliodor::machine
