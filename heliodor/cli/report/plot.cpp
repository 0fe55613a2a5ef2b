// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "heliodor/cli/report/markup.h"

namespace heliodor::cli {
namespace {

constexpr double kTop = 10, kBottom = 46, kRight = 18;
constexpr double kAxisLeft = 74, kBandsLeft = 128;

Axis usable(Axis axis) {
  Interval& range = axis.range;
  if (axis.logarithmic) range.from = std::max(range.from, 1e-12);
  if (!(range.to > range.from)) range.to = axis.logarithmic ? 10 * range.from : range.from + 1;
  return axis;
}

std::vector<double> linear_ticks(Interval range) {
  const double rough = range.length() / 8;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough * (1 - 1e-9)) step = factor * power;
  }
  std::vector<double> values;
  for (double k = std::ceil(range.from / step - 1e-9); k * step <= range.to + 1e-9 * step; ++k)
    values.push_back(k * step);
  return values;
}

std::vector<double> logarithmic_ticks(Interval range) {
  const int from = static_cast<int>(std::floor(std::log10(range.from)));
  const int to = static_cast<int>(std::ceil(std::log10(range.to)));
  const bool few = to - from <= 3;
  const int stride = std::max(1, (to - from) / 8);
  std::vector<double> values;
  for (int power = from; power <= to; power += stride) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10, power);
      const bool inside = value >= range.from * (1 - 1e-9) && value <= range.to * (1 + 1e-9);
      if (inside && (few || factor == 1.0)) values.push_back(value);
    }
  }
  return values;
}

double fraction(const Axis& axis, double value) noexcept {
  const auto [from, to] = axis.range;
  if (!axis.logarithmic) return (value - from) / (to - from);
  return std::log(std::max(value, from) / from) / std::log(to / from);
}

std::string element_title(std::string_view title) {
  return title.empty() ? "" : fmt::format("<title>{}</title>", escape(title));
}

}  // namespace

std::vector<double> ticks(const Axis& axis) {
  const Axis a = usable(axis);
  return a.logarithmic ? logarithmic_ticks(a.range) : linear_ticks(a.range);
}

std::string format_tick(double value) {
  constexpr std::string_view kPrefixes[] = {"", "k", "M", "G", "T"};
  std::size_t prefix = 0;
  // Thousands stay as they are: 2000 reads better than 2k.
  for (double limit = 9999.5; prefix + 1 < std::size(kPrefixes) && std::abs(value) >= limit;
       ++prefix, limit = 999.5)
    value /= 1000;
  return fmt::format("{:.4g}{}", std::abs(value) < 1e-12 ? 0.0 : value, kPrefixes[prefix]);
}

Plot::Plot(Axis x, Axis y, std::vector<std::string> bands, Interval frame_x, double frame_height)
    : x_(usable(std::move(x))),
      y_(usable(std::move(y))),
      bands_(std::move(bands)),
      frame_x_(frame_x),
      frame_y_{kTop, kTop + frame_height} {}

Plot::Plot(Axis x, Axis y, double height)
    : Plot(std::move(x), std::move(y), {}, {kAxisLeft, kWidth - kRight}, height - kTop - kBottom) {}

Plot::Plot(Axis x, std::vector<std::string> bands, double band_height)
    : Plot(std::move(x), {"", {0, static_cast<double>(bands.size())}}, bands,
           {kBandsLeft, kWidth - kRight}, band_height * static_cast<double>(bands.size())) {}

double Plot::place_x(double x) const noexcept {
  return frame_x_.from + std::clamp(fraction(x_, x), 0.0, 1.0) * frame_x_.length();
}

// Values grow upwards, bands are counted downwards.
double Plot::place_y(double y) const noexcept {
  const double f = std::clamp(fraction(y_, y), 0.0, 1.0);
  return bands_.empty() ? frame_y_.to - f * frame_y_.length()
                        : frame_y_.from + f * frame_y_.length();
}

void Plot::box(Interval x, Interval y, Colour colour, std::string_view title) {
  const double left = place_x(x.from), right = place_x(x.to);
  const auto [top, bottom] = std::minmax({place_y(y.from), place_y(y.to)});
  marks_ += fmt::format(
      R"(<rect class="c{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}">{}</rect>)",
      colour % kColours, left, top, right - left, bottom - top, element_title(title));
  marks_ += '\n';
}

void Plot::line(std::span<const PlotPoint> points, Colour colour, std::string_view name) {
  std::string places;
  for (const PlotPoint& point : points)
    places += fmt::format("{:.1f},{:.1f} ", place_x(point.x), place_y(point.y));
  if (!places.empty()) places.pop_back();
  marks_ += fmt::format(R"(<polyline class="l{}" points="{}"/>)", colour % kColours, places);
  if (!points.empty() && !name.empty()) {
    marks_ += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="end">{}</text>)",
                          place_x(points.back().x) - 4, place_y(points.back().y) - 6, escape(name));
  }
  marks_ += '\n';
}

void Plot::dot(PlotPoint at, Colour colour, std::string_view name, std::string_view title) {
  const double x = place_x(at.x), y = place_y(at.y);
  marks_ += fmt::format(R"(<circle class="c{}" cx="{:.1f}" cy="{:.1f}" r="5">{}</circle>)",
                        colour % kColours, x, y, element_title(title));
  if (!name.empty()) {
    // Beside the dot where there is room, and above and below in turn: neighbours are often close.
    const bool near_right = x > frame_x_.to - 140, above = names_++ % 2 == 0;
    marks_ += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)",
                          near_right ? x - 9 : x + 9, above ? y - 7 : y + 17,
                          near_right ? "end" : "start", escape(name));
  }
  marks_ += '\n';
}

std::string Plot::x_axis() const {
  std::string axis;
  for (const double value : ticks(x_)) {
    const double x = place_x(value);
    axis += fmt::format(
        R"(<path class="grid" d="M{0:.1f} {1:.1f}V{2:.1f}"/><text x="{0:.1f}" y="{3:.1f}" )"
        R"(text-anchor="middle">{4}</text>)",
        x, frame_y_.from, frame_y_.to, frame_y_.to + 17, format_tick(value));
    axis += '\n';
  }
  axis += fmt::format(R"(<text class="axis" x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>)",
                      (frame_x_.from + frame_x_.to) / 2, frame_y_.to + 38, escape(x_.title));
  return axis + '\n';
}

std::string Plot::y_axis() const {
  std::string axis;
  for (const double value : ticks(y_)) {
    const double y = place_y(value);
    axis +=
        fmt::format(R"(<path class="grid" d="M{:.1f} {:.1f}H{:.1f}"/><text x="{:.1f}" y="{:.1f}" )"
                    R"(text-anchor="end">{}</text>)",
                    frame_x_.from, y, frame_x_.to, frame_x_.from - 8, y + 4, format_tick(value));
    axis += '\n';
  }
  const double middle = (frame_y_.from + frame_y_.to) / 2;
  axis += fmt::format(
      R"svg(<text class="axis" transform="translate(16 {:.1f}) rotate(-90)" text-anchor="middle">{}</text>)svg",
      middle, escape(y_.title));
  return axis + '\n';
}

std::string Plot::band_names() const {
  std::string names;
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    names += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="end">{}</text>)",
                         frame_x_.from - 10, place_y(static_cast<double>(i) + 0.5) + 4,
                         escape(bands_[i]));
    names += '\n';
  }
  return names;
}

std::string Plot::svg(std::string_view label) const {
  return fmt::format(
             R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {:.0f} {:.0f}" role="img" )"
             R"(aria-label="{}">)",
             kWidth, frame_y_.to + kBottom, escape(label)) +
         '\n' + x_axis() + (bands_.empty() ? y_axis() : band_names()) + marks_ +
         fmt::format(R"(<path class="frame" d="M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}"/>)", frame_x_.from,
                     frame_y_.from, frame_y_.to, frame_x_.to) +
         "\n</svg>\n";
}

}  // namespace heliodor::cli
