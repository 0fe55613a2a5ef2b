// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/diagnostic.h"

#include <fmt/format.h>

namespace heliodor::base {

std::string to_string(const Position& position) {
  switch (position.kind) {
    case Position::Kind::whole:
      return "";
    case Position::Kind::text:
      return fmt::format("{}:{}", position.index, position.column);
    case Position::Kind::byte:
      return fmt::format("byte {}", position.index);
    case Position::Kind::modulus:
      return fmt::format("modulus {}", position.index);
    case Position::Kind::input:
      return fmt::format("input {}", position.index);
    case Position::Kind::instruction:
      return fmt::format("instruction {}", position.index);
    case Position::Kind::output:
      return fmt::format("output {}", position.index);
  }
  return "";
}

std::string to_string(const Diagnostics& diagnostics, const std::string& name) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    const std::string place = to_string(diagnostic.position);
    if (place.empty()) {
      text += fmt::format("{}: {}\n", name, diagnostic.message);
      continue;
    }
    // Editors jump to "name:12:5:", so that a text position follows the name without a space.
    const char* const gap = diagnostic.position.kind == Position::Kind::text ? "" : " ";
    text += fmt::format("{}:{}{}: {}\n", name, gap, place, diagnostic.message);
  }
  return text;
}

}  // namespace heliodor::base
