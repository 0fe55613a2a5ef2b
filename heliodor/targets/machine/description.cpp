// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a description table by table. The generated table of keys says what each may hold
// (internal/description_section.h); what depends on several keys is checked here. All faults of a
// text are collected, so that an author sees them at once; a value at fault reads as 0, and no
// check blames another key for it.
#include "heliodor/targets/machine/description.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <system_error>
#include <tuple>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/targets/machine/generated/description_keys.h"
#include "heliodor/targets/machine/internal/description_section.h"

namespace heliodor::machine {
namespace {

using internal::Section;

constexpr std::array<std::string_view, kOperations> kOperationNames = {
    "transfer", "arithmetic", "ntt", "permutation", "generator"};
constexpr std::string_view kOffChip = "dram";  // the off-chip memory's name among units

Scratchpad read_scratchpad(const Section& section) {
  Scratchpad scratchpad;
  scratchpad.capacity_words = section.number<std::uint64_t>("capacity_words");
  scratchpad.banks = section.number<std::uint32_t>("banks");
  scratchpad.latency = section.number<std::uint32_t>("latency");
  if (scratchpad.banks != 0 && scratchpad.capacity_words % scratchpad.banks != 0) {
    section.complain_about(
        "capacity_words",
        fmt::format("{} {} is not a multiple of the {} banks", section.full("capacity_words"),
                    scratchpad.capacity_words, scratchpad.banks));
  }
  const bool separate = section.has("read_ports") || section.has("write_ports");
  scratchpad.ports = section.number<std::uint32_t>(separate ? "read_ports" : "ports");
  scratchpad.write_ports = section.number<std::uint32_t>("write_ports");
  if (separate && section.has("ports")) {
    section.complain_about("ports", section.full("ports") + " excludes read_ports and write_ports");
  } else if (separate) {
    for (const char* name : {"read_ports", "write_ports"}) {
      if (!section.has(name)) section.complain("missing key " + section.full(name));
    }
  } else if (!section.has("ports")) {
    section.complain("missing key " + section.full("ports") + ", or read_ports and write_ports");
  }
  return scratchpad;
}

/// Complains if the value exceeds that of another key which is not at fault.
void check_most(const Section& section, std::string_view name, std::uint32_t value,
                std::uint32_t most, std::string_view bound) {
  if (most == 0 || value <= most) return;
  section.complain_about(
      name, fmt::format("{} {} exceeds {} {}", section.full(name), value, bound, most));
}

Capability read_capability(const Section& section, Operation operation,
                           const MachineDescription& machine) {
  Capability capability;
  capability.lanes = section.number<std::uint32_t>("lanes");
  check_most(section, "lanes", capability.lanes, machine.scratchpad.banks, "banks");
  capability.wide_lanes = section.number<std::uint32_t>("wide_lanes");
  check_most(section, "wide_lanes", capability.wide_lanes, capability.lanes, "lanes");
  if (machine.wide_word_bits != 0 && !section.has("wide_lanes")) {
    section.complain(
        fmt::format("missing key {} of a machine with wide_word_bits", section.full("wide_lanes")));
  } else if (machine.wide_word_bits == 0 && section.has("wide_lanes")) {
    section.complain_about("wide_lanes", section.full("wide_lanes") + " needs wide_word_bits");
  }
  if (operation == Operation::arithmetic) {
    capability.registers = section.number<std::uint32_t>("registers");
  }
  if (operation == Operation::ntt) {
    capability.radix = section.number<std::uint32_t>("radix");
    check_most(section, "radix", capability.radix, machine.scratchpad.banks, "banks");
  }
  return capability;
}

Unit read_unit(const Section& section, const std::string& name, const MachineDescription& machine) {
  Unit unit;
  unit.name = name;
  unit.count = section.number<std::uint32_t>("count", 1u);
  unit.depth = section.number<std::uint32_t>("depth");
  unit.clock_mhz = section.number<std::uint32_t>("clock_mhz", machine.clock_mhz);
  bool executes = false;
  for (std::size_t kind = 0; kind < kOperations; ++kind) {
    const auto operation = static_cast<Operation>(kind);
    if (operation == Operation::transfer || !section.has(to_string(operation))) continue;
    executes = true;
    if (const Unit* other = machine.unit_for(operation)) {
      section.complain_about(to_string(operation),
                             fmt::format("{} belongs to unit {} already",
                                         section.full(to_string(operation)), other->name));
    }
    if (const auto table = section.section(to_string(operation))) {
      unit.capabilities[kind] = read_capability(*table, operation, machine);
    }
  }
  if (!executes) section.complain(section.path() + " has no kind of operation");
  if (unit.can(Operation::arithmetic)) check_most(section, "count", unit.count, 1, "arithmetic's");
  return unit;
}

void read_machine(const Section& root, MachineDescription& machine) {
  machine.name = root.text("name");
  machine.word_bits = root.number<std::uint32_t>("word_bits");
  machine.wide_word_bits = root.number<std::uint32_t>("wide_word_bits");
  if (machine.wide_word_bits != 0 && machine.word_bits != 0 &&
      (machine.wide_word_bits <= machine.word_bits ||
       machine.wide_word_bits > 2 * machine.word_bits)) {
    root.complain_about("wide_word_bits",
                        fmt::format("wide_word_bits {} is outside [{}, {}] for word_bits {}",
                                    machine.wide_word_bits, machine.word_bits + 1,
                                    2 * machine.word_bits, machine.word_bits));
  }
  machine.clock_mhz = root.number<std::uint32_t>("clock_mhz");
  machine.queue_depth = root.number<std::uint32_t>("queue_depth");
  if (const auto memory = root.section("memory")) {
    if (const auto section = memory->section("scratchpad")) {
      machine.scratchpad = read_scratchpad(*section);
    }
    if (const auto section = memory->section("dram")) {
      machine.dram = {.bandwidth = section->number<double>("bandwidth"),
                      .latency = section->number<std::uint32_t>("latency")};
    }
  }
  const auto units = root.section("units");
  if (!units) return;
  for (const std::string& name : units->names()) {
    if (!internal::is_name(name) || name == kOffChip) {
      units->complain_about(name, fmt::format("unit name {} must be 1 to {} characters from "
                                              "a-z 0-9 _ - and not {}",
                                              name, internal::kMaxNameLength, kOffChip));
    }
    machine.units.push_back(read_unit(*units->section(name), name, machine));
  }
}

/// Puts the override's value into the table, which is made where it is missing: the check of the
/// whole then finds keys that do not exist.
void apply(toml::table& root, const Override& change, base::Diagnostics& diagnostics) {
  const auto& [path, text] = change;
  const auto refuse = [&](std::string_view reason) {
    diagnostics.push_back({{}, fmt::format("override {} = {}: {}", path, text, reason)});
  };
  toml::table value;
  try {
    value = toml::parse("value = " + text);
  } catch (const toml::parse_error& error) {
    return refuse(error.description());
  }
  if (value.size() != 1) return refuse("more than one value");
  toml::table* table = &root;
  std::size_t begin = 0;
  for (std::size_t dot; (dot = path.find('.', begin)) != std::string::npos; begin = dot + 1) {
    const std::string name = path.substr(begin, dot - begin);
    if (!table->contains(name)) table->insert(name, toml::table{});
    table = table->get(name)->as_table();
    if (table == nullptr) return refuse(path.substr(0, dot) + " is not a table");
  }
  // A copy leaves the position in the override's own text behind.
  const toml::node& node = *value.get("value");
  node.visit([&](const auto& concrete) { table->insert_or_assign(path.substr(begin), concrete); });
}

void sort_by_position(base::Diagnostics& diagnostics) {
  std::sort(diagnostics.begin(), diagnostics.end(), [](const auto& a, const auto& b) {
    return std::tie(a.position.index, a.position.column, a.message) <
           std::tie(b.position.index, b.position.column, b.message);
  });
}

}  // namespace

std::string_view to_string(Operation operation) noexcept {
  return kOperationNames[static_cast<std::size_t>(operation)];
}

const Unit* MachineDescription::unit_for(Operation operation) const noexcept {
  for (const Unit& unit : units) {
    if (unit.can(operation)) return &unit;
  }
  return nullptr;
}

std::optional<std::uint64_t> tick_mhz(const MachineDescription& description) noexcept {
  std::uint64_t ticks = description.clock_mhz;
  for (const Unit& unit : description.units) {
    // No overflow: ticks stays within kMaxTickMhz and a clock within 32 bits.
    ticks = std::lcm(ticks, std::uint64_t{unit.clock_mhz});
    if (ticks > kMaxTickMhz) return {};
  }
  return ticks;
}

std::string_view unit_of_key(std::string_view path) noexcept {
  for (const DescriptionKey& key : kDescriptionKeys) {
    // A "*" in the table's path stands for one name.
    const std::size_t star = key.table.find('*');
    const std::string_view before = key.table.substr(0, star);
    if (key.type == KeyType::table || !path.starts_with(before)) continue;
    std::string_view rest = path.substr(before.size());
    if (star != std::string_view::npos) {
      const std::string_view after = key.table.substr(star + 1);
      rest.remove_prefix(std::min(rest.find('.'), rest.size()));
      if (!rest.starts_with(after)) continue;
      rest.remove_prefix(after.size());
    }
    if (!key.table.empty() && !rest.starts_with('.')) continue;
    if (rest.substr(key.table.empty() ? 0 : 1) == key.name) return key.unit;
  }
  return {};
}

base::Result<MachineDescription> parse_description(std::string_view toml,
                                                   const std::vector<Override>& overrides) {
  base::Diagnostics diagnostics;
  MachineDescription machine;
  try {
    toml::table table = toml::parse(toml);
    for (const Override& change : overrides) apply(table, change, diagnostics);
    read_machine(Section(table, "", "", diagnostics), machine);
  } catch (const toml::parse_error& error) {
    diagnostics.push_back(
        {internal::position_of(error.source()), std::string(error.description())});
  }
  if (diagnostics.empty() && !tick_mhz(machine)) {
    diagnostics.push_back(
        {{}, fmt::format("the least common multiple of all clocks exceeds {} MHz", kMaxTickMhz)});
  }
  sort_by_position(diagnostics);
  if (!diagnostics.empty()) return diagnostics;
  return machine;
}

base::Result<MachineDescription> load_description(const std::filesystem::path& path,
                                                  const std::vector<Override>& overrides) {
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  if (!file.is_open() || std::filesystem::is_directory(path, ignored)) {
    throw Error(ErrorCode::io, "cannot read machine description " + path.string());
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return parse_description(text, overrides);
}

}  // namespace heliodor::machine
