// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::cli {

void Table::add_row(std::vector<std::string> cells) {
  if (cells.size() != rows_.front().size()) {
    throw Error(ErrorCode::mismatch,
                fmt::format("row has {} cells, the header {}", cells.size(), rows_.front().size()));
  }
  rows_.push_back(std::move(cells));
}

void Table::write(std::ostream& out) const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  for (const auto& row : rows_) {
    std::string line = fmt::format("{:<{}}", row.front(), widths.front());
    for (std::size_t k = 1; k < row.size(); ++k) line += fmt::format("  {:>{}}", row[k], widths[k]);
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

std::string format_seconds(double seconds) {
  struct Unit {
    double factor;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
  for (const Unit& unit : kUnits) {
    const double value = seconds * unit.factor;
    if (value < 0.9995) continue;
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, decimals, unit.name);
  }
  return fmt::format("{:.2f} ns", seconds * 1e9);
}

}  // namespace heliodor::cli
