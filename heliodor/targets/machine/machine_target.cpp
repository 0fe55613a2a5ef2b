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

double percent(double part, double whole) { return whole == 0 ? 0 : 100 * part / whole; }

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
  if (const std::string transfers = count_by_name(counts.back()); !transfers.empty()) {
    fmt::format_to(out, "transfers  # {}\n", transfers);
  }
  const MachineDescription& machine = *description_;
  fmt::format_to(out, "machine {}: {} cycles at {} MHz, {} micro-operations, {} of {} rows\n",
                 machine.name, activity_.cycles, machine.clock_mhz, micro_program_.ops.size(),
                 micro_program_.rows, machine.scratchpad.rows());
  for (std::size_t i = 0; i < activity_.units.size(); ++i) {
    const Activity::UnitActivity& used = activity_.units[i];
    const bool off_chip = i == machine.units.size();
    const double clocks = off_chip ? 1
                                   : static_cast<double>(machine.units[i].clock_mhz) /
                                         machine.clock_mhz * machine.units[i].count;
    fmt::format_to(out, "{} {}: {} operations, {:.1f} % busy\n", off_chip ? "memory" : "unit",
                   off_chip ? "dram" : machine.units[i].name, used.operations,
                   percent(static_cast<double>(used.busy_cycles),
                           static_cast<double>(activity_.cycles) * clocks));
  }
  const std::uint64_t accesses = activity_.scratchpad_reads + activity_.scratchpad_writes;
  const std::uint64_t ports = machine.scratchpad.ports + machine.scratchpad.write_ports;
  fmt::format_to(
      out, "scratchpad: {} reads, {} writes ({:.1f} % of port cycles)\n",
      activity_.scratchpad_reads, activity_.scratchpad_writes,
      percent(static_cast<double>(accesses), static_cast<double>(activity_.cycles * ports)));
  return text;
}

program::RunReport MachinePlan::do_run(std::span<const Binding> batch,
                                       const SharedBinding& shared) const {
  // Time does not depend on data: every item takes what the plan has counted.
  for (std::size_t item = 0; item < batch.size(); ++item) {
    std::optional<program::Fault> fault =
        execute(*description_, micro_program_, bind(program(), batch[item], shared), tables_);
    if (fault) {
      fault->cycle += item * activity_.cycles;
      return {to_cost(*description_, fault->cycle), std::move(fault)};
    }
  }
  return {to_cost(*description_, batch.size() * activity_.cycles), {}};
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

unsigned MachineTarget::widest_fast_modulus_bits() const {
  return std::min<unsigned>(description_->largest_word_bits(), ring::Modulus::kMaxBits);
}

std::unique_ptr<const program::Plan> MachineTarget::do_plan(
    std::shared_ptr<const LimbProgram> program) const {
  return std::make_unique<MachinePlan>(std::move(program), description_);
}

}  // namespace heliodor::machine
