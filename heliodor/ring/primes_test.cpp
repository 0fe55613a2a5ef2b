// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/ring/primes.h"

#include <flint/ulong_extras.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "heliodor/ring/internal/oracle.h"

namespace heliodor::ring {
namespace {

using oracle::error_of;

// OEIS A002997, and A006931 for the last two, with 5 and 6 factors.
const std::vector<std::uint64_t> kCarmichaelNumbers{561,  1105, 1729,   2465,     2821,
                                                    6601, 8911, 825265, 321197185};
// OEIS A014233: the least strong pseudoprimes to the first 1, 2, .. prime bases.
const std::vector<std::uint64_t> kStrongPseudoprimes{
    2047,          1373653,       25326001,        3215031751,
    2152302898747, 3474749660383, 341550071728321, 3825123056546413051};
const std::vector<std::uint64_t> kSquaresAndProducts{
    4, 9, 1369, 1681, 1194649, 12327121, 18446744030759878681u, 18446743979220271189u};

/// All primes of a size that are 1 mod 2*degree, in descending order, by trying every number.
std::vector<std::uint64_t> all_primes(unsigned bits, std::uint64_t degree) {
  std::vector<std::uint64_t> primes;
  for (std::uint64_t q = (std::uint64_t{1} << bits) - 1; q > std::uint64_t{1} << (bits - 1); --q) {
    if (q % (2 * degree) == 1 && n_is_prime(q) != 0) primes.push_back(q);
  }
  return primes;
}

TEST(PrimesTest, is_prime_equals_flint_up_to_300000) {
  for (std::uint64_t n = 0; n < 300000; ++n) ASSERT_EQ(is_prime(n), n_is_prime(n) != 0) << n;
}

TEST(PrimesTest, is_prime_equals_flint_on_random_and_on_the_largest_numbers) {
  base::RandomStream random(base::TestSeed(1), "primes");
  int primes = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t n = (random.next() >> random.below(56)) | 1;
    ASSERT_EQ(is_prime(n), n_is_prime(n) != 0) << n;
    primes += is_prime(n) ? 1 : 0;
  }
  EXPECT_GT(primes, 500);
  for (std::uint64_t k = 0; k < 2000; ++k) {
    ASSERT_EQ(is_prime(~k), n_is_prime(~k) != 0) << ~k;
  }
}

TEST(PrimesTest, carmichael_numbers_and_strong_pseudoprimes_are_composite) {
  for (const auto& composites : {kCarmichaelNumbers, kStrongPseudoprimes, kSquaresAndProducts}) {
    for (const std::uint64_t n : composites) {
      EXPECT_FALSE(is_prime(n)) << n;
      EXPECT_EQ(n_is_prime(n), 0) << n;
    }
  }
}

TEST(PrimesTest, known_primes_are_prime) {
  for (const std::uint64_t n :
       {std::uint64_t{2}, std::uint64_t{37}, std::uint64_t{41}, std::uint64_t{65537},
        (std::uint64_t{1} << 31) - 1, (std::uint64_t{1} << 61) - 1, ~std::uint64_t{0} - 58}) {
    EXPECT_TRUE(is_prime(n)) << n;
  }
}

TEST(PrimesTest, generated_primes_are_all_there_are_in_descending_order) {
  for (unsigned bits = 2; bits <= 20; ++bits) {
    for (const std::uint64_t degree : {2u, 16u, 256u, 4096u}) {
      const auto expected = all_primes(bits, degree);
      EXPECT_EQ(generate_primes(bits, degree, expected.size()), expected) << bits << " " << degree;
    }
  }
}

TEST(PrimesTest, large_primes_are_the_next_ones_below_the_power_of_two) {
  for (const unsigned bits : {30u, 45u, 50u, 59u, 60u}) {
    for (const std::uint64_t degree :
         {std::uint64_t{16}, std::uint64_t{65536}, Modulus::kMaxDegree}) {
      const auto primes = generate_primes(bits, degree, 3);
      ASSERT_EQ(primes.size(), 3u);
      std::uint64_t q = std::uint64_t{1} << bits;
      for (const std::uint64_t prime : primes) {
        for (--q; q % (2 * degree) != 1 || n_is_prime(q) == 0;) --q;
        EXPECT_EQ(prime, q);
      }
    }
  }
}

TEST(PrimesTest, excluded_primes_are_skipped) {
  const auto primes = generate_primes(30, 4096, 6);
  const std::vector<std::uint64_t> expected{primes[1], primes[3], primes[4]};
  EXPECT_EQ(generate_primes(30, 4096, 3, std::array{primes[2], primes[0]}), expected);
  EXPECT_TRUE(generate_primes(30, 4096, 0).empty());
}

TEST(PrimesTest, too_many_primes_are_refused_with_the_number_there_are) {
  const auto all = all_primes(17, 4096);
  ASSERT_EQ(all, (std::vector<std::uint64_t>{114689, 65537}));
  EXPECT_EQ(error_of([] { generate_primes(17, 4096, 3); }),
            "out_of_range: count 3 exceeds the 2 primes of 17 bits that are 1 modulo 8192");
  EXPECT_EQ(error_of([&] { generate_primes(17, 4096, 2, std::array<std::uint64_t, 1>{65537}); }),
            "out_of_range: count 2 exceeds the 1 primes of 17 bits that are 1 modulo 8192 "
            "and not excluded");
  EXPECT_EQ(error_of([] { generate_primes(2, 131072, 1); }).substr(0, 34),
            "out_of_range: count 1 exceeds the ");
}

TEST(PrimesTest, where_fewer_will_do_all_there_are_is_found) {
  EXPECT_EQ(find_primes(17, 4096, 3), generate_primes(17, 4096, 2));
  EXPECT_EQ(find_primes(17, 4096, 1), generate_primes(17, 4096, 1));
  EXPECT_EQ(find_primes(17, 4096, 3, std::array<std::uint64_t, 1>{65537}).size(), 1u);
  EXPECT_TRUE(find_primes(2, 131072, 1).empty());
}

TEST(PrimesTest, requests_outside_the_bounds_are_refused) {
  EXPECT_EQ(error_of([] { generate_primes(1, 2, 1); }), "out_of_range: bits 1 is not in [2, 60]");
  EXPECT_EQ(error_of([] { generate_primes(61, 2, 1); }), "out_of_range: bits 61 is not in [2, 60]");
  EXPECT_EQ(error_of([] { generate_primes(30, 24, 1); }),
            "out_of_range: degree 24 is not a power of two in [2, 131072]");
  EXPECT_EQ(error_of([] { generate_primes(30, 1, 1); }),
            "out_of_range: degree 1 is not a power of two in [2, 131072]");
}

TEST(PrimesTest, minimal_root_is_the_first_number_whose_power_is_minus_one) {
  for (const std::uint64_t degree : {2u, 8u, 64u, 1024u}) {
    for (const std::uint64_t q : all_primes(15, degree)) {
      std::uint64_t expected = 2;
      while (n_powmod2(expected, static_cast<slong>(degree), q) != q - 1) ++expected;
      ASSERT_EQ(minimal_primitive_root(q, degree), expected) << q << " " << degree;
    }
  }
}

TEST(PrimesTest, minimal_root_of_large_moduli_is_below_all_its_odd_powers) {
  for (const std::uint64_t degree : {std::uint64_t{4096}, Modulus::kMaxDegree}) {
    for (const unsigned bits : {30u, 60u}) {
      const std::uint64_t q = generate_primes(bits, degree, 1)[0];
      const std::uint64_t psi = minimal_primitive_root(q, degree);
      ASSERT_EQ(n_powmod2(psi, static_cast<slong>(degree), q), q - 1);
      const mpz_class modulus = static_cast<unsigned long>(q);
      mpz_class power = static_cast<unsigned long>(psi);
      const mpz_class square = power * power % modulus;
      for (std::uint64_t i = 1; i < degree; ++i) {
        power = power * square % modulus;
        ASSERT_GT(power, psi);
      }
    }
  }
}

TEST(PrimesTest, primitive_roots_have_exactly_the_order_2n) {
  const std::uint64_t q = 193;
  for (std::uint64_t psi = 0; psi < q; ++psi) {
    std::uint64_t order = 1;
    for (std::uint64_t x = psi; x != 1 && order < q; x = x * psi % q) ++order;
    for (const std::uint64_t degree : {2u, 4u, 8u, 16u, 32u}) {
      EXPECT_EQ(is_primitive_root(psi, q, degree), order == 2 * degree) << psi << " " << degree;
    }
  }
}

TEST(PrimesTest, generated_primes_are_1_modulo_a_factor_too) {
  for (const std::uint64_t factor : {3U, 8U, 60U, 257U}) {
    std::vector<std::uint64_t> expected;
    for (const std::uint64_t q : all_primes(20, 16)) {
      if (q % factor == 1) expected.push_back(q);
    }
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(generate_primes(20, 16, expected.size(), {}, factor), expected) << factor;
    EXPECT_EQ(error_of([&] {
                generate_primes(20, 16, expected.size() + 1, {}, factor);
              }).find("out_of_range: count "),
              0U);
  }
  EXPECT_EQ(error_of([] { generate_primes(20, 16, 1, {}, 0); }),
            "out_of_range: factor 0 is below 1");
  EXPECT_EQ(error_of([] {
              generate_primes(20, 16, 1, {}, ~std::uint64_t{0});
            }).find("out_of_range: count 1 exceeds the 0 primes"),
            0U);
}

}  // namespace
}  // namespace heliodor::ring
