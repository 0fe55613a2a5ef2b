// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The oracle multiplies a result by R = 2^34 again and divides: it shares no step with the module.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "Vheliodor_mod_mul_montgomery.h"
#include "heliodor/targets/machine/pe/mod_mul_montgomery.h"
#include "rtl/bench/pipelined_test.h"

namespace heliodor::rtl_bench {
namespace {

__extension__ typedef unsigned __int128 Uint128;

using Operands = machine::pe::ModMulMontgomeryOperands;

struct ModMulMontgomeryBlock {
  using Dut = Vheliodor_mod_mul_montgomery;
  using Model = machine::pe::ModMulMontgomery;

  static void drive(Dut& dut, const Operands& x) {
    dut.a_i = x.a;
    dut.b_i = x.b;
    dut.q_high_i = static_cast<std::uint16_t>(x.q_high);
  }

  static std::uint32_t shown(const Dut& dut) { return dut.p_o; }

  // q = 1 mod 2^17 gives 2^17 * -(q - 1) / 2^17 = 1 mod q, so 1/2^34 = ((q - 1) / 2^17)^2.
  static std::uint32_t oracle(const Operands& x) {
    const std::uint64_t q = (std::uint64_t{x.q_high} << 17) + 1;
    const std::uint64_t inverse = std::uint64_t{x.q_high} * x.q_high % q;
    return static_cast<std::uint32_t>(Uint128{x.a} * x.b % q * inverse % q);
  }
};

class ModMulMontgomeryBench : public PipelinedTest<ModMulMontgomeryBlock> {
 protected:
  static std::uint32_t modulus(std::uint32_t q_high) { return (q_high << 17) + 1; }

  Operands draw() {
    const auto q_high = static_cast<std::uint32_t>(1 + random_() % 32767);
    return {static_cast<std::uint32_t>(random_() % modulus(q_high)),
            static_cast<std::uint32_t>(random_() % modulus(q_high)), q_high};
  }

  std::mt19937_64 random_{0x6d6f6e74};
};

TEST_F(ModMulMontgomeryBench, corner_operands_of_corner_moduli) {
  for (const std::uint32_t q_high : {1u, 2u, 3u, 16384u, 16385u, 32753u, 32766u, 32767u}) {
    const std::uint32_t q = modulus(q_high);
    for (const std::uint32_t a : {0u, 1u, 2u, 1u << 17, q / 2, q / 2 + 1, q - 2, q - 1}) {
      for (const std::uint32_t b : {0u, 1u, 2u, 1u << 17, q / 2, q / 2 + 1, q - 2, q - 1}) {
        ASSERT_NO_FATAL_FAILURE(issue({a, b, q_high})) << a << ' ' << b << ' ' << q;
      }
    }
  }
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(ModMulMontgomeryBench, million_random_products_with_a_new_modulus_every_clock) {
  expect_full_rate(1'000'000, [this] { return draw(); });
}

TEST_F(ModMulMontgomeryBench, random_gaps_shift_results_but_lose_none) {
  expect_gaps_lose_nothing(20'000, [this] { return draw(); }, {~0u, ~0u, 0});
}

TEST_F(ModMulMontgomeryBench, result_leaves_exactly_seven_clocks_after_its_operands) {
  expect_latency(7, {5, 6, 32753});
}

TEST_F(ModMulMontgomeryBench, reset_in_flight_clears_every_result_without_waiting_for_an_edge) {
  expect_reset_clears([this] { return draw(); });
}

TEST_F(ModMulMontgomeryBench, each_violated_precondition_is_reported_by_name) {
  const std::uint32_t q = modulus(32753);
  EXPECT_EQ(reports_of({true, true, {q - 1, q - 1, 32753}}), "");
  EXPECT_TRUE(reports({0, 0, 0}, "ModulusInRange"));
  EXPECT_TRUE(reports({q, 0, 32753}, "FirstOperandReduced"));
  EXPECT_TRUE(reports({0, q, 32753}, "SecondOperandReduced"));
  EXPECT_EQ(reports_of({true, false, {q, q, 0}}), "") << "gaps are free";
}

}  // namespace
}  // namespace heliodor::rtl_bench
