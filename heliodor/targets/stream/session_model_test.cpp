// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The scenarios of internal/session_scenarios.cpp and session_failures.cpp run on the model; here
// is what is the model's own.
#include "heliodor/targets/stream/session_model.h"

#include <gtest/gtest.h>

#include "heliodor/targets/stream/internal/session_bench.h"
#include "heliodor/targets/stream/session_cycles.h"

namespace heliodor::stream {
namespace internal {

std::unique_ptr<SessionCore> make_core_under_test() { return std::make_unique<SessionModel>(); }

}  // namespace internal

namespace {

using internal::first_difference;
using internal::SessionBench;
using internal::SessionData;
using internal::StreamWords;
using internal::to_results;
using internal::to_stream;

TEST(SessionModelTest, reset_in_mid_session_forgets_everything) {
  const SessionData data({4, 2, 2, 3}, 9);
  const StreamWords words = to_stream(data.frames());
  for (std::size_t sent = 0; sent < words.size(); sent += 5) {
    SessionModel model;
    for (std::size_t i = 0; i < sent;) {
      const bool taken = model.outputs().in_ready;
      model.clock({true, 4, true, words[i].data, words[i].last, false});
      if (!taken && model.outputs().out_valid) break;  // blocked by the output
      i += taken ? 1 : 0;
    }
    SessionBench bench(std::make_unique<SessionModel>(model));  // begins with a reset
    bench.set_degree(4);
    bench.send(words);
    bench.drain();
    ASSERT_EQ(first_difference(data.shape(), to_results(data.expected()), bench.received()), "")
        << "after " << sent << " words";
  }
}

TEST(SessionCyclesTest, batch_of_64_at_4096_coefficients_exceeds_the_seeds_rate) {
  const SessionShape shape{4096, 6, 12, 64};
  const SessionCycles cycles = session_cycles(shape);
  EXPECT_EQ(shape.words_per_coefficient(), 1048U);
  EXPECT_EQ(cycles.waits, 0U);
  const double rate = 64 * kSessionClockHz / static_cast<double>(cycles.total);
  EXPECT_GT(rate, 248.48);
  EXPECT_LT(rate, 248.495) << "the input bound of 1,048 words";
  EXPECT_LE(cycles.total, 6 * (4096 * std::uint64_t{1048} + 148));
}

TEST(SessionCyclesTest, input_waits_only_where_a_coefficient_is_shorter_than_draining_one) {
  for (std::uint32_t batch = 1; batch <= kMaxBatch; ++batch) {
    for (std::uint32_t digits = 1; digits <= kMaxDigits; ++digits) {
      const SessionShape shape{64, 2, digits, batch};
      const std::uint64_t drain = SessionModel::kAccumulateLatency + 2 * std::uint64_t{batch};
      EXPECT_EQ(session_cycles(shape).waits == 0, shape.words_per_coefficient() >= drain)
          << "B=" << batch << " D=" << digits;
    }
  }
}

}  // namespace
}  // namespace heliodor::stream
