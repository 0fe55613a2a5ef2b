// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/ring/automorphism.h"

#include <flint/ulong_extras.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "heliodor/ring/internal/oracle.h"

namespace heliodor::ring {
namespace {

using oracle::error_of;

/// a(X^g) mod X^N + 1 over the integers, term by term.
std::vector<std::int64_t> substitute(const std::vector<std::int64_t>& a, std::uint64_t g) {
  std::vector<std::int64_t> powers(a.size() * g + 1);  // degrees before reduction
  for (std::size_t i = 0; i < a.size(); ++i) powers[i * g] = a[i];
  std::vector<std::int64_t> result(a.size());
  for (std::size_t e = 0; e < powers.size(); ++e) {
    result[e % a.size()] += e / a.size() % 2 == 0 ? powers[e] : -powers[e];
  }
  return result;
}

std::vector<std::int64_t> distinct_coefficients(std::uint64_t degree) {
  std::vector<std::int64_t> a(degree);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::int64_t>(i) + 1;
  return a;
}

TEST(AutomorphismTest, coefficient_sources_are_those_of_substitution) {
  for (std::uint64_t degree = 2; degree <= 64; degree *= 2) {
    const auto a = distinct_coefficients(degree);
    for (std::uint64_t g = 1; g < 2 * degree; g += 2) {
      const auto sources = automorphism_coeff_sources(g, degree);
      ASSERT_EQ(sources.size(), degree);
      std::vector<std::int64_t> result(degree);
      for (std::size_t j = 0; j < degree; ++j) {
        result[j] = sources[j].negate ? -a[sources[j].index] : a[sources[j].index];
      }
      ASSERT_EQ(result, substitute(a, g)) << "g = " << g << ", N = " << degree;
    }
  }
}

TEST(AutomorphismTest, evaluation_sources_are_those_of_substitution) {
  // Over the exponents alone: the value at psi^e of a(X^g) is the value of a at psi^(e*g).
  for (std::uint64_t degree = 2; degree <= 64; degree *= 2) {
    const auto bits = static_cast<unsigned>(FLINT_BIT_COUNT(degree) - 1);
    const auto exponent_of_slot = [bits](std::uint32_t i) { return 2 * n_revbin(i, bits) + 1; };
    for (std::uint64_t g = 1; g < 2 * degree; g += 2) {
      const auto sources = automorphism_eval_sources(g, degree);
      ASSERT_EQ(sources.size(), degree);
      for (std::uint32_t i = 0; i < degree; ++i) {
        ASSERT_LT(sources[i], degree);
        ASSERT_EQ(exponent_of_slot(sources[i]), exponent_of_slot(i) * g % (2 * degree));
      }
    }
  }
}

TEST(AutomorphismTest, element_one_moves_nothing) {
  const auto coeff = automorphism_coeff_sources(1, 32);
  const auto eval = automorphism_eval_sources(1, 32);
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(coeff[i], (CoeffSource{i, false}));
    EXPECT_EQ(eval[i], i);
  }
}

TEST(AutomorphismTest, sources_are_permutations_at_the_largest_degree) {
  for (const std::uint64_t g : {std::uint64_t{5}, 2 * Modulus::kMaxDegree - 1}) {
    std::vector<bool> coeff_seen(Modulus::kMaxDegree);
    std::vector<bool> eval_seen(Modulus::kMaxDegree);
    for (const auto& source : automorphism_coeff_sources(g, Modulus::kMaxDegree))
      coeff_seen.at(source.index) = true;
    for (const auto source : automorphism_eval_sources(g, Modulus::kMaxDegree))
      eval_seen.at(source) = true;
    EXPECT_EQ(std::ranges::count(coeff_seen, false), 0);
    EXPECT_EQ(std::ranges::count(eval_seen, false), 0);
  }
}

TEST(AutomorphismTest, inverse_element_undoes_every_element) {
  for (const std::uint64_t degree :
       {std::uint64_t{2}, std::uint64_t{4}, std::uint64_t{1024}, Modulus::kMaxDegree}) {
    for (std::uint64_t g = 1; g < std::min<std::uint64_t>(2 * degree, 4096); g += 2) {
      EXPECT_EQ(inverse_galois_element(g, degree), n_invmod(g, 2 * degree)) << g << " " << degree;
    }
    EXPECT_EQ(inverse_galois_element(2 * degree - 1, degree), 2 * degree - 1);
  }
}

TEST(AutomorphismTest, rotation_elements_are_powers_of_five) {
  for (const std::uint64_t degree :
       {std::uint64_t{2}, std::uint64_t{4}, std::uint64_t{16}, std::uint64_t{1024}}) {
    const auto row = static_cast<std::int64_t>(degree / 2);
    for (std::int64_t steps = 0; steps < row; ++steps) {
      const std::uint64_t g = galois_element_of_rotation(steps, degree);
      EXPECT_EQ(g, n_powmod2(5, steps, 2 * degree));
      EXPECT_EQ(galois_element_of_rotation(-steps, degree), inverse_galois_element(g, degree));
    }
  }
}

TEST(AutomorphismTest, rotation_moves_slots_along_both_rows) {
  // Slot j of the first row is the value at psi^(5^j), of the second at psi^(-5^j).
  const std::uint64_t degree = 64;
  const std::uint64_t row = degree / 2;
  const std::int64_t steps = 7;
  const auto sources = automorphism_eval_sources(galois_element_of_rotation(steps, degree), degree);
  const auto place = [](std::uint64_t exponent) {
    return static_cast<std::uint32_t>(n_revbin((exponent % 128 - 1) / 2, 6));
  };
  for (std::uint64_t j = 0; j < row; ++j) {
    const std::uint64_t here = n_powmod2(5, static_cast<slong>(j), 128);
    const std::uint64_t there = n_powmod2(5, static_cast<slong>((j + steps) % row), 128);
    EXPECT_EQ(sources[place(here)], place(there));
    EXPECT_EQ(sources[place(128 - here)], place(128 - there));
  }
}

TEST(AutomorphismTest, conjugation_swaps_the_rows) {
  EXPECT_EQ(galois_element_of_conjugation(64), 127u);
  const auto sources = automorphism_eval_sources(127, 64);
  for (std::uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(n_revbin(sources[i], 6), 63 - n_revbin(i, 6));  // exponent e becomes -e
  }
}

TEST(AutomorphismTest, bit_reverse_equals_the_reversed_string_of_digits) {
  for (unsigned bits = 0; bits <= 10; ++bits) {
    for (std::uint32_t i = 0; i < 1u << bits; ++i) {
      std::string digits;
      for (std::uint32_t rest = i; digits.size() < bits; rest /= 2)
        digits += rest % 2 == 1 ? '1' : '0';
      EXPECT_EQ(bit_reverse(i, bits), bits == 0 ? 0 : std::stoul(digits, nullptr, 2));
    }
  }
  EXPECT_EQ(bit_reverse(1, 32), 0x80000000u);
}

TEST(AutomorphismTest, even_and_large_elements_are_refused) {
  const std::string even =
      "out_of_range: Galois element 4 is not an odd number below 2*degree = 16";
  EXPECT_EQ(error_of([] { automorphism_coeff_sources(4, 8); }), even);
  EXPECT_EQ(error_of([] { automorphism_eval_sources(4, 8); }), even);
  EXPECT_EQ(error_of([] { inverse_galois_element(4, 8); }), even);
  const std::string large =
      "out_of_range: Galois element 17 is not an odd number below 2*degree = 16";
  EXPECT_EQ(error_of([] { automorphism_coeff_sources(17, 8); }), large);
  EXPECT_EQ(error_of([] { automorphism_eval_sources(17, 8); }), large);
  EXPECT_EQ(error_of([] { inverse_galois_element(17, 8); }), large);
}

TEST(AutomorphismTest, rotations_beyond_a_row_are_refused) {
  EXPECT_EQ(error_of([] { galois_element_of_rotation(4, 8); }),
            "out_of_range: rotation by 4 steps is not within +-3 of degree/2 = 4 slots");
  EXPECT_EQ(error_of([] { galois_element_of_rotation(-4, 8); }),
            "out_of_range: rotation by -4 steps is not within +-3 of degree/2 = 4 slots");
  EXPECT_EQ(error_of([] { galois_element_of_rotation(INT64_MIN, 8); }).substr(0, 12),
            "out_of_range");
}

TEST(AutomorphismTest, degrees_outside_the_bounds_are_refused) {
  const std::string error = "out_of_range: degree 12 is not a power of two in [2, 131072]";
  EXPECT_EQ(error_of([] { automorphism_coeff_sources(1, 12); }), error);
  EXPECT_EQ(error_of([] { automorphism_eval_sources(1, 12); }), error);
  EXPECT_EQ(error_of([] { inverse_galois_element(1, 12); }), error);
  EXPECT_EQ(error_of([] { galois_element_of_rotation(0, 12); }), error);
  EXPECT_EQ(error_of([] { galois_element_of_conjugation(12); }), error);
}

}  // namespace
}  // namespace heliodor::ring
