// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pointwise kernels, permutations and uniform limbs of every supported table against
// ring/reference. Sums of products are in dot_kernels_test.cpp, kernels that cross moduli in
// convert_kernels_test.cpp.
#include <gtest/gtest.h>

#include "heliodor/ring/automorphism.h"
#include "heliodor/ring/reference.h"
#include "heliodor/targets/cpu/internal/kernel_inputs.h"
#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cpu {
namespace {

namespace reference = ring::reference;

using internal::describe;
using internal::equals;
using internal::Limb;
using internal::Result;
using ring::Modulus;

constexpr std::uint64_t kDegrees[] = {2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096};

/// Calls body(table, q, random) for both ends of every size of moduli at every degree.
template <typename Body>
void for_all_tables_and_moduli(Body body) {
  base::RandomStream random(base::TestSeed(1), "kernels test");
  for (const std::uint64_t degree : kDegrees) {
    for (const Modulus& q : internal::moduli_of_all_sizes(degree)) {
      for (const KernelTable* table : supported_kernel_tables()) body(*table, q, random);
    }
  }
}

template <typename Kernel>
void expect_binary(const std::string& where, const Modulus& q, Kernel kernel, const Limb& a,
                   const Limb& b, const Limb& expected) {
  const std::size_t n = q.degree();
  Result apart(n), over_a(a), over_b(b);
  kernel(q, a.data(), b.data(), apart.data(), n);
  EXPECT_TRUE(equals(apart, expected)) << where;
  kernel(q, over_a.data(), b.data(), over_a.data(), n);
  EXPECT_TRUE(equals(over_a, expected)) << where << ", result over a";
  kernel(q, a.data(), over_b.data(), over_b.data(), n);
  EXPECT_TRUE(equals(over_b, expected)) << where << ", result over b";
}

template <typename Kernel>
void expect_unary(const std::string& where, const Modulus& q, Kernel kernel, const Limb& a,
                  const Limb& expected) {
  const std::size_t n = q.degree();
  Result apart(n), over_a(a);
  kernel(a.data(), apart.data(), n);
  EXPECT_TRUE(equals(apart, expected)) << where;
  kernel(over_a.data(), over_a.data(), n);
  EXPECT_TRUE(equals(over_a, expected)) << where << ", result over a";
}

/// Pairs of limbs: each extreme limb with itself, with the next one and with a random one.
template <typename Body>
void for_pairs(const Modulus& q, base::RandomStream& random, Body body) {
  const std::vector<Limb> limbs = internal::extreme_limbs(random, q.value(), q.degree());
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    body(limbs[i], limbs[i]);
    body(limbs[i], limbs[(i + 1) % limbs.size()]);
    body(limbs[i], internal::random_limb(random, q.value(), q.degree()));
  }
}

/// Word by word the factor of `a` whose product has the residue q - 1, q - 2, ..: where the
/// truncation errors of Barrett and Shoup quotients are largest.
Limb factors_to_the_top(const Modulus& q, const Limb& a) {
  Limb b(a.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != 0) b[i] = q.mul(q.value() - 1 - i % 4, q.inverse(a[i]));
  }
  return b;
}

TEST(KernelsTest, add_equals_the_reference) {
  for_all_tables_and_moduli([](const KernelTable& table, const Modulus& q, auto& random) {
    for_pairs(q, random, [&](const Limb& a, const Limb& b) {
      Limb expected(q.degree());
      reference::add(q, a, b, expected);
      expect_binary(describe(table, q), q, table.add, a, b, expected);
    });
  });
}

TEST(KernelsTest, sub_equals_the_reference) {
  for_all_tables_and_moduli([](const KernelTable& table, const Modulus& q, auto& random) {
    for_pairs(q, random, [&](const Limb& a, const Limb& b) {
      Limb expected(q.degree());
      reference::sub(q, a, b, expected);
      expect_binary(describe(table, q), q, table.sub, a, b, expected);
    });
  });
}

TEST(KernelsTest, neg_equals_the_reference) {
  for_all_tables_and_moduli([](const KernelTable& table, const Modulus& q, auto& random) {
    for (const Limb& a : internal::extreme_limbs(random, q.value(), q.degree())) {
      Limb expected(q.degree());
      reference::neg(q, a, expected);
      expect_unary(
          describe(table, q), q,
          [&](const Word* in, Word* out, std::size_t n) { table.neg(q, in, out, n); }, a, expected);
    }
  });
}

TEST(KernelsTest, mul_equals_the_reference) {
  for_all_tables_and_moduli([](const KernelTable& table, const Modulus& q, auto& random) {
    for_pairs(q, random, [&](const Limb& a, const Limb& b) {
      Limb expected(q.degree());
      reference::mul(q, a, b, expected);
      expect_binary(describe(table, q), q, table.mul, a, b, expected);
    });
  });
}

// Residues next to q - 1, for factors of all sizes and for the largest.
TEST(KernelsTest, mul_is_right_next_to_multiples_of_the_modulus) {
  base::RandomStream random(base::TestSeed(2), "kernels test");
  for (const Modulus& q : internal::moduli_of_all_sizes(1024)) {
    for (const Word bottom : {Word{1}, q.value() - q.value() / 64}) {
      Limb a = internal::random_limb(random, q.value() - bottom, q.degree());
      for (Word& word : a) word += bottom;
      const Limb b = factors_to_the_top(q, a);
      for (const KernelTable* table : supported_kernel_tables()) {
        Limb expected(q.degree());
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = q.value() - 1 - i % 4;
        expect_binary(describe(*table, q), q, table->mul, a, b, expected);
      }
    }
  }
}

// Before its corrections the 52-bit kernel's remainder reaches 2q only for the largest products of
// primes just above 2^49 with a reciprocal 2^101/q whose fraction is nearly one. With d = q - 2^49
// that fraction is about d^2/2^46.
TEST(KernelsTest, mul_is_right_where_the_estimate_is_two_short) {
  constexpr std::size_t kDegree = 4096;
  base::RandomStream random(base::TestSeed(11), "kernels test");
  Word q_value = (Word{1} << 49) + (Word{1} << 23) - (Word{1} << 16) + 1;
  while (!ring::is_prime(q_value)) q_value -= 2 * kDegree;
  const Modulus q(q_value, kDegree);
  for (int repeat = 0; repeat < 4; ++repeat) {
    Limb a(kDegree), b(kDegree), expected(kDegree);
    for (Word& word : a) word = q_value - 1 - random.below(q_value / 64);
    for (Word& word : b) word = q_value - 1 - random.below(q_value / 64);
    reference::mul(q, a, b, expected);
    for (const KernelTable* table : supported_kernel_tables()) {
      expect_binary(describe(*table, q), q, table->mul, a, b, expected);
    }
  }
}

TEST(KernelsTest, scalars_are_added_and_multiplied_as_in_the_reference) {
  for_all_tables_and_moduli([](const KernelTable& table, const Modulus& q, auto& random) {
    const Word top = q.value() - 1;
    for (const Word c : {top, random.below(q.value()), Word{0}, Word{1}, q.value() / 2}) {
      if (q.degree() > 64 && c != top) continue;
      std::vector<Limb> limbs = internal::extreme_limbs(random, q.value(), q.degree());
      limbs.push_back(factors_to_the_top(q, Limb(q.degree(), c)));
      for (const Limb& a : limbs) {
        const std::string where = describe(table, q) + ", scalar " + std::to_string(c);
        Limb sum(q.degree()), product(q.degree());
        reference::add_scalar(q, a, c, sum);
        reference::mul_scalar(q, a, c, product);
        const auto add = [&](const Word* in, Word* out, std::size_t n) {
          table.add_scalar(q, in, c, out, n);
        };
        const auto mul = [&](const Word* in, Word* out, std::size_t n) {
          table.mul_scalar(q, in, KernelScalar(q, c), out, n);
        };
        expect_unary(where, q, add, a, sum);
        expect_unary(where, q, mul, a, product);
      }
    }
  });
}

TEST(KernelsTest, differences_are_multiplied_as_in_the_reference) {
  for_all_tables_and_moduli([](const KernelTable& table, const Modulus& q, auto& random) {
    for (const Word c : {q.value() - 1, random.below(q.value()), Word{0}}) {
      const KernelScalar scalar(q, c);
      for_pairs(q, random, [&](const Limb& a, const Limb& b) {
        Limb difference(q.degree()), expected(q.degree());
        reference::sub(q, a, b, difference);
        reference::mul_scalar(q, difference, c, expected);
        const auto kernel = [&](const KernelModulus& modulus, const Word* x, const Word* y,
                                Word* out, std::size_t n) {
          table.sub_mul_scalar(modulus, x, y, scalar, out, n);
        };
        expect_binary(describe(table, q) + ", scalar " + std::to_string(c), q, kernel, a, b,
                      expected);
      });
    }
  });
}

// Every length has its own number of whole vectors and its own tail; parts of limbs have any
// length.
TEST(KernelsTest, pointwise_kernels_take_parts_of_a_limb_of_any_length) {
  base::RandomStream random(base::TestSeed(12), "kernels test");
  for (const unsigned bits : {30u, 46u, 50u, 60u}) {
    const Modulus q = internal::ends_of_size(bits, 64).back();
    const Word c = random.below(q.value());
    const KernelScalar scalar(q, c);
    for (std::size_t n = 1; n <= 40; ++n) {
      const Limb a = internal::spiked_limb(random, q.value(), n);
      const Limb b = internal::spiked_limb(random, q.value(), n);
      std::vector<Limb> expected(8, Limb(n));
      for (std::size_t i = 0; i < n; ++i) {
        expected[0][i] = q.add(a[i], b[i]);
        expected[1][i] = q.sub(a[i], b[i]);
        expected[2][i] = q.neg(a[i]);
        expected[3][i] = q.mul(a[i], b[i]);
        expected[4][i] = q.add(a[i], c);
        expected[5][i] = q.mul(a[i], c);
        expected[6][i] = a[i];
        expected[7][i] = q.mul(q.sub(a[i], b[i]), c);
      }
      for (const KernelTable* table : supported_kernel_tables()) {
        std::vector<Result> results(8, Result(n));
        table->add(q, a.data(), b.data(), results[0].data(), n);
        table->sub(q, a.data(), b.data(), results[1].data(), n);
        table->neg(q, a.data(), results[2].data(), n);
        table->mul(q, a.data(), b.data(), results[3].data(), n);
        table->add_scalar(q, a.data(), c, results[4].data(), n);
        table->mul_scalar(q, a.data(), scalar, results[5].data(), n);
        table->reduce(q, q, ring::Lift::centred, a.data(), results[6].data(), n);
        table->sub_mul_scalar(q, a.data(), b.data(), scalar, results[7].data(), n);
        for (std::size_t k = 0; k < results.size(); ++k) {
          EXPECT_TRUE(equals(results[k], expected[k]))
              << describe(*table, q) << ", kernel " << k << ", " << n << " words";
        }
      }
    }
  }
}

TEST(KernelsTest, permutations_equal_the_reference_in_both_domains) {
  for_all_tables_and_moduli([](const KernelTable& table, const Modulus& q, auto& random) {
    const std::size_t n = q.degree();
    const Limb a = internal::spiked_limb(random, q.value(), n);
    for (const std::uint64_t g :
         {std::uint64_t{1}, 3 % (2 * n), 5 % (2 * n), 2 * n - 1, 2 * random.below(n) + 1}) {
      const std::string where = describe(table, q) + ", galois element " + std::to_string(g);
      Limb expected(n);
      Result coeff(n), eval(n);
      reference::permute(q, g, ring::Domain::coeff, a, expected);
      table.permute_coeff(q, g, a.data(), coeff.data(), n);
      EXPECT_TRUE(equals(coeff, expected)) << where;
      reference::permute(q, g, ring::Domain::eval, a, expected);
      table.permute_eval(ring::automorphism_eval_sources(g, n).data(), a.data(), eval.data(), n);
      EXPECT_TRUE(equals(eval, expected)) << where;
    }
  });
}

TEST(KernelsTest, uniform_limbs_equal_the_reference) {
  for_all_tables_and_moduli([](const KernelTable& table, const Modulus& q, auto& random) {
    const base::PublicSeed seed = random.public_seed();
    for (const std::uint64_t stream : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      Limb expected(q.degree());
      Result result(q.degree());
      reference::uniform(q, seed, stream, expected);
      table.uniform(q, seed, stream, result.data(), q.degree());
      EXPECT_TRUE(equals(result, expected)) << describe(table, q) << ", stream " << stream;
    }
  });
}

}  // namespace
}  // namespace heliodor::cpu
