// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/report/columns.h"

#include <algorithm>
#include <cmath>

namespace heliodor::cli {
namespace {

constexpr double kShares = 8;

}  // namespace

Columns::Columns(double to, std::size_t count)
    : width_(to / static_cast<double>(count)), cells_(count) {}

void Columns::add(Interval stretch, Colour kind, std::uint64_t detail, double density) {
  const double to = std::min(stretch.to, width_ * static_cast<double>(cells_.size()));
  const double from = std::max(stretch.from, 0.0);
  if (!(to > from)) return;
  for (auto k = static_cast<std::size_t>(from / width_); k < cells_.size(); ++k) {
    const double left = width_ * static_cast<double>(k);
    if (left >= to) break;
    Cell& cell = cells_[k][kind % kColours];
    const double inside = std::max(0.0, std::min(to, left + width_) - std::max(from, left));
    cell.covered += density * inside / width_;
    cell.first = std::min(cell.first, detail);
    cell.last = std::max(cell.last, detail);
  }
}

std::vector<Columns::Box> Columns::boxes() const {
  std::vector<Box> boxes;
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    const auto most = std::ranges::max_element(cells_[k], {}, &Cell::covered);
    if (most->covered <= 0) continue;
    const auto eighths = std::ceil(std::min(most->covered, 1.0) * kShares - 1e-9);
    const Interval x{width_ * static_cast<double>(k), width_ * static_cast<double>(k + 1)};
    const Box box{x, std::max(eighths, 1.0) / kShares,
                  static_cast<Colour>(most - cells_[k].begin()), most->first, most->last};
    if (!boxes.empty()) {
      Box& before = boxes.back();
      const bool adjoins = std::abs(before.x.to - x.from) < 1e-9 * x.to;
      if (adjoins && before.kind == box.kind && before.share == box.share &&
          before.first == box.first && before.last == box.last) {
        before.x.to = x.to;
        continue;
      }
    }
    boxes.push_back(box);
  }
  return boxes;
}

}  // namespace heliodor::cli
