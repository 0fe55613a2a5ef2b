// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Table: aligned columns for people. The first column is aligned left, the others right.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace heliodor::cli {

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}

  /// Throws Error{mismatch} unless the row has as many cells as the header.
  void add_row(std::vector<std::string> cells);

  void write(std::ostream& out) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Three significant digits and a fitting unit: "1.23 ms", "45.6 us", "789 s".
std::string format_seconds(double seconds);

}  // namespace heliodor::cli
