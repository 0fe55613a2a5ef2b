// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Follows the largest integer that every register of an inverse pass can represent, at the largest
// prime of each size and from the formulas of the butterfly, and checks it against what the
// multiplier can hold.
#include "heliodor/targets/cpu/avx512/reduction_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "heliodor/ring/primes.h"

namespace heliodor::cpu::avx512 {
namespace {

__extension__ using Int128 = __int128;

constexpr Int128 kM = Int128{1} << 52;

/// The largest result of x*w mod q with a truncated companion, for a factor of at most x.
Int128 largest_product(Int128 q, Int128 x) { return (q * (kM + x) - 1) / kM; }

/// Runs the plan on the largest values; returns the largest that leaves.
template <unsigned log_radix, unsigned c_bound, unsigned enter, unsigned leave>
Int128 highest_at_exit(Int128 q) {
  static constexpr ReductionPlan<log_radix, c_bound, enter, leave> plan;
  std::vector<Int128> x(1u << log_radix, enter * q - 1);
  const auto reduce = [&](Int128& value) {
    EXPECT_LT(value, kM);
    value = largest_product(q, value);
  };
  for (unsigned s = log_radix; s-- > 0;) {
    const std::size_t half = x.size() >> (s + 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (plan.before[s][i]) reduce(x[i]);
    }
    for (std::size_t group = 0; group < x.size(); group += 2 * half) {
      for (std::size_t i = group; i < group + half; ++i) {
        Int128& u = x[i];
        Int128& v = x[i + half];
        EXPECT_LT(v, c_bound * q) << "a difference may become negative";
        EXPECT_LT(u + c_bound * q, kM) << "a difference may wrap";
        EXPECT_LT(u + v, kM) << "a sum may wrap";
        const Int128 difference = u + c_bound * q;
        u += v;
        v = largest_product(q, difference);
      }
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (plan.at_exit[i]) reduce(x[i]);
  }
  return *std::max_element(x.begin(), x.end());
}

template <unsigned log_radix, unsigned c_bound>
void expect_sound(Int128 q) {
  constexpr unsigned kBetween = steady_bound<c_bound>();
  EXPECT_LE((highest_at_exit<log_radix, c_bound, 1, kBetween>(q)), kBetween * q) << "inner";
  EXPECT_LE((highest_at_exit<log_radix, c_bound, kBetween, kBetween>(q)), kBetween * q);
  EXPECT_LT((highest_at_exit<log_radix, c_bound, kBetween, 128>(q)), kM) << "last";
}

template <unsigned c_bound>
void expect_sound_up_to(unsigned bits) {
  for (unsigned size = 20; size <= bits; ++size) {
    SCOPED_TRACE(size);
    const Int128 q = ring::generate_primes(size, 64, 1)[0];
    expect_sound<3, c_bound>(q);
    expect_sound<4, c_bound>(q);
  }
}

TEST(ReductionPlanTest, no_register_wraps_or_turns_negative) {
  expect_sound_up_to<64>(45);
  expect_sound_up_to<32>(46);
  expect_sound_up_to<16>(47);
  expect_sound_up_to<8>(48);
}

template <unsigned log_radix, unsigned c_bound>
unsigned steady_reductions() {
  constexpr unsigned kBetween = steady_bound<c_bound>();
  static constexpr ReductionPlan<log_radix, c_bound, kBetween, kBetween> plan;
  return plan.reductions;
}

TEST(ReductionPlanTest, few_registers_are_reduced_in_the_steady_state) {
  EXPECT_EQ((steady_reductions<4, 64>()), 2u);
  EXPECT_EQ((steady_reductions<4, 32>()), 3u);
  EXPECT_EQ((steady_reductions<4, 16>()), 5u);
  EXPECT_EQ((steady_reductions<4, 8>()), 8u);
  EXPECT_EQ((steady_reductions<3, 64>()), 1u);
  EXPECT_EQ((steady_reductions<3, 32>()), 1u);
  EXPECT_EQ((steady_reductions<3, 16>()), 2u);
  EXPECT_EQ((steady_reductions<3, 8>()), 3u);
}

TEST(ReductionPlanTest, bound_between_passes_is_one_that_the_butterfly_takes) {
  EXPECT_LE(steady_bound<64>(), 64u);
  EXPECT_LE(steady_bound<32>(), 32u);
  EXPECT_LE(steady_bound<16>(), 16u);
  EXPECT_LE(steady_bound<8>(), 8u);
}

}  // namespace
}  // namespace heliodor::cpu::avx512
