// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/simulate_data.h"

#include <fmt/format.h>

#include <vector>

#include "heliodor/targets/machine/simulator.h"
#include "heliodor/targets/reference/reference_target.h"
#include "heliodor/targets/reference/run_data.h"

namespace heliodor::cli {
namespace {

using program::InputKind;

// The fault, as a line.
std::optional<std::string> run(const machine::MachineDescription& machine,
                               const machine::MicroProgram& micro,
                               const machine::HostMemory& host) {
  machine::PassTables tables;
  const auto fault = machine::execute(machine, micro, host, tables);
  if (!fault) return std::nullopt;
  return fmt::format("fault in cycle {} at instruction {}: {}", fault->cycle, fault->instruction,
                     fault->reason);
}

machine::HostMemory host_memory(const program::LimbProgram& program,
                                const reference::RunInputs& inputs,
                                reference::RunOutputs& outputs) {
  machine::HostMemory host;
  std::size_t operands = 0, limbs = 0, seeds = 0;
  for (const program::Input& input : program.inputs()) {
    host.inputs.emplace_back();
    host.seeds.emplace_back();
    if (input.kind == InputKind::seed) {
      host.seeds.back() = inputs.shared().seeds[seeds++];
    } else if (input.kind == InputKind::operand) {
      host.inputs.back() = inputs.operands(0)[operands++];
    } else {
      host.inputs.back() = inputs.shared().limbs[limbs++];
    }
  }
  for (std::size_t k = 0; k < program.outputs().size(); ++k)
    host.outputs.push_back(outputs.limb(0, k));
  return host;
}

}  // namespace

std::optional<std::string> differs_from_reference(const machine::MachineDescription& machine,
                                                  const machine::MicroProgram& micro,
                                                  const program::LimbProgram& program,
                                                  std::uint64_t data_seed) {
  reference::UniformSource source(data_seed);
  const reference::RunInputs inputs(program, 1, source);
  reference::RunOutputs actual(program, 1), expected(program, 1);
  if (auto fault = run(machine, micro, host_memory(program, inputs, actual))) return fault;
  reference::ReferenceTarget().plan(program)->run(bind(inputs, expected), inputs.shared());
  const auto difference = first_difference(expected, actual, 1);
  if (!difference) return std::nullopt;
  return fmt::format("output \"{}\", word {}: expected {}, got {}",
                     program.outputs()[difference->output].name, difference->word,
                     difference->expected, difference->actual);
}

std::optional<std::string> fault_with_data(const machine::MachineDescription& machine,
                                           const machine::MicroProgram& micro,
                                           std::uint64_t data_seed) {
  // An input's modulus is that of the load that brings it in.
  std::vector<std::uint32_t> modulus(micro.inputs.size(), 0);
  for (const machine::MicroOp& op : micro.ops) {
    if (op.code == machine::MicroCode::load) modulus[op.immediate] = op.modulus;
  }
  reference::UniformSource source(data_seed);
  std::vector<std::vector<std::uint64_t>> words(micro.inputs.size() + micro.outputs,
                                                std::vector<std::uint64_t>(micro.degree()));
  machine::HostMemory host;
  for (std::size_t i = 0; i < micro.inputs.size(); ++i) {
    const program::Input input{micro.inputs[i], 0, fmt::format("i{}", i)};
    source.fill(input, micro.moduli[modulus[i]], 0, words[i]);
    host.inputs.emplace_back(words[i]);
    host.seeds.push_back(source.seed(input));
  }
  for (std::uint32_t k = 0; k < micro.outputs; ++k)
    host.outputs.emplace_back(words[micro.inputs.size() + k]);
  return run(machine, micro, host);
}

}  // namespace heliodor::cli
