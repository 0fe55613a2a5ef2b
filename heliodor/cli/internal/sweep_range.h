// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The values that a sweep gives to one key of a machine description.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heliodor::cli {

struct SweepRange {
  std::string key;
  std::vector<std::string> values;  ///< numbers, as a description writes them

  bool operator==(const SweepRange&) const = default;
};

/// "memory.dram.bandwidth=25..200:8": 8 values from 25 to 200 in equal steps (8 if no number is
/// given), whole numbers if both ends are, each once. "units.ntt.ntt.lanes=64..1024:x2": each twice
/// the one before. Throws Error{out_of_range} for any other form, more than 1000 values, a factor
/// of 1 or less, or an end below the start.
SweepRange parse_sweep(std::string_view text);

/// "key=value" in two. Throws Error{out_of_range} without a "=" or a key.
std::pair<std::string, std::string> parse_setting(std::string_view text);

}  // namespace heliodor::cli
