// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/stream_fifo.h"

#include <gtest/gtest.h>

namespace heliodor::machine::pe {
namespace {

TEST(StreamFifoTest, holds_depth_words_in_order_and_refuses_one_more_even_while_one_leaves) {
  StreamFifo model(4);
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(model.outputs().level, i);
    EXPECT_TRUE(model.step({true, true, {i, false}, false}).in_ready);
  }
  EXPECT_FALSE(model.step({true, true, {99, false}, true}).in_ready);
  EXPECT_EQ(model.outputs().level, 3u);
  for (std::uint64_t i = 1; i < 4; ++i) {
    EXPECT_EQ(model.step({true, false, {}, true}).out.data, i);
  }
  EXPECT_FALSE(model.outputs().out_valid);
}

TEST(StreamFifoTest, reset_empties_it) {
  StreamFifo model;
  model.step({true, true, {1, false}, false});
  model.step({false, true, {2, false}, false});
  EXPECT_EQ(model.outputs().level, 0u);
  EXPECT_FALSE(model.outputs().out_valid);
}

}  // namespace
}  // namespace heliodor::machine::pe
