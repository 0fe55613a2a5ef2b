// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/report/markup.h"

#include <gtest/gtest.h>

#include <string>

namespace heliodor::cli {
namespace {

constexpr const char* kReplaced = "\xEF\xBF\xBD";

TEST(MarkupTest, markup_characters_become_entities) {
  EXPECT_EQ(escape("<b a=\"x\" c='y'>&amp;</b>"),
            "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;amp;&lt;/b&gt;");
}

TEST(MarkupTest, text_of_any_script_stays) {
  const std::string text = "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 tab\tline\n";
  EXPECT_EQ(escape(text), text);
  EXPECT_EQ(escape("\xEF\xBF\xBD"), kReplaced);
  EXPECT_EQ(escape(""), "");
}

TEST(MarkupTest, control_characters_and_bytes_outside_utf_8_are_replaced) {
  EXPECT_EQ(escape(std::string_view("a\0b\x1B\x7F", 5)),
            std::string("a") + kReplaced + "b" + kReplaced + kReplaced);
  for (const char* bad : {"\x80", "\xC0", "\xC1", "\xF5", "\xFF"})
    EXPECT_EQ(escape(bad), kReplaced);
  // Cut off, overlong, a surrogate, above U+10FFFF, U+FFFF: each byte is replaced.
  for (const char* bad : {"\xE2\x82", "\xC0\x80", "\xF0\x9F\x98", "\xE0\x9F\x80", "\xED\xA0\x80",
                          "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xEF\xBF\xBF"}) {
    std::string expected;
    for (const char* byte = bad; *byte != '\0'; ++byte) expected += kReplaced;
    EXPECT_EQ(escape(bad), expected);
  }
  // What follows a broken character is not swallowed.
  EXPECT_EQ(escape("\xE2<"), std::string(kReplaced) + "&lt;");
}

TEST(MarkupTest, counts_have_thousands_in_groups) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(123456), "123,456");
  EXPECT_EQ(format_count(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(MarkupTest, quantities_have_three_digits_and_a_decimal_prefix) {
  EXPECT_EQ(format_quantity(0, "B"), "0 B");
  EXPECT_EQ(format_quantity(0.25, "B"), "0.25 B");
  EXPECT_EQ(format_quantity(999, "B"), "999 B");
  EXPECT_EQ(format_quantity(1000, "B"), "1 kB");
  EXPECT_EQ(format_quantity(54525952, "B"), "54.5 MB");
  EXPECT_EQ(format_quantity(51.2e9, "B/s"), "51.2 GB/s");
  EXPECT_EQ(format_quantity(123456, ""), "123 k");
  EXPECT_EQ(format_quantity(2e18, "/s"), "2000 P/s");
  EXPECT_EQ(format_share(0.1234), "12.3 %");
}

}  // namespace
}  // namespace heliodor::cli
