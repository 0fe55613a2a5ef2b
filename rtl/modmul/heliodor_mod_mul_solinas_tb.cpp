// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "Vheliodor_mod_mul_solinas.h"
#include "heliodor/targets/machine/pe/mod_mul_solinas.h"
#include "rtl/bench/pipelined_test.h"

namespace heliodor::rtl_bench {
namespace {

__extension__ typedef unsigned __int128 Uint128;

using Operands = machine::pe::ModMulSolinasOperands;

constexpr std::uint64_t kModulus = 4611686018326724609;  // 2^62 - 2^26 - 2^25 + 1

struct ModMulSolinasBlock {
  using Dut = Vheliodor_mod_mul_solinas;
  using Model = machine::pe::ModMulSolinas;

  static void drive(Dut& dut, const Operands& x) {
    dut.a_i = x.a;
    dut.b_i = x.b;
  }

  static std::uint64_t shown(const Dut& dut) { return dut.p_o; }

  static std::uint64_t oracle(const Operands& x) {
    return static_cast<std::uint64_t>(Uint128{x.a} * x.b % kModulus);
  }
};

class ModMulSolinasBench : public PipelinedTest<ModMulSolinasBlock> {
 protected:
  Operands draw() { return {random_() % kModulus, random_() % kModulus}; }

  std::mt19937_64 random_{0x736f6c};
};

// Among them every pair of powers of two and their neighbours: each fold, tile and carry alone.
TEST_F(ModMulSolinasBench, corner_operands_and_all_powers_of_two_give_the_product_every_clock) {
  std::vector<std::uint64_t> corners = {kModulus / 2, kModulus / 2 + 1};
  for (unsigned bit = 0; bit < 62; ++bit) {
    corners.push_back(std::uint64_t{1} << bit);
    corners.push_back((std::uint64_t{1} << bit) - 1);
    corners.push_back(kModulus - (std::uint64_t{1} << bit));
  }
  for (const std::uint64_t a : corners) {
    for (const std::uint64_t b : corners) {
      ASSERT_NO_FATAL_FAILURE(issue({a, b})) << a << ' ' << b;
    }
  }
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(ModMulSolinasBench, million_random_products_at_full_rate) {
  expect_full_rate(1'000'000, [this] { return draw(); });
}

TEST_F(ModMulSolinasBench, random_gaps_shift_results_but_lose_none) {
  expect_gaps_lose_nothing(20'000, [this] { return draw(); }, {kModulus, kModulus});
}

TEST_F(ModMulSolinasBench, result_leaves_exactly_six_clocks_after_its_operands) {
  expect_latency(6, {5, 6});
}

TEST_F(ModMulSolinasBench, reset_in_flight_clears_every_result_without_waiting_for_an_edge) {
  expect_reset_clears([this] { return draw(); });
}

TEST_F(ModMulSolinasBench, each_violated_precondition_is_reported_by_name) {
  EXPECT_EQ(reports_of({true, true, {kModulus - 1, kModulus - 1}}), "");
  EXPECT_TRUE(reports({kModulus, 0}, "FirstOperandReduced"));
  EXPECT_TRUE(reports({0, kModulus}, "SecondOperandReduced"));
  EXPECT_EQ(reports_of({true, false, {kModulus, kModulus}}), "") << "gaps are free";
}

}  // namespace
}  // namespace heliodor::rtl_bench
