// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Bad input ends with a message that names the place and the bound, and with exit code 2; never
// with a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/targets/machine/shipped_machines.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class BadInputTest : public CommandTest {
 protected:
  // The command refuses, says so on stderr only, and mentions every part.
  void expect_bad_input(const std::vector<std::string>& args,
                        const std::vector<std::string>& mentions) {
    const Outcome outcome = heliodor_command(args);
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty());
    for (const std::string& mention : mentions) EXPECT_THAT(outcome.err, HasSubstr(mention));
  }
};

TEST_F(BadInputTest, no_command_and_an_unknown_one) {
  expect_bad_input({}, {"subcommand is required"});
  expect_bad_input({"dance"}, {"dance"});
  expect_bad_input({"demo", "--dance"}, {"--dance"});
}

TEST_F(BadInputTest, a_degree_that_is_no_power_of_two_or_too_large) {
  for (const std::string degree : {"3", "0", "1", "1099511627776", "262144", "4095"}) {
    expect_bad_input({"demo", "--degree", degree},
                     {"degree " + degree, "power of two in [2, 131072]"});
  }
}

TEST_F(BadInputTest, negative_and_malformed_numbers) {
  for (const std::string number : {"-4096", "-1", "4096.5", "4k", "99999999999999999999", ""}) {
    expect_bad_input({"demo", "--degree", number}, {"--degree"});
    expect_bad_input({"demo", "--seed", number}, {"--seed"});
    expect_bad_input({"demo", "--threads", number}, {"--threads"});
  }
}

TEST_F(BadInputTest, more_threads_than_a_pool_may_have) {
  expect_bad_input({"demo", "--threads", "1025"}, {"1025", "1024"});
}

TEST_F(BadInputTest, a_file_that_is_missing_empty_or_a_folder) {
  const std::string empty = write("empty.limb", "");
  const std::string folder = path(".");
  for (const std::string command : {"run", "inspect"}) {
    expect_bad_input({command, path("missing.limb")}, {"missing.limb", "no such file"});
    expect_bad_input({command, empty}, {"empty.limb", "is empty"});
    expect_bad_input({command, folder}, {"is a directory"});
  }
  expect_bad_input({"inspect", path("missing.toml")}, {"missing.toml", "no such file"});
  expect_bad_input({"convert", path("missing.limb"), path("x.hlp")}, {"no such file"});
}

TEST_F(BadInputTest, a_program_text_with_a_fault_names_line_and_column) {
  std::string text(kProductText);
  text.replace(text.find("mul %0 %1"), 9, "mul %0 %9");
  const std::string file = write("bad.limb", text);
  for (const std::string command : {"run", "inspect"}) {
    expect_bad_input({command, file}, {"bad.limb:6:", "9"});
  }
}

TEST_F(BadInputTest, a_bad_modulus_names_its_line) {
  for (const std::string modulus :
       {"15", "19", "0", "1", "1152921504606846977", "18446744073709551617", "-17"}) {
    std::string text(kProductText);
    text.replace(text.find("17"), 2, modulus);
    expect_bad_input({"inspect", write("modulus.limb", text)}, {"modulus.limb:3:"});
  }
}

TEST_F(BadInputTest, a_bad_degree_in_a_program_names_its_line) {
  for (const std::string degree : {"3", "0", "1", "1099511627776", "-4", "4096"}) {
    std::string text(kProductText);
    text.replace(text.find("degree 4"), 8, "degree " + degree);
    expect_bad_input({"run", write("degree.limb", text)}, {"degree.limb:"});
  }
}

TEST_F(BadInputTest, every_truncation_of_a_program_is_diagnosed) {
  const std::string text_file = write("whole.limb", kProductText);
  ASSERT_EQ(heliodor_command({"convert", text_file, path("whole.hlp")}).code, 0);
  const std::string bytes = read("whole.hlp");
  ASSERT_GT(bytes.size(), 20U);
  for (std::size_t length = 1; length < bytes.size(); ++length) {
    expect_bad_input({"run", write("cut.hlp", bytes.substr(0, length))}, {"cut.hlp:"});
  }
  // A text may be cut only behind its last output without harm.
  for (std::size_t length = 1; length < kProductText.find("output"); ++length) {
    expect_bad_input({"run", write("cut.limb", kProductText.substr(0, length))}, {"cut.limb:"});
  }
}

TEST_F(BadInputTest, every_flipped_byte_of_a_binary_program_is_diagnosed) {
  ASSERT_EQ(
      heliodor_command({"convert", write("whole.limb", kProductText), path("whole.hlp")}).code, 0);
  const std::string bytes = read("whole.hlp");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x41);
    expect_bad_input({"inspect", write("flipped.hlp", flipped)}, {"flipped.hlp:"});
  }
}

TEST_F(BadInputTest, a_malformed_description_names_its_place) {
  std::string text(machine::shipped_text("tutorial"));
  text.replace(text.find("word_bits = 64"), 14, "word_bits = 99");
  const std::string out_of_bounds = write("bounds.toml", text);
  const std::string syntax = write("syntax.toml", "name = \"x\"\nword_bits = [\n");
  const std::string empty = write("empty.toml", "");
  expect_bad_input({"inspect", out_of_bounds}, {"bounds.toml:", "word_bits", "99", "64"});
  expect_bad_input({"inspect", syntax}, {"syntax.toml:"});
  expect_bad_input({"inspect", empty}, {"empty.toml"});
  for (const std::string& file : {out_of_bounds, syntax, empty, path("missing.toml"), path(".")}) {
    expect_bad_input({"demo", "--machine", file}, {file});
  }
  const std::string program = write("product.limb", kProductText);
  expect_bad_input({"run", program, "--target", "machine:" + syntax}, {"syntax.toml:"});
}

TEST_F(BadInputTest, a_converted_file_needs_a_known_ending_and_a_place) {
  const std::string program = write("product.limb", kProductText);
  expect_bad_input({"convert", program, path("product.txt")}, {"product.txt", ".limb", ".hlp"});
  expect_bad_input({"convert", program, path("nowhere/product.hlp")}, {"cannot be written"});
}

TEST_F(BadInputTest, an_unknown_target_is_not_available_and_the_present_ones_are_listed) {
  const std::string program = write("product.limb", kProductText);
  for (const std::string option : {"--target", "--verify"}) {
    const Outcome outcome = heliodor_command({"run", program, option, "abacus"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("'abacus'"));
    EXPECT_THAT(outcome.err, HasSubstr("cpu:portable"));
  }
}

}  // namespace
}  // namespace heliodor::cli
