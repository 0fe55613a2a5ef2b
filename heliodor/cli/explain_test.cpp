// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "heliodor/base/error.h"
#include "heliodor/cli/exit_code.h"
#include "heliodor/cli/internal/command_fixture.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Every code that has a name: those after the last are "unknown".
std::vector<ErrorCode> all_codes() {
  std::vector<ErrorCode> codes;
  for (int i = 0; to_string(static_cast<ErrorCode>(i)) != "unknown"; ++i)
    codes.push_back(static_cast<ErrorCode>(i));
  return codes;
}

TEST(ExplainTest, every_code_has_causes_remedies_and_its_exit_code) {
  for (const ErrorCode code : all_codes()) {
    const std::string name(to_string(code));
    const Outcome outcome = heliodor_command({"explain", name});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const int exit = static_cast<int>(exit_code(code));
    EXPECT_THAT(outcome.out, testing::StartsWith(name + " (exit code " + std::to_string(exit)));
    EXPECT_THAT(outcome.out, testing::ContainsRegex("Usual causes:\n  \\* [A-Z`].*\\.\n"));
    EXPECT_THAT(outcome.out, testing::ContainsRegex("What to do:\n  \\* [A-Z`].*\\.\n"));
  }
}

TEST(ExplainTest, without_a_code_all_are_listed_in_order) {
  const Outcome outcome = heliodor_command({"explain"});
  EXPECT_EQ(outcome.code, 0);
  std::size_t last = 0;
  for (const ErrorCode code : all_codes()) {
    const std::size_t at = ("\n" + outcome.out).find("\n" + std::string(to_string(code)) + " ");
    ASSERT_NE(at, std::string::npos) << to_string(code);
    EXPECT_GE(at, last);
    last = at;
  }
}

TEST(ExplainTest, json_has_the_same_as_lists) {
  const auto all = nlohmann::json::parse(heliodor_command({"explain", "--json"}).out);
  EXPECT_EQ(all["codes"].size(), all_codes().size());
  const auto one = nlohmann::json::parse(heliodor_command({"explain", "insecure", "--json"}).out);
  ASSERT_EQ(one["codes"].size(), 1U);
  EXPECT_EQ(one["codes"][0]["code"], "insecure");
  EXPECT_EQ(one["codes"][0]["exit_code"], 2);
  EXPECT_EQ(one["codes"][0]["causes"].size(), 3U);
  for (const auto& line : one["codes"][0]["causes"])
    EXPECT_THAT(line.get<std::string>(), testing::Not(HasSubstr("\n")));
}

TEST(ExplainTest, an_unknown_code_is_bad_input) {
  for (const char* format : {"", "--json"}) {
    std::vector<std::string> args = {"explain", "bad_luck"};
    if (*format != 0) args.emplace_back(format);
    const Outcome outcome = heliodor_command(args);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("'bad_luck'"));
  }
}

TEST(ExplainTest, every_error_says_how_to_have_it_explained) {
  const Outcome outcome = heliodor_command({"inspect", "no/such/file.limb"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, testing::EndsWith("heliodor explain io says more.\n"));
}

}  // namespace
}  // namespace heliodor::cli
