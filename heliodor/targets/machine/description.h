// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// MachineDescription: an accelerator as data, read from TOML.
// docs/reference/machine-descriptions.md lists every key with its unit and bounds;
// machines/tutorial.toml explains one machine line by line.
//
//   const auto description = parse_description(text);
//   if (!description) report(base::to_string(description.diagnostics(), "mine.toml"));
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "heliodor/base/diagnostic.h"

namespace heliodor::machine {

/// The parts of a machine that accept micro-operations. `host` is the link to the host's memory.
enum class UnitKind : std::uint8_t { host, vector, ntt, permutation, generator };
inline constexpr std::size_t kUnitKinds = 5;

/// The unit's name in descriptions and reports: "vector".
std::string_view to_string(UnitKind kind) noexcept;

/// On-chip memory for limbs. A row holds one word in each bank; word l of a row lies in bank l.
struct Scratchpad {
  std::uint64_t capacity_words = 0;
  std::uint32_t banks = 0;    ///< words of a row, a power of two
  std::uint32_t latency = 0;  ///< machine cycles from a read's slot to the data at the unit
  std::uint32_t ports = 0;    ///< accesses per machine cycle, reads and writes together

  std::uint64_t rows() const noexcept { return capacity_words / banks; }
  bool operator==(const Scratchpad&) const = default;
};

/// A pipelined unit. It takes `lanes` words in each cycle of its own clock; a word leaves after
/// `depth` cycles.
struct Unit {
  std::uint32_t lanes = 0;  ///< words per cycle; for the host link the words transferred per cycle
  std::uint32_t depth = 0;  ///< pipeline depth in cycles of the unit; for the host link its latency
  std::uint32_t clock_mhz = 0;
  std::uint32_t stages_per_pass =
      0;  ///< NTT unit: butterfly stages that one pass applies inside a chunk; else 0

  bool operator==(const Unit&) const = default;
};

struct MachineDescription {
  std::string name;
  std::uint32_t word_bits = 0;  ///< moduli have at most this many bits
  std::uint32_t clock_mhz = 0;  ///< of the machine: scratchpad, host link, and all reported cycles
  std::uint32_t queue_depth = 0;  ///< micro-operations that wait in front of one unit
  Scratchpad scratchpad;
  std::array<std::optional<Unit>, kUnitKinds>
      units;  ///< by UnitKind; the host link is always there

  const std::optional<Unit>& unit(UnitKind kind) const noexcept {
    return units[static_cast<std::size_t>(kind)];
  }
  std::optional<Unit>& unit(UnitKind kind) noexcept {
    return units[static_cast<std::size_t>(kind)];
  }

  bool operator==(const MachineDescription&) const = default;
};

/// Simulated time runs in ticks of the least common multiple of all clocks, which may not exceed
/// this.
inline constexpr std::uint64_t kMaxTickMhz = 1'000'000;

/// The least common multiple of all clocks in MHz, or nothing if it exceeds kMaxTickMhz.
std::optional<std::uint64_t> tick_mhz(const MachineDescription& description) noexcept;

/// Every fault of the text with its line and column: syntax, unknown, missing and mistyped keys,
/// values out of bounds (with the bound). Never throws on bad text.
base::Result<MachineDescription> parse_description(std::string_view toml);

/// parse_description of a file's text. Throws Error{io} if the file cannot be read.
base::Result<MachineDescription> load_description(const std::filesystem::path& path);

}  // namespace heliodor::machine
