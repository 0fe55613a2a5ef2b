// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plot: one picture as SVG, a frame with two axes and marks in it. Marks carry titles, which
// browsers show as tooltips; colours are classes c0 .. c11 that the page's style defines for light
// and dark.
//
//   Plot plot({"time in us", 0, 250}, {"busy", 0, 1});
//   plot.box({0, 10}, {0, 0.5}, kBlue, "ntt");
//   page += plot.svg("Occupancy of the NTT unit");
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heliodor::cli {

/// Index into the palette.
using Colour = unsigned;
inline constexpr Colour kColours = 12;
inline constexpr Colour kGrey = 11;

struct Interval {
  double from = 0;
  double to = 0;

  double length() const noexcept { return to - from; }
};

/// The title names the quantity and its unit. A logarithmic axis starts above 0; an empty range is
/// widened.
struct Axis {
  std::string title;
  Interval range;
  bool logarithmic = false;
};

struct PlotPoint {
  double x = 0;
  double y = 0;
};

/// Round numbers in the range, at most about eight: multiples of 1, 2 or 5 times a power of ten;
/// powers of ten (and their doubles and quintuples where there are few) on a logarithmic axis.
std::vector<double> ticks(const Axis& axis);

/// "0", "0.5", "250", "20k", "1.5M"
std::string format_tick(double value);

class Plot {
 public:
  static constexpr double kWidth = 960;  ///< of the picture, in its own units

  Plot(Axis x, Axis y, double height = 320);

  /// Named bands from top to bottom in place of an axis: band i is [i, i + 1) of y.
  Plot(Axis x, std::vector<std::string> bands, double band_height = 34);

  void box(Interval x, Interval y, Colour colour, std::string_view title);
  /// Its name stands above its end.
  void line(std::span<const PlotPoint> points, Colour colour, std::string_view name);
  /// A dot with its name beside it.
  void dot(PlotPoint at, Colour colour, std::string_view name, std::string_view title);

  /// The complete element; `label` says what the picture shows.
  std::string svg(std::string_view label) const;

 private:
  Plot(Axis x, Axis y, std::vector<std::string> bands, Interval frame_x, double frame_height);

  double place_x(double x) const noexcept;
  double place_y(double y) const noexcept;
  std::string x_axis() const;
  std::string y_axis() const;
  std::string band_names() const;

  Axis x_, y_;
  std::vector<std::string> bands_;
  Interval frame_x_, frame_y_;
  std::string marks_;
  std::size_t names_ = 0;  // of dots
};

}  // namespace heliodor::cli
