// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/cli.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "heliodor/cli/exit_code.h"
#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/targets/machine/shipped_machines.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class CliTest : public CommandTest {};

// The names below "Subcommands:" of the help.
std::vector<std::string> listed_commands() {
  std::istringstream lines(heliodor_command({"--help"}).out);
  std::vector<std::string> names;
  bool below = false;
  for (std::string line; std::getline(lines, line);) {
    std::string name;
    std::istringstream(line) >> name;
    if (below && name.empty()) break;
    if (below) names.push_back(name);
    below = below || name == "Subcommands:";
  }
  return names;
}

TEST_F(CliTest, help_of_every_command_fits_a_screen) {
  std::vector<std::vector<std::string>> commands = {{"--help"}};
  for (const std::string& name : listed_commands()) commands.push_back({name, "--help"});
  ASSERT_GE(commands.size(), 10U);
  for (const auto& command : commands) {
    const Outcome outcome = heliodor_command(command);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, IsEmpty());
    EXPECT_LE(std::ranges::count(outcome.out, '\n'), 24) << outcome.out;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST_F(CliTest, test_seeds_are_announced_and_repeatable) {
  const std::string program = write("product.limb", kProductText);
  const std::vector<std::vector<std::string>> commands = {
      {"demo", "--degree", "64"}, {"run", program}, {"bench", "ntt", "--degree", "64", "--quick"}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.end(), {"--seed", "5", "--json"});
    const Outcome outcome = heliodor_command(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("TEST SEED 5: ALL RANDOMNESS IS REPEATABLE"));
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["test_seed"], 5);
  }
  const auto slot = [](const char* seed) {
    const std::string out = heliodor_command({"demo", "--degree", "64", "--seed", seed}).out;
    return out.substr(out.find("slot 0"), 40);
  };
  EXPECT_EQ(slot("7"), slot("7"));
  EXPECT_NE(slot("7"), slot("8"));
}

TEST_F(CliTest, json_stays_alone_on_out_where_err_is_a_terminal) {
  const char* const args[] = {"bench", "ntt", "--degree", "64", "--json"};
  std::ostringstream out, err;
  EXPECT_EQ(run(args, out, err, Terminal::yes), 0);
  EXPECT_TRUE(nlohmann::json::accept(out.str()));
  // On one terminal the progress bar has gone before the report begins.
  std::ostringstream both;
  EXPECT_EQ(run(args, both, both, Terminal::yes), 0);
  const std::string text = both.str();
  EXPECT_TRUE(nlohmann::json::accept(text.substr(text.find('{')))) << text;
  const Outcome piped = heliodor_command({"bench", "ntt", "--degree", "64", "--json"});
  EXPECT_THAT(piped.err, testing::Not(HasSubstr("\r")));
}

TEST_F(CliTest, version_is_printed) {
  const Outcome outcome = heliodor_command({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, testing::MatchesRegex("heliodor [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(CliTest, every_error_code_has_its_exit_code) {
  const std::vector<std::pair<ErrorCode, ExitCode>> expected = {
      {ErrorCode::out_of_range, ExitCode::bad_input},
      {ErrorCode::mismatch, ExitCode::bad_input},
      {ErrorCode::invalid_modulus, ExitCode::bad_input},
      {ErrorCode::invalid_program, ExitCode::bad_input},
      {ErrorCode::invalid_description, ExitCode::bad_input},
      {ErrorCode::malformed_file, ExitCode::bad_input},
      {ErrorCode::io, ExitCode::bad_input},
      {ErrorCode::insecure, ExitCode::bad_input},
      {ErrorCode::noise_overflow, ExitCode::bad_input},
      {ErrorCode::missing_key, ExitCode::bad_input},
      {ErrorCode::unsupported, ExitCode::not_available},
      {ErrorCode::unavailable, ExitCode::not_available},
      {ErrorCode::out_of_memory, ExitCode::not_available},
      {ErrorCode::range_violation, ExitCode::wrong_result},
  };
  for (const auto& [code, exit] : expected) EXPECT_EQ(exit_code(code), exit);
}

TEST_F(CliTest, run_compares_a_program_with_the_reference) {
  const std::string program = write("product.limb", kProductText);
  const Outcome outcome = heliodor_command({"run", program, "--target", "cpu:portable"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("test seed 1"));
  EXPECT_THAT(outcome.out, HasSubstr("reference"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("cpu:portable .* yes\n"));
}

TEST_F(CliTest, run_reports_cycles_of_a_machine_as_json) {
  const std::string program = write("product.limb", kProductText);
  const Outcome outcome = heliodor_command(
      {"run", program, "--target", "machine:tutorial", "--verify", "cpu", "--seed", "9", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["test_seed"], 9);
  EXPECT_EQ(json["equal"], true);
  EXPECT_EQ(json["target"]["name"], "machine:tutorial");
  EXPECT_GT(json["target"]["cycles"], 0);
}

TEST_F(CliTest, run_on_a_target_that_refuses_is_not_available) {
  const std::string program = write("product.limb", kProductText);
  std::string text(machine::shipped_text("tutorial"));
  const std::size_t unit = text.find("[units.ntt]");
  text.erase(unit, text.find("[units.permutation]") - unit);
  const std::string machine = write("no_ntt.toml", text);
  const Outcome outcome = heliodor_command({"run", program, "--target", "machine:" + machine});
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("needs a unit for ntt"));
}

TEST_F(CliTest, convert_says_as_json_what_it_wrote) {
  const std::string text = write("product.limb", kProductText);
  const Outcome outcome = heliodor_command({"convert", text, path("product.hlp"), "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["from"], text);
  EXPECT_EQ(json["to"], path("product.hlp"));
  EXPECT_EQ(json["program"], "product");
  EXPECT_EQ(json["instructions"], 2);
}

TEST_F(CliTest, convert_there_and_back_keeps_the_program) {
  const std::string text = write("product.limb", kProductText);
  ASSERT_EQ(heliodor_command({"convert", text, path("product.hlp")}).code, 0);
  ASSERT_EQ(heliodor_command({"convert", path("product.hlp"), path("back.limb")}).code, 0);
  EXPECT_EQ(read("back.limb"), kProductText);
  EXPECT_LT(read("product.hlp").size(), kProductText.size());
}

TEST_F(CliTest, inspect_counts_what_is_in_a_program) {
  const std::string program = write("product.limb", kProductText);
  const Outcome table = heliodor_command({"inspect", program});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("1 operands, 1 keys, 0 constants, 0 seeds; outputs: 1"));
  EXPECT_THAT(table.out, HasSubstr("intt"));
  EXPECT_THAT(table.out, HasSubstr("17"));
  EXPECT_EQ(heliodor_command({"inspect", program, "--text"}).out, kProductText);

  const auto json = nlohmann::json::parse(heliodor_command({"inspect", program, "--json"}).out);
  EXPECT_EQ(json["degree"], 4);
  EXPECT_EQ(json["moduli"][0]["value"], 17);
  EXPECT_EQ(json["instructions"]["mul"], 1);
  EXPECT_EQ(json["instruction_count"], 2);
}

TEST_F(CliTest, inspect_describes_a_machine) {
  const std::string file = write("tutorial.toml", machine::shipped_text("tutorial"));
  const Outcome table = heliodor_command({"inspect", file});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("machine \"tutorial\""));
  EXPECT_THAT(table.out, HasSubstr("permutation"));
  const auto json = nlohmann::json::parse(heliodor_command({"inspect", file, "--json"}).out);
  EXPECT_EQ(json["kind"], "machine_description");
  EXPECT_EQ(json["word_bits"], 64);
}

TEST_F(CliTest, inspect_shows_wide_words_separate_ports_and_what_a_unit_executes) {
  const std::string file = write("board.toml", machine::shipped_text("u280_adaptive"));
  const std::string table = heliodor_command({"inspect", file}).out;
  EXPECT_THAT(table, HasSubstr("words of 32 or 60 bits"));
  EXPECT_THAT(table, HasSubstr("8 read and 8 write ports"));
  EXPECT_THAT(table, HasSubstr("off-chip memory: 460 GB/s"));
  EXPECT_THAT(table, testing::ContainsRegex("array +ntt +256 +128 +24 +300 +1"));
  const auto json = nlohmann::json::parse(heliodor_command({"inspect", file, "--json"}).out);
  EXPECT_EQ(json["units"][0]["arithmetic"]["registers"], 16);
  EXPECT_EQ(json["units"][0]["ntt"]["radix"], 16);
  EXPECT_FALSE(json["units"][0].contains("generator"));
}

}  // namespace
}  // namespace heliodor::cli
