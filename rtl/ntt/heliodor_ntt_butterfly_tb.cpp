// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "Vheliodor_ntt_butterfly.h"
#include "heliodor/targets/machine/pe/mod_mul_barrett.h"
#include "heliodor/targets/machine/pe/ntt_butterfly.h"
#include "rtl/bench/pipelined_test.h"

namespace heliodor::rtl_bench {
namespace {

using Operands = machine::pe::NttButterflyOperands;
using Result = machine::pe::NttButterflyResult;

constexpr std::uint32_t kPrime = 1073692673;

// The definitions by division; 1/2 is (q + 1) / 2.
struct NttButterflyBlock {
  using Dut = Vheliodor_ntt_butterfly;
  using Model = machine::pe::NttButterfly;

  static void drive(Dut& dut, const Operands& x) {
    dut.inverse_i = x.inverse;
    dut.a_i = x.a;
    dut.b_i = x.b;
    dut.w_i = x.w;
    dut.q_i = x.q;
    dut.mu_i = x.mu;
  }

  static Result shown(const Dut& dut) { return {dut.u_o, dut.v_o}; }

  static Result oracle(const Operands& x) {
    const std::uint64_t q = x.q;
    const std::uint64_t half = (q + 1) / 2;
    if (x.inverse) {
      return {static_cast<std::uint32_t>((x.a + std::uint64_t{x.b}) % q * half % q),
              static_cast<std::uint32_t>((x.b + q - x.a) % q * x.w % q * half % q)};
    }
    const std::uint64_t product = std::uint64_t{x.b} * x.w % q;
    return {static_cast<std::uint32_t>((x.a + product) % q),
            static_cast<std::uint32_t>((x.a + q - product) % q)};
  }
};

class NttButterflyBench : public PipelinedTest<NttButterflyBlock> {
 protected:
  static Operands with_reciprocal(bool inverse, std::uint32_t a, std::uint32_t b, std::uint32_t w,
                                  std::uint32_t q) {
    return {inverse, a, b, w, q, machine::pe::mod_mul_barrett_reciprocal(q)};
  }

  std::uint32_t below(std::uint64_t end) { return static_cast<std::uint32_t>(random_() % end); }

  Operands draw() {
    const std::uint32_t q = (1u << 29) + 1 + 2 * below(1u << 28);
    return with_reciprocal(below(2) != 0, below(q), below(q), below(q), q);
  }

  std::mt19937_64 random_{0x62666c79};
};

TEST_F(NttButterflyBench, corner_operands_in_both_directions_every_clock) {
  for (const std::uint32_t q : {kPrime, (1u << 29) + 1, (1u << 30) - 1}) {
    const std::uint32_t corners[] = {0, 1, q / 2, q / 2 + 1, q - 2, q - 1};
    for (const std::uint32_t a : corners) {
      for (const std::uint32_t b : corners) {
        for (const std::uint32_t w : corners) {
          ASSERT_NO_FATAL_FAILURE(issue(with_reciprocal(false, a, b, w, q)));
          ASSERT_NO_FATAL_FAILURE(issue(with_reciprocal(true, a, b, w, q)));
        }
      }
    }
  }
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(NttButterflyBench, random_operands_with_a_new_direction_and_modulus_every_clock) {
  expect_full_rate(300'000, [this] { return draw(); });
}

TEST_F(NttButterflyBench, random_gaps_shift_results_but_lose_none) {
  expect_gaps_lose_nothing(20'000, [this] { return draw(); }, {true, 9, 9, 9, 2, 0});
}

TEST_F(NttButterflyBench, inverse_form_undoes_forward_form_when_the_factors_multiply_to_minus_one) {
  // 236231 is a primitive 8192nd root: its 4095th power is -1 over it.
  const std::uint64_t w = 236231;
  std::uint64_t w_inverse = 1;
  for (unsigned i = 0; i < 4095; ++i) {
    w_inverse = w_inverse * w % kPrime;
  }
  ASSERT_EQ(w * w_inverse % kPrime, kPrime - 1);
  for (unsigned i = 0; i < 100; ++i) {
    const Operands forward = with_reciprocal(false, below(kPrime), below(kPrime), w, kPrime);
    ASSERT_NO_FATAL_FAILURE(issue(forward));
    for (unsigned waited = 0; !dut_->valid_o; ++waited) {
      ASSERT_LT(waited, 20u);
      ASSERT_NO_FATAL_FAILURE(clock({true, false, {}}));
    }
    const Result image{dut_->u_o, dut_->v_o};
    ASSERT_NO_FATAL_FAILURE(issue(
        with_reciprocal(true, image.u, image.v, static_cast<std::uint32_t>(w_inverse), kPrime)));
    for (unsigned waited = 0; !dut_->valid_o; ++waited) {
      ASSERT_LT(waited, 20u);
      ASSERT_NO_FATAL_FAILURE(clock({true, false, {}}));
    }
    ASSERT_EQ((Result{dut_->u_o, dut_->v_o}), (Result{forward.a, forward.b}));
    ASSERT_NO_FATAL_FAILURE(drain());
  }
}

TEST_F(NttButterflyBench, result_leaves_exactly_nine_clocks_after_its_operands) {
  expect_latency(9, with_reciprocal(false, 1, 2, 3, kPrime));
}

TEST_F(NttButterflyBench, reset_in_flight_clears_every_result_without_waiting_for_an_edge) {
  expect_reset_clears([this] { return draw(); });
}

TEST_F(NttButterflyBench, each_violated_precondition_is_reported_by_name) {
  const std::uint32_t q = kPrime;
  EXPECT_EQ(reports_of({true, true, with_reciprocal(true, q - 1, q - 1, q - 1, q)}), "");
  EXPECT_TRUE(reports(with_reciprocal(false, 1, 1, 1, q - 1), "ModulusOdd"));
  EXPECT_TRUE(reports(with_reciprocal(false, q, 1, 1, q), "FirstOperandReduced"));
  EXPECT_TRUE(reports(with_reciprocal(false, 1, q, 1, q), "SecondOperandReduced"));
  EXPECT_TRUE(reports(with_reciprocal(false, 1, 1, q, q), "FactorReduced"));
}

}  // namespace
}  // namespace heliodor::rtl_bench
