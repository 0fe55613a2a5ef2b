// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The words of one line of a micro-program's text: what stands between spaces, without the comment
// that '#' starts. Columns count bytes from 1.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace heliodor::machine::internal {

/// What is wrong with a line, and where. Thrown inside the parser only.
struct TextFault {
  std::size_t column;
  std::string message;
};

struct Word {
  std::string_view text;  ///< empty at the end of the line
  std::size_t column = 1;
};

/// Reads words one after the other; what is not as expected is a TextFault.
class Line {
 public:
  explicit Line(std::string_view line) : line_(line.substr(0, line.find('#'))) { advance(); }

  const Word& peek() const noexcept { return next_; }
  bool at_end() const noexcept { return next_.text.empty(); }
  Word take();
  /// Whether the next word is this one, which is taken then.
  bool take_if(std::string_view text);
  void expect(std::string_view text);
  void expect_end() const;

  /// Takes a word that is `prefix` and a decimal number of T.
  template <typename T>
  void take_number(std::string_view prefix, T& number) {
    const Word word = take();
    if (!word.text.starts_with(prefix)) fail_number(word, prefix);
    const char* const begin = word.text.data() + prefix.size();
    const char* const end = word.text.data() + word.text.size();
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error == std::errc::result_out_of_range) {
      fail(word,
           fmt::format("{} has more than {} bits",
                       prefix.empty() ? "the number" : fmt::format("the number after {}", prefix),
                       std::numeric_limits<T>::digits));
    }
    if (error != std::errc() || stop != end) fail_number(word, prefix);
  }

  /// "<message>, found <word>".
  [[noreturn]] static void fail(const Word& word, std::string_view message);

 private:
  [[noreturn]] static void fail_number(const Word& word, std::string_view prefix);
  void advance();

  std::string_view line_;
  std::size_t at_ = 0;
  Word next_;
};

}  // namespace heliodor::machine::internal
