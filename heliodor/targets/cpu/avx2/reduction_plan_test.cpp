// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Follows the largest absolute value that every register of an inverse pass in double precision can
// hold, at the largest prime of each size and from the formulas of real.h, and checks it against
// what those formulas require.
#include "heliodor/targets/cpu/avx2/reduction_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "heliodor/ring/primes.h"

namespace heliodor::cpu::avx2 {
namespace {

__extension__ using Int128 = __int128;

constexpr Int128 kLargestFactor = Int128{1} << 52;
constexpr Int128 kLargestExact = Int128{1} << 53;

/// q/2 + x*q/2^54, rounded up.
Int128 largest_product(Int128 q, Int128 x) { return q / 2 + 1 + x * q / (Int128{1} << 54); }

/// Runs the plan on the largest values; returns the largest that leaves, in absolute value.
template <unsigned log_radix, unsigned bits, unsigned enter, unsigned leave>
Int128 highest_at_exit(Int128 q) {
  static constexpr ReductionPlan<log_radix, bits, enter, leave> plan;
  std::vector<Int128> x(1u << log_radix, enter * q / kUnits);
  const auto reduce = [&](Int128& value) {
    EXPECT_LE(value, kLargestExact);
    value = q / 2 + 1;
  };
  for (unsigned s = log_radix; s-- > 0;) {
    const std::size_t half = x.size() >> (s + 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (plan.before[s][i]) reduce(x[i]);
    }
    for (std::size_t group = 0; group < x.size(); group += 2 * half) {
      for (std::size_t i = group; i < group + half; ++i) {
        const Int128 sum = x[i] + x[i + half];
        EXPECT_LE(sum, kLargestFactor) << "a difference is too large to be multiplied";
        x[i] = sum;
        x[i + half] = largest_product(q, sum);
      }
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (plan.at_exit[i]) reduce(x[i]);
  }
  return *std::max_element(x.begin(), x.end());
}

template <unsigned log_radix, unsigned bits>
void expect_sound(Int128 q) {
  constexpr unsigned kBetween = steady_bound<bits>();
  EXPECT_LE((highest_at_exit<log_radix, bits, kUnits, kBetween>(q)), kBetween * q / kUnits)
      << "inner";
  EXPECT_LE((highest_at_exit<log_radix, bits, kBetween, kBetween>(q)), kBetween * q / kUnits);
  EXPECT_LE((highest_at_exit<log_radix, bits, kBetween, largest_factor(bits)>(q)), kLargestFactor)
      << "last";
}

TEST(RealReductionPlanTest, no_multiplicand_is_too_large) {
  for (unsigned size = 20; size <= 50; ++size) {
    SCOPED_TRACE(size);
    const Int128 q = ring::generate_primes(size, 64, 1)[0];
    if (size <= 47) {
      expect_sound<2, 47>(q);
      expect_sound<3, 47>(q);
    }
    expect_sound<2, 50>(q);
    expect_sound<3, 50>(q);
  }
}

template <unsigned log_radix, unsigned bits>
unsigned steady_reductions() {
  constexpr unsigned kBetween = steady_bound<bits>();
  static constexpr ReductionPlan<log_radix, bits, kBetween, kBetween> plan;
  return plan.reductions;
}

TEST(RealReductionPlanTest, few_registers_are_reduced_in_the_steady_state) {
  EXPECT_EQ((steady_reductions<3, 47>()), 1u);
  EXPECT_LE((steady_reductions<2, 47>()), 1u);
  EXPECT_LE((steady_reductions<3, 50>()), 6u);
  EXPECT_LE((steady_reductions<2, 50>()), 3u);
}

}  // namespace
}  // namespace heliodor::cpu::avx2
