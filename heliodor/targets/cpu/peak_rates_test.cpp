// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/peak_rates.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heliodor::cpu {
namespace {

TEST(PeakRatesTest, rates_of_every_table_are_positive_and_finite) {
  for (const KernelTable* table : supported_kernel_tables()) {
    SCOPED_TRACE(table->name);
    EXPECT_GT(table->rate_loops->lanes, 0U);
    const OperationRates rates = measure_operation_rates(*table);
    for (const double ns : {rates.multiply_ns, rates.add_ns}) {
      EXPECT_GT(ns, 0);
      EXPECT_TRUE(std::isfinite(ns));
    }
  }
}

TEST(PeakRatesTest, read_loop_reads_every_word) {
  for (const KernelTable* table : supported_kernel_tables()) {
    SCOPED_TRACE(table->name);
    std::vector<std::uint64_t> words(256, 0);
    EXPECT_EQ(table->rate_loops->read(words.data(), words.size()), 0U);
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = std::uint64_t{1} << (i % 64);
      EXPECT_EQ(table->rate_loops->read(words.data(), words.size()), words[i]) << i;
      words[i] = 0;
    }
  }
}

TEST(PeakRatesTest, caches_have_a_size) {
  EXPECT_GT(cache_sizes().l2, 0U);
  EXPECT_GT(cache_sizes().l3, 0U);
}

}  // namespace
}  // namespace heliodor::cpu
