// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/internal/micro_line.h"

#include <algorithm>

namespace heliodor::machine::internal {
namespace {

constexpr std::size_t kMaxShownBytes = 40;

/// Strange or long words are not repeated.
std::string describe(const Word& word) {
  if (word.text.empty()) return "the end of the line";
  const bool is_plain = std::ranges::all_of(word.text, [](char c) { return c > ' ' && c <= '~'; });
  if (!is_plain || word.text.size() > kMaxShownBytes) return "an unreadable word";
  return fmt::format("\"{}\"", word.text);
}

}  // namespace

Word Line::take() {
  const Word word = next_;
  advance();
  return word;
}

bool Line::take_if(std::string_view text) {
  if (next_.text != text) return false;
  advance();
  return true;
}

void Line::expect(std::string_view text) {
  if (!take_if(text)) fail(next_, fmt::format("expected {}", text));
}

void Line::expect_end() const {
  if (!at_end()) fail(next_, "expected the end of the line");
}

void Line::fail(const Word& word, std::string_view message) {
  throw TextFault{word.column, fmt::format("{}, found {}", message, describe(word))};
}

void Line::fail_number(const Word& word, std::string_view prefix) {
  fail(word,
       prefix.empty() ? "expected a number" : fmt::format("expected {} and a number", prefix));
}

void Line::advance() {
  constexpr std::string_view kSpaces = " \t\r";
  const std::size_t begin = std::min(line_.find_first_not_of(kSpaces, at_), line_.size());
  at_ = std::min(line_.find_first_of(kSpaces, begin), line_.size());
  next_ = {line_.substr(begin, at_ - begin), begin + 1};
}

}  // namespace heliodor::machine::internal
