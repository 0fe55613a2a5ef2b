// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/describe_program.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "heliodor/cli/program_file.h"
#include "heliodor/cli/table.h"
#include "heliodor/program/text.h"

namespace heliodor::cli {
namespace {

using Json = nlohmann::ordered_json;

std::map<std::string, std::size_t> count_instructions(const program::LimbProgram& program) {
  std::map<std::string, std::size_t> counts;
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

}  // namespace

Json describe_program(const OpenedFile& file) {
  const program::LimbProgram program = parse_program(file.path(), file.text());
  const auto inputs = count_inputs(program);
  Json json = {{"kind", "limb_program"},
               {"name", program.name()},
               {"degree", program.degree()},
               {"moduli", Json::array()},
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

void print_program(const Json& description, std::ostream& out) {
  const auto count = [&](const char* key) { return description.at(key).get<std::size_t>(); };
  out << fmt::format("LimbProgram \"{}\", degree {}\n", description.at("name").get<std::string>(),
                     count("degree"))
      << fmt::format("inputs: {} operands, {} keys, {} constants, {} seeds; outputs: {}\n\n",
                     count("operands"), count("keys"), count("constants"), count("seeds"),
                     count("outputs"));
  Table moduli({"modulus", "value", "bits", "psi"});
  for (std::size_t i = 0; i < description.at("moduli").size(); ++i) {
    const Json& q = description["moduli"][i];
    moduli.add_row(
        {fmt::format("q{}", i), q.at("value").dump(), q.at("bits").dump(), q.at("psi").dump()});
  }
  moduli.write(out);
  out << '\n';
  Table instructions({"instruction", "count"});
  for (const auto& [name, number] : description.at("instructions").items())
    instructions.add_row({name, number.dump()});
  instructions.add_row({"all", std::to_string(count("instruction_count"))});
  instructions.write(out);
}

std::string program_text(const OpenedFile& file) {
  return program::to_text(parse_program(file.path(), file.text()));
}

}  // namespace heliodor::cli
