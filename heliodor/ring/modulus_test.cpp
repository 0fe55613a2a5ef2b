// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/ring/modulus.h"

#include <flint/ulong_extras.h>
#include <gtest/gtest.h>

#include <vector>

#include "heliodor/ring/internal/oracle.h"

namespace heliodor::ring {
namespace {

using oracle::error_of;

/// The smallest and the largest prime of a size that is 1 mod 4, searched with FLINT. None has 2
/// bits.
std::vector<std::uint64_t> extreme_primes(unsigned bits) {
  const std::uint64_t low = std::uint64_t{1} << (bits - 1);
  std::vector<std::uint64_t> primes;
  for (std::uint64_t q = low + 1; q < 2 * low && primes.empty(); ++q) {
    if (q % 4 == 1 && n_is_prime(q) != 0) primes.push_back(q);
  }
  for (std::uint64_t q = 2 * low - 1; q > low && primes.size() == 1; --q) {
    if (q % 4 == 1 && n_is_prime(q) != 0) primes.push_back(q);
  }
  return primes;
}

std::vector<Modulus> extreme_moduli() {
  std::vector<Modulus> result;
  for (unsigned bits = 2; bits <= Modulus::kMaxBits; ++bits) {
    for (const std::uint64_t q : extreme_primes(bits)) result.emplace_back(q, 2);
  }
  return result;
}

std::vector<std::uint64_t> corner_residues(const Modulus& q, base::RandomStream& random) {
  std::vector<std::uint64_t> words{
      0, 1, 2, q.value() / 2, q.value() / 2 + 1, q.value() - 2, q.value() - 1};
  for (int i = 0; i < 20; ++i) words.push_back(random.below(q.value()));
  return words;
}

std::uint64_t plain_remainder(Uint128 z, const Modulus& q) {
  return static_cast<std::uint64_t>(z % q.value());
}

TEST(ModulusTest, every_size_from_3_to_60_bits_has_a_modulus) {
  EXPECT_TRUE(extreme_primes(2).empty());
  EXPECT_EQ(extreme_moduli().size(), 2u * 58u);
}

TEST(ModulusTest, bits_is_the_smallest_b_with_q_below_2_to_b) {
  for (const Modulus& q : extreme_moduli()) {
    EXPECT_LT(q.value(), std::uint64_t{1} << q.bits());
    EXPECT_GE(q.value(), std::uint64_t{1} << (q.bits() - 1));
  }
}

TEST(ModulusTest, arithmetic_equals_gmp_on_corners_of_every_size) {
  base::RandomStream random(base::TestSeed(1), "arithmetic");
  for (const Modulus& q : extreme_moduli()) {
    const auto corners = corner_residues(q, random);
    for (const std::uint64_t a : corners) {
      const mpz_class x = static_cast<unsigned long>(a);
      EXPECT_EQ(q.neg(a), oracle::modulo(-x, q.value()));
      for (const std::uint64_t b : corners) {
        const mpz_class y = static_cast<unsigned long>(b);
        ASSERT_EQ(q.add(a, b), oracle::modulo(x + y, q.value()))
            << q.value() << " " << a << " " << b;
        ASSERT_EQ(q.sub(a, b), oracle::modulo(x - y, q.value()))
            << q.value() << " " << a << " " << b;
        ASSERT_EQ(q.mul(a, b), oracle::modulo(x * y, q.value()))
            << q.value() << " " << a << " " << b;
      }
    }
  }
}

TEST(ModulusTest, barrett_constant_is_the_floor_that_its_comment_says) {
  for (const Modulus& q : extreme_moduli()) {
    mpz_class power = 1;
    power <<= 2 * q.bits();
    EXPECT_EQ(oracle::integer(q.barrett()), power / static_cast<unsigned long>(q.value()));
  }
}

TEST(ModulusTest, barrett_reduces_every_number_below_4_to_the_bits_of_small_moduli) {
  for (const Modulus& q : extreme_moduli()) {
    if (q.bits() > 10) continue;
    for (std::uint64_t z = 0; z < std::uint64_t{1} << (2 * q.bits()); ++z) {
      ASSERT_EQ(q.reduce_product(z), z % q.value()) << z << " mod " << q.value();
    }
  }
}

TEST(ModulusTest, barrett_reduces_up_to_the_end_of_its_range_for_every_size) {
  base::RandomStream random(base::TestSeed(2), "barrett");
  for (const Modulus& q : extreme_moduli()) {
    const Uint128 end = Uint128{1} << (2 * q.bits());
    std::vector<Uint128> numbers{0, 1, q.value() - 1, q.value(), q.value() + 1, end - 1, end - 2};
    // Multiples of q and their neighbours are where an estimate of the quotient errs first.
    const Uint128 last = end / q.value() * q.value();
    numbers.insert(numbers.end(),
                   {last - 1, last, last - q.value(), last - q.value() - 1, last / 2});
    for (int i = 0; i < 200; ++i) {
      const Uint128 z = (Uint128{random.next()} << 64 | random.next()) % end;
      const Uint128 multiple = z / q.value() * q.value();
      numbers.insert(numbers.end(), {z, multiple, multiple + q.value() - 1});
    }
    for (const Uint128 z : numbers) {
      if (z >= end) continue;
      ASSERT_EQ(q.reduce_product(z), plain_remainder(z, q)) << q.value();
    }
  }
}

TEST(ModulusTest, reduce_takes_every_64_bit_word) {
  base::RandomStream random(base::TestSeed(3), "reduce");
  for (const Modulus& q : extreme_moduli()) {
    const std::uint64_t last = ~std::uint64_t{0} / q.value() * q.value();
    std::vector<std::uint64_t> words{0, 1, q.value() - 1, q.value(), q.value() + 1, last, last - 1};
    words.insert(words.end(), {~std::uint64_t{0}, ~std::uint64_t{0} - 1, std::uint64_t{1} << 63});
    for (int i = 0; i < 100; ++i) words.push_back(random.next());
    for (const std::uint64_t a : words) {
      ASSERT_EQ(q.reduce(a), a % q.value()) << a << " mod " << q.value();
    }
  }
}

TEST(ModulusTest, shoup_product_is_lazy_and_right_for_every_64_bit_word) {
  base::RandomStream random(base::TestSeed(4), "shoup");
  for (const Modulus& q : extreme_moduli()) {
    auto words = corner_residues(q, random);
    words.insert(words.end(),
                 {q.value(), 2 * q.value(), 4 * q.value() - 1, ~std::uint64_t{0}, random.next()});
    for (const std::uint64_t w : corner_residues(q, random)) {
      const std::uint64_t companion = q.shoup(w);
      EXPECT_EQ(oracle::integer(companion),
                oracle::integer(Uint128{w} << 64) / static_cast<unsigned long>(q.value()));
      for (const std::uint64_t a : words) {
        const std::uint64_t r = q.mul_shoup_lazy(a, w, companion);
        ASSERT_LT(r, 2 * q.value());
        ASSERT_EQ(r % q.value(), plain_remainder(Uint128{a} * w, q))
            << a << "*" << w << " mod " << q.value();
      }
    }
  }
}

TEST(ModulusTest, montgomery_reduction_divides_by_2_to_64_up_to_the_end_of_its_range) {
  base::RandomStream random(base::TestSeed(5), "montgomery");
  for (const Modulus& q : extreme_moduli()) {
    ASSERT_EQ(q.montgomery_inverse() * q.value(), ~std::uint64_t{0});
    const Uint128 end = Uint128{q.value()} << 64;
    std::vector<Uint128> numbers{
        0, 1, q.value(), ~std::uint64_t{0}, Uint128{1} << 64, end - 1, end - q.value()};
    for (int i = 0; i < 100; ++i)
      numbers.push_back((Uint128{random.next()} << 64 | random.next()) % end);
    for (const Uint128 z : numbers) {
      const std::uint64_t r = q.montgomery_reduce(z);
      ASSERT_LT(r, q.value());
      ASSERT_EQ(oracle::modulo(oracle::integer(Uint128{r} << 64), q.value()), plain_remainder(z, q))
          << q.value();
    }
  }
}

TEST(ModulusTest, montgomery_r2_leads_into_montgomery_form_and_reduction_out_of_it) {
  base::RandomStream random(base::TestSeed(6), "montgomery form");
  for (const Modulus& q : extreme_moduli()) {
    for (const std::uint64_t a : corner_residues(q, random)) {
      const std::uint64_t form = q.montgomery_reduce(Uint128{a} * q.montgomery_r2());
      ASSERT_EQ(form, plain_remainder(Uint128{a} << 64, q));
      ASSERT_EQ(q.montgomery_reduce(form), a);
    }
  }
}

TEST(ModulusTest, pow_and_inverse_equal_flint) {
  base::RandomStream random(base::TestSeed(7), "pow");
  for (const Modulus& q : extreme_moduli()) {
    for (const std::uint64_t a : corner_residues(q, random)) {
      for (const std::uint64_t exponent :
           {std::uint64_t{0}, std::uint64_t{1}, q.value() - 1, random.next() >> 1}) {
        ASSERT_EQ(q.pow(a, exponent), n_powmod2(a, static_cast<slong>(exponent), q.value()));
      }
      if (a == 0) continue;
      ASSERT_EQ(q.inverse(a), n_invmod(a, q.value()));
    }
  }
}

TEST(ModulusTest, roots_are_those_of_openfhe) {
  // From the streaming core pynq_butterfly, which takes its tables from OpenFHE.
  EXPECT_EQ(Modulus(1073692673, 4096).psi(), 236231u);
  EXPECT_EQ(Modulus(1073668097, 4096).psi(), 106172u);
  EXPECT_EQ(n_powmod2(236231, 4096, 1073692673), 1073692673u - 1);
  EXPECT_EQ(n_powmod2(106172, 4096, 1073668097), 1073668097u - 1);
}

TEST(ModulusTest, a_root_from_outside_is_kept_and_distinguishes_moduli) {
  const std::uint64_t q = 97;  // psi^16 = -1 has the 16 odd powers of 19 as solutions
  const Modulus smallest(q, 16);
  const std::uint64_t other = n_powmod2(smallest.psi(), 3, q);
  const Modulus given(q, 16, other);
  EXPECT_EQ(given.psi(), other);
  EXPECT_FALSE(given == smallest);
  EXPECT_TRUE(given == Modulus(q, 16, other));
  EXPECT_FALSE(Modulus(97, 8) == smallest);
  EXPECT_FALSE(Modulus(193, 16) == smallest);
}

TEST(ModulusTest, degrees_outside_the_bounds_are_refused) {
  for (const std::uint64_t degree : {0u, 1u, 3u, 12u, 1u << 18}) {
    EXPECT_EQ(
        error_of([&] { Modulus(97, degree); }),
        "out_of_range: degree " + std::to_string(degree) + " is not a power of two in [2, 131072]");
    EXPECT_EQ(error_of([&] { Modulus(97, degree, 8); }).substr(0, 12), "out_of_range");
  }
  EXPECT_EQ(Modulus(generate_primes(60, Modulus::kMaxDegree, 1)[0], Modulus::kMaxDegree).degree(),
            131072u);
}

TEST(ModulusTest, a_modulus_of_61_bits_is_refused) {
  EXPECT_EQ(error_of([] { Modulus(std::uint64_t{1} << 60, 2); }),
            "out_of_range: modulus 1152921504606846976 is not below 2^60");
  EXPECT_EQ(error_of([] { Modulus(~std::uint64_t{0}, 2); }).substr(0, 12), "out_of_range");
}

TEST(ModulusTest, composite_and_unsuitable_primes_are_refused) {
  for (const std::uint64_t q : {0u, 1u, 9u, 561u, 65u}) {
    EXPECT_EQ(error_of([&] { Modulus(q, 2); }),
              "invalid_modulus: modulus " + std::to_string(q) + " is not a prime");
  }
  EXPECT_EQ(error_of([] { Modulus(2, 2); }),
            "invalid_modulus: modulus 2 is 2 modulo 2*degree = 4, not 1");
  EXPECT_EQ(error_of([] { Modulus(97, 32); }),
            "invalid_modulus: modulus 97 is 33 modulo 2*degree = 64, not 1");
}

TEST(ModulusTest, roots_of_another_order_are_refused) {
  const std::uint64_t q = 97;
  int accepted = 0;
  for (std::uint64_t psi = 0; psi < q; ++psi) {
    const bool primitive = n_powmod2(psi, 16, q) == q - 1;
    const std::string error = error_of([&] { Modulus(q, 16, psi); });
    EXPECT_EQ(error, primitive ? "no error"
                               : "invalid_modulus: psi " + std::to_string(psi) +
                                     " is not a primitive root of order 2*degree = 32 modulo 97");
    accepted += primitive ? 1 : 0;
  }
  EXPECT_EQ(accepted, 16);
  EXPECT_NE(error_of([&] { Modulus(q, 16, q + Modulus(q, 16).psi()); }), "no error");
}

}  // namespace
}  // namespace heliodor::ring
