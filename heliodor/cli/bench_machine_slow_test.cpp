// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "heliodor/cli/bench_machine.h"

namespace heliodor::cli {
namespace {

TEST(BenchMachineSlowTest, every_figure_keeps_its_bar) {
  const MachineBench bench = measure_machines(true);
  EXPECT_EQ(bench.figures.size(), 17U);
  for (const MachineFigure& figure : bench.figures) {
    EXPECT_TRUE(figure.holds()) << figure.machine << ": " << figure.what << " " << figure.value
                                << " " << figure.unit;
  }
}

}  // namespace
}  // namespace heliodor::cli
