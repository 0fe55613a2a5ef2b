// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The scenarios of internal/relinearize_scenarios.cpp and relinearize_failures.cpp run on the
// model; here is what is the model's own.
#include "heliodor/targets/stream/relinearize_model.h"

#include <gtest/gtest.h>

#include "heliodor/targets/stream/internal/relinearize_bench.h"
#include "heliodor/targets/stream/relinearize_cycles.h"

namespace heliodor::stream {
namespace internal {

std::unique_ptr<SessionCore> make_relinearize_core_under_test() {
  return std::make_unique<RelinearizeModel>();
}

}  // namespace internal

namespace {

using internal::RelinearizeData;
using internal::SessionBench;
using internal::StreamWords;
using internal::to_results;
using internal::to_stream;

TEST(RelinearizeModelTest, a_full_group_of_twelve_limbs_has_the_references_words) {
  const RelinearizeData data({9, 12, 3}, 12);
  SessionBench bench(std::make_unique<RelinearizeModel>());
  bench.send(to_stream(data.frames()));
  bench.drain();
  const std::uint64_t cycles = bench.cycles();
  EXPECT_EQ(first_difference(data.shape(), to_results(data.expected()), bench.received()), "");
  EXPECT_EQ(cycles, relinearize_cycles(data.shape()).total);
}

TEST(RelinearizeModelTest, reset_in_mid_session_forgets_everything) {
  const RelinearizeData data({3, 2, 2}, 9);
  const StreamWords words = to_stream(data.frames());
  for (std::size_t sent = 0; sent < words.size(); sent += 7) {
    auto model = std::make_unique<RelinearizeModel>();
    for (std::size_t i = 0; i < sent;) {
      const CoreOutputs shown = model->outputs();
      model->clock({true, 0, true, words[i].data, words[i].last, false});
      if (!shown.in_ready && shown.out_valid) break;  // blocked by the output
      i += shown.in_ready ? 1 : 0;
    }
    SessionBench bench(std::move(model));  // begins with a reset
    bench.send(words);
    bench.drain();
    ASSERT_EQ(first_difference(data.shape(), to_results(data.expected()), bench.received()), "")
        << "after " << sent << " words";
  }
}

TEST(RelinearizeModelTest, without_words_it_takes_the_same_clocks) {
  const RelinearizeData data({5, 4, 3}, 5);
  std::uint64_t cycles[2] = {};
  for (const auto computes :
       {RelinearizeModel::Computes::words, RelinearizeModel::Computes::clocks}) {
    SessionBench bench(std::make_unique<RelinearizeModel>(computes));
    bench.send(to_stream(data.frames()));
    bench.drain();
    cycles[static_cast<std::size_t>(computes)] = bench.cycles();
  }
  EXPECT_EQ(cycles[0], cycles[1]);
}

TEST(RelinearizeCyclesTest, batch_of_64_at_4096_coefficients_and_12_limbs_exceeds_200_a_second) {
  const RelinearizeShape shape{12, 12, 64};
  const RelinearizeCycles cycles = relinearize_cycles(shape);
  // 12 inverse and 132 forward transforms for each group of two.
  EXPECT_EQ(cycles.transforms, 32 * std::uint64_t{144} * 6193);
  EXPECT_EQ(cycles.words, 27 + 32 * (2 + std::uint64_t{12} * 4096 * (12 + 6)));
  EXPECT_GT(64 * 100e6 / static_cast<double>(cycles.total), 200);
  EXPECT_GE(cycles.total, cycles.words);
  EXPECT_GE(cycles.total, cycles.transforms);
}

}  // namespace
}  // namespace heliodor::stream
