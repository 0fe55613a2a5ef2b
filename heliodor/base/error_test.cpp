// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/error.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

namespace heliodor::base {
namespace {

constexpr std::array<std::string_view, 14> kNames = {
    "out_of_range",   "mismatch",    "invalid_modulus", "invalid_program", "invalid_description",
    "malformed_file", "unsupported", "unavailable",     "range_violation", "io",
    "out_of_memory",  "insecure",    "noise_overflow",  "missing_key"};

TEST(ErrorTest, every_code_has_the_name_of_its_enumerator) {
  ASSERT_EQ(static_cast<std::size_t>(ErrorCode::missing_key) + 1, kNames.size());
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    EXPECT_EQ(to_string(static_cast<ErrorCode>(i)), kNames[i]);
  }
}

TEST(ErrorTest, names_are_unique_and_not_empty) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const std::string_view name = to_string(static_cast<ErrorCode>(i));
    EXPECT_FALSE(name.empty());
    EXPECT_TRUE(seen.insert(name).second) << name << " names two codes";
  }
}

TEST(ErrorTest, a_code_past_the_last_is_unknown) {
  // Fails for a code added behind the last one: kNames then needs its name.
  EXPECT_EQ(to_string(static_cast<ErrorCode>(kNames.size())), "unknown");
}

TEST(ErrorTest, an_error_carries_code_and_message_through_its_base_class) {
  try {
    throw heliodor::Error(heliodor::ErrorCode::mismatch, "limb_count 5 exceeds 3");
  } catch (const std::runtime_error& caught) {
    EXPECT_STREQ(caught.what(), "limb_count 5 exceeds 3");
    const auto* error = dynamic_cast<const Error*>(&caught);
    ASSERT_NE(error, nullptr);
    EXPECT_EQ(error->code(), ErrorCode::mismatch);
  }
}

}  // namespace
}  // namespace heliodor::base
