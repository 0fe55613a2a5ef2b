// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/trace/internal/line_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace heliodor::formats::trace::internal {
namespace {

// Not <cctype>: traces do not depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_letter(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The whole of `digits`, or nothing.
bool read_digits(std::string_view digits, int base, std::uint64_t& number) {
  const char* const end = digits.data() + digits.size();
  const auto [stop, fault] = std::from_chars(digits.data(), end, number, base);
  return fault == std::errc{} && stop == end;
}

bool read_decimal(std::string_view digits, std::uint64_t& number) {
  const bool octal = digits.size() > 1 && digits.front() == '0';
  return !octal && read_digits(digits, 10, number);
}

bool read_hexadecimal(std::string_view text, std::uint64_t& number) {
  return text.starts_with("0x") && read_digits(text.substr(2), 16, number);
}

}  // namespace

void LineReader::skip_blanks() {
  while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
}

bool LineReader::done() {
  skip_blanks();
  return at_ == line_.size();
}

base::Position LineReader::place() {
  skip_blanks();
  return base::Position::line(number_, at_ + 1);
}

std::string_view LineReader::take_word() {
  skip_blanks();
  const std::size_t start = at_;
  while (at_ < line_.size() && is_word_part(line_[at_])) ++at_;
  return line_.substr(start, at_ - start);
}

// Strange bytes and long words are not repeated.
void LineReader::fail(std::string_view expected) {
  const base::Position where = place();
  std::string found = "the end of the line";
  if (at_ < line_.size()) {
    const char first = line_[at_];
    const std::string_view word = take_word();
    found = !word.empty()                ? fmt::format("'{}'", word.substr(0, 40))
            : first < '!' || first > '~' ? fmt::format("byte 0x{:02x}", first & 0xff)
                                         : fmt::format("'{}'", first);
  }
  throw Fault{where, fmt::format("expected {}, found {}", expected, found)};
}

bool LineReader::next_is(char mark) { return !done() && line_[at_] == mark; }

bool LineReader::next_word_is(std::string_view word) {
  skip_blanks();
  const std::size_t start = at_;
  const bool same = take_word() == word;
  at_ = start;
  return same;
}

void LineReader::expect(char mark) {
  if (!next_is(mark)) fail(fmt::format("'{}'", mark));
  ++at_;
}

void LineReader::expect_end() {
  if (!done()) fail("the end of the line");
}

std::string_view LineReader::word(std::string_view what) {
  if (done() || !is_letter(line_[at_])) fail(what);
  return take_word();
}

std::string_view LineReader::label(std::string_view what) {
  if (done() || !is_word_part(line_[at_])) fail(what);
  return take_word();
}

std::uint64_t LineReader::number(std::string_view what) {
  skip_blanks();
  const std::size_t start = at_;
  const std::string_view text = take_word();
  std::uint64_t number = 0;
  if (read_hexadecimal(text, number) || read_decimal(text, number)) return number;
  at_ = start;
  fail(fmt::format("{}, decimal or 0x, below 2^64", what));
}

std::uint64_t LineReader::hexadecimal(std::string_view what) {
  skip_blanks();
  const std::size_t start = at_;
  std::uint64_t number = 0;
  if (read_hexadecimal(take_word(), number)) return number;
  at_ = start;
  fail(fmt::format("{} as 0x.., below 2^64", what));
}

std::string_view LineReader::quoted(std::string_view what) {
  if (!next_is('"')) fail(what);
  const std::size_t end = line_.find('"', at_ + 1);
  if (end == std::string_view::npos) {
    throw Fault{place(), fmt::format("{} has no closing quote", what)};
  }
  const std::string_view text = line_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
  return text;
}

Name LineReader::name(std::string_view what) {
  const base::Position where = place();
  return {word(what), where};
}

Name LineReader::address() {
  const base::Position where = place();
  const std::size_t start = at_;
  if (next_is('%')) {
    ++at_;
    std::uint64_t number = 0;
    const bool adjacent = at_ < line_.size() && is_digit(line_[at_]);
    if (adjacent && read_decimal(take_word(), number)) {
      return {line_.substr(start, at_ - start), where};
    }
    at_ = start;
  }
  fail("an address, % and a decimal number below 2^64");
}

}  // namespace heliodor::formats::trace::internal
