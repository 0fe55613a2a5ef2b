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
#include <utility>
#include <vector>

#include "heliodor/base/diagnostic.h"

namespace heliodor::machine {

/// What units execute. Each kind belongs to exactly one unit of a machine; `transfer` to the
/// off-chip memory.
enum class Operation : std::uint8_t { transfer, arithmetic, ntt, permutation, generator };
inline constexpr std::size_t kOperations = 5;

/// The kind's name in descriptions and reports: "arithmetic".
std::string_view to_string(Operation operation) noexcept;

/// On-chip memory for limbs. A row holds one word in each bank. A word wider than `word_bits` takes
/// its bank in two rows (layout.h).
struct Scratchpad {
  std::uint64_t capacity_words = 0;
  std::uint32_t banks = 0;    ///< words of a row, a power of two
  std::uint32_t latency = 0;  ///< machine cycles from a read's slot to the data at the unit
  std::uint32_t ports = 0;  ///< row accesses per machine cycle; of both kinds if shared, else reads
  std::uint32_t write_ports = 0;  ///< 0: writes share `ports` with reads

  std::uint64_t rows() const noexcept { return capacity_words / banks; }
  bool operator==(const Scratchpad&) const = default;
};

/// Off-chip memory: operands, keys, constants, outputs and spilled limbs. Words are packed to
/// `word_bits` (or `wide_word_bits`).
struct Dram {
  double bandwidth = 0;       ///< GB/s (1e9 bytes), reads and writes together
  std::uint32_t latency = 0;  ///< machine cycles before the first word of a transfer arrives

  bool operator==(const Dram&) const = default;
};

/// How a unit executes one kind of operation.
struct Capability {
  std::uint32_t lanes = 0;  ///< words per cycle of the unit
  std::uint32_t wide_lanes =
      0;  ///< words per cycle where one is wider than `word_bits`; 0: none such
  std::uint32_t registers = 0;  ///< arithmetic: chunks that the register file holds
  std::uint32_t radix = 0;  ///< ntt: points of the largest network, a power of two up to `banks`

  bool operator==(const Capability&) const = default;
};

/// A pipelined unit, or `count` copies that take operations in turn. Words leave `depth` cycles
/// after they enter.
struct Unit {
  std::string name;
  std::uint32_t count =
      1;  ///< 1 for the unit that does arithmetic: it holds accumulator and registers
  std::uint32_t depth = 0;  ///< pipeline depth in cycles of the unit
  std::uint32_t clock_mhz = 0;
  std::array<std::optional<Capability>, kOperations> capabilities;  ///< by Operation

  const std::optional<Capability>& can(Operation operation) const noexcept {
    return capabilities[static_cast<std::size_t>(operation)];
  }
  bool operator==(const Unit&) const = default;
};

struct MachineDescription {
  std::string name;
  std::uint32_t word_bits = 0;  ///< moduli have at most this many bits ..
  std::uint32_t wide_word_bits =
      0;                          ///< .. or this many, where not 0: between word_bits and twice it
  std::uint32_t clock_mhz = 0;    ///< of scratchpad and off-chip memory, and of all reported cycles
  std::uint32_t queue_depth = 0;  ///< micro-operations that wait in front of one unit
  Scratchpad scratchpad;
  Dram dram;
  std::vector<Unit> units;  ///< in the order of the text; none executes `transfer`

  /// The unit that executes the operation and how; null if none does. Not for `transfer`.
  const Unit* unit_for(Operation operation) const noexcept;

  /// Bits of the widest modulus.
  std::uint32_t largest_word_bits() const noexcept {
    return wide_word_bits != 0 ? wide_word_bits : word_bits;
  }

  bool operator==(const MachineDescription&) const = default;
};

/// Simulated time runs in ticks of the least common multiple of all clocks, which may not exceed
/// this.
inline constexpr std::uint64_t kMaxTickMhz = 1'000'000;

/// The least common multiple of all clocks in MHz, or nothing if it exceeds kMaxTickMhz.
std::optional<std::uint64_t> tick_mhz(const MachineDescription& description) noexcept;

/// One key of a text replaced: {"memory.dram.bandwidth", "100"}; the value is TOML.
using Override = std::pair<std::string, std::string>;

/// The unit of a number by its path: "GB/s (1e9 bytes)" for "memory.dram.bandwidth"; empty where no
/// description has such a key.
std::string_view unit_of_key(std::string_view path) noexcept;

/// Every fault of the text with its line and column: syntax, unknown, missing and mistyped keys,
/// values out of bounds (with the bound). Overrides are applied before the check; one that names no
/// key of a description is a fault. Never throws on bad text.
base::Result<MachineDescription> parse_description(std::string_view toml,
                                                   const std::vector<Override>& overrides = {});

/// parse_description of a file's text. Throws Error{io} if the file cannot be read.
base::Result<MachineDescription> load_description(const std::filesystem::path& path,
                                                  const std::vector<Override>& overrides = {});

}  // namespace heliodor::machine
