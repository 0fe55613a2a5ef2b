// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/report/report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <utility>

#include "heliodor/base/temporary_folder.h"
#include "heliodor/cli/report/charts.h"
#include "heliodor/program/builder.h"

namespace heliodor::cli {
namespace {

using machine::MicroCode;
using testing::HasSubstr;
using testing::Not;

machine::UnitProfile unit(std::string name, double busy, double waits_for_transfer) {
  machine::UnitProfile made;
  made.name = std::move(name);
  made.operations = 40;
  made.busy = busy;
  made.stalled[static_cast<std::size_t>(machine::Stall::transfer)] = waits_for_transfer;
  made.occupancy.assign(machine::kProfileBuckets, busy);
  return made;
}

// Two instructions on two units and off-chip memory, 1000 cycles of 1 ns.
machine::Profile example_profile() {
  machine::Profile profile;
  profile.machine = "example";
  profile.program = "product";
  profile.clock_mhz = 1000;
  profile.cycles = 1000;
  profile.seconds = 1e-6;
  profile.micro_operations = 1234567;
  profile.units = {unit("vector", 0.25, 0.5), unit("ntt", 0.125, 0.75), unit("dram", 0.95, 0)};
  profile.units[0].multiplications = 64000;
  profile.units[0].peak_per_second = 64e9;
  profile.units[0].attained_per_second = 64e9;
  profile.bytes = {4096, 8192, 0, 2048, 0};
  profile.bandwidth = 16e9;
  profile.scratchpad_reads = 300;
  profile.scratchpad_writes = 200;
  profile.scratchpad_busy = 0.125;
  profile.rows = 64;
  profile.rows_used = 48;
  profile.spans = {{2, 2, MicroCode::load, 0, 400, 20, 400},
                   {0, 0, MicroCode::mul, 400, 650, 20, 250},
                   {1, 1, MicroCode::intt_pass, 650, 775, 20, 125}};
  profile.stays = {{0, 0, 16, 0, 650}, {1, 16, 16, 0, 650}, {2, 32, 16, 400, 775}};
  profile.kinds = {
      {"mul", 20, {250, 0, 0}}, {"intt", 20, {0, 125, 0}}, {"transfer", 40, {0, 0, 950}}};
  profile.instructions = {"%2 = mul %0 %1 : q0 eval", "%3 = intt %2 : q0 coeff"};
  profile.values = {"x", "k", "%2", "%3"};
  return profile;
}

std::shared_ptr<const program::LimbProgram> example_program() {
  program::Builder b({ring::Modulus(17, 4)}, "product");
  const auto x = b.operand("x", 0, ring::Domain::eval), k = b.key("k", 0, ring::Domain::eval);
  b.output("z", b.intt(b.mul(x, k)));
  return std::make_shared<const program::LimbProgram>(b.build());
}

MachineRun example_run() {
  MachineRun run;
  run.name = "product";
  run.degree = 4;
  run.source = example_program();
  run.profile = example_profile();
  run.description = "name = \"example\"  # chosen freely\n";
  return run;
}

Report example_report() {
  Report report;
  report.runs.push_back(example_run());
  return report;
}

// The text of every element with data-figure="name", without digit grouping.
std::vector<std::string> figures(const std::string& page, const std::string& name) {
  const std::regex pattern("data-figure=\"" + name + "\">([^<]*)<");
  std::vector<std::string> found;
  for (std::sregex_iterator it(page.begin(), page.end(), pattern), end; it != end; ++it) {
    std::string text = (*it)[1];
    std::erase(text, ',');
    found.push_back(text);
  }
  return found;
}

// Python's parser is the judge of well-formedness.
bool is_well_formed(const std::string& page) {
  const base::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "page.html";
  std::ofstream(path, std::ios::binary) << page;
  const std::string command =
      "python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' " +
      path.string() + " 2>/dev/null";
  return std::system(command.c_str()) == 0;
}

TEST(ReportTest, page_is_well_formed) {
  EXPECT_TRUE(is_well_formed(to_html(example_report())));
  EXPECT_FALSE(is_well_formed("<p><b></p>"));
}

TEST(ReportTest, page_takes_nothing_from_elsewhere_and_runs_nothing) {
  const std::string page = to_html(example_report());
  for (const char* word : {"<script", "<link", "src=", "href=", "url(", "@import", "onload="})
    EXPECT_THAT(page, Not(HasSubstr(word)));
}

TEST(ReportTest, equal_reports_give_equal_bytes) {
  EXPECT_EQ(to_html(example_report()), to_html(example_report()));
  EXPECT_EQ(to_json(example_report()).dump(), to_json(example_report()).dump());
}

TEST(ReportTest, page_and_json_and_text_hold_the_same_numbers) {
  const Report report = example_report();
  const std::string page = to_html(report);
  const auto json = to_json(report)["runs"][0];
  EXPECT_EQ(figures(page, "cycles"), std::vector{std::to_string(json["cycles"].get<int>())});
  EXPECT_EQ(figures(page, "micro_operations"),
            std::vector{std::to_string(json["micro_operations"].get<int>())});
  std::uint64_t bytes = 0;
  for (const auto& kind : json["off_chip_bytes"]) bytes += kind.get<std::uint64_t>();
  EXPECT_EQ(figures(page, "off_chip_bytes"), std::vector{std::to_string(bytes)});
  EXPECT_EQ(json["units"][2]["busy"], 0.95);
  EXPECT_THAT(page, HasSubstr("<td>95.0 %</td>"));
  std::ostringstream text;
  write_text(text, report);
  EXPECT_THAT(text.str(), HasSubstr("product on example: 1,000 cycles, 1.00 us at 1000 MHz"));
  EXPECT_THAT(text.str(), HasSubstr("95.0 %"));
}

TEST(ReportTest, hostile_names_are_text_everywhere) {
  const std::string hostile = "</title></style><script>alert(1)</script>\x01\xFF&\"'";
  Report report = example_report();
  MachineRun& run = report.runs[0];
  run.name = run.description = hostile;
  run.overrides = {{hostile, hostile}};
  run.profile.machine = hostile;
  for (machine::UnitProfile& u : run.profile.units) u.name = hostile;
  for (std::string& name : run.profile.values) name = hostile;
  for (std::string& text : run.profile.instructions) text = hostile;
  for (machine::KindCost& cost : run.profile.kinds) cost.kind = hostile;
  report.sweep = Sweep{hostile, {{"1", 10, 1e-8, hostile}, {"2", 5, 5e-9, hostile}}};
  const std::string page = to_html(report);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_TRUE(is_well_formed(page));
  // JSON cannot hold what is not UTF-8 either.
  EXPECT_NO_THROW(to_json(report).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

TEST(ReportTest, saturated_unit_bounds_the_program_else_the_busiest_says_what_it_waits_for) {
  machine::Profile profile = example_profile();
  EXPECT_EQ(bound_of(profile), "dram bounds it, 95.0 % busy");
  profile.units[2].busy = 0.1;
  EXPECT_EQ(bound_of(profile),
            "no unit is saturated; vector is 25.0 % busy and waits for off-chip memory, 50.0 %");
  profile.scratchpad_busy = 0.97;
  EXPECT_EQ(bound_of(profile), "scratchpad ports bound it, 97.0 % busy");
}

TEST(ReportTest, toy_parameters_are_warned_about) {
  Report report = example_report();
  EXPECT_THAT(to_html(report), Not(HasSubstr("class=\"warning\"")));
  report.runs[0].security = Security{120, rlwe::SecurityLevel::none};
  EXPECT_THAT(to_html(report), HasSubstr("class=\"warning\">Toy parameters, not secure."));
  report.runs[0].security = Security{1600, rlwe::SecurityLevel::bits128};
  EXPECT_THAT(to_html(report), HasSubstr("Security: N = 4, log2(QP) = 1600: 128 bits"));
  EXPECT_EQ(to_json(report)["runs"][0]["security"]["level"], "128 bits");
}

TEST(ReportTest, repeats_count_in_totals_and_alternatives_are_related_to_the_first) {
  Report report = example_report();
  report.runs.push_back(example_run());
  report.runs[1].name = "second";
  report.runs[1].repeats = 26;
  EXPECT_EQ(to_json(report)["total"]["cycles"], 27000);
  EXPECT_THAT(to_html(report), HasSubstr("<td>27.0 us</td>"));
  report.comparison = true;
  report.runs[1].profile.seconds = 0.25e-6;
  EXPECT_FALSE(to_json(report).contains("total"));
  EXPECT_THAT(to_html(report), HasSubstr("<td>x 0.25</td>"));
}

TEST(ReportTest, gantt_draws_each_span_once_with_its_instruction) {
  const std::string chart = gantt_chart(example_profile());
  EXPECT_THAT(chart, HasSubstr("products on vector"));
  EXPECT_THAT(chart, HasSubstr("%2 = mul %0 %1 : q0 eval"));
  const std::regex rect("<rect ");
  EXPECT_EQ(std::distance(std::sregex_iterator(chart.begin(), chart.end(), rect), {}), 3);
  EXPECT_THAT(chart, HasSubstr(">time in ns</text>"));
}

TEST(ReportTest, gantt_draws_a_span_as_high_as_it_is_busy) {
  const auto height = [](std::uint64_t busy) {
    machine::Profile profile = example_profile();
    profile.spans = {{0, 0, MicroCode::mac, 0, 1000, 10, busy}};
    const std::string chart = gantt_chart(profile);
    return std::stod(chart.substr(chart.find("height=\"", chart.find("<rect ")) + 8));
  };
  constexpr double kRounding = 0.1;
  EXPECT_NEAR(height(500), height(1000) / 2, kRounding);
  EXPECT_NEAR(height(10), height(1000) / 8, kRounding);
}

TEST(ReportTest, every_micro_code_has_a_colour) {
  for (std::size_t code = 0; code < machine::kMicroCodes; ++code) {
    machine::Profile profile = example_profile();
    profile.spans = {{0, 0, static_cast<MicroCode>(code), 0, 100, 1, 100}};
    EXPECT_THAT(gantt_chart(profile), HasSubstr("<rect "));
  }
}

TEST(ReportTest, pictures_of_long_programs_stay_small) {
  machine::Profile profile = example_profile();
  profile.cycles = 10'000'000;
  profile.seconds = 1e-2;
  profile.spans.clear();
  profile.stays.clear();
  profile.rows_used = profile.rows = 100000;
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    profile.spans.push_back(
        {static_cast<std::uint32_t>(i % 3), 0, MicroCode::mac, 50 * i, 50 * i + 40, 1, 40});
    profile.stays.push_back({static_cast<program::ValueId>(i % 4),
                             static_cast<std::uint32_t>(i % 6000) * 16, 16, 50 * i, 50 * i + 40});
  }
  EXPECT_LT(gantt_chart(profile).size(), 1'000'000U);
  EXPECT_LT(memory_chart(profile, *example_program()).size(), 6'000'000U);
}

TEST(ReportTest, empty_programs_have_a_page_too) {
  Report report;
  report.runs.emplace_back();
  report.runs[0].profile.machine = "idle";
  report.runs[0].profile.clock_mhz = 1;
  report.runs[0].profile.units = {unit("dram", 0, 0)};
  EXPECT_TRUE(is_well_formed(to_html(report)));
}

TEST(ReportTest, time_units_fit_the_longest_time) {
  EXPECT_EQ(time_unit(3).name, "s");
  EXPECT_EQ(time_unit(3e-3).name, "ms");
  EXPECT_EQ(time_unit(1e-3).name, "us");
  EXPECT_EQ(time_unit(0).name, "ns");
}

}  // namespace
}  // namespace heliodor::cli
