// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/internal/session_bench.h"

#include <gtest/gtest.h>

#include <utility>

namespace heliodor::stream::internal {
namespace {

constexpr unsigned kLongSilence = 6000;

}  // namespace

SessionBench::SessionBench(std::unique_ptr<SessionCore> core) : core_(std::move(core)) {
  CoreInputs reset;
  reset.rst_n = false;
  core_->clock(reset);
}

void SessionBench::send(const StreamWords& words, Rate rate) {
  for (const StreamWord& word : words) {
    while (random_() % 8 >= rate.offer) {
      clock(false, {random_(), true}, random_() % 8 < rate.take);
    }
    unsigned waited = 0;
    while (!clock(true, word, random_() % 8 < rate.take)) {
      ASSERT_LT(++waited, kLongSilence) << "the core takes no words";
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
}

void SessionBench::drain(Rate rate) {
  for (unsigned silent = 0; silent < 2 * 64 * 8 && !::testing::Test::HasFatalFailure(); ++silent) {
    const std::size_t before = received_.size();
    clock(false, {random_(), true}, random_() % 8 < rate.take);
    if (received_.size() != before) silent = 0;
  }
}

void SessionBench::idle(unsigned clocks) {
  for (unsigned i = 0; i < clocks; ++i) clock(false, {random_(), true}, true);
}

void SessionBench::block(unsigned clocks) {
  for (unsigned i = 0; i < clocks; ++i) clock(false, {random_(), true}, false);
}

StreamWords SessionBench::received() {
  offered_any_ = false;
  refused_ = overlapped_ = 0;
  return std::exchange(received_, {});
}

bool SessionBench::clock(bool valid, StreamWord word, bool ready) {
  const CoreOutputs shown = core_->outputs();
  const StreamWord result{shown.out_data, shown.out_last};
  if (stalled_) {
    EXPECT_TRUE(shown.out_valid) << "a stalled word vanished at clock " << clocks_;
    EXPECT_EQ(result, stalled_word_) << "a stalled word changed at clock " << clocks_;
  }
  stalled_ = shown.out_valid && !ready;
  stalled_word_ = result;
  if (valid && !offered_any_) {
    offered_any_ = true;
    first_offered_ = clocks_;
  }
  core_->clock({.rst_n = true,
                .degree = degree_,
                .in_valid = valid,
                .in_data = word.data,
                .in_last = word.last,
                .out_ready = ready});
  ++clocks_;
  const bool taken = valid && shown.in_ready;
  const bool came = shown.out_valid && ready;
  if (came) {
    received_.push_back(result);
    last_received_ = clocks_;
  }
  refused_ += valid && !shown.in_ready ? 1 : 0;
  overlapped_ += taken && came ? 1 : 0;
  return taken;
}

}  // namespace heliodor::stream::internal
