// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/describe_machine.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/cli/table.h"
#include "heliodor/targets/machine/description.h"

namespace heliodor::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr machine::Operation kUnitOperations[] = {
    machine::Operation::arithmetic, machine::Operation::ntt, machine::Operation::permutation,
    machine::Operation::generator};

// Lanes and registers of a unit for one kind of operation.
Json describe_capability(const machine::Capability& capability, machine::Operation operation) {
  Json json = {{"lanes", capability.lanes}};
  if (capability.wide_lanes != 0) json["wide_lanes"] = capability.wide_lanes;
  if (operation == machine::Operation::arithmetic) json["registers"] = capability.registers;
  if (operation == machine::Operation::ntt) json["radix"] = capability.radix;
  return json;
}

}  // namespace

Json describe_machine(const OpenedFile& file) {
  const auto parsed = machine::parse_description(file.text());
  if (!parsed) {
    throw Error(ErrorCode::invalid_description, base::to_string(parsed.diagnostics(), file.path()));
  }
  const machine::MachineDescription& described = parsed.value();
  const machine::Scratchpad& scratchpad = described.scratchpad;
  Json json = {
      {"kind", "machine_description"},
      {"name", described.name},
      {"word_bits", described.word_bits},
      {"wide_word_bits", described.wide_word_bits},
      {"clock_mhz", described.clock_mhz},
      {"queue_depth", described.queue_depth},
      {"scratchpad",
       {{"capacity_words", scratchpad.capacity_words},
        {"banks", scratchpad.banks},
        {"latency", scratchpad.latency},
        {"ports", scratchpad.ports},
        {"write_ports", scratchpad.write_ports}}},
      {"dram", {{"bandwidth", described.dram.bandwidth}, {"latency", described.dram.latency}}},
      {"units", Json::array()}};
  for (const machine::Unit& unit : described.units) {
    Json row = {{"name", unit.name},
                {"count", unit.count},
                {"depth", unit.depth},
                {"clock_mhz", unit.clock_mhz}};
    for (const machine::Operation operation : kUnitOperations) {
      const auto& capability = unit.can(operation);
      if (capability) {
        row[std::string(to_string(operation))] = describe_capability(*capability, operation);
      }
    }
    json["units"].push_back(std::move(row));
  }
  return json;
}

void print_machine(const Json& description, std::ostream& out) {
  const Json& scratchpad = description.at("scratchpad");
  const Json& dram = description.at("dram");
  const std::string wide = description.at("wide_word_bits") == 0
                               ? ""
                               : fmt::format(" or {}", description.at("wide_word_bits").dump());
  const std::string ports =
      scratchpad.at("write_ports") == 0
          ? fmt::format("{} ports", scratchpad.at("ports").dump())
          : fmt::format("{} read and {} write ports", scratchpad.at("ports").dump(),
                        scratchpad.at("write_ports").dump());
  out << fmt::format("machine \"{}\": words of {}{} bits, {} MHz, queues of {} operations\n",
                     description.at("name").get<std::string>(), description.at("word_bits").dump(),
                     wide, description.at("clock_mhz").dump(), description.at("queue_depth").dump())
      << fmt::format("scratchpad: {} words in {} banks, latency {}, {}\n",
                     scratchpad.at("capacity_words").dump(), scratchpad.at("banks").dump(),
                     scratchpad.at("latency").dump(), ports)
      << fmt::format("off-chip memory: {} GB/s, latency {}\n\n", dram.at("bandwidth").get<double>(),
                     dram.at("latency").dump());
  Table units({"unit", "executes", "words per cycle", "wide", "depth", "MHz", "copies"});
  for (const Json& unit : description.at("units")) {
    for (const machine::Operation operation : kUnitOperations) {
      const auto capability = unit.find(std::string(to_string(operation)));
      if (capability == unit.end()) continue;
      units.add_row({unit.at("name").get<std::string>(), std::string(to_string(operation)),
                     capability->at("lanes").dump(),
                     std::to_string(capability->value("wide_lanes", 0U)), unit.at("depth").dump(),
                     unit.at("clock_mhz").dump(), unit.at("count").dump()});
    }
  }
  units.write(out);
}

}  // namespace heliodor::cli
