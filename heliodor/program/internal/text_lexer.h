// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tokens of one line of the text form. Columns count bytes from 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "heliodor/program/limb_program.h"

namespace heliodor::program::internal {

struct Token {
  enum class Kind {
    word,      ///< letters, digits and underscores, first a letter
    number,    ///< decimal, below 2^64; `number` holds it
    value,     ///< "%7"; `number` holds 7
    string,    ///< "..."; `text` is what stands between the quotes
    mark,      ///< one of = : , *
    end,       ///< end of the line, or a comment
    overlong,  ///< a number or value of 2^64 or more
    unclosed,  ///< a string without its second quote
    unknown,   ///< any other character
  };

  Kind kind = Kind::end;
  std::string_view text;
  std::uint64_t number = 0;
  std::size_t column = 1;

  bool is_word(std::string_view word) const { return kind == Kind::word && text == word; }
  bool is_mark(char mark) const { return kind == Kind::mark && text.front() == mark; }
};

/// What stands at a token, for "expected x, found y". Strange bytes are not repeated.
std::string describe(const Token& token);

/// What is wrong with a line, and where. Thrown inside the parser only.
struct TextFault {
  std::size_t column;
  std::string message;
};

/// Reads the tokens of a line one after the other, with a look at the next.
class TextLexer {
 public:
  explicit TextLexer(std::string_view line) : line_(line), next_(scan()) {}

  const Token& peek() const noexcept { return next_; }
  Token take();

  // Take the next token; TextFault if it is another than this.
  Token expect(Token::Kind kind, std::string_view what);
  void expect_mark(char mark);
  void expect_word(std::string_view word);
  void expect_end();
  ValueId expect_value();

 private:
  Token scan();
  Token scan_number(Token::Kind kind);
  Token scan_string();

  std::string_view line_;
  std::size_t at_ = 0;
  Token next_;
};

}  // namespace heliodor::program::internal
