// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What every complete core must do with well-formed sessions. The same tests run on the model here
// and on the RTL in rtl/top, there with both compared in every clock.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "heliodor/targets/stream/internal/relinearize_bench.h"
#include "heliodor/targets/stream/relinearize_cycles.h"

namespace heliodor::stream::internal {
namespace {

constexpr Rate kRates[] = {{8, 8}, {4, 8}, {8, 3}, {1, 7}, {7, 1}, {3, 3}};

std::string name_of(const RelinearizeShape& shape) {
  return fmt::format("N={} L={} B={}", shape.degree(), shape.limbs, shape.batch);
}

void run_and_check(SessionBench& bench, const RelinearizeData& data, Rate rate = {}) {
  bench.send(to_stream(data.frames()), rate);
  bench.drain(rate);
  EXPECT_EQ(first_difference(data.shape(), to_results(data.expected()), bench.received()), "")
      << name_of(data.shape()) << " offer " << rate.offer << " take " << rate.take;
}

TEST(RelinearizeScenarios, every_degree_gives_the_references_results_in_the_predicted_cycles) {
  SessionBench bench(make_relinearize_core_under_test());
  for (std::uint32_t log_degree = 3; log_degree <= 8; ++log_degree) {
    for (const std::uint32_t limbs : {2U, 3U, 5U}) {
      const RelinearizeData data({log_degree, limbs, 1 + log_degree % 3}, 10 * log_degree + limbs);
      bench.send(to_stream(data.frames()));
      bench.drain();
      const std::uint64_t cycles = bench.cycles();
      ASSERT_EQ(first_difference(data.shape(), to_results(data.expected()), bench.received()), "")
          << name_of(data.shape());
      ASSERT_EQ(cycles, relinearize_cycles(data.shape()).total) << name_of(data.shape());
    }
  }
}

TEST(RelinearizeScenarios, every_limb_count_and_batch_gives_the_references_results) {
  SessionBench bench(make_relinearize_core_under_test());
  for (std::uint32_t limbs = kRelinearizeMinLimbs; limbs <= kRelinearizeMaxLimbs; ++limbs) {
    const RelinearizeData data({3, limbs, 1 + limbs % 4}, limbs);
    run_and_check(bench, data);
    if (HasFailure()) return;
  }
  const RelinearizeData data({4, 3, kMaxBatch}, 64);
  run_and_check(bench, data);
}

TEST(RelinearizeScenarios, random_stalls_on_both_sides_change_no_word) {
  SessionBench bench(make_relinearize_core_under_test());
  std::uint64_t seed = 500;
  for (const Rate rate : kRates) {
    for (const std::uint32_t limbs : {2U, 4U}) {
      ++seed;
      const auto log_degree = static_cast<std::uint32_t>(3 + seed % 3);
      const RelinearizeData data({log_degree, limbs, 3}, seed);
      run_and_check(bench, data, rate);
      if (HasFailure()) return;
    }
  }
}

TEST(RelinearizeScenarios, an_output_blocked_for_long_holds_input_back_and_loses_nothing) {
  SessionBench bench(make_relinearize_core_under_test());
  const RelinearizeData data({5, 2, 2}, 42);
  const StreamWords words = to_stream(data.frames());
  // The first limb's results are 64 words, of which 16 and 2 fit into the core.
  const std::size_t keys = data.shape().profile_frame_words() + 2 + std::size_t{2} * 2 * 32 + 32;
  const auto fit = static_cast<std::ptrdiff_t>(keys + 8 * 5);
  bench.send({words.begin(), words.begin() + fit}, {8, 0});
  bench.block(3000);
  EXPECT_TRUE(bench.received().empty());
  bench.send({words.begin() + fit, words.end()});
  bench.drain();
  EXPECT_EQ(first_difference(data.shape(), to_results(data.expected()), bench.received()), "");
}

TEST(RelinearizeScenarios, sessions_back_to_back_need_no_pause_and_no_reset) {
  SessionBench bench(make_relinearize_core_under_test());
  StreamWords words;
  StreamWords expected;
  for (std::uint32_t i = 0; i < 12; ++i) {
    const RelinearizeData data({3 + i % 3, 2 + (7 * i) % 4, 1 + (5 * i) % 6}, 900 + i);
    for (const StreamWord& word : to_stream(data.frames())) words.push_back(word);
    for (const StreamWord& word : to_results(data.expected())) expected.push_back(word);
  }
  for (const Rate rate : {Rate{8, 8}, Rate{5, 5}}) {
    bench.send(words, rate);
    bench.drain(rate);
    EXPECT_TRUE(bench.received() == expected);
  }
}

TEST(RelinearizeScenarios, results_leave_while_words_come_in) {
  SessionBench bench(make_relinearize_core_under_test());
  const RelinearizeData data({6, 4, 4}, 2048);
  bench.send(to_stream(data.frames()));
  bench.drain();
  const std::uint64_t overlapped = bench.overlapped();
  EXPECT_EQ(first_difference(data.shape(), to_results(data.expected()), bench.received()), "");
  EXPECT_GE(overlapped, data.shape().result_words() - 8 * std::uint64_t{data.shape().limbs * 4});
}

TEST(RelinearizeScenarios, every_ciphertext_of_a_batch_has_results_of_its_own) {
  const RelinearizeData data({3, 2, 64}, 7);
  std::set<std::uint64_t> distinct;
  for (const std::uint64_t word : data.expected()) distinct.insert(word);
  EXPECT_EQ(distinct.size(), data.shape().result_words());
}

}  // namespace
}  // namespace heliodor::stream::internal
