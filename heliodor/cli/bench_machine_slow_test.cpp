// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "heliodor/cli/bench_machine.h"

namespace heliodor::cli {
namespace {

// Those of the simulated machines: what this computer takes to simulate them is not for a test.
TEST(BenchMachineSlowTest, every_figure_of_a_machine_keeps_its_bar) {
  const MachineBench bench = measure_machines(true);
  EXPECT_EQ(bench.figures.size(), 17U);
  for (const MachineFigure& figure : bench.figures) {
    if (figure.what.starts_with("simulating") || figure.machine == "all") continue;
    EXPECT_TRUE(figure.holds()) << figure.machine << ": " << figure.what << " " << figure.value
                                << " " << figure.unit;
  }
}

}  // namespace
}  // namespace heliodor::cli
