// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/check.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "heliodor/base/error.h"

namespace heliodor::base {
namespace {

std::string message_of(const std::vector<std::uint64_t>& words, std::uint64_t bound) {
  try {
    check_range("ntt input", words, bound);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::range_violation);
    return error.what();
  }
  return "";
}

TEST(CheckTest, words_below_the_bound_pass) {
  EXPECT_EQ(message_of({}, 0), "");
  EXPECT_EQ(message_of({0, 96, 1}, 97), "");
  const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(message_of({largest - 1}, largest), "");
}

TEST(CheckTest, the_bound_itself_is_refused) {
  EXPECT_EQ(message_of({97}, 97), "ntt input: word 0 is 97, bound 97");
  EXPECT_EQ(message_of({0}, 0), "ntt input: word 0 is 0, bound 0");
}

TEST(CheckTest, the_message_names_the_first_offending_word) {
  std::vector<std::uint64_t> words(20, 96);
  words[17] = 123;
  words[19] = 500;
  EXPECT_EQ(message_of(words, 97), "ntt input: word 17 is 123, bound 97");
}

TEST(CheckTest, the_last_word_is_checked) {
  std::vector<std::uint64_t> words(20, 96);
  words.back() = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(message_of(words, 97), "ntt input: word 19 is 18446744073709551615, bound 97");
}

#ifdef HELIODOR_CHECKED
TEST(CheckTest, the_macro_throws_in_checked_builds) {
  const std::vector<std::uint64_t> words = {1, 2, 3};
  EXPECT_NO_THROW(HELIODOR_CHECK_RANGE("x", words, 4));
  EXPECT_THROW(HELIODOR_CHECK_RANGE("x", words, 3), Error);
}
#else
TEST(CheckTest, the_macro_evaluates_nothing_in_other_builds) {
  int evaluations = 0;
  [[maybe_unused]] const auto words = [&evaluations] {
    ++evaluations;
    return std::vector<std::uint64_t>{1, 2, 3};
  };
  EXPECT_NO_THROW(HELIODOR_CHECK_RANGE("x", words(), 0));
  EXPECT_EQ(evaluations, 0);
}
#endif

}  // namespace
}  // namespace heliodor::base
