// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/stream_skid_buffer.h"

#include <gtest/gtest.h>

namespace heliodor::machine::pe {
namespace {

TEST(StreamSkidBufferTest, word_leaves_one_clock_after_it_entered_and_one_enters_every_clock) {
  StreamSkidBuffer model;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const StreamOutputs outputs = model.step({true, true, {i, i % 7 == 0}, true});
    EXPECT_TRUE(outputs.in_ready) << i;
    EXPECT_EQ(outputs.out_valid, i > 0) << i;
    if (i > 0) {
      EXPECT_EQ(outputs.out, (StreamWord{i - 1, (i - 1) % 7 == 0})) << i;
    }
  }
}

TEST(StreamSkidBufferTest, two_words_wait_in_order_behind_a_stalled_output) {
  StreamSkidBuffer model;
  EXPECT_TRUE(model.step({true, true, {1, false}, false}).in_ready);
  EXPECT_TRUE(model.step({true, true, {2, false}, false}).in_ready);
  EXPECT_FALSE(model.step({true, true, {3, false}, false}).in_ready);
  EXPECT_EQ(model.step({true, false, {}, true}).out.data, 1u);
  EXPECT_EQ(model.step({true, false, {}, true}).out.data, 2u);
  EXPECT_FALSE(model.outputs().out_valid);
}

TEST(StreamSkidBufferTest, reset_empties_it) {
  StreamSkidBuffer model;
  model.step({true, true, {1, false}, false});
  model.step({true, true, {2, false}, false});
  model.step({false, true, {3, false}, false});
  EXPECT_FALSE(model.outputs().out_valid);
  EXPECT_TRUE(model.outputs().in_ready);
}

}  // namespace
}  // namespace heliodor::machine::pe
