// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Statistics come from fixed seeds, so that every run sees the same numbers; bounds are some six
// standard deviations wide.

#include "heliodor/ring/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "heliodor/ring/internal/oracle.h"

namespace heliodor::ring {
namespace {

using oracle::error_of;

using Small = std::vector<std::int8_t>;

/// Pearson's statistic of counts whose cells are equally likely.
double chi_square(const std::vector<int>& counts) {
  const double expected =
      std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(counts.size());
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

/// The statistic has mean f and variance 2f for f degrees of freedom; too good a fit is as
/// suspicious as a bad one.
void expect_uniform(const std::vector<int>& counts) {
  const double freedom = static_cast<double>(counts.size()) - 1;
  const double statistic = chi_square(counts);
  EXPECT_LT(statistic, freedom + 6 * std::sqrt(2 * freedom) + 10);
  EXPECT_GT(statistic, freedom - 6 * std::sqrt(2 * freedom));
}

std::size_t weight_of(const Small& values) {
  return static_cast<std::size_t>(std::ranges::count_if(values, [](int v) { return v != 0; }));
}

TEST(SamplerTest, uniform_residues_are_below_the_modulus_and_fill_all_cells) {
  base::RandomStream random(base::TestSeed(1), "uniform");
  for (const std::uint64_t value :
       {std::uint64_t{17}, generate_primes(30, 8, 1)[0], generate_primes(60, 8, 1)[0]}) {
    const Modulus q(value, 8);
    std::vector<std::uint64_t> words(1 << 16);
    sample_uniform(q, random, words);
    std::vector<int> cells(17);
    for (const std::uint64_t word : words) {
      ASSERT_LT(word, value);
      ++cells[static_cast<std::size_t>(Uint128{word} * 17 / value)];
    }
    expect_uniform(cells);
  }
}

TEST(SamplerTest, ternary_values_are_uniform_and_independent_of_their_neighbours) {
  base::RandomStream random(base::TestSeed(2), "ternary");
  Small values(900000);
  sample_ternary(random, values);
  std::vector<int> single(3);
  std::vector<int> pairs(9);
  std::vector<int> by_digit(3 * 40);  // values come in runs of 40 from one random word
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_LE(std::abs(values[i]), 1);
    const auto digit = static_cast<std::size_t>(values[i] + 1);
    ++single[digit];
    ++by_digit[3 * (i % 40) + digit];
    if (i > 0) ++pairs[3 * static_cast<std::size_t>(values[i - 1] + 1) + digit];
  }
  expect_uniform(single);
  expect_uniform(by_digit);
  EXPECT_LT(chi_square(pairs), 8 + 6 * 4);
}

TEST(SamplerTest, ternary_values_are_the_base_3_digits_of_accepted_words) {
  base::RandomStream random(base::TestSeed(3), "digits");
  base::RandomStream same(base::TestSeed(3), "digits");
  Small values(1000);  // 25 words of 40 digits
  sample_ternary(random, values);
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 3, 40);
  mpz_class word = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 40 == 0) {
      do {
        word = static_cast<unsigned long>(same.next());
      } while (word >= power);
    }
    ASSERT_EQ(values[i] + 1, mpz_class(word % 3).get_si()) << i;
    word /= 3;
  }
}

TEST(SamplerTest, fixed_weight_is_met_exactly_for_all_sizes) {
  base::RandomStream random(base::TestSeed(4), "weight");
  for (const std::size_t size : {0u, 1u, 2u, 3u, 7u, 64u, 100u, 1024u, 4097u}) {
    for (const std::size_t weight :
         {std::size_t{0}, std::size_t{1}, size / 3, size / 2 + 1, size}) {
      if (weight > size) continue;
      Small values(size, 5);
      sample_ternary_fixed_weight(random, weight, values);
      EXPECT_EQ(weight_of(values), weight);
      EXPECT_TRUE(std::ranges::all_of(values, [](int v) { return std::abs(v) <= 1; }));
    }
  }
}

TEST(SamplerTest, fixed_weight_values_are_sorted_by_random_tags) {
  for (const std::size_t size : {2u, 5u, 64u, 1000u, 4096u}) {
    base::RandomStream random(base::TestSeed(5), "tags");
    base::RandomStream same(base::TestSeed(5), "tags");
    Small values(size);
    sample_ternary_fixed_weight(random, size / 2, values);
    std::vector<std::pair<std::uint64_t, int>> tagged(size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t word = same.next();
      tagged[i] = {word >> 3, i >= size / 2 ? 0 : word % 2 == 1 ? 1 : -1};
    }
    std::ranges::sort(tagged);
    for (std::size_t i = 0; i < size; ++i)
      ASSERT_EQ(values[i], tagged[i].second) << i << " of " << size;
  }
}

TEST(SamplerTest, fixed_weight_places_and_signs_are_uniform) {
  base::RandomStream random(base::TestSeed(6), "places");
  const std::size_t size = 12;
  std::vector<int> places(size);
  std::vector<int> signs(2);
  std::map<std::pair<std::size_t, std::size_t>, int> pairs;
  for (int draw = 0; draw < 33000; ++draw) {
    Small values(size);
    sample_ternary_fixed_weight(random, 2, values);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < size; ++i) {
      if (values[i] == 0) continue;
      found.push_back(i);
      ++places[i];
      ++signs[values[i] > 0 ? 1 : 0];
    }
    ++pairs[{found[0], found[1]}];
  }
  EXPECT_LT(chi_square(places), 11 + 6 * 4.7);
  expect_uniform(signs);
  std::vector<int> cells;
  cells.reserve(pairs.size());
  for (const auto& [pair, count] : pairs) cells.push_back(count);
  ASSERT_EQ(cells.size(), 66u);  // 12 over 2
  expect_uniform(cells);
}

TEST(SamplerTest, fixed_weight_beyond_the_size_is_refused) {
  base::RandomStream random(base::TestSeed(7), "refused");
  Small values(8);
  EXPECT_EQ(error_of([&] { sample_ternary_fixed_weight(random, 9, values); }),
            "out_of_range: weight 9 exceeds 8 coefficients");
}

/// P(X = x) of the discrete Gaussian over all integers within 40 standard deviations.
long double ideal_probability(double sigma, int x) {
  const auto weight = [sigma](int i) {
    const long double z = static_cast<long double>(i) / static_cast<long double>(sigma);
    return std::exp(-z * z / 2);
  };
  const int end = static_cast<int>(40 * sigma);
  long double total = 0;
  for (int i = -end; i <= end; ++i) total += weight(i);
  return weight(x) / total;
}

TEST(SamplerTest, gaussian_table_is_within_2_to_minus_45_of_the_ideal_distribution) {
  for (const double sigma : {0.5, 1.0, 3.19, 3.2, 8.0, 15.0}) {
    const GaussianSampler sampler(sigma);
    const int bound = sampler.bound();
    EXPECT_EQ(bound, static_cast<int>(std::ceil(8 * sigma)));
    ASSERT_EQ(sampler.cumulative().size(), 2 * static_cast<std::size_t>(bound) + 1);
    EXPECT_EQ(sampler.cumulative().back(), std::uint64_t{1} << 63);
    EXPECT_TRUE(std::ranges::is_sorted(sampler.cumulative()));

    long double distance = 0;
    long double inside = 0;
    std::uint64_t before = 0;
    int x = -bound;
    for (const std::uint64_t here : sampler.cumulative()) {
      const long double ideal = ideal_probability(sigma, x++);
      distance += std::fabs(std::ldexp(static_cast<long double>(here - before), -63) - ideal);
      inside += ideal;
      before = here;
    }
    distance += 1 - inside;
    EXPECT_LT(distance / 2, std::ldexp(1.0L, -45)) << sigma;
  }
}

TEST(SamplerTest, gaussian_moments_grow_no_faster_than_the_sub_gaussian_parameter_says) {
  for (const double sigma : {0.5, 0.51, 1.0, 1.01, 3.19, 3.2, 8.0, 15.0}) {
    const GaussianSampler sampler(sigma);
    const long double s = sampler.sub_gaussian_parameter();
    EXPECT_GT(s, sigma);
    for (long double lambda = 0x1p-10L; lambda < 64; lambda *= 1.25L) {
      // E exp(lambda*x) - 1 = E 2*sinh(lambda*x/2)^2, without cancellation.
      long double excess = 0;
      std::uint64_t before = 0;
      int x = -sampler.bound();
      for (const std::uint64_t here : sampler.cumulative()) {
        const long double root = std::sinh(lambda * static_cast<long double>(x++) / 2);
        excess += std::ldexp(static_cast<long double>(here - before), -62) * root * root;
        before = here;
      }
      EXPECT_LE(excess, std::expm1(s * s * lambda * lambda / 2)) << sigma << " at " << lambda;
    }
  }
}

TEST(SamplerTest, sub_gaussian_parameter_exceeds_sigma_by_the_largest_excess_of_a_probability) {
  for (const double sigma : {1.0, 1.01, 3.19, 3.2, 8.0}) {
    const GaussianSampler sampler(sigma);
    const auto table = sampler.cumulative();
    const auto middle = static_cast<std::size_t>(sampler.bound());
    long double ratio = 1;
    for (std::size_t x = 1; x <= middle; ++x) {
      const auto share = static_cast<long double>(table[middle + x] - table[middle + x - 1]);
      ratio =
          std::max(ratio, std::ldexp(share, -63) / ideal_probability(sigma, static_cast<int>(x)));
    }
    const double s = sampler.sub_gaussian_parameter();
    EXPECT_NEAR(s * s, static_cast<double>(sigma * sigma * ratio), 1e-11 * s * s) << sigma;
  }
  EXPECT_LT(GaussianSampler(3.2).sub_gaussian_parameter(), 3.2 * (1 + 0x1p-12));
}

TEST(SamplerTest, gaussian_values_invert_the_table) {
  const GaussianSampler sampler;
  base::RandomStream random(base::TestSeed(8), "inverse");
  base::RandomStream same(base::TestSeed(8), "inverse");
  Small values(100000);
  sampler.sample(random, values);
  const auto table = sampler.cumulative();
  for (const std::int8_t value : values) {
    const auto place = std::ranges::upper_bound(table, same.next() >> 1);
    ASSERT_EQ(value, static_cast<int>(place - table.begin()) - sampler.bound());
  }
}

TEST(SamplerTest, gaussian_mean_variance_and_frequencies_are_those_of_sigma) {
  for (const double sigma : {0.5, 3.2, 15.0}) {
    base::RandomStream random(base::TestSeed(9), "moments");
    const int draws = 1 << 20;
    Small values(draws);
    const GaussianSampler sampler(sigma);
    sampler.sample(random, values);
    double sum = 0;
    double squares = 0;
    std::map<int, int> counts;
    for (const std::int8_t value : values) {
      ASSERT_LE(std::abs(value), sampler.bound());
      sum += value;
      squares += value * value;
      ++counts[value];
    }
    // The discrete distribution of sigma 0.5 varies less than the continuous one.
    // sigma^2.
    double variance = 0;
    for (int x = -sampler.bound(); x <= sampler.bound(); ++x) {
      variance += x * x * static_cast<double>(ideal_probability(sigma, x));
    }
    EXPECT_NEAR(variance, sigma * sigma, sigma < 1 ? 0.05 : 1e-9);
    EXPECT_NEAR(sum / draws, 0, 6 * sigma / std::sqrt(draws));
    EXPECT_NEAR(squares / draws, variance, 10 * variance / std::sqrt(draws));
    for (int x = -2; x <= 2; ++x) {
      const auto p = static_cast<double>(ideal_probability(sigma, x));
      EXPECT_NEAR(counts[x], p * draws, 6 * std::sqrt(p * draws)) << x << " of sigma " << sigma;
    }
  }
}

TEST(SamplerTest, gaussian_sigmas_outside_the_bounds_are_refused) {
  EXPECT_EQ(error_of([] { GaussianSampler(0.49); }),
            "out_of_range: sigma 0.49 is not in [0.5, 15]");
  EXPECT_EQ(error_of([] { GaussianSampler(15.01); }),
            "out_of_range: sigma 15.01 is not in [0.5, 15]");
  EXPECT_EQ(error_of([] { GaussianSampler(std::nan("")); }),
            "out_of_range: sigma nan is not in [0.5, 15]");
  EXPECT_EQ(GaussianSampler(15).bound(), 120);
}

TEST(SamplerTest, spread_brings_every_int8_to_its_residue) {
  Small values(256);
  std::iota(values.begin(), values.end(), std::int8_t{-128});
  for (const std::uint64_t value :
       {std::uint64_t{5}, std::uint64_t{13}, std::uint64_t{257}, generate_primes(60, 2, 1)[0]}) {
    const Modulus q(value, 2);
    std::vector<std::uint64_t> residues(256);
    spread(q, values, residues);
    for (std::size_t i = 0; i < 256; ++i) {
      ASSERT_EQ(residues[i], oracle::modulo(mpz_class(static_cast<long>(values[i])), value))
          << int{values[i]};
    }
  }
}

TEST(SamplerTest, spread_into_another_size_is_refused) {
  std::vector<std::uint64_t> residues(7);
  EXPECT_EQ(error_of([&] { spread(Modulus(97, 2), Small(8), residues); }),
            "mismatch: 8 small coefficients do not fit 7 residues");
}

TEST(SamplerTest, equal_seeds_give_equal_samples) {
  base::RandomStream first(base::TestSeed(10), "equal");
  base::RandomStream second(base::TestSeed(10), "equal");
  base::RandomStream other(base::TestSeed(11), "equal");
  Small a(100), b(100), c(100);
  sample_ternary(first, a);
  sample_ternary(second, b);
  sample_ternary(other, c);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

}  // namespace
}  // namespace heliodor::ring
