// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/bench_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "heliodor/cli/bench_programs.h"
#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/targets/machine/machine_target.h"
#include "heliodor/targets/machine/shipped_machines.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;

void expect_all_hold(const std::vector<MachineFigure>& figures) {
  for (const MachineFigure& figure : figures) {
    EXPECT_TRUE(figure.holds()) << figure.machine << ": " << figure.what << " " << figure.value
                                << " " << figure.unit;
  }
}

TEST(MachineFiguresTest, basalisc_keeps_the_figures_of_its_paper) {
  const std::vector<MachineFigure> figures = basalisc_figures(3);
  EXPECT_EQ(figures.size(), 7U);
  expect_all_hold(figures);
}

TEST(MachineFiguresTest, klss_buffers_have_the_sizes_of_the_paper) {
  const std::vector<MachineFigure> figures = u280_buffer_figures();
  EXPECT_EQ(figures.size(), 3U);
  expect_all_hold(figures);
}

TEST(MachineFiguresTest, small_sets_are_switched_by_hybrid_at_every_limb_count) {
  const auto target =
      std::make_shared<const machine::MachineTarget>(machine::shipped_description("u280_adaptive"));
  const std::vector<std::size_t> limb_counts = {9, 8, 7, 6, 5, 4, 3, 2, 1};
  const auto points =
      key_switch_points(bench_parameters(32, 1 << 14, 9, 3, 3), target, limb_counts);
  ASSERT_EQ(points.size(), 9U);
  for (const KeySwitchPoint& point : points) {
    EXPECT_GE(point.klss_ms, 1.7 * point.hybrid_ms) << point.limb_count;
    EXPECT_EQ(point.chosen, rlwe::KeySwitchMethod::hybrid);
    EXPECT_EQ(point.chosen_ms, point.hybrid_ms);
  }
}

/// Set-1 with one point, Set-2 with two; `top` is klss at the top.
std::vector<KeySwitchCurve> curves(double top) {
  using enum rlwe::KeySwitchMethod;
  return {{"Set-1", "small", {{9, 1.0, 2.0, 1.0, hybrid}}},
          {"Set-2", "large", {{48, 6.0, top, top, klss}, {24, 1.0, 2.0, 1.0, hybrid}}}};
}

TEST(MachineFiguresTest, figures_of_curves_are_ratios_and_the_crossover) {
  const std::vector<MachineFigure> figures = curve_figures(curves(5.0));
  ASSERT_EQ(figures.size(), 4U);
  EXPECT_EQ(figures[0].value, 2.0);
  EXPECT_EQ(figures[1].value, 1.2);
  EXPECT_EQ(figures[2].value, 24.0);
  EXPECT_EQ(figures[3].value, 1.0);
  expect_all_hold(figures);
  EXPECT_FALSE(curve_figures(curves(5.1))[1].holds());
}

MachineBench small_bench() {
  MachineBench bench;
  bench.figures = {{"chip", "time", 1.5, "us", 1, 2},
                   {"chip", "ratio", 3, "x", 4},
                   {"<board>", "conflicts", 0, "", 0, 0}};
  bench.curves = curves(5.0);
  return bench;
}

TEST(BenchMachineTest, a_table_has_each_figure_with_its_bar_and_each_point) {
  std::ostringstream out;
  print(small_bench(), out);
  EXPECT_THAT(out.str(), testing::ContainsRegex("time +chip +1.5 us +1 to 2 +yes"));
  EXPECT_THAT(out.str(), testing::ContainsRegex("ratio +chip +3 x +at least 4 +NO"));
  EXPECT_THAT(out.str(), testing::ContainsRegex("conflicts +<board> +0 +at most 0 +yes"));
  EXPECT_THAT(out.str(), testing::ContainsRegex("48 +6.000 +5.000 +klss"));
}

TEST(BenchMachineTest, json_has_null_where_a_bar_is_open) {
  const auto json = to_json(small_bench());
  EXPECT_EQ(json["figures"][1].dump(),
            R"({"figure":"ratio","machine":"chip","value":3.0,"unit":"x","least":4.0,"most":null,)"
            R"("holds":false})");
  EXPECT_EQ(json["curves"][1]["points"][1].dump(),
            R"({"limbs":24,"hybrid_ms":1.0,"klss_ms":2.0,"chosen":"hybrid"})");
}

TEST(BenchMachineTest, a_page_has_a_picture_of_each_curve_and_no_markup_from_names) {
  const std::string page = to_html(small_bench());
  EXPECT_THAT(page, HasSubstr("&lt;board&gt;"));
  EXPECT_THAT(page, testing::Not(HasSubstr("<board>")));
  EXPECT_THAT(page, HasSubstr("48 limbs: klss, 5.000 ms"));
  std::size_t pictures = 0;
  for (std::size_t at = 0; (at = page.find("<svg", at)) != std::string::npos; ++at) ++pictures;
  EXPECT_EQ(pictures, 2U);
}

TEST(BenchMachineTest, sizes_and_pages_where_there_are_none_are_refused) {
  const Outcome sizes = heliodor_command({"bench", "machine", "--degree", "1024"});
  EXPECT_EQ(sizes.code, 2);
  EXPECT_THAT(sizes.err, HasSubstr("machine takes no sizes"));
  const Outcome page = heliodor_command({"bench", "ntt", "--html", "x.html"});
  EXPECT_EQ(page.code, 2);
  EXPECT_THAT(page.err, HasSubstr("ntt writes no page"));
}

}  // namespace
}  // namespace heliodor::cli
