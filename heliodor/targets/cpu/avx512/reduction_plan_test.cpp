// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Follows the smallest and the largest integer that every register of an inverse pass can
// represent, at the largest prime of each size and from the formulas of the butterfly, and checks
// them against what the multiplier can hold.
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

struct Interval {
  Int128 lo, hi;  // inclusive
};

/// One butterfly on all integers of two intervals.
void follow(Interval& u, Interval& v, Int128 q, unsigned bias, unsigned start) {
  const Interval difference = {u.lo - v.hi + bias * q, u.hi - v.lo + bias * q};
  const Interval sum = {u.lo + v.lo, u.hi + v.hi};
  EXPECT_GE(difference.lo, 0) << "a difference may become negative";
  EXPECT_LT(difference.hi, kM) << "a difference may wrap";
  EXPECT_LT(sum.hi, kM) << "a sum may wrap";
  const Interval product = {start * q, start * q + largest_product(q, difference.hi)};
  EXPECT_LT(product.hi, kM) << "a product may wrap";
  u = sum;
  v = product;
}

/// Runs the plan on the extremes; returns the largest integer that leaves.
template <unsigned log_radix, unsigned c_bound, unsigned enter, unsigned leave>
Int128 highest_at_exit(Int128 q) {
  static constexpr ReductionPlan<log_radix, c_bound, enter, leave> plan;
  std::vector<Interval> x(1u << log_radix, Interval{0, enter * q - 1});
  const auto reduce = [&](Interval& value) {
    EXPECT_LT(value.hi, kM);
    value = {0, largest_product(q, value.hi)};
  };
  for (unsigned s = log_radix; s-- > 0;) {
    const std::size_t half = x.size() >> (s + 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (plan.before[s][i]) reduce(x[i]);
    }
    for (std::size_t group = 0; group < x.size(); group += 2 * half) {
      for (std::size_t i = group; i < group + half; ++i)
        follow(x[i], x[i + half], q, plan.bias[s][i], plan.start[s][i + half]);
    }
  }
  Int128 highest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (plan.at_exit[i]) reduce(x[i]);
    highest = std::max(highest, x[i].hi);
  }
  return highest;
}

template <unsigned log_radix, unsigned c_bound>
void expect_sound(Int128 q) {
  constexpr unsigned kBetween = steady_bound<c_bound>();
  EXPECT_LT((highest_at_exit<log_radix, c_bound, 1, kBetween>(q)), kBetween * q) << "inner";
  EXPECT_LT((highest_at_exit<log_radix, c_bound, kBetween, kBetween>(q)), kBetween * q);
  EXPECT_LT((highest_at_exit<log_radix, c_bound, kBetween, 2 * c_bound>(q)), kM) << "last";
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
constexpr unsigned steady_cost() {
  constexpr unsigned kBetween = steady_bound<c_bound>();
  return ReductionPlan<log_radix, c_bound, kBetween, kBetween>().cost;
}

/// A bias at every difference, and as many reductions as bounds from above alone demand.
template <unsigned log_radix>
constexpr unsigned cost_without_raised_products(unsigned reductions) {
  return 3 * reductions + log_radix * (1u << (log_radix - 1));
}

TEST(ReductionPlanTest, raised_products_make_every_pass_cheaper) {
  EXPECT_LT((steady_cost<4, 64>()), cost_without_raised_products<4>(2));
  EXPECT_LT((steady_cost<4, 32>()), cost_without_raised_products<4>(3));
  EXPECT_LT((steady_cost<4, 16>()), cost_without_raised_products<4>(5));
  EXPECT_LT((steady_cost<4, 8>()), cost_without_raised_products<4>(8));
  EXPECT_LT((steady_cost<3, 64>()), cost_without_raised_products<3>(1));
  EXPECT_LT((steady_cost<3, 32>()), cost_without_raised_products<3>(1));
  EXPECT_LT((steady_cost<3, 16>()), cost_without_raised_products<3>(2));
  EXPECT_LT((steady_cost<3, 8>()), cost_without_raised_products<3>(3));
}

TEST(ReductionPlanTest, bound_between_passes_is_one_that_the_butterfly_takes) {
  EXPECT_LE(steady_bound<64>(), 64u);
  EXPECT_LE(steady_bound<32>(), 32u);
  EXPECT_LE(steady_bound<16>(), 16u);
  EXPECT_LE(steady_bound<8>(), 8u);
}

}  // namespace
}  // namespace heliodor::cpu::avx512
