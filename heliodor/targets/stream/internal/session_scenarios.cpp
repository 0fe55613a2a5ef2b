// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What every session core must do with well-formed sessions. The same tests run on the model here
// and on the RTL in rtl/top, there with both compared in every clock.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "heliodor/targets/stream/internal/session_bench.h"
#include "heliodor/targets/stream/session_cycles.h"

namespace heliodor::stream::internal {
namespace {

constexpr Rate kRates[] = {{8, 8}, {4, 8}, {8, 3}, {1, 7}, {7, 1}, {3, 3}};

std::string name_of(const SessionShape& shape) {
  return fmt::format("N={} P={} D={} B={}", shape.degree, shape.pairs, shape.digits, shape.batch);
}

void expect_results(const SessionData& data, const StreamWords& actual) {
  EXPECT_EQ(first_difference(data.shape(), to_results(data.expected()), actual), "");
}

TEST(SessionScenarios, every_batch_and_digit_count_gives_the_results_of_division) {
  SessionBench bench;
  std::uint64_t seed = 100;
  for (const std::uint32_t batch : {1U, 2U, 3U, 4U, 7U, 8U, 9U, 31U, 33U, 63U, 64U}) {
    for (const std::uint32_t digits : {1U, 2U, 3U, 4U, 11U, 12U, 16U}) {
      const SessionData data({3, 2, digits, batch}, ++seed);
      bench.set_degree(3);
      bench.send(to_stream(data.frames()));
      bench.drain();
      ASSERT_NO_FATAL_FAILURE(expect_results(data, bench.received())) << name_of(data.shape());
      const SessionCycles expected = session_cycles(data.shape());
      ASSERT_EQ(bench.cycles(), expected.total) << name_of(data.shape());
    }
  }
}

TEST(SessionScenarios, every_pair_count_and_odd_degrees_take_the_predicted_cycles) {
  SessionBench bench;
  for (std::uint32_t pairs = 1; pairs <= kMaxPairs; ++pairs) {
    for (const std::uint32_t degree : {1U, 2U, 5U, 16U}) {
      const SessionData data({degree, pairs, 3, 2}, 10 * pairs + degree);
      bench.set_degree(degree);
      bench.send(to_stream(data.frames()));
      bench.drain();
      ASSERT_NO_FATAL_FAILURE(expect_results(data, bench.received())) << name_of(data.shape());
      ASSERT_EQ(bench.cycles(), session_cycles(data.shape()).total) << name_of(data.shape());
    }
  }
}

TEST(SessionScenarios, random_stalls_on_both_sides_change_no_word) {
  SessionBench bench;
  std::uint64_t seed = 500;
  for (const Rate rate : kRates) {
    for (const std::uint32_t batch : {1U, 2U, 9U, 64U}) {
      ++seed;
      const SessionData data({4, 2, 2 + static_cast<std::uint32_t>(seed % 4), batch}, seed);
      bench.set_degree(4);
      bench.send(to_stream(data.frames()), rate);
      bench.drain(rate);
      ASSERT_NO_FATAL_FAILURE(expect_results(data, bench.received()))
          << name_of(data.shape()) << " offer " << rate.offer << " take " << rate.take;
    }
  }
}

TEST(SessionScenarios, an_output_blocked_for_long_holds_input_back_and_loses_nothing) {
  SessionBench bench;
  const SessionData data({4, 1, 2, 8}, 42);
  bench.set_degree(4);
  StreamWords words = to_stream(data.frames());
  // Two coefficients fit into the banks; the third has to wait.
  const std::size_t fit = 4 + 3 + 2 * data.shape().words_per_coefficient();
  bench.send({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(fit)}, {8, 0});
  bench.block(3000);
  EXPECT_TRUE(bench.received().empty());
  bench.send({words.begin() + static_cast<std::ptrdiff_t>(fit), words.end()});
  bench.drain();
  ASSERT_NO_FATAL_FAILURE(expect_results(data, bench.received()));
}

TEST(SessionScenarios, sessions_back_to_back_need_no_pause_and_no_reset) {
  SessionBench bench;
  bench.set_degree(2);
  StreamWords words;
  StreamWords expected;
  for (std::uint32_t i = 0; i < 24; ++i) {
    const SessionData data({2, 1 + i % 6, 1 + (7 * i) % 16, 1 + (13 * i) % 64}, 900 + i);
    for (const StreamWord& word : to_stream(data.frames())) words.push_back(word);
    for (const StreamWord& word : to_results(data.expected())) expected.push_back(word);
  }
  for (const Rate rate : {Rate{8, 8}, Rate{5, 5}}) {
    bench.send(words, rate);
    bench.drain(rate);
    EXPECT_TRUE(bench.received() == expected);
  }
}

TEST(SessionScenarios, full_batch_of_twelve_digits_takes_1048_words_a_coefficient_without_waits) {
  const SessionData data({16, 6, 12, 64}, 2048);
  ASSERT_EQ(data.shape().words_per_coefficient(), 1048U);
  SessionBench bench;
  bench.set_degree(16);
  bench.send(to_stream(data.frames()));
  const std::uint64_t refused = bench.refused();
  bench.drain();
  const std::uint64_t overlapped = bench.overlapped();
  const std::uint64_t cycles = bench.cycles();
  ASSERT_NO_FATAL_FAILURE(expect_results(data, bench.received()));
  // Only the checks of the six profiles hold input back.
  EXPECT_EQ(refused, 6 * kReciprocalCheckClocks);
  EXPECT_EQ(session_cycles(data.shape()).waits, 0U);
  const std::uint64_t payload = 6 * 16 * std::uint64_t{1048};
  EXPECT_LE(cycles, payload + 6 * 148);
  EXPECT_EQ(cycles, payload + 14 + 6 * kReciprocalCheckClocks + 6 * 3 + 2 * 64 + 11);
  // All results but those of the last coefficient leave while input comes in.
  EXPECT_GE(overlapped, 95U * 128);
}

TEST(SessionScenarios, every_slot_and_lane_of_a_full_batch_has_results_of_its_own) {
  const SessionData data({1, 1, 12, 64}, 7);
  std::set<std::uint32_t> distinct;
  for (const std::uint64_t word : data.expected()) {
    distinct.insert(static_cast<std::uint32_t>(word));
    distinct.insert(static_cast<std::uint32_t>(word >> 32));
  }
  EXPECT_EQ(distinct.size(), 256U);
}

TEST(SessionScenarios, the_highest_degree_is_counted_to_its_end) {
  const SessionData data({kMaxDegree, 1, 1, 1}, 65536);
  SessionBench bench;
  bench.set_degree(kMaxDegree);
  bench.send(to_stream(data.frames()));
  bench.drain();
  ASSERT_NO_FATAL_FAILURE(expect_results(data, bench.received()));
  EXPECT_EQ(bench.cycles(), session_cycles(data.shape()).total);
}

}  // namespace
}  // namespace heliodor::stream::internal
