// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "Vheliodor_mod_add.h"
#include "heliodor/targets/machine/pe/mod_add.h"
#include "rtl/bench/pipelined_test.h"

namespace heliodor::rtl_bench {
namespace {

using Operands = machine::pe::ModAddOperands;

struct ModAddBlock {
  using Dut = Vheliodor_mod_add;
  using Model = machine::pe::ModAdd;

  static void drive(Dut& dut, const Operands& x) {
    dut.a_i = x.a;
    dut.b_i = x.b;
    dut.q_i = x.q;
  }

  static std::uint32_t shown(const Dut& dut) { return dut.r_o; }

  static std::uint32_t oracle(const Operands& x) {
    return static_cast<std::uint32_t>((std::uint64_t{x.a} + x.b) % x.q);
  }
};

class ModAddBench : public PipelinedTest<ModAddBlock> {
 protected:
  Operands draw() {
    const auto q = static_cast<std::uint32_t>((random_() >> (32 + random_() % 31)) | 1);
    return {static_cast<std::uint32_t>(random_() % q), static_cast<std::uint32_t>(random_() % q),
            q};
  }

  std::mt19937_64 random_{0x6d6f64};
};

TEST_F(ModAddBench, corner_operands_of_corner_moduli) {
  for (const std::uint32_t q : {1u, 2u, 3u, 1u << 31, (1u << 31) + 1, 0xffffffffu, 1073692673u}) {
    for (const std::uint32_t a : {0u, 1u, q / 2, q / 2 + 1, q - 2, q - 1}) {
      for (const std::uint32_t b : {0u, 1u, q / 2, q / 2 + 1, q - 2, q - 1}) {
        ASSERT_NO_FATAL_FAILURE(issue({a % q, b % q, q})) << a << ' ' << b << ' ' << q;
      }
    }
  }
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(ModAddBench, random_operands_with_a_new_modulus_every_clock) {
  expect_full_rate(200'000, [this] { return draw(); });
}

TEST_F(ModAddBench, random_gaps_shift_results_but_lose_none) {
  expect_gaps_lose_nothing(20'000, [this] { return draw(); }, {7, 9, 3});
}

TEST_F(ModAddBench, result_leaves_exactly_one_clock_after_its_operands) {
  expect_latency(1, {5, 6, 7});
}

TEST_F(ModAddBench, reset_clears_every_result_without_waiting_for_an_edge) {
  expect_reset_clears([this] { return draw(); });
}

TEST_F(ModAddBench, each_violated_precondition_is_reported_by_name) {
  EXPECT_EQ(reports_of({true, true, {6, 6, 7}}), "");
  EXPECT_TRUE(reports({7, 6, 7}, "FirstOperandReduced"));
  EXPECT_TRUE(reports({6, 7, 7}, "SecondOperandReduced"));
  EXPECT_EQ(reports_of({true, false, {7, 7, 7}}), "") << "gaps are free";
}

}  // namespace
}  // namespace heliodor::rtl_bench
