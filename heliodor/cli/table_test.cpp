// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "heliodor/base/error.h"

namespace heliodor::cli {
namespace {

TEST(TableTest, columns_are_aligned_without_trailing_spaces) {
  Table table({"target", "time", "equal"});
  table.add_row({"cpu", "1.25 ms", "yes"});
  table.add_row({"reference", "900 us", ""});
  std::ostringstream out;
  table.write(out);
  EXPECT_EQ(out.str(),
            "target        time  equal\n"
            "cpu        1.25 ms    yes\n"
            "reference   900 us\n");
}

TEST(TableTest, a_row_of_another_length_is_a_mismatch) {
  Table table({"a", "b"});
  EXPECT_THROW(table.add_row({"1"}), Error);
}

TEST(TableTest, seconds_have_three_digits_and_a_fitting_unit) {
  EXPECT_EQ(format_seconds(12.34), "12.3 s");
  EXPECT_EQ(format_seconds(1), "1.00 s");
  EXPECT_EQ(format_seconds(0.9996), "1.00 s");
  EXPECT_EQ(format_seconds(0.999), "999 ms");
  EXPECT_EQ(format_seconds(0.00123456), "1.23 ms");
  EXPECT_EQ(format_seconds(0.0000456), "45.6 us");
  EXPECT_EQ(format_seconds(789e-9), "789 ns");
  EXPECT_EQ(format_seconds(0), "0.00 ns");
}

}  // namespace
}  // namespace heliodor::cli
