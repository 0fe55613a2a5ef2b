// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/report/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heliodor::cli {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pointwise;

TEST(PlotTest, linear_ticks_are_round_and_inside) {
  EXPECT_THAT(ticks({"", {0, 250}}), ElementsAre(DoubleEq(0), DoubleEq(50), DoubleEq(100),
                                                 DoubleEq(150), DoubleEq(200), DoubleEq(250)));
  EXPECT_THAT(ticks({"", {0.3, 1.1}}),
              ElementsAre(DoubleEq(0.3), DoubleEq(0.4), DoubleEq(0.5), DoubleEq(0.6), DoubleEq(0.7),
                          DoubleEq(0.8), DoubleEq(0.9), DoubleEq(1.0), DoubleEq(1.1)));
  for (const double to : {1e-9, 0.37, 1.0, 3.0, 8.0, 9.99, 12345.0, 7e12}) {
    const auto values = ticks({"", {0, to}});
    EXPECT_GE(values.size(), 4U) << to;
    EXPECT_LE(values.size(), 10U) << to;
    for (const double value : values) EXPECT_LE(value, to * (1 + 1e-9));
  }
}

TEST(PlotTest, logarithmic_ticks_are_powers_of_ten_and_more_where_few) {
  EXPECT_THAT(ticks({"", {1, 1e6}, true}),
              Pointwise(DoubleEq(), {1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6}));
  EXPECT_THAT(ticks({"", {8, 120}, true}), Pointwise(DoubleEq(), {10.0, 20.0, 50.0, 100.0}));
}

TEST(PlotTest, empty_ranges_are_widened) {
  EXPECT_THAT(ticks({"", {0, 0}}), Not(IsEmpty()));
  EXPECT_THAT(ticks({"", {5, 5}, true}), Not(IsEmpty()));
  EXPECT_THAT(ticks({"", {0, 0}, true}), Not(IsEmpty()));
}

TEST(PlotTest, tick_labels_are_short) {
  EXPECT_EQ(format_tick(0), "0");
  EXPECT_EQ(format_tick(-1e-17), "0");
  EXPECT_EQ(format_tick(0.1 + 0.2), "0.3");
  EXPECT_EQ(format_tick(2000), "2000");
  EXPECT_EQ(format_tick(20000), "20k");
  EXPECT_EQ(format_tick(1e12), "1T");
}

// Where a mark's attribute says it is: the first number after `attribute` in the first element that
// starts with `element`.
double attribute(const std::string& svg, const std::string& element, const std::string& name) {
  const std::size_t start = svg.find("<" + element + " ");
  const std::size_t at = svg.find(" " + name + "=\"", start);
  return std::stod(svg.substr(at + name.size() + 3));
}

TEST(PlotTest, boxes_lie_where_their_values_are) {
  const Axis x{"time in us", {0, 100}};
  Plot whole(x, Axis{"share", {0, 1}});
  whole.box({0, 100}, {0, 1}, 0, "");
  Plot part(x, Axis{"share", {0, 1}});
  part.box({25, 75}, {0.5, 1}, 0, "");
  const std::string outer = whole.svg(""), inner = part.svg("");
  const double left = attribute(outer, "rect", "x"), width = attribute(outer, "rect", "width");
  const double top = attribute(outer, "rect", "y"), height = attribute(outer, "rect", "height");
  constexpr double kRounding = 0.1;
  EXPECT_NEAR(attribute(inner, "rect", "x"), left + width / 4, kRounding);
  EXPECT_NEAR(attribute(inner, "rect", "width"), width / 2, kRounding);
  EXPECT_NEAR(attribute(inner, "rect", "y"), top, kRounding);
  EXPECT_NEAR(attribute(inner, "rect", "height"), height / 2, kRounding);
}

TEST(PlotTest, a_logarithmic_axis_puts_the_geometric_mean_in_the_middle) {
  const Axis x{"bytes", {1, 100}, true}, y{"share", {0, 1}};
  Plot ends(x, y), middle(x, y);
  ends.box({1, 100}, {0, 1}, 0, "");
  middle.box({1, 10}, {0, 1}, 0, "");
  EXPECT_NEAR(attribute(middle.svg(""), "rect", "width"),
              attribute(ends.svg(""), "rect", "width") / 2, 0.1);
}

TEST(PlotTest, bands_are_counted_from_the_top) {
  Plot plot(Axis{"time in us", {0, 1}}, {"first", "second"}, 30);
  plot.box({0, 1}, {1, 2}, 0, "");
  const std::string svg = plot.svg("");
  EXPECT_NEAR(attribute(svg, "rect", "height"), 30, 0.1);
  Plot upper(Axis{"time in us", {0, 1}}, {"first", "second"}, 30);
  upper.box({0, 1}, {0, 1}, 0, "");
  EXPECT_LT(attribute(upper.svg(""), "rect", "y"), attribute(svg, "rect", "y"));
  EXPECT_THAT(svg, HasSubstr(">first</text>"));
}

TEST(PlotTest, marks_outside_the_range_end_at_the_frame) {
  Plot plot(Axis{"x", {0, 10}}, Axis{"y", {0, 1}});
  plot.box({-100, 100}, {-1, 5}, 0, "");
  Plot frame(Axis{"x", {0, 10}}, Axis{"y", {0, 1}});
  frame.box({0, 10}, {0, 1}, 0, "");
  EXPECT_EQ(plot.svg(""), frame.svg(""));
}

TEST(PlotTest, axes_and_marks_escape_their_names) {
  Plot plot(Axis{"<x>", {0, 10}}, Axis{"<y>", {0, 1}});
  plot.dot({5, 0.5}, 0, "<dot>", "\"title\"");
  const PlotPoint points[] = {{0, 0}, {10, 1}};
  plot.line(points, 0, "<line>");
  Plot bands(Axis{"x", {0, 1}}, std::vector<std::string>{"<band>"});
  const std::string svg = plot.svg("<label>") + bands.svg("");
  for (const char* raw : {"<x>", "<y>", "<dot>", "<line>", "<label>", "<band>", "\"title\""})
    EXPECT_THAT(svg, Not(HasSubstr(raw)));
  for (const char* safe :
       {"&lt;x&gt;", "&lt;dot&gt;", "&lt;line&gt;", "&lt;band&gt;", "&quot;title"})
    EXPECT_THAT(svg, HasSubstr(safe));
}

}  // namespace
}  // namespace heliodor::cli
