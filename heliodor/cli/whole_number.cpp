// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string>

#include "heliodor/cli/internal/commands.h"

namespace heliodor::cli {

CLI::Validator whole_number() {
  const auto complaint = [](std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec == std::errc() && result.ptr == end) return "";
    return fmt::format("'{}' is not a whole number in [0, {}]", text, UINT64_MAX);
  };
  return {complaint, "", "whole number"};
}

}  // namespace heliodor::cli
