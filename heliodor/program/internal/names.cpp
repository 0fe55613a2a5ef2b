// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/internal/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace heliodor::program::internal {

namespace {

struct CodePoint {
  std::uint32_t value;
  std::size_t bytes;
};

/// The code point that starts at `at`; nothing for what is not UTF-8 in shortest form (RFC 3629).
std::optional<CodePoint> decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[at + i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return CodePoint{first, 1};
  if (first < 0xc2 || first > 0xf4) return std::nullopt;
  const std::size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (text.size() - at < bytes) return std::nullopt;
  std::uint32_t value = first & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return std::nullopt;
    value = value << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (value < kSmallest[bytes] || surrogate || value > 0x10ffff) return std::nullopt;
  return CodePoint{value, bytes};
}

/// Control characters, line separators, and the marks that reorder or hide the text around them
/// (Unicode 15.0, categories Cc, Zl, Zp and the bidirectional and zero-width part of Cf).
bool is_printable(std::uint32_t c) {
  struct Range {
    std::uint32_t first, last;
  };
  constexpr std::array<Range, 7> kHidden{{{0x00, 0x1f},
                                          {0x7f, 0x9f},
                                          {0x200b, 0x200f},
                                          {0x2028, 0x202e},
                                          {0x2060, 0x206f},
                                          {0xfeff, 0xfeff},
                                          {0xfff9, 0xfffb}}};
  return std::none_of(kHidden.begin(), kHidden.end(),
                      [c](Range range) { return c >= range.first && c <= range.last; });
}

}  // namespace

std::optional<std::string> name_fault(std::string_view name) {
  if (name.empty()) return "name is empty";
  if (name.size() > kMaxNameBytes) {
    return fmt::format("name has {} bytes, more than {}", name.size(), kMaxNameBytes);
  }
  for (std::size_t at = 0; at < name.size();) {
    const auto point = decode(name, at);
    if (!point) return fmt::format("name is not UTF-8 at byte {}", at);
    if (point->value == '"' || point->value == '\\' || !is_printable(point->value)) {
      return fmt::format("name has the character U+{:04X} at byte {}", point->value, at);
    }
    at += point->bytes;
  }
  return std::nullopt;
}

}  // namespace heliodor::program::internal
