// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The range plan is checked three ways: exact rational intervals of every register straight from
// the butterfly's formulas, the smallest K of a second formulation, and emulated butterflies
// modulo 2^52 on words and twiddle factors chosen to drive values to the bounds.
#include "heliodor/targets/cpu/avx512/range_plan.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "heliodor/ring/primes.h"

namespace heliodor::cpu::avx512 {
namespace {

using Radices = std::vector<unsigned>;

__extension__ using Int128 = __int128;

constexpr std::uint64_t kM = std::uint64_t{1} << 52;

mpz_class big(std::uint64_t x) { return static_cast<unsigned long>(x); }

std::uint64_t largest_prime(unsigned bits) { return ring::generate_primes(bits, 64, 1)[0]; }

/// A prime with a transform of degree 64 just below `bound`.
std::uint64_t prime_below(std::uint64_t bound) {
  std::uint64_t q = (bound - 2) / 128 * 128 + 1;
  while (!ring::is_prime(q)) q -= 128;
  return q;
}

std::uint64_t prime_above(std::uint64_t bound) {
  std::uint64_t q = bound / 128 * 128 + 129;
  while (!ring::is_prime(q)) q += 128;
  return q;
}

/// All ways to split `stages` into passes of radix 8 and 16.
std::vector<Radices> schedules(unsigned stages) {
  if (stages == 0) return {{}};
  std::vector<Radices> result;
  for (const unsigned first : {3u, 4u}) {
    if (first > stages) continue;
    for (Radices rest : schedules(stages - first)) {
      rest.insert(rest.begin(), first);
      result.push_back(std::move(rest));
    }
  }
  return result;
}

struct Interval {
  mpq_class lo, hi;
};

/// Follows every register of a radix-2^r pass. All positions of a limb meet in each register of the
/// next pass, so only there intervals are united.
class Registers {
 public:
  explicit Registers(std::uint64_t q) : q_(big(q)), all_{0, mpq_class(big(q) - 1)} {}

  void run_pass(unsigned log_radix, const RangeEntry& entry, bool first) {
    const std::size_t radix = std::size_t{1} << log_radix;
    std::vector<Interval> x(radix, all_);
    for (std::size_t i = 0; i < radix / 2; ++i) {
      const mpq_class bias = mpq_class(q_ * big(entry.multiple));
      if (first) x[i] = {x[i].lo + bias, x[i].hi + bias};
      if (entry.reduce) x[i] = {bias, bias + mpq_class(q_) * (1 + all_.hi / big(kM))};
      expect_represented(x[i], entry);
    }
    for (std::size_t half = radix / 2; half >= 1; half /= 2) {
      for (std::size_t u = 0; u < radix; ++u) {
        if ((u & half) != 0) continue;
        // T = y*w - floor(y*w'/M)*q, with w' = floor(w*M/q), lies in [0, q + y*q/M).
        const mpq_class t = mpq_class(q_) + x[u + half].hi * q_ / big(kM);
        x[u + half] = {x[u].lo - t, x[u].hi};
        x[u].hi += t;
        expect_represented(x[u], entry);
        expect_represented(x[u + half], entry);
      }
    }
    all_ = x[0];
    for (const Interval& interval : x) {
      all_ = {std::min(all_.lo, interval.lo), std::max(all_.hi, interval.hi)};
    }
  }

 private:
  static void expect_represented(const Interval& interval, const RangeEntry& entry) {
    EXPECT_GE(interval.lo, 0);
    EXPECT_LT(interval.hi, big(kM));
    EXPECT_LE(interval.hi, big(entry.highest));
  }

  mpz_class q_;
  Interval all_;
};

void expect_sound(std::uint64_t q, const Radices& radices) {
  const auto plan = plan_forward_ranges(q, radices);
  if (!plan) return;
  SCOPED_TRACE(q);
  ASSERT_EQ(plan->size(), radices.size());
  EXPECT_FALSE(plan->front().reduce);
  Registers registers(q);
  for (std::size_t i = 0; i < radices.size(); ++i) {
    registers.run_pass(radices[i], (*plan)[i], i == 0);
  }
}

TEST(RangePlanTest, every_register_of_every_stage_stays_below_2_to_the_52) {
  for (unsigned bits = 20; bits <= 48; ++bits) {
    for (unsigned stages = 6; stages <= 17; ++stages) {
      for (const Radices& radices : schedules(stages)) {
        ASSERT_TRUE(bits == 48 || plan_forward_ranges(largest_prime(bits), radices)) << bits;
        expect_sound(largest_prime(bits), radices);
      }
    }
  }
}

TEST(RangePlanTest, plans_are_sound_across_the_largest_sizes) {
  for (std::uint64_t sixteenths = 2; sixteenths <= 64; ++sixteenths) {
    const std::uint64_t q = prime_below(sixteenths << 44);
    for (const Radices& radices : {Radices{3, 3}, {4, 4, 4}, {3, 3, 3, 4}, {3, 3, 3, 3, 4}}) {
      expect_sound(q, radices);
    }
  }
}

/// The smallest K that carries `stages` stages from canonical inputs when one interval bounds all
/// registers: in units of q with L = M/q, [lo, hi] becomes [lo - t, hi + t], t = 1 + hi/L.
unsigned smallest_multiple(std::uint64_t q, unsigned stages) {
  const mpq_class length(big(kM), big(q));
  for (unsigned k = 0;; ++k) {
    mpq_class lo = k, hi = k + 1, y = 1;
    bool fits = true;
    for (unsigned s = 0; s < stages && fits; ++s) {
      const mpq_class t = 1 + y / length;
      lo -= t;
      hi += t;
      y = hi;
      fits = lo >= 0 && hi <= length;
    }
    if (fits) return k;
  }
}

TEST(RangePlanTest, multiple_is_the_smallest_that_the_recurrence_allows) {
  for (unsigned bits = 20; bits <= 46; ++bits) {
    const std::uint64_t q = largest_prime(bits);
    for (const Radices& radices :
         {Radices{3, 3}, {3, 3, 3}, {4, 4, 4}, {3, 4, 4, 4}, {3, 3, 3, 3, 4}, {3, 3, 3, 4, 4}}) {
      unsigned stages = 0;
      for (const unsigned r : radices) stages += r;
      const auto plan = plan_forward_ranges(q, radices);
      ASSERT_TRUE(plan);
      EXPECT_EQ(plan->front().multiple, smallest_multiple(q, stages)) << bits << ' ' << stages;
      for (std::size_t i = 1; i < plan->size(); ++i) {
        EXPECT_FALSE((*plan)[i].reduce) << bits << " bits, pass " << i;
      }
    }
  }
}

/// The passes before which the u half is reduced.
std::vector<std::size_t> reduced_passes(std::uint64_t q, const Radices& radices) {
  const auto plan = plan_forward_ranges(q, radices);
  EXPECT_TRUE(plan);
  std::vector<std::size_t> passes;
  for (std::size_t i = 0; plan && i < plan->size(); ++i) {
    if ((*plan)[i].reduce) passes.push_back(i);
  }
  return passes;
}

using Passes = std::vector<std::size_t>;

TEST(RangePlanTest, primes_of_46_bits_need_no_reduction_up_to_degree_2_to_the_17) {
  const std::uint64_t q = largest_prime(46);
  EXPECT_EQ(plan_forward_ranges(q, Radices{4, 4, 4})->front().multiple, 17u);
  EXPECT_EQ(plan_forward_ranges(q, Radices{3, 3, 3, 3, 4})->front().multiple, 25u);
  EXPECT_EQ(reduced_passes(q, Radices{3, 3, 3, 4, 4}), Passes{});
}

TEST(RangePlanTest, primes_of_47_bits_are_reduced_after_nine_stages_at_the_latest) {
  const std::uint64_t q = largest_prime(47);
  EXPECT_EQ(reduced_passes(q, Radices{3, 3, 3}), Passes{});
  EXPECT_EQ(reduced_passes(q, Radices{4, 4, 4}), Passes{2});
  EXPECT_EQ(reduced_passes(q, Radices{3, 3, 3, 3, 4}), Passes{3});
}

// The y half enters the first stage after a reduction unreduced. With it counted, segments of four
// stages follow one another only below 235/256 * 2^48.
TEST(RangePlanTest, repeated_radix_16_is_refused_for_primes_close_to_2_to_the_48) {
  const std::uint64_t below = prime_below(std::uint64_t{29} << 43);
  const std::uint64_t above = prime_above(std::uint64_t{236} << 40);
  EXPECT_EQ(reduced_passes(below, Radices{4, 4, 4}), (Passes{1, 2}));
  EXPECT_TRUE(plan_forward_ranges(below, Radices(8, 4)));
  EXPECT_EQ(reduced_passes(below, Radices{3, 3, 3, 3, 4}), (Passes{1, 2, 3, 4}));
  EXPECT_FALSE(plan_forward_ranges(above, Radices(8, 4)));
  EXPECT_FALSE(plan_forward_ranges(largest_prime(48), Radices{4, 4, 4}));
  EXPECT_FALSE(plan_forward_ranges(largest_prime(48), Radices{3, 3, 3, 3, 4}));
  EXPECT_EQ(reduced_passes(largest_prime(48), Radices{3, 3, 3}), (Passes{1, 2}));
}

TEST(RangePlanTest, primes_of_49_and_50_bits_are_refused_or_sound) {
  const std::uint64_t smallest = prime_above(std::uint64_t{1} << 48);
  for (unsigned stages = 6; stages <= 17; ++stages) {
    for (const Radices& radices : schedules(stages)) {
      expect_sound(smallest, radices);
      EXPECT_FALSE(plan_forward_ranges(largest_prime(49), radices));
      EXPECT_FALSE(plan_forward_ranges(largest_prime(50), radices));
    }
  }
  EXPECT_FALSE(plan_forward_ranges(smallest, Radices{4, 4}));
}

std::uint64_t low(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(Int128{a % kM} * (b % kM) % kM);
}

std::uint64_t high(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(Int128{a % kM} * (b % kM) >> 52);
}

/// One lazy butterfly on 64-bit registers as the 52-bit multiplier executes it, registers filled
/// with rubbish above bit 52.
class Butterfly {
 public:
  Butterfly(std::uint64_t q, std::uint64_t w)
      : q_(q), w_(w), w_shoup_(static_cast<std::uint64_t>((Int128{w} << 52) / q)) {}

  /// The integer T.
  std::uint64_t product(std::uint64_t y) const {
    const auto estimate = static_cast<std::uint64_t>(Int128{y} * w_shoup_ >> 52);
    return static_cast<std::uint64_t>(Int128{y} * w_ - Int128{estimate} * q_);
  }

  /// Whether the registers come to represent u + T and u - T.
  bool is_exact(std::uint64_t u, std::uint64_t y) const {
    const std::uint64_t rubbish = std::uint64_t{0xabc} << 52;
    const std::uint64_t estimate = high(y + rubbish, w_shoup_);
    const std::uint64_t sum = u + rubbish + low(y + rubbish, w_) + low(estimate, kM - q_);
    const std::uint64_t difference = 2 * (u + rubbish) - sum;
    const Int128 t = product(y);
    return Int128{sum % kM} == u + t && Int128{difference % kM} == u - t;
  }

 private:
  std::uint64_t q_, w_, w_shoup_;
};

/// Twiddle factors with w*M mod q = q - 1, q - 2, ..: their companions lose almost a whole unit, so
/// that T comes close to (1 + y/M)*q for some y.
std::vector<Butterfly> worst_butterflies(std::uint64_t q) {
  mpz_class inverse_of_m;
  const mpz_class m = big(kM), modulus = big(q);
  mpz_invert(inverse_of_m.get_mpz_t(), m.get_mpz_t(), modulus.get_mpz_t());
  std::vector<Butterfly> butterflies;
  for (unsigned loss = 1; loss <= 16; ++loss) {
    const mpz_class w = (modulus - loss) * inverse_of_m % modulus;
    butterflies.emplace_back(q, w.get_ui());
  }
  return butterflies;
}

struct WorstCase {
  const Butterfly* butterfly;
  std::uint64_t y;
};

/// The largest T for a y at or shortly below `bound`.
WorstCase worst_below(const std::vector<Butterfly>& butterflies, std::uint64_t bound) {
  WorstCase worst{&butterflies[0], bound};
  for (const Butterfly& butterfly : butterflies) {
    for (std::uint64_t y = bound; y + 512 > bound; --y) {
      if (butterfly.product(y) > worst.butterfly->product(worst.y)) worst = {&butterfly, y};
    }
  }
  return worst;
}

/// Stages that a chain of sums and a chain of differences survive when every y is as large as the
/// chain of sums has become and has the worst T there.
unsigned surviving_stages(std::uint64_t q, std::uint64_t multiple, unsigned stages) {
  const std::vector<Butterfly> butterflies = worst_butterflies(q);
  std::uint64_t lowest = multiple * q, highest = multiple * q + q - 1, bound = q - 1;
  for (unsigned s = 0; s < stages; ++s) {
    const auto [butterfly, y] = worst_below(butterflies, bound);
    if (!butterfly->is_exact(lowest, y) || !butterfly->is_exact(highest, y)) return s;
    lowest -= butterfly->product(y);
    highest += butterfly->product(y);
    bound = highest;
  }
  return stages;
}

TEST(RangePlanTest, adversarial_chains_stay_exact_with_the_planned_multiple) {
  for (unsigned bits = 20; bits <= 46; ++bits) {
    const std::uint64_t q = largest_prime(bits);
    for (const Radices& radices : {Radices{3, 3}, {4, 4, 4}, {3, 3, 3, 4, 4}}) {
      unsigned stages = 0;
      for (const unsigned r : radices) stages += r;
      const auto plan = plan_forward_ranges(q, radices);
      ASSERT_TRUE(plan);
      EXPECT_EQ(surviving_stages(q, plan->front().multiple, stages), stages) << bits << " bits";
    }
  }
}

TEST(RangePlanTest, adversarial_chains_leave_the_range_with_a_smaller_multiple) {
  for (const unsigned bits : {42u, 43u, 44u, 46u}) {
    const std::uint64_t q = largest_prime(bits);
    for (const Radices& radices : {Radices{3, 3}, {4, 4, 4}, {3, 3, 3, 3, 4}}) {
      unsigned stages = 0;
      for (const unsigned r : radices) stages += r;
      const std::uint64_t planned = plan_forward_ranges(q, radices)->front().multiple;
      EXPECT_LT(surviving_stages(q, planned - 1, stages), stages)
          << bits << " bits, " << stages << " stages";
    }
  }
}

// x - floor(x*mu/M)*q + K*q, with mu = floor(M/q) and an accumulator that starts at -K.
TEST(RangePlanTest, reduction_at_entry_lands_where_the_plan_assumes) {
  for (unsigned bits = 20; bits <= 50; ++bits) {
    const std::uint64_t q = largest_prime(bits), mu = kM / q;
    for (const std::uint64_t multiple : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}}) {
      if ((multiple + 2) * Int128{q} > kM) continue;
      for (std::uint64_t block = 0; block <= 64; ++block) {
        for (std::uint64_t step = 0; step < 16; ++step) {
          const std::uint64_t x = std::min(kM / 64 * block + step * q / 8, kM - 1 - step);
          const std::uint64_t estimate = high(x, mu) - multiple;
          const std::uint64_t reduced = (x + low(estimate, kM - q)) % kM;
          EXPECT_EQ(reduced % q, x % q);
          EXPECT_GE(reduced, multiple * q);
          EXPECT_LT((Int128{reduced} - multiple * q) * kM, Int128{q} * (kM + x));
        }
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::cpu::avx512
