// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Columns: what happens in one band of a picture, by kind, sampled to as many columns as can be
// seen. Any number of stretches becomes at most one box per column.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heliodor/cli/report/plot.h"

namespace heliodor::cli {

class Columns {
 public:
  /// [0, to) in `count` equal columns. Requires to > 0, count > 0.
  Columns(double to, std::size_t count);

  /// Adds the stretch, of which `density` in [0, 1] is covered, evenly, to the columns that it
  /// reaches into; what lies outside [0, to) is cut off.
  void add(Interval stretch, Colour kind, std::uint64_t detail, double density = 1);

  struct Box {
    Interval x;
    double share;  ///< of the box that the kind takes: a multiple of 1/8, above 0
    Colour kind;
    std::uint64_t first, last;  ///< smallest and largest detail of the kind
  };

  /// From left to right. A column shows the kind that covers most of it; neighbours of one kind,
  /// share and detail are one box.
  std::vector<Box> boxes() const;

 private:
  struct Cell {
    double covered = 0;
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
  };

  double width_;
  std::vector<std::array<Cell, kColours>> cells_;
};

}  // namespace heliodor::cli
