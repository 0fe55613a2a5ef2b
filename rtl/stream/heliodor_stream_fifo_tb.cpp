// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "Vheliodor_stream_fifo.h"
#include "heliodor/targets/machine/pe/stream_fifo.h"
#include "rtl/stream/stream_test.h"

namespace heliodor::rtl_bench {
namespace {

constexpr unsigned kDepth = machine::pe::kStreamFifoDepth;

class StreamFifoBench : public StreamTest<Vheliodor_stream_fifo, machine::pe::StreamFifo> {
 protected:
  void compare_more(const Outputs& expected) override {
    EXPECT_EQ(dut_->level_o, expected.level) << "level_o at clock " << clocks_;
  }
};

TEST_F(StreamFifoBench, every_mix_of_stalls_on_both_sides_keeps_every_word_in_order) {
  for (unsigned offer = 1; offer <= 8; ++offer) {
    for (unsigned take = 1; take <= 8; ++take) {
      transfer(1000, offer, take);
      ASSERT_FALSE(HasFatalFailure()) << "offer " << offer << " take " << take;
    }
  }
  ASSERT_NO_FATAL_FAILURE(drain());
  EXPECT_EQ(left_, 64'000u);
}

TEST_F(StreamFifoBench, word_enters_and_leaves_every_clock_at_every_level_but_full) {
  for (unsigned level = 0; level < kDepth; ++level) {
    transfer(level, 8, 0);
    const std::uint64_t before = left_;
    EXPECT_EQ(transfer(300, 8, 8), 300u) << "level " << level;
    EXPECT_EQ(left_ - before, level == 0 ? 299u : 300u) << "level " << level;
    ASSERT_NO_FATAL_FAILURE(drain());
  }
}

TEST_F(StreamFifoBench, depth_words_fit_and_one_more_is_refused_even_while_one_leaves) {
  EXPECT_EQ(transfer(kDepth, 8, 0), kDepth);
  EXPECT_EQ(dut_->level_o, kDepth);
  drive({true, true, {}, true});
  EXPECT_FALSE(dut_->in_ready_o);
  ASSERT_NO_FATAL_FAILURE(clock({true, true, {}, true}));
  EXPECT_EQ(dut_->level_o, kDepth - 1);
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(StreamFifoBench, reset_empties_it_without_waiting_for_an_edge) {
  for (const unsigned words : {1u, kDepth / 2, kDepth}) {
    transfer(words, 8, 0);
    drive({false, false, {}, false});
    EXPECT_FALSE(dut_->out_valid_o);
    EXPECT_EQ(dut_->level_o, 0);
    ASSERT_NO_FATAL_FAILURE(clock({false, true, {}, true}));
    transfer(2 * kDepth, 8, 8);
    ASSERT_NO_FATAL_FAILURE(drain());
  }
}

}  // namespace
}  // namespace heliodor::rtl_bench
