// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a description table by table. Each Section knows its keys; what it was not asked for is
// unknown. All faults of a text are collected, so that an author sees them at once.
#include "heliodor/targets/machine/description.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <iterator>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"

namespace heliodor::machine {
namespace {

constexpr std::array<std::string_view, kUnitKinds> kUnitNames = {"host", "vector", "ntt",
                                                                 "permutation", "generator"};
constexpr std::size_t kMaxNameLength = 64;
constexpr std::int64_t kMaxBanks = 65536;

base::Position position_of(const toml::source_region& region) {
  return base::Position::line(region.begin.line, region.begin.column);
}

struct Bounds {
  std::int64_t least;
  std::int64_t most;
  bool power_of_two = false;
};

/// One table of the description. Keys that are read are ticked off; finish() reports the others.
class Section {
 public:
  Section(const toml::table& table, std::string path, base::Diagnostics& diagnostics)
      : table_(table), path_(std::move(path)), diagnostics_(diagnostics) {}

  bool has(std::string_view key) const { return table_.contains(key); }

  /// The number under `key`; `fallback` where it is absent, or a diagnostic if there is no
  /// fallback.
  template <typename Number>
  Number number(std::string_view key, Bounds bounds, std::optional<Number> fallback = {}) {
    const toml::node* node = find(key, !fallback.has_value());
    if (node == nullptr) return fallback.value_or(Number{});
    const std::optional<std::int64_t> value = node->value_exact<std::int64_t>();
    if (!value) {
      complain(*node, fmt::format("{} must be an integer", full(key)));
    } else if (*value < bounds.least || *value > bounds.most) {
      complain(*node, fmt::format("{} {} is outside [{}, {}]", full(key), *value, bounds.least,
                                  bounds.most));
    } else if (bounds.power_of_two && !std::has_single_bit(static_cast<std::uint64_t>(*value))) {
      complain(*node, fmt::format("{} {} is not a power of two", full(key), *value));
    } else {
      return static_cast<Number>(*value);
    }
    return Number{};
  }

  std::string machine_name(std::string_view key) {
    const toml::node* node = find(key, true);
    if (node == nullptr) return {};
    const std::optional<std::string> value = node->value_exact<std::string>();
    const auto allowed = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    if (!value) {
      complain(*node, fmt::format("{} must be a string", full(key)));
    } else if (value->empty() || value->size() > kMaxNameLength ||
               !std::all_of(value->begin(), value->end(), allowed)) {
      complain(*node, fmt::format("{} must be 1 to {} characters from a-z 0-9 _ -", full(key),
                                  kMaxNameLength));
    } else {
      return *value;
    }
    return {};
  }

  /// The table under `key`, or nothing.
  std::optional<Section> section(std::string_view key, bool required) {
    const toml::node* node = find(key, required);
    if (node == nullptr) return {};
    const toml::table* table = node->as_table();
    if (table == nullptr) {
      complain(*node, fmt::format("{} must be a table", full(key)));
      return {};
    }
    return Section(*table, full(key), diagnostics_);
  }

  void complain_about(std::string_view key, std::string message) {
    complain(*table_.get(key), std::move(message));
  }

  std::string full(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }

  void finish() const {
    for (const auto& [key, node] : table_) {
      if (std::find(known_.begin(), known_.end(), key.str()) == known_.end()) {
        diagnostics_.push_back({position_of(key.source()), "unknown key " + full(key.str())});
      }
    }
  }

 private:
  const toml::node* find(std::string_view key, bool required) {
    known_.emplace_back(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr && required) complain(table_, "missing key " + full(key));
    return node;
  }

  void complain(const toml::node& node, std::string message) {
    diagnostics_.push_back({position_of(node.source()), std::move(message)});
  }

  const toml::table& table_;
  std::string path_;
  base::Diagnostics& diagnostics_;
  std::vector<std::string> known_;
};

Scratchpad read_scratchpad(Section& section, const base::Diagnostics& diagnostics) {
  const std::size_t faults = diagnostics.size();
  Scratchpad scratchpad;
  scratchpad.capacity_words = section.number<std::uint64_t>("capacity_words", {1, 1LL << 31});
  scratchpad.banks = section.number<std::uint32_t>("banks", {1, kMaxBanks, true});
  scratchpad.latency = section.number<std::uint32_t>("latency", {1, 1000});
  scratchpad.ports = section.number<std::uint32_t>("ports", {1, 64});
  if (diagnostics.size() == faults && scratchpad.capacity_words % scratchpad.banks != 0) {
    section.complain_about(
        "capacity_words",
        fmt::format("{} {} is not a multiple of the {} banks", section.full("capacity_words"),
                    scratchpad.capacity_words, scratchpad.banks));
  }
  section.finish();
  return scratchpad;
}

Unit read_unit(Section& section, UnitKind kind, const MachineDescription& machine) {
  Unit unit;
  // Where the banks are at fault themselves, lanes are not blamed for it.
  const std::int64_t banks = machine.scratchpad.banks == 0 ? kMaxBanks : machine.scratchpad.banks;
  unit.lanes = section.number<std::uint32_t>("lanes", {1, banks, true});
  unit.depth = section.number<std::uint32_t>("depth", {1, 1000});
  unit.clock_mhz =
      section.number<std::uint32_t>("clock_mhz", {1, 10000}, std::optional(machine.clock_mhz));
  if (kind == UnitKind::ntt) {
    unit.stages_per_pass = section.number<std::uint32_t>("stages_per_pass", {1, 16});
  }
  section.finish();
  return unit;
}

Unit read_host(Section& section, const MachineDescription& machine) {
  Unit link;
  link.lanes = section.number<std::uint32_t>("words_per_cycle", {1, 65536});
  link.depth = section.number<std::uint32_t>("latency", {1, 100000});
  link.clock_mhz = machine.clock_mhz;
  section.finish();
  return link;
}

void read_machine(Section& root, MachineDescription& machine, base::Diagnostics& diagnostics) {
  machine.name = root.machine_name("name");
  machine.word_bits = root.number<std::uint32_t>("word_bits", {16, 64});
  machine.clock_mhz = root.number<std::uint32_t>("clock_mhz", {1, 10000});
  machine.queue_depth = root.number<std::uint32_t>("queue_depth", {1, 4096});
  if (auto section = root.section("scratchpad", true)) {
    machine.scratchpad = read_scratchpad(*section, diagnostics);
  }
  if (auto section = root.section("host", true)) {
    machine.unit(UnitKind::host) = read_host(*section, machine);
  }
  if (auto units = root.section("units", true)) {
    for (const UnitKind kind :
         {UnitKind::vector, UnitKind::ntt, UnitKind::permutation, UnitKind::generator}) {
      if (auto section = units->section(to_string(kind), false)) {
        machine.unit(kind) = read_unit(*section, kind, machine);
      }
    }
    units->finish();
  }
  root.finish();
}

}  // namespace

std::string_view to_string(UnitKind kind) noexcept {
  return kUnitNames[static_cast<std::size_t>(kind)];
}

std::optional<std::uint64_t> tick_mhz(const MachineDescription& description) noexcept {
  std::uint64_t ticks = description.clock_mhz;
  for (const std::optional<Unit>& unit : description.units) {
    // No overflow: ticks stays within kMaxTickMhz and a clock within 32 bits.
    if (unit) ticks = std::lcm(ticks, std::uint64_t{unit->clock_mhz});
    if (ticks > kMaxTickMhz) return {};
  }
  return ticks;
}

base::Result<MachineDescription> parse_description(std::string_view toml) {
  base::Diagnostics diagnostics;
  MachineDescription machine;
  try {
    const toml::table table = toml::parse(toml);
    Section root(table, "", diagnostics);
    read_machine(root, machine, diagnostics);
  } catch (const toml::parse_error& error) {
    diagnostics.push_back({position_of(error.source()), std::string(error.description())});
  }
  if (diagnostics.empty() && !tick_mhz(machine)) {
    diagnostics.push_back(
        {{}, fmt::format("the least common multiple of all clocks exceeds {} MHz", kMaxTickMhz)});
  }
  if (!diagnostics.empty()) return diagnostics;
  return machine;
}

base::Result<MachineDescription> load_description(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  if (!file.is_open() || std::filesystem::is_directory(path, ignored)) {
    throw Error(ErrorCode::io, "cannot read machine description " + path.string());
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return parse_description(text);
}

}  // namespace heliodor::machine
