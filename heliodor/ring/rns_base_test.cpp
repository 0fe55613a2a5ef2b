// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/ring/rns_base.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heliodor/ring/internal/oracle.h"

namespace heliodor::ring {
namespace {

using oracle::error_of;

unsigned long word(const Modulus& q) { return static_cast<unsigned long>(q.value()); }

std::vector<RnsBase> bases() {
  std::vector<RnsBase> result;
  for (const unsigned bits : {20u, 30u, 50u, 60u}) {
    for (const std::size_t count : {1u, 2u, 7u})
      result.emplace_back(oracle::moduli(bits, 16, count));
  }
  std::vector<Modulus> mixed{Modulus(97, 16), oracle::moduli(60, 16, 1)[0],
                             oracle::moduli(30, 16, 1)[0]};
  result.emplace_back(mixed);
  return result;
}

TEST(RnsBaseTest, constants_equal_gmp) {
  const Modulus outside(193, 16);
  for (const RnsBase& base : bases()) {
    const mpz_class q = oracle::product({base.moduli().begin(), base.moduli().end()});
    EXPECT_EQ(base.product_mod(outside), oracle::modulo(q, 193));
    EXPECT_EQ(base.product_mod(base[0]), 0u);
    for (std::size_t i = 0; i < base.size(); ++i) {
      const mpz_class cofactor = q / word(base[i]);
      EXPECT_EQ(base.cofactor_mod(i, outside), oracle::modulo(cofactor, 193));
      mpz_class inverse;
      const mpz_class modulus = word(base[i]);
      mpz_invert(inverse.get_mpz_t(), cofactor.get_mpz_t(), modulus.get_mpz_t());
      EXPECT_EQ(base.inverse_cofactor(i), inverse);
      for (std::size_t j = 0; j < base.size(); ++j) {
        EXPECT_EQ(base.cofactor_mod(i, base[j]), oracle::modulo(cofactor, base[j].value()));
      }
    }
  }
}

TEST(RnsBaseTest, residues_recompose_to_their_integer) {
  base::RandomStream random(base::TestSeed(1), "residues");
  for (const RnsBase& base : bases()) {
    const mpz_class q = oracle::product({base.moduli().begin(), base.moduli().end()});
    std::vector<mpz_class> integers{0, 1, q / 2, q - 1};
    for (int i = 0; i < 20; ++i) {
      mpz_class x = 0;
      for (std::size_t k = 0; k <= base.size(); ++k)
        x = (x << 64) + static_cast<unsigned long>(random.next());
      integers.push_back(x % q);
    }
    for (const mpz_class& x : integers) {
      mpz_class sum = 0;
      for (std::size_t i = 0; i < base.size(); ++i) {
        const std::uint64_t residue = oracle::modulo(x, base[i].value());
        sum +=
            oracle::integer(base[i].mul(residue, base.inverse_cofactor(i))) * (q / word(base[i]));
      }
      ASSERT_EQ(sum % q, x);
    }
  }
}

TEST(RnsBaseTest, prefix_keeps_the_first_moduli) {
  const RnsBase base(oracle::moduli(30, 16, 5));
  for (std::size_t count = 1; count <= 5; ++count) {
    const RnsBase prefix = base.prefix(count);
    ASSERT_EQ(prefix.size(), count);
    const RnsBase expected(oracle::moduli(30, 16, count));
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(prefix[i], base[i]);
      EXPECT_EQ(prefix.inverse_cofactor(i), expected.inverse_cofactor(i));
    }
  }
}

TEST(RnsBaseTest, concatenation_keeps_the_order_of_both) {
  const RnsBase q(oracle::moduli(30, 16, 3));
  const RnsBase p(oracle::moduli(50, 16, 2));
  const RnsBase both = q.concatenate(p);
  ASSERT_EQ(both.size(), 5u);
  EXPECT_EQ(both.degree(), 16u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(both[i], i < 3 ? q[i] : p[i - 3]);
  EXPECT_EQ(both.product_mod(Modulus(97, 16)),
            Modulus(97, 16).mul(q.product_mod(Modulus(97, 16)), p.product_mod(Modulus(97, 16))));
}

TEST(RnsBaseTest, log2_equals_that_of_the_product) {
  for (const RnsBase& base : bases()) {
    const mpz_class q = oracle::product({base.moduli().begin(), base.moduli().end()});
    long exponent = 0;
    const double mantissa = mpz_get_d_2exp(&exponent, q.get_mpz_t());
    EXPECT_NEAR(base.log2(), std::log2(mantissa) + static_cast<double>(exponent), 1e-9);
  }
}

TEST(RnsBaseTest, empty_bases_and_prefixes_out_of_range_are_refused) {
  EXPECT_EQ(error_of([] { RnsBase({}); }), "out_of_range: limb_count 0 of an RNS base is below 1");
  const RnsBase base(oracle::moduli(30, 16, 3));
  EXPECT_EQ(error_of([&] { base.prefix(0); }),
            "out_of_range: limb_count 0 of a prefix is not in [1, 3]");
  EXPECT_EQ(error_of([&] { base.prefix(4); }),
            "out_of_range: limb_count 4 of a prefix is not in [1, 3]");
}

TEST(RnsBaseTest, unequal_degrees_and_repeated_moduli_are_refused) {
  EXPECT_EQ(error_of([] {
              RnsBase({Modulus(97, 16), Modulus(193, 32)});
            }),
            "mismatch: modulus 1 has degree 32, modulus 0 has degree 16");
  EXPECT_EQ(error_of([] {
              RnsBase({Modulus(97, 16), Modulus(193, 16), Modulus(97, 16)});
            }),
            "mismatch: moduli 0 and 2 are both 97");
  // Another root does not make another ring.
  const Modulus q(97, 16);
  EXPECT_EQ(error_of([&] {
              RnsBase({q, Modulus(97, 16, q.pow(q.psi(), 3))});
            }),
            "mismatch: moduli 0 and 1 are both 97");
  const RnsBase base({q});
  EXPECT_EQ(error_of([&] { base.concatenate(base); }), "mismatch: moduli 0 and 1 are both 97");
}

}  // namespace
}  // namespace heliodor::ring
