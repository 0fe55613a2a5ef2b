// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/coefficient_store.h"

#include <gtest/gtest.h>

namespace heliodor::machine::pe {
namespace {

TEST(CoefficientStoreTest, reader_sees_its_fill_while_the_writer_fills_the_other_bank) {
  CoefficientStore model(4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    model.step(
        {.write_valid = true, .write_last = i == 3, .write_address = i, .write_data = 10 + i});
  }
  ASSERT_TRUE(model.outputs().read_ready);
  for (std::uint32_t i = 0; i < 4; ++i) {
    model.step({.write_valid = true,
                .write_last = i == 3,
                .write_address = i,
                .write_data = 20 + i,
                .read_valid = true,
                .read_last = i == 3,
                .read_address = i});
    EXPECT_TRUE(model.outputs().read_valid);
    EXPECT_EQ(model.outputs().read_data, 10 + i);
  }
  EXPECT_TRUE(model.outputs().read_ready) << "the second fill";
  EXPECT_TRUE(model.outputs().write_ready) << "the first bank, given back";
}

TEST(CoefficientStoreTest, full_banks_refuse_writes_and_open_ones_reads) {
  CoefficientStore model(2);
  EXPECT_FALSE(model.outputs().read_ready);
  model.step({.write_valid = true, .write_last = true});
  model.step({.write_valid = true, .write_last = true});
  EXPECT_FALSE(model.outputs().write_ready);
  model.step({.read_valid = true, .read_last = true});
  EXPECT_TRUE(model.outputs().write_ready);
}

TEST(CoefficientStoreTest, reset_gives_both_banks_to_the_writer) {
  CoefficientStore model(2);
  model.step({.write_valid = true, .write_last = true});
  model.step({.rst_n = false});
  EXPECT_TRUE(model.outputs().write_ready);
  EXPECT_FALSE(model.outputs().read_ready);
}

}  // namespace
}  // namespace heliodor::machine::pe
