// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/report/columns.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace heliodor::cli {
namespace {

TEST(ColumnsTest, a_stretch_of_whole_columns_is_one_box) {
  Columns columns(100, 10);
  columns.add({20, 60}, 3, 7);
  const auto boxes = columns.boxes();
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_DOUBLE_EQ(boxes[0].x.from, 20);
  EXPECT_DOUBLE_EQ(boxes[0].x.to, 60);
  EXPECT_EQ(boxes[0].share, 1);
  EXPECT_EQ(boxes[0].kind, 3U);
  EXPECT_EQ(boxes[0].first, 7U);
  EXPECT_EQ(boxes[0].last, 7U);
}

TEST(ColumnsTest, a_column_shows_the_kind_that_covers_most_as_high_as_its_share) {
  Columns columns(10, 1);
  columns.add({0, 1}, 1, 0);
  columns.add({2, 5}, 2, 10);
  columns.add({6, 8}, 2, 20);
  const auto boxes = columns.boxes();
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_EQ(boxes[0].kind, 2U);
  EXPECT_EQ(boxes[0].share, 0.5);  // 5 of 10
  EXPECT_EQ(boxes[0].first, 10U);
  EXPECT_EQ(boxes[0].last, 20U);
}

TEST(ColumnsTest, even_a_short_stretch_is_seen_and_idle_time_is_not) {
  Columns columns(1000, 10);
  columns.add({350, 350.5}, 0, 0);
  const auto boxes = columns.boxes();
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_DOUBLE_EQ(boxes[0].x.from, 300);
  EXPECT_EQ(boxes[0].share, 0.125);
}

TEST(ColumnsTest, a_sparse_stretch_is_as_high_as_it_is_dense) {
  Columns columns(10, 2);
  columns.add({0, 10}, 1, 0, 0.25);
  ASSERT_EQ(columns.boxes().size(), 1U);
  EXPECT_EQ(columns.boxes()[0].share, 0.25);
}

TEST(ColumnsTest, neighbours_of_different_detail_stay_apart) {
  Columns columns(4, 4);
  columns.add({0, 2}, 0, 1);
  columns.add({2, 4}, 0, 2);
  ASSERT_EQ(columns.boxes().size(), 2U);
}

TEST(ColumnsTest, a_gap_separates_boxes_of_one_kind) {
  Columns columns(5, 5);
  columns.add({0, 1}, 0, 1);
  columns.add({2, 3}, 0, 1);
  EXPECT_EQ(columns.boxes().size(), 2U);
}

TEST(ColumnsTest, stretches_outside_are_cut_off) {
  Columns columns(10, 2);
  columns.add({-5, 0}, 0, 0);
  columns.add({10, 20}, 0, 0);
  columns.add({7, 7}, 0, 0);
  EXPECT_TRUE(columns.boxes().empty());
  columns.add({-5, 20}, 0, 0);
  ASSERT_EQ(columns.boxes().size(), 1U);
  EXPECT_DOUBLE_EQ(columns.boxes()[0].x.to, 10);
  EXPECT_EQ(columns.boxes()[0].share, 1);
}

TEST(ColumnsTest, a_million_stretches_become_no_more_boxes_than_columns) {
  Columns columns(1e6, 300);
  for (std::uint64_t i = 0; i < 1'000'000; ++i)
    columns.add({static_cast<double>(i), static_cast<double>(i) + 0.5}, static_cast<Colour>(i % 3),
                i);
  EXPECT_EQ(columns.boxes().size(), 300U);
}

}  // namespace
}  // namespace heliodor::cli
