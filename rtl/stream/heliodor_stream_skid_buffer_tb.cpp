// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/stream_skid_buffer.h"

#include <gtest/gtest.h>

#include "Vheliodor_stream_skid_buffer.h"
#include "rtl/stream/stream_test.h"

namespace heliodor::rtl_bench {
namespace {

using StreamSkidBufferBench =
    StreamTest<Vheliodor_stream_skid_buffer, machine::pe::StreamSkidBuffer>;

TEST_F(StreamSkidBufferBench, every_mix_of_stalls_on_both_sides_keeps_every_word_in_order) {
  for (unsigned offer = 1; offer <= 8; ++offer) {
    for (unsigned take = 1; take <= 8; ++take) {
      transfer(1000, offer, take);
      ASSERT_FALSE(HasFatalFailure()) << "offer " << offer << " take " << take;
    }
  }
  ASSERT_NO_FATAL_FAILURE(drain());
  EXPECT_EQ(left_, 64'000u);
}

TEST_F(StreamSkidBufferBench, word_enters_and_leaves_every_clock_when_nobody_stalls) {
  EXPECT_EQ(transfer(5000, 8, 8), 5000u);
  EXPECT_EQ(left_, 4999u) << "latency 1";
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(StreamSkidBufferBench, two_words_fit_behind_a_stalled_output_and_a_third_is_refused) {
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(dut_->in_ready_o, i < 2) << "clock " << i;
    ASSERT_NO_FATAL_FAILURE(clock({true, true, {i, false}, false}));
  }
  EXPECT_EQ(inside_.size(), 2u);
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(StreamSkidBufferBench, no_output_follows_an_input_without_a_clock) {
  for (const unsigned words : {0u, 1u, 2u}) {
    for (unsigned i = 0; i < words; ++i) {
      ASSERT_NO_FATAL_FAILURE(clock({true, true, {i, false}, false}));
    }
    for (unsigned bits = 0; bits < 4; ++bits) {
      drive({true, (bits & 1) != 0, {99, true}, (bits & 2) != 0});
      EXPECT_EQ(dut_->in_ready_o, words < 2) << words << " words inside";
      EXPECT_EQ(dut_->out_valid_o, words > 0) << words << " words inside";
    }
    ASSERT_NO_FATAL_FAILURE(drain());
  }
}

TEST_F(StreamSkidBufferBench, reset_empties_it_without_waiting_for_an_edge) {
  for (unsigned words = 1; words <= 2; ++words) {
    for (unsigned i = 0; i < words; ++i) {
      ASSERT_NO_FATAL_FAILURE(clock({true, true, {i, false}, false}));
    }
    drive({false, false, {}, false});
    EXPECT_FALSE(dut_->out_valid_o);
    ASSERT_NO_FATAL_FAILURE(clock({false, true, {}, true}));
    transfer(10, 8, 8);
    ASSERT_NO_FATAL_FAILURE(drain());
  }
}

}  // namespace
}  // namespace heliodor::rtl_bench
