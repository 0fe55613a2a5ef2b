// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The oracle inverts the formula: it asks for each output lane which input lane belongs there.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "Vheliodor_permute_omega.h"
#include "heliodor/targets/machine/pe/permute_omega.h"
#include "rtl/bench/pipelined_test.h"

namespace heliodor::rtl_bench {
namespace {

using Operands = machine::pe::PermuteOmegaOperands;
using Lanes = machine::pe::PermuteOmegaLanes;

constexpr std::uint32_t kLanes = machine::pe::kPermuteOmegaLanes;

struct PermuteOmegaBlock {
  using Dut = Vheliodor_permute_omega;
  using Model = machine::pe::PermuteOmega;

  static void drive(Dut& dut, const Operands& x) {
    dut.a_i = static_cast<std::uint8_t>(x.a);
    dut.b_i = static_cast<std::uint8_t>(x.b);
    dut.c_i = static_cast<std::uint8_t>(x.c);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      dut.data_i[lane] = x.data[lane];
    }
  }

  static Lanes shown(const Dut& dut) {
    Lanes lanes;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = dut.data_o[lane];
    }
    return lanes;
  }

  static Lanes oracle(const Operands& x) {
    std::uint32_t inverse = 1;
    while (inverse * x.a % kLanes != 1 && inverse < kLanes) {
      inverse += 2;
    }
    Lanes lanes;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = x.data[((lane ^ x.c) + kLanes - x.b) * inverse % kLanes];
    }
    return lanes;
  }
};

class PermuteOmegaBench : public PipelinedTest<PermuteOmegaBlock> {
 protected:
  Operands with(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Operands operands{a, b, c, {}};
    for (std::uint32_t& word : operands.data) {
      word = static_cast<std::uint32_t>(random_());
    }
    return operands;
  }

  Operands draw() {
    const auto bits = static_cast<std::uint32_t>(random_());
    return with(bits % kLanes | 1, (bits >> 8) % kLanes, (bits >> 16) % kLanes);
  }

  std::mt19937_64 random_{0x6f6d656761};
};

TEST_F(PermuteOmegaBench, every_odd_factor_offset_and_mask_gives_its_permutation) {
  for (std::uint32_t a = 1; a < kLanes; a += 2) {
    for (std::uint32_t b = 0; b < kLanes; ++b) {
      for (std::uint32_t c = 0; c < kLanes; ++c) {
        ASSERT_NO_FATAL_FAILURE(issue(with(a, b, c))) << a << ' ' << b << ' ' << c;
      }
    }
  }
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(PermuteOmegaBench, random_permutations_change_every_clock) {
  expect_full_rate(50'000, [this] { return draw(); });
}

TEST_F(PermuteOmegaBench, random_gaps_shift_results_but_lose_none) {
  expect_gaps_lose_nothing(5'000, [this] { return draw(); }, {2, 0, 0, {}});
}

TEST_F(PermuteOmegaBench, result_leaves_exactly_five_clocks_after_its_operands) {
  expect_latency(5, with(3, 1, 2));
}

TEST_F(PermuteOmegaBench, reset_in_flight_clears_every_result_without_waiting_for_an_edge) {
  expect_reset_clears([this] { return draw(); });
}

TEST_F(PermuteOmegaBench, even_factor_is_reported_by_name_and_then_by_the_switch_it_breaks) {
  EXPECT_TRUE(reports(with(2, 0, 0), "FactorOdd"));
  EXPECT_TRUE(names(reports_of({true, false, {}}), "SwitchWithoutConflict"));
}

}  // namespace
}  // namespace heliodor::rtl_bench
