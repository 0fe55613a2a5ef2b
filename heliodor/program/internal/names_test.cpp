// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/internal/names.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace heliodor::program::internal {
namespace {

using namespace std::string_literals;

/// UTF-8 by arithmetic instead of bit operations.
std::string utf8(std::uint32_t c) {
  const auto byte = [](std::uint32_t value) { return std::string(1, static_cast<char>(value)); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) return byte(192 + c / 64) + byte(128 + c % 64);
  if (c < 0x10000) return byte(224 + c / 4096) + byte(128 + c / 64 % 64) + byte(128 + c % 64);
  return byte(240 + c / 262144) + byte(128 + c / 4096 % 64) + byte(128 + c / 64 % 64) +
         byte(128 + c % 64);
}

TEST(NamesTest, printable_names_of_1_to_200_bytes_are_fine) {
  for (const std::string& name : {"x"s, "a b"s, "x[0]'#=%"s, "k\xc3\xa9y"s, "\xe2\x88\x91"s,
                                  "\xf0\x9d\x94\xb8"s, std::string(200, 'n')}) {
    EXPECT_EQ(name_fault(name), std::nullopt) << name;
  }
}

TEST(NamesTest, empty_and_long_names_are_faults) {
  EXPECT_EQ(name_fault(""), "name is empty");
  EXPECT_EQ(name_fault(std::string(201, 'n')), "name has 201 bytes, more than 200");
}

TEST(NamesTest, quotes_backslashes_and_hidden_characters_are_faults) {
  EXPECT_EQ(name_fault("a\"b"), "name has the character U+0022 at byte 1");
  EXPECT_EQ(name_fault("\\"), "name has the character U+005C at byte 0");
  EXPECT_EQ(name_fault("a\nb"), "name has the character U+000A at byte 1");
  EXPECT_EQ(name_fault("\0x"s), "name has the character U+0000 at byte 0");
  EXPECT_EQ(name_fault("\x7f"), "name has the character U+007F at byte 0");
  EXPECT_EQ(name_fault("\xc2\x85"), "name has the character U+0085 at byte 0");
  EXPECT_EQ(name_fault("ab\xe2\x80\xae"), "name has the character U+202E at byte 2");
  EXPECT_EQ(name_fault("\xef\xbb\xbf"), "name has the character U+FEFF at byte 0");
}

TEST(NamesTest, every_code_point_but_surrogates_is_utf8) {
  for (std::uint32_t c = 0; c <= 0x10ffff; ++c) {
    const std::optional<std::string> fault = name_fault(utf8(c));
    const bool surrogate = c >= 0xd800 && c <= 0xdfff;
    ASSERT_EQ(fault == "name is not UTF-8 at byte 0", surrogate) << c;
  }
}

TEST(NamesTest, broken_and_overlong_utf8_is_a_fault) {
  for (const std::string& tail :
       {"\x80"s, "\xc3"s, "\xc3("s, "\xc0\xaf"s, "\xc1\xbf"s, "\xe0\x9f\xbf"s, "\xe2\x82"s,
        "\xe2\x28\xa1"s, "\xf0\x8f\xbf\xbf"s, "\xf0\x9d\x94"s, "\xf4\x90\x80\x80"s, "\xf8\x88"s,
        "\xff"s}) {
    EXPECT_EQ(name_fault("x" + tail), "name is not UTF-8 at byte 1");
  }
}

}  // namespace
}  // namespace heliodor::program::internal
