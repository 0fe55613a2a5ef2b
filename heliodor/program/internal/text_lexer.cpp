// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/internal/text_lexer.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

namespace heliodor::program::internal {

namespace {

// Not <cctype>: the text form does not depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_letter(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

std::string describe(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end:
      return "the end of the line";
    case Token::Kind::string:
      return "a string";
    case Token::Kind::unclosed:
      return "a string without a closing quote";
    case Token::Kind::overlong:
      return "a number that exceeds 64 bits";
    case Token::Kind::value:
      return fmt::format("%{}", token.number);
    case Token::Kind::word:
    case Token::Kind::number:
    case Token::Kind::mark:
      return fmt::format("'{}'", token.text.substr(0, 40));
    case Token::Kind::unknown:
      break;
  }
  const char first = token.text.front();
  if (token.text.size() == 1 && (first < ' ' || first > '~')) {
    return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(first));
  }
  return fmt::format("'{}'", token.text.substr(0, 40));
}

Token TextLexer::take() { return std::exchange(next_, scan()); }

Token TextLexer::scan() {
  while (at_ < line_.size() && is_space(line_[at_])) ++at_;
  const std::size_t column = at_ + 1;
  if (at_ == line_.size() || line_[at_] == '#') {
    at_ = line_.size();
    return {Token::Kind::end, {}, 0, column};
  }
  const char c = line_[at_];
  if (is_letter(c)) {
    while (at_ < line_.size() && is_word_part(line_[at_])) ++at_;
    return {Token::Kind::word, line_.substr(column - 1, at_ + 1 - column), 0, column};
  }
  if (is_digit(c)) return scan_number(Token::Kind::number);
  if (c == '%' && at_ + 1 < line_.size() && is_digit(line_[at_ + 1])) {
    ++at_;
    return scan_number(Token::Kind::value);
  }
  if (c == '"') return scan_string();
  ++at_;
  const bool mark = c == '=' || c == ':' || c == ',' || c == '*';
  return {mark ? Token::Kind::mark : Token::Kind::unknown, line_.substr(column - 1, 1), 0, column};
}

Token TextLexer::scan_number(Token::Kind kind) {
  const std::size_t start = at_;
  while (at_ < line_.size() && is_word_part(line_[at_])) ++at_;
  const std::string_view text = line_.substr(start, at_ - start);
  const std::size_t column = kind == Token::Kind::value ? start : start + 1;
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault == std::errc::result_out_of_range) return {Token::Kind::overlong, text, 0, column};
  if (end != text.data() + text.size()) return {Token::Kind::unknown, text, 0, column};
  return {kind, text, number, column};
}

Token TextLexer::scan_string() {
  const std::size_t column = at_ + 1;
  const std::size_t end = line_.find('"', at_ + 1);
  if (end == std::string_view::npos) {
    at_ = line_.size();
    return {Token::Kind::unclosed, {}, 0, column};
  }
  at_ = end + 1;
  return {Token::Kind::string, line_.substr(column, end - column), 0, column};
}

Token TextLexer::expect(Token::Kind kind, std::string_view what) {
  const Token token = take();
  if (token.kind != kind) {
    throw TextFault{token.column, fmt::format("expected {}, found {}", what, describe(token))};
  }
  return token;
}

void TextLexer::expect_mark(char mark) {
  const Token token = take();
  if (!token.is_mark(mark)) {
    throw TextFault{token.column, fmt::format("expected '{}', found {}", mark, describe(token))};
  }
}

void TextLexer::expect_word(std::string_view word) {
  const Token token = take();
  if (!token.is_word(word)) {
    throw TextFault{token.column, fmt::format("expected '{}', found {}", word, describe(token))};
  }
}

void TextLexer::expect_end() { expect(Token::Kind::end, "the end of the line"); }

ValueId TextLexer::expect_value() {
  const Token token = expect(Token::Kind::value, "a value");
  if (token.number > std::numeric_limits<ValueId>::max()) {
    throw TextFault{token.column, fmt::format("%{} exceeds %{}", token.number,
                                              std::numeric_limits<ValueId>::max())};
  }
  return static_cast<ValueId>(token.number);
}

}  // namespace heliodor::program::internal
