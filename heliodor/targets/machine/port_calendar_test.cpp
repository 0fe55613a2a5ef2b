// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/port_calendar.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace heliodor::machine {
namespace {

TEST(PortCalendarTest, a_cycle_takes_as_many_accesses_as_there_are_ports) {
  PortCalendar calendar(2);
  EXPECT_EQ(calendar.book(5), 5u);
  EXPECT_EQ(calendar.book(5), 5u);
  EXPECT_EQ(calendar.book(5), 6u);
}

TEST(PortCalendarTest, a_later_request_may_use_an_earlier_gap) {
  PortCalendar calendar(1);
  EXPECT_EQ(calendar.book(10), 10u);
  EXPECT_EQ(calendar.book(9), 9u);
  EXPECT_EQ(calendar.book(9), 11u);
}

TEST(PortCalendarTest, a_far_request_does_not_forget_the_near_ones) {
  PortCalendar calendar(1);
  EXPECT_EQ(calendar.book(5), 5u);
  EXPECT_EQ(calendar.book(100000), 100000u);
  EXPECT_EQ(calendar.book(5), 6u);
  EXPECT_EQ(calendar.book(100000), 100001u);
}

TEST(PortCalendarTest, agrees_with_a_plain_map_on_random_requests) {
  std::mt19937_64 random(20240601);
  PortCalendar calendar(3);
  std::map<std::uint64_t, unsigned> used;
  std::uint64_t horizon = 0;
  for (int i = 0; i < 20000; ++i) {
    // Mostly near, now and then far beyond the ring's first size.
    const std::uint64_t reach = random() % 200 == 0 ? 50000 : 40;
    const std::uint64_t earliest = horizon + random() % reach;
    std::uint64_t expected = earliest;
    while (used[expected] == 3) ++expected;
    ++used[expected];
    ASSERT_EQ(calendar.book(earliest), expected) << "request " << i;
    if (random() % 4 == 0) horizon += random() % 4;
    calendar.forget_before(horizon);
  }
}

}  // namespace
}  // namespace heliodor::machine
