// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// generated from heliodor/targets/machine/description_keys.toml by tools/generate_machine_keys;
// do not edit

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heliodor::machine {

enum class KeyType : std::uint8_t { text, integer, number, table };

/// One key that a machine description may have.
struct DescriptionKey {
  std::string_view table;  ///< path of its table; * stands for any name
  std::string_view name;
  KeyType type;
  bool required;
  std::string_view unit;  ///< empty for tables
  double least = 0;       ///< bounds of numbers, both included
  double most = 0;
  bool power_of_two = false;
};

inline constexpr std::array<DescriptionKey, 35> kDescriptionKeys{{
    {"", "name", KeyType::text, true, "-"},
    {"", "word_bits", KeyType::integer, true, "bits", 16, 64},
    {"", "wide_word_bits", KeyType::integer, false, "bits", 17, 64},
    {"", "clock_mhz", KeyType::integer, true, "MHz", 1, 10000},
    {"", "queue_depth", KeyType::integer, true, "micro-operations", 1, 4096},
    {"", "memory", KeyType::table, true, ""},
    {"", "units", KeyType::table, true, ""},
    {"memory", "scratchpad", KeyType::table, true, ""},
    {"memory", "dram", KeyType::table, true, ""},
    {"memory.scratchpad", "capacity_words", KeyType::integer, true, "words", 1, 2147483648},
    {"memory.scratchpad", "banks", KeyType::integer, true, "banks", 1, 65536, true},
    {"memory.scratchpad", "latency", KeyType::integer, true, "machine cycles", 1, 1000},
    {"memory.scratchpad", "ports", KeyType::integer, false, "rows per machine cycle", 1, 64},
    {"memory.scratchpad", "read_ports", KeyType::integer, false, "rows per machine cycle", 1, 64},
    {"memory.scratchpad", "write_ports", KeyType::integer, false, "rows per machine cycle", 1, 64},
    {"memory.dram", "bandwidth", KeyType::number, true, "GB/s (1e9 bytes)", 0.001, 1000000},
    {"memory.dram", "latency", KeyType::integer, true, "machine cycles", 1, 100000},
    {"units", "*", KeyType::table, false, ""},
    {"units.*", "depth", KeyType::integer, true, "unit cycles", 1, 1000},
    {"units.*", "clock_mhz", KeyType::integer, false, "MHz", 1, 10000},
    {"units.*", "count", KeyType::integer, false, "copies", 1, 64},
    {"units.*", "arithmetic", KeyType::table, false, ""},
    {"units.*", "ntt", KeyType::table, false, ""},
    {"units.*", "permutation", KeyType::table, false, ""},
    {"units.*", "generator", KeyType::table, false, ""},
    {"units.*.arithmetic", "lanes", KeyType::integer, true, "words per unit cycle", 1, 65536, true},
    {"units.*.arithmetic", "wide_lanes", KeyType::integer, false, "words per unit cycle", 1, 65536, true},
    {"units.*.arithmetic", "registers", KeyType::integer, true, "chunks", 0, 4096},
    {"units.*.ntt", "lanes", KeyType::integer, true, "words per unit cycle", 1, 65536, true},
    {"units.*.ntt", "wide_lanes", KeyType::integer, false, "words per unit cycle", 1, 65536, true},
    {"units.*.ntt", "radix", KeyType::integer, true, "points", 2, 65536, true},
    {"units.*.permutation", "lanes", KeyType::integer, true, "words per unit cycle", 1, 65536, true},
    {"units.*.permutation", "wide_lanes", KeyType::integer, false, "words per unit cycle", 1, 65536, true},
    {"units.*.generator", "lanes", KeyType::integer, true, "words per unit cycle", 1, 65536, true},
    {"units.*.generator", "wide_lanes", KeyType::integer, false, "words per unit cycle", 1, 65536, true},
}};

}  // namespace heliodor::machine
