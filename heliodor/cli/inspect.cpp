// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor inspect: what is in a file.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "heliodor/base/error.h"
#include "heliodor/cli/describe_file.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/program_file.h"
#include "heliodor/cli/table.h"
#include "heliodor/formats/mapped_file.h"
#include "heliodor/program/text.h"
#include "heliodor/targets/machine/description.h"

namespace heliodor::cli {
namespace {

struct InspectOptions {
  std::string file;
  bool text = false;
  bool json = false;
};

using Counts = std::map<std::string, std::size_t>;

Counts count_instructions(const program::LimbProgram& program) {
  Counts counts;
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    ++counts[std::string(program::info(program.instruction(i).op).name)];
  }
  return counts;
}

// Operands, keys, constants and seeds.
std::array<std::size_t, 4> count_inputs(const program::LimbProgram& program) {
  std::array<std::size_t, 4> counts{};
  for (const program::Input& input : program.inputs()) {
    ++counts[static_cast<std::size_t>(input.kind)];
  }
  return counts;
}

nlohmann::ordered_json to_json(const program::LimbProgram& program) {
  const auto inputs = count_inputs(program);
  nlohmann::ordered_json json = {{"kind", "limb_program"},
                                 {"name", program.name()},
                                 {"degree", program.degree()},
                                 {"moduli", nlohmann::ordered_json::array()},
                                 {"operands", inputs[0]},
                                 {"keys", inputs[1]},
                                 {"constants", inputs[2]},
                                 {"seeds", inputs[3]},
                                 {"outputs", program.outputs().size()},
                                 {"instruction_count", program.instruction_count()},
                                 {"instructions", count_instructions(program)}};
  for (const ring::Modulus& q : program.moduli()) {
    json["moduli"].push_back({{"value", q.value()}, {"bits", q.bits()}, {"psi", q.psi()}});
  }
  return json;
}

void print(const program::LimbProgram& program, std::ostream& out) {
  const auto inputs = count_inputs(program);
  out << fmt::format("LimbProgram \"{}\", degree {}\n", program.name(), program.degree())
      << fmt::format("inputs: {} operands, {} keys, {} constants, {} seeds; outputs: {}\n\n",
                     inputs[0], inputs[1], inputs[2], inputs[3], program.outputs().size());
  Table moduli({"modulus", "value", "bits", "psi"});
  for (std::size_t i = 0; i < program.moduli().size(); ++i) {
    const ring::Modulus& q = program.moduli()[i];
    moduli.add_row({fmt::format("q{}", i), std::to_string(q.value()), std::to_string(q.bits()),
                    std::to_string(q.psi())});
  }
  moduli.write(out);
  out << '\n';
  Table instructions({"instruction", "count"});
  for (const auto& [name, count] : count_instructions(program)) {
    instructions.add_row({name, std::to_string(count)});
  }
  instructions.add_row({"all", std::to_string(program.instruction_count())});
  instructions.write(out);
}

nlohmann::ordered_json to_json(const machine::MachineDescription& machine) {
  nlohmann::ordered_json json = {{"kind", "machine_description"},
                                 {"name", machine.name},
                                 {"word_bits", machine.word_bits},
                                 {"clock_mhz", machine.clock_mhz},
                                 {"queue_depth", machine.queue_depth},
                                 {"scratchpad",
                                  {{"capacity_words", machine.scratchpad.capacity_words},
                                   {"banks", machine.scratchpad.banks},
                                   {"latency", machine.scratchpad.latency},
                                   {"ports", machine.scratchpad.ports}}},
                                 {"units", nlohmann::ordered_json::array()}};
  for (std::size_t k = 0; k < machine::kUnitKinds; ++k) {
    const auto& unit = machine.units[k];
    if (!unit) continue;
    json["units"].push_back({{"kind", machine::to_string(static_cast<machine::UnitKind>(k))},
                             {"lanes", unit->lanes},
                             {"depth", unit->depth},
                             {"clock_mhz", unit->clock_mhz}});
  }
  return json;
}

void print(const machine::MachineDescription& machine, std::ostream& out) {
  const machine::Scratchpad& scratchpad = machine.scratchpad;
  out << fmt::format("machine \"{}\": words of {} bits, {} MHz, queues of {} operations\n",
                     machine.name, machine.word_bits, machine.clock_mhz, machine.queue_depth)
      << fmt::format("scratchpad: {} words in {} banks, latency {}, {} ports\n\n",
                     scratchpad.capacity_words, scratchpad.banks, scratchpad.latency,
                     scratchpad.ports);
  Table units({"unit", "words per cycle", "depth", "MHz"});
  for (std::size_t k = 0; k < machine::kUnitKinds; ++k) {
    const auto& unit = machine.units[k];
    if (!unit) continue;
    units.add_row({std::string(machine::to_string(static_cast<machine::UnitKind>(k))),
                   std::to_string(unit->lanes), std::to_string(unit->depth),
                   std::to_string(unit->clock_mhz)});
  }
  units.write(out);
}

machine::MachineDescription load_machine(const std::string& file) {
  auto description = machine::parse_description(read_file(file));
  if (!description) {
    throw Error(ErrorCode::invalid_description, base::to_string(description.diagnostics(), file));
  }
  return std::move(description).value();
}

// What describe_file made, beside programs and machines.
struct CiphertextFile {
  nlohmann::ordered_json description;
};

const nlohmann::ordered_json& to_json(const CiphertextFile& file) { return file.description; }

void print(const CiphertextFile& file, std::ostream& out) {
  print_description(file.description, out);
}

template <typename Thing>
void report(const Thing& thing, const InspectOptions& options, std::ostream& out) {
  if (options.json) {
    nlohmann::ordered_json json = {{"command", "inspect"}, {"file", options.file}};
    json.update(to_json(thing));
    out << json.dump(2) << '\n';
  } else {
    print(thing, out);
  }
}

// Whether it is one. Other kinds may come through a pipe, which cannot be mapped.
bool inspect_ciphertext_file(const InspectOptions& options, Context& context) {
  if (!std::filesystem::is_regular_file(options.file)) return false;
  const formats::MappedFile file(options.file);
  if (!is_ciphertext_file(file.bytes())) return false;
  if (options.text) {
    throw Error(ErrorCode::mismatch, fmt::format("{}: --text prints programs only", options.file));
  }
  report(CiphertextFile{describe_file(file.bytes())}, options, context.out);
  return true;
}

void inspect(const InspectOptions& options, Context& context) {
  if (options.file.ends_with(".toml")) {
    report(load_machine(options.file), options, context.out);
    return;
  }
  if (inspect_ciphertext_file(options, context)) return;
  const program::LimbProgram program = load_program(options.file);
  if (options.text) {
    context.out << program::to_text(program);
  } else {
    report(program, options, context.out);
  }
}

}  // namespace

void add_inspect(CLI::App& app, Context& context) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command =
      app.add_subcommand("inspect", "Describe a program, a machine, a key or a ciphertext.");
  command
      ->add_option("FILE", options->file, "Program, .toml machine, container, OpenFHE or SEAL file")
      ->required();
  auto* text = command->add_flag("--text", options->text, "Print a program in text form");
  command->add_flag("--json", options->json, "Print JSON")->excludes(text);
  command->callback([options, &context] { inspect(*options, context); });
}

}  // namespace heliodor::cli
