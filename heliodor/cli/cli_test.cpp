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

TEST_F(CliTest, help_of_every_command_fits_a_screen) {
  const std::vector<std::vector<std::string>> commands = {{"--help"},
                                                          {"demo", "--help"},
                                                          {"run", "--help"},
                                                          {"inspect", "--help"},
                                                          {"convert", "--help"},
                                                          {"doctor", "--help"},
                                                          {"plan", "--help"},
                                                          {"bench", "--help"}};
  for (const auto& command : commands) {
    const Outcome outcome = heliodor_command(command);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, IsEmpty());
    EXPECT_LE(std::ranges::count(outcome.out, '\n'), 24) << outcome.out;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
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
  const Outcome outcome = heliodor_command({"run", program, "--target", "machine:tutorial",
                                            "--verify", "cpu", "--data-seed", "9", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["data_seed"], 9);
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
  EXPECT_THAT(outcome.err, HasSubstr("ntt unit"));
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

TEST_F(CliTest, doctor_lists_tables_and_targets) {
  const Outcome outcome = heliodor_command({"doctor"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("portable"));
  EXPECT_THAT(outcome.out, HasSubstr("reference, cpu:"));
  const auto json = nlohmann::json::parse(heliodor_command({"doctor", "--json"}).out);
  EXPECT_EQ(json["kernel_tables"][0], "portable");
  EXPECT_EQ(json["problem"], "");
}

TEST_F(CliTest, doctor_says_which_forced_kernel_table_is_missing) {
  const char* old = std::getenv("HELIODOR_CPU");
  const std::string saved = old == nullptr ? "" : old;
  setenv("HELIODOR_CPU", "abacus", 1);
  const Outcome outcome = heliodor_command({"doctor"});
  if (old == nullptr) {
    unsetenv("HELIODOR_CPU");
  } else {
    setenv("HELIODOR_CPU", saved.c_str(), 1);
  }
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("CPU features"));
  EXPECT_THAT(outcome.err, HasSubstr("abacus"));
}

}  // namespace
}  // namespace heliodor::cli
