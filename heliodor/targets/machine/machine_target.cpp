// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/machine_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "heliodor/program/text.h"
#include "heliodor/targets/machine/lower.h"
#include "heliodor/targets/machine/simulator.h"

namespace heliodor::machine {
namespace {

using program::Binding;
using program::InputKind;
using program::LimbProgram;
using program::SharedBinding;

program::Cost to_cost(const MachineDescription& description, std::uint64_t cycles) {
  return {static_cast<double>(cycles) / (1e6 * description.clock_mhz), cycles};
}

/// Brings operands, shared limbs and seeds into the order of the program's inputs.
HostMemory bind(const LimbProgram& program, const Binding& binding, const SharedBinding& shared) {
  HostMemory host{{}, std::vector<base::PublicSeed>(program.inputs().size()), binding.outputs};
  host.inputs.resize(program.inputs().size());
  std::size_t operand = 0;
  std::size_t limb = 0;
  std::size_t seed = 0;
  for (std::size_t i = 0; i < program.inputs().size(); ++i) {
    switch (program.inputs()[i].kind) {
      case InputKind::operand:
        host.inputs[i] = binding.operands[operand++];
        break;
      case InputKind::key:
      case InputKind::constant:
        host.inputs[i] = shared.limbs[limb++];
        break;
      case InputKind::seed:
        host.seeds[i] = shared.seeds[seed++];
        break;
    }
  }
  return host;
}

/// "128 load, 64 mul".
std::string count_by_name(const std::array<std::size_t, kMicroCodes>& counts) {
  std::string text;
  for (std::size_t code = 0; code < kMicroCodes; ++code) {
    if (counts[code] == 0) continue;
    fmt::format_to(std::back_inserter(text), "{}{} {}", text.empty() ? "" : ", ", counts[code],
                   info(static_cast<MicroCode>(code)).name);
  }
  return text;
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

MachinePlan::MachinePlan(std::shared_ptr<const LimbProgram> program,
                         std::shared_ptr<const MachineDescription> description)
    : Plan(std::move(program)),
      description_(std::move(description)),
      micro_program_(lower(*description_, this->program())),
      activity_(estimate(*description_, micro_program_).activity) {}

std::string MachinePlan::describe() const {
  std::vector<std::array<std::size_t, kMicroCodes>> counts(program().instruction_count() + 1);
  for (const MicroOp& op : micro_program_.ops) {
    ++counts[op.instruction][static_cast<std::size_t>(op.code)];
  }
  std::string text;
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < program().instruction_count(); ++i) {
    fmt::format_to(out, "{}  # {}\n", program::to_text(program(), i), count_by_name(counts[i]));
  }
  if (const std::string copies = count_by_name(counts.back()); !copies.empty()) {
    fmt::format_to(out, "outputs that are inputs  # {}\n", copies);
  }
  fmt::format_to(out, "machine {}: {} cycles at {} MHz, {} micro-operations, {} of {} rows\n",
                 description_->name, activity_.cycles, description_->clock_mhz,
                 micro_program_.ops.size(), micro_program_.rows, description_->scratchpad.rows());
  for (std::size_t kind = 0; kind < kUnitKinds; ++kind) {
    const std::optional<Unit>& unit = description_->units[kind];
    if (!unit) continue;
    const Activity::UnitActivity& used = activity_.units[kind];
    const std::uint64_t unit_cycles = activity_.cycles * unit->clock_mhz / description_->clock_mhz;
    fmt::format_to(out, "unit {}: {} operations, {} cycles busy ({:.1f} %)\n",
                   to_string(static_cast<UnitKind>(kind)), used.operations, used.busy_cycles,
                   percent(used.busy_cycles, unit_cycles));
  }
  const std::uint64_t accesses = activity_.scratchpad_reads + activity_.scratchpad_writes;
  fmt::format_to(out, "scratchpad: {} reads, {} writes ({:.1f} % of port cycles)\n",
                 activity_.scratchpad_reads, activity_.scratchpad_writes,
                 percent(accesses, activity_.cycles * description_->scratchpad.ports));
  return text;
}

program::RunReport MachinePlan::do_run(std::span<const Binding> batch,
                                       const SharedBinding& shared) const {
  std::uint64_t cycles = 0;
  std::optional<program::Fault> fault;
  for (const Binding& binding : batch) {
    Simulation simulation =
        simulate(*description_, micro_program_, bind(program(), binding, shared));
    if (simulation.fault) {
      fault = std::move(simulation.fault);
      fault->cycle += cycles;
    }
    cycles += simulation.activity.cycles;
    if (fault) break;
  }
  return {to_cost(*description_, cycles), std::move(fault)};
}

MachineTarget::MachineTarget(MachineDescription description)
    : description_(std::make_shared<const MachineDescription>(std::move(description))) {}

std::string MachineTarget::name() const { return "machine:" + description_->name; }

std::optional<std::string> MachineTarget::refusal(const LimbProgram& program) const {
  return machine::refusal(*description_, program);
}

program::Cost MachineTarget::predict(const LimbProgram& program) const {
  return to_cost(*description_,
                 estimate(*description_, lower(*description_, program)).activity.cycles);
}

std::unique_ptr<const program::Plan> MachineTarget::do_plan(
    std::shared_ptr<const LimbProgram> program) const {
  return std::make_unique<MachinePlan>(std::move(program), description_);
}

}  // namespace heliodor::machine
