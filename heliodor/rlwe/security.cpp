// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/security.h"

#include <algorithm>
#include <array>
#include <limits>

namespace heliodor::rlwe {
namespace {

struct Row {
  std::uint64_t degree;
  std::array<double, 3> max_log_qp;  // for 128, 192 and 256 bits; 0: no entry
};

// Table 5.2 of the guidelines, uniform ternary secrets, classical attacks.
constexpr std::array<Row, 8> kTable = {{
    {1024, {26, 0, 0}},
    {2048, {53, 36, 27}},
    {4096, {106, 73, 56}},
    {8192, {214, 147, 114}},
    {16384, {430, 297, 230}},
    {32768, {868, 597, 462}},
    {65536, {1747, 1199, 929}},
    {131072, {3523, 2411, 1866}},
}};

}  // namespace

std::string_view to_string(SecurityLevel level) noexcept {
  switch (level) {
    case SecurityLevel::none:
      return "none";
    case SecurityLevel::bits128:
      return "128 bits";
    case SecurityLevel::bits192:
      return "192 bits";
    case SecurityLevel::bits256:
      return "256 bits";
  }
  return "unknown";
}

std::optional<double> max_log_qp(SecurityLevel level, std::uint64_t degree) noexcept {
  if (level == SecurityLevel::none) return std::numeric_limits<double>::infinity();
  const auto row = std::ranges::find(kTable, degree, &Row::degree);
  if (row == kTable.end()) return std::nullopt;
  const double limit = row->max_log_qp[static_cast<std::size_t>(level) - 1];
  return limit > 0 ? std::optional(limit) : std::nullopt;
}

SecurityLevel security_level(std::uint64_t degree, double log_qp, bool sparse_secret) noexcept {
  if (sparse_secret) return SecurityLevel::none;
  for (const auto level :
       {SecurityLevel::bits256, SecurityLevel::bits192, SecurityLevel::bits128}) {
    const auto limit = max_log_qp(level, degree);
    if (limit && log_qp <= *limit) return level;
  }
  return SecurityLevel::none;
}

}  // namespace heliodor::rlwe
