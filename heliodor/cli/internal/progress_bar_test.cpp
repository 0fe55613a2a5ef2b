// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/progress_bar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace heliodor::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ProgressBarTest : public testing::Test {
 protected:
  ProgressBar bar(double work) {
    return {&terminal_, "demo", work, [this] { return now_; }};
  }

  // What was written since the last call.
  std::string written() {
    std::string text = terminal_.str();
    terminal_.str("");
    return text;
  }

  double now_ = 1000;
  std::ostringstream terminal_;
};

TEST_F(ProgressBarTest, shows_share_and_time_left_of_work_over_two_seconds) {
  ProgressBar progress = bar(4);
  EXPECT_THAT(written(), IsEmpty());
  now_ += 3;
  progress.advance(1);
  EXPECT_EQ(written(), "\r\x1b[Kdemo [#######.......................]  25%  9 s left");
  now_ += 1;
  progress.advance(2);  // 4 seconds for three quarters
  EXPECT_THAT(written(), HasSubstr(" 75%  2 s left"));
}

TEST_F(ProgressBarTest, work_under_two_seconds_shows_nothing) {
  {
    ProgressBar progress = bar(10);
    for (int i = 0; i < 10; ++i) {
      now_ += 0.199;
      progress.advance(1);
    }
  }
  EXPECT_THAT(written(), IsEmpty());
}

TEST_F(ProgressBarTest, the_line_is_cleared_at_the_end) {
  {
    ProgressBar progress = bar(2);
    now_ += 5;
    progress.advance(1);
    written();
  }
  EXPECT_EQ(written(), "\r\x1b[K");
}

TEST_F(ProgressBarTest, the_line_is_cleared_once_when_it_is_finished) {
  ProgressBar progress = bar(2);
  now_ += 5;
  progress.advance(1);
  written();
  progress.finish();
  EXPECT_EQ(written(), "\r\x1b[K");
  progress.finish();
  EXPECT_THAT(written(), IsEmpty());
}

TEST_F(ProgressBarTest, is_drawn_ten_times_a_second_at_most) {
  ProgressBar progress = bar(1000);
  now_ += 0.5;
  progress.advance(1);
  EXPECT_THAT(written(), Not(IsEmpty()));
  now_ += 0.09;
  progress.advance(1);
  EXPECT_THAT(written(), IsEmpty());
  now_ += 0.02;
  progress.advance(1);
  EXPECT_THAT(written(), Not(IsEmpty()));
}

TEST_F(ProgressBarTest, more_work_than_announced_stays_at_all_of_it) {
  ProgressBar progress = bar(2);
  now_ += 5;
  progress.advance(3);
  EXPECT_THAT(written(), HasSubstr("[##############################] 100%  0 s left"));
}

TEST_F(ProgressBarTest, without_a_terminal_nothing_is_shown) {
  ProgressBar progress(nullptr, "demo", 2, [this] { return now_; });
  now_ += 10;
  progress.advance(1);
}

TEST_F(ProgressBarTest, times_have_two_units_and_are_rounded_up) {
  EXPECT_EQ(format_time_left(0), "0 s");
  EXPECT_EQ(format_time_left(0.2), "1 s");
  EXPECT_EQ(format_time_left(59), "59 s");
  EXPECT_EQ(format_time_left(59.5), "1 min 0 s");
  EXPECT_EQ(format_time_left(200), "3 min 20 s");
  EXPECT_EQ(format_time_left(3600), "1 h 0 min");
  EXPECT_EQ(format_time_left(3601), "1 h 1 min");
}

}  // namespace
}  // namespace heliodor::cli
