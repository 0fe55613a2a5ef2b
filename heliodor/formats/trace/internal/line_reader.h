// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Reads one line of a trace piece by piece, from left to right. Blanks between pieces are free;
// methods that take something throw Fault where the line has something else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "heliodor/base/diagnostic.h"

namespace heliodor::formats::trace::internal {

/// What is wrong with a trace, and where. Thrown inside the importers only.
struct Fault {
  base::Position place;
  std::string message;
};

/// The name of a value as the trace writes it; views the trace.
struct Name {
  std::string_view text;
  base::Position place;
};

class LineReader {
 public:
  /// `number` counts lines from 1.
  LineReader(std::string_view line, std::size_t number) : line_(line), number_(number) {}

  /// Nothing but blanks is left.
  bool done();
  /// Where the next piece begins.
  base::Position place();

  bool next_is(char mark);
  bool next_word_is(std::string_view word);
  void expect(char mark);
  void expect_end();
  /// Letters, digits and underscores, first no digit. `what` is for the message.
  std::string_view word(std::string_view what);
  /// Letters, digits and underscores.
  std::string_view label(std::string_view what);
  /// Decimal without leading zeros, which other readers take for octal, or "0x" and hexadecimal
  /// digits; below 2^64.
  std::uint64_t number(std::string_view what);
  /// As number(), but "0x" only.
  std::uint64_t hexadecimal(std::string_view what);
  /// What stands between two double quotes.
  std::string_view quoted(std::string_view what);
  /// A word as the name of a value.
  Name name(std::string_view what);
  /// "%7" as the name of a value.
  Name address();

 private:
  void skip_blanks();
  std::string_view take_word();
  [[noreturn]] void fail(std::string_view expected);

  std::string_view line_;
  std::size_t number_;
  std::size_t at_ = 0;
};

}  // namespace heliodor::formats::trace::internal
