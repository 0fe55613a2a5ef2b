// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The reference instructions that cross moduli, against integers and fractions of GMP: dot_scalar,
// quotient, reduce, and the base conversions they make together.

#include <gtest/gtest.h>

#include "heliodor/ring/internal/oracle.h"
#include "heliodor/ring/reference.h"
#include "heliodor/ring/rns_base.h"

namespace heliodor::ring {
namespace {

using oracle::error_of;
using oracle::Limb;
using oracle::modulo;
using reference::In;

constexpr std::uint64_t kDegree = 16;
constexpr std::size_t kSlots = kDegree;

mpz_class big(std::uint64_t word) { return static_cast<unsigned long>(word); }

std::vector<In> spans(const std::vector<Limb>& limbs) { return {limbs.begin(), limbs.end()}; }

/// Uniform in [0, bound), up to a bias below 2^-64.
mpz_class random_integer(const mpz_class& bound, base::RandomStream& random) {
  mpz_class x = 0;
  for (std::size_t bits = 0; bits < mpz_sizeinbase(bound.get_mpz_t(), 2) + 64; bits += 64) {
    x = (x << 64) + big(random.next());
  }
  return x % bound;
}

/// Bases of 1 to 40 moduli of 20 to 60 bits, one of mixed sizes, and the smallest there are for
/// this degree.
std::vector<std::vector<Modulus>> source_bases() {
  std::vector<std::vector<Modulus>> result;
  for (const unsigned bits : {20u, 30u, 50u, 60u}) {
    for (const std::size_t count : {1u, 2u, 3u, 40u}) {
      result.push_back(oracle::moduli(bits, kDegree, count));
    }
  }
  result.push_back(
      {Modulus(97, kDegree), oracle::moduli(60, kDegree, 1)[0], oracle::moduli(31, kDegree, 1)[0]});
  return result;
}

/// The limbs z_k = [y_i * (Q/q_k)^-1] mod q_k of kSlots integers y_i in [0, Q), so that sum_k z_k /
/// q_k = v + y/Q.
std::vector<Limb> fractions(const std::vector<Modulus>& moduli, const std::vector<mpz_class>& y) {
  const mpz_class q = oracle::product(moduli);
  std::vector<Limb> z;
  for (const Modulus& modulus : moduli) {
    const mpz_class value = big(modulus.value());
    const mpz_class cofactor = q / value;
    mpz_class inverse;
    mpz_invert(inverse.get_mpz_t(), cofactor.get_mpz_t(), value.get_mpz_t());
    Limb limb;
    for (const mpz_class& x : y) limb.push_back(modulo(x * inverse, modulus.value()));
    z.push_back(limb);
  }
  return z;
}

/// Numerator over Q of sum_k x_k / q_k in slot i.
mpz_class numerator(const std::vector<Modulus>& moduli, const std::vector<Limb>& x, std::size_t i) {
  const mpz_class q = oracle::product(moduli);
  mpz_class sum = 0;
  for (std::size_t k = 0; k < moduli.size(); ++k) {
    sum += big(x[k][i]) * mpz_class(q / big(moduli[k].value()));
  }
  return sum;
}

mpz_class power_of_two(unsigned long exponent) { return mpz_class(1) << exponent; }

/// The integers at which quotients of |Q| = K sources stop being exact: `margin` / 2^48 of Q.
mpz_class ceiling_of_margin(const mpz_class& q, std::size_t margin) {
  const mpz_class scale = power_of_two(reference::kQuotientBits);
  return (q * big(margin) + scale - 1) / scale;
}

Limb quotient_of(const std::vector<Modulus>& moduli, const std::vector<Limb>& x,
                 Rounding rounding) {
  Limb result(kSlots);
  reference::quotient(moduli, spans(x), rounding, result);
  return result;
}

std::vector<mpz_class> padded(std::vector<mpz_class> y, const mpz_class& q,
                              base::RandomStream& random) {
  while (y.size() < kSlots) y.push_back(random_integer(q, random));
  return y;
}

TEST(ReferenceConvertTest, quotient_equals_its_formula_in_gmp) {
  base::RandomStream random(base::TestSeed(1), "formula");
  for (const auto& moduli : source_bases()) {
    std::vector<Limb> x;
    for (const Modulus& q : moduli) {
      Limb limb = oracle::random_limb(q, random);
      limb[2] = q.value() / 2;
      limb[3] = q.value() / 2 + 1;
      x.push_back(limb);
    }
    const mpz_class count = big(moduli.size());
    for (std::size_t i = 0; i < kSlots; ++i) {
      mpz_class sum = 0;
      for (std::size_t k = 0; k < moduli.size(); ++k) {
        const std::size_t bits = mpz_sizeinbase(big(moduli[k].value()).get_mpz_t(), 2);
        const mpz_class reciprocal = power_of_two(bits + 48) / big(moduli[k].value());
        sum += big(x[k][i]) * reciprocal / power_of_two(bits);
      }
      const mpz_class floor = (sum + 2 * count) / power_of_two(48);
      const mpz_class nearest = (sum + count + power_of_two(47)) / power_of_two(48);
      ASSERT_EQ(big(quotient_of(moduli, x, Rounding::floor)[i]), floor);
      ASSERT_EQ(big(quotient_of(moduli, x, Rounding::nearest)[i]), nearest);
    }
  }
}

TEST(ReferenceConvertTest, floor_quotient_is_exact_up_to_2k_of_2_to_48_below_the_next_integer) {
  base::RandomStream random(base::TestSeed(2), "floor");
  for (const auto& moduli : source_bases()) {
    const mpz_class q = oracle::product(moduli);
    const mpz_class margin = ceiling_of_margin(q, 2 * moduli.size());
    // Exact integers, their successors, and the last fractions for which the statement promises the
    // floor.
    const mpz_class last = q > margin ? mpz_class(q - margin - 1) : mpz_class(0);
    const auto y = padded({0, 1, q / 2, last, last - (last > 0 ? 1 : 0)}, q, random);
    const auto z = fractions(moduli, y);
    const Limb result = quotient_of(moduli, z, Rounding::floor);
    for (std::size_t i = 0; i < kSlots; ++i) {
      const mpz_class exact = numerator(moduli, z, i) / q;
      if (y[i] <= last) {
        ASSERT_EQ(big(result[i]), exact) << moduli.size() << " sources, slot " << i;
      } else {
        ASSERT_TRUE(big(result[i]) == exact || big(result[i]) == exact + 1);
      }
    }
  }
}

TEST(ReferenceConvertTest, nearest_quotient_is_exact_beyond_k_of_2_to_48_around_one_half) {
  base::RandomStream random(base::TestSeed(3), "nearest");
  for (const auto& moduli : source_bases()) {
    const mpz_class q = oracle::product(moduli);
    const mpz_class margin = ceiling_of_margin(q, moduli.size());
    const mpz_class below = q / 2 - margin - 1;
    const mpz_class above = q / 2 + margin + 1;
    const auto y =
        padded({0, 1, q - 1, below, below - 1, above, above + 1, q / 2, q / 2 + 1}, q, random);
    const auto z = fractions(moduli, y);
    const Limb result = quotient_of(moduli, z, Rounding::nearest);
    for (std::size_t i = 0; i < kSlots; ++i) {
      const mpz_class exact = (2 * numerator(moduli, z, i) + q) / (2 * q);
      if (y[i] <= below || y[i] >= above) {
        ASSERT_EQ(big(result[i]), exact) << moduli.size() << " sources, slot " << i;
      } else {
        ASSERT_LE(abs(big(result[i]) - exact), 1);
      }
    }
  }
}

TEST(ReferenceConvertTest, quotient_errs_upwards_just_below_an_integer) {
  // (Q-1)/Q is nearer to 1 than the fixed-point fraction can tell: the promise ends where its
  // comment says.
  const auto moduli = oracle::moduli(60, kDegree, 3);
  const mpz_class q = oracle::product(moduli);
  const auto z = fractions(moduli, std::vector<mpz_class>(kSlots, q - 1));
  const mpz_class exact = numerator(moduli, z, 0) / q;
  EXPECT_EQ(big(quotient_of(moduli, z, Rounding::floor)[0]), exact + 1);
}

struct WorstTerm {
  Modulus modulus;
  std::uint64_t below;  // x = q - below
  mpq_class shortfall;  // of floor(x * r / 2^60) from 2^48 * x/q
};

/// The term that is shortest among those just below each of 64 moduli of 60 bits.
WorstTerm worst_term() {
  WorstTerm worst{Modulus(97, kDegree), 0, 0};
  for (const Modulus& q : oracle::moduli(60, kDegree, 64)) {
    const mpz_class reciprocal = power_of_two(60 + 48) / big(q.value());
    for (std::uint64_t below = 1; below < 1024; ++below) {
      const mpz_class x = big(q.value() - below);
      mpq_class exact(x * power_of_two(48), big(q.value()));
      exact.canonicalize();
      const mpq_class shortfall = exact - mpz_class(x * reciprocal / power_of_two(60));
      if (shortfall > worst.shortfall) worst = {q, below, shortfall};
    }
  }
  return worst;
}

TEST(ReferenceConvertTest, quotient_is_exact_when_all_1024_terms_are_short_by_nearly_2) {
  const WorstTerm worst = worst_term();
  ASSERT_GT(worst.shortfall, mpq_class(19, 10));
  ASSERT_LT(worst.shortfall, 2);
  const std::uint64_t q = worst.modulus.value();
  const std::uint64_t margin = ceiling_of_margin(big(q), 1024).get_ui();

  const std::vector<Modulus> moduli(1024, worst.modulus);
  std::vector<Limb> x(1024, Limb(kSlots, q - worst.below));
  x.back() = Limb(kSlots, 1023 * worst.below);  // the sum is 1023 exactly
  EXPECT_EQ(quotient_of(moduli, x, Rounding::floor)[0], 1023u);
  x.back() = Limb(kSlots, 1023 * worst.below + q / 2 + margin + 1);
  EXPECT_EQ(quotient_of(moduli, x, Rounding::nearest)[0], 1024u);
}

TEST(ReferenceConvertTest, quotient_is_exact_when_no_term_is_short) {
  const Modulus modulus = oracle::moduli(60, kDegree, 1)[0];
  const std::uint64_t q = modulus.value();
  const std::vector<Modulus> moduli(1024, modulus);
  std::vector<Limb> x(1024, Limb(kSlots, 0));
  x.back() = Limb(kSlots, q - 1 - ceiling_of_margin(big(q), 2 * 1024).get_ui());
  EXPECT_EQ(quotient_of(moduli, x, Rounding::floor)[0], 0u);
  x.back() = Limb(kSlots, q / 2 - 1 - ceiling_of_margin(big(q), 1024).get_ui());
  EXPECT_EQ(quotient_of(moduli, x, Rounding::nearest)[0], 0u);
}

TEST(ReferenceConvertTest, quotient_of_the_largest_sums_stays_at_most_k) {
  const std::vector<Modulus> moduli(reference::kMaxQuotientSources,
                                    oracle::moduli(60, kDegree, 1)[0]);
  const std::vector<Limb> largest(moduli.size(), Limb(kSlots, moduli[0].value() - 1));
  const std::vector<Limb> zero(moduli.size(), Limb(kSlots, 0));
  for (const Rounding rounding : {Rounding::floor, Rounding::nearest}) {
    EXPECT_EQ(quotient_of(moduli, largest, rounding), Limb(kSlots, 1024));
    EXPECT_EQ(quotient_of(moduli, zero, rounding), Limb(kSlots, 0));
  }
}

TEST(ReferenceConvertTest, dot_scalar_equals_gmp_for_sources_above_and_below_the_modulus) {
  base::RandomStream random(base::TestSeed(5), "dot_scalar");
  std::vector<Modulus> targets{Modulus(193, kDegree), oracle::moduli(30, kDegree, 50)[49],
                               oracle::moduli(60, kDegree, 50)[49]};
  for (const auto& sources : source_bases()) {
    for (const Modulus& q : targets) {
      std::vector<Limb> x;
      Limb c;
      for (const Modulus& source : sources) {
        x.push_back(oracle::random_limb(source, random));
        c.push_back(c.empty() ? q.value() - 1 : random.below(q.value()));
      }
      Limb result(kSlots);
      reference::dot_scalar(q, sources, spans(x), c, result);
      for (std::size_t i = 0; i < kSlots; ++i) {
        mpz_class sum = 0;
        for (std::size_t k = 0; k < x.size(); ++k) sum += big(x[k][i]) * big(c[k]);
        ASSERT_EQ(result[i], modulo(sum, q.value()));
      }
    }
  }
}

TEST(ReferenceConvertTest, reduce_reads_plain_and_centred_integers) {
  base::RandomStream random(base::TestSeed(6), "reduce");
  const std::vector<Modulus> moduli{
      Modulus(97, kDegree), Modulus(193, kDegree), oracle::moduli(30, kDegree, 1)[0],
      oracle::moduli(59, kDegree, 1)[0], oracle::moduli(60, kDegree, 1)[0]};
  for (const Modulus& source : moduli) {
    for (const Modulus& q : moduli) {
      Limb x = oracle::random_limb(source, random);
      x[2] = source.value() / 2;
      x[3] = source.value() / 2 + 1;
      x[4] = std::min(q.value(), source.value()) - 1;
      Limb plain(kSlots);
      Limb centred(kSlots);
      reference::reduce(source, q, Lift::plain, x, plain);
      reference::reduce(source, q, Lift::centred, x, centred);
      for (std::size_t i = 0; i < kSlots; ++i) {
        const mpz_class integer = big(x[i]);
        ASSERT_EQ(plain[i], modulo(integer, q.value()));
        const mpz_class lifted =
            2 * integer > big(source.value()) ? mpz_class(integer - big(source.value())) : integer;
        ASSERT_EQ(centred[i], modulo(lifted, q.value())) << x[i] << " of " << source.value();
      }
    }
  }
}

/// Converts integers y in [0, Q) from base `from` to modulus p with the instructions alone.
struct Conversion {
  Limb fast;   // y + u*Q
  Limb exact;  // fast minus the quotient times Q
  Limb quotient;
};

Conversion convert(const RnsBase& from, const Modulus& p, const std::vector<mpz_class>& y,
                   Rounding rounding) {
  std::vector<Limb> z;
  Limb cofactors;
  for (std::size_t k = 0; k < from.size(); ++k) {
    Limb residues;
    for (const mpz_class& integer : y) residues.push_back(modulo(integer, from[k].value()));
    z.emplace_back(kSlots);
    reference::mul_scalar(from[k], residues, from.inverse_cofactor(k), z.back());
    cofactors.push_back(from.cofactor_mod(k, p));
  }
  Conversion result{Limb(kSlots), Limb(kSlots), Limb(kSlots)};
  reference::dot_scalar(p, from.moduli(), spans(z), cofactors, result.fast);
  reference::quotient(from.moduli(), spans(z), rounding, result.quotient);
  Limb multiple(kSlots);
  reference::mul_scalar(p, result.quotient, from.product_mod(p), multiple);
  reference::sub(p, result.fast, multiple, result.exact);
  return result;
}

TEST(ReferenceConvertTest, base_conversion_recovers_integers_and_centred_integers) {
  base::RandomStream random(base::TestSeed(7), "conversion");
  for (const unsigned bits : {30u, 50u, 60u}) {
    for (const std::size_t count : {1u, 2u, 8u}) {
      const RnsBase from(oracle::moduli(bits, kDegree, count));
      const mpz_class q = oracle::product({from.moduli().begin(), from.moduli().end()});
      const mpz_class margin = ceiling_of_margin(q, 2 * count);
      const auto y =
          padded({0, 1, q / 2 - margin, q / 2 + margin + 1, q - margin - 1, q / 3}, q, random);
      for (const Modulus& p : {Modulus(193, kDegree), oracle::moduli(59, kDegree, 1)[0],
                               oracle::moduli(31, kDegree, 1)[0]}) {
        const Conversion floor = convert(from, p, y, Rounding::floor);
        const Conversion nearest = convert(from, p, y, Rounding::nearest);
        for (std::size_t i = 0; i < kSlots; ++i) {
          ASSERT_EQ(floor.exact[i], modulo(y[i], p.value()));
          ASSERT_LT(floor.quotient[i], count);
          ASSERT_EQ(floor.fast[i], modulo(y[i] + big(floor.quotient[i]) * q, p.value()));
          const mpz_class centred = 2 * y[i] > q ? mpz_class(y[i] - q) : y[i];
          ASSERT_EQ(nearest.exact[i], modulo(centred, p.value()));
        }
      }
    }
  }
}

TEST(ReferenceConvertTest, operands_that_do_not_fit_are_refused) {
  const std::vector<Modulus> two = oracle::moduli(30, kDegree, 2);
  const std::vector<Limb> x(2, Limb(kSlots));
  const std::vector<Limb> one(1, Limb(kSlots));
  const std::vector<Limb> shorter(2, Limb(kSlots - 1));
  Limb result(kSlots);
  Limb longer(kSlots + 1);
  const auto dot = [&](const std::vector<Limb>& limbs, const Limb& c) {
    return error_of([&] { reference::dot_scalar(two[0], two, spans(limbs), c, result); });
  };
  EXPECT_EQ(dot(one, {1}), "mismatch: x has size 1, not 2");
  EXPECT_EQ(dot(x, {1}), "mismatch: c has size 1, not 2");
  EXPECT_EQ(dot(shorter, {1, 1}), "mismatch: x has size 15, not 16");
  EXPECT_EQ(dot({}, {}), "out_of_range: x has size 0, below 1");
  const auto quotient = [&](const std::vector<Modulus>& sources, const std::vector<Limb>& limbs,
                            Limb& out) {
    return error_of([&] { reference::quotient(sources, spans(limbs), Rounding::floor, out); });
  };
  EXPECT_EQ(quotient({}, {}, result), "out_of_range: quotient of 0 sources is not in [1, 1024]");
  EXPECT_EQ(quotient(std::vector<Modulus>(1025, two[0]), {}, result),
            "out_of_range: quotient of 1025 sources is not in [1, 1024]");
  EXPECT_EQ(quotient(two, one, result), "mismatch: x has size 1, not 2");
  EXPECT_EQ(quotient(two, x, longer), "mismatch: result has size 17, not 16");
  EXPECT_EQ(error_of([&] { reference::reduce(two[0], two[1], Lift::plain, shorter[0], result); }),
            "mismatch: x has size 15, not 16");
  EXPECT_EQ(error_of([&] { reference::reduce(two[0], two[1], Lift::plain, x[0], longer); }),
            "mismatch: result has size 17, not 16");
}

TEST(ReferenceConvertTest, words_not_below_their_source_are_refused_in_checked_builds) {
#ifndef HELIODOR_CHECKED
  GTEST_SKIP() << "range checks are off in this build";
#endif
  const std::vector<Modulus> two{Modulus(193, kDegree), Modulus(97, kDegree)};
  const std::vector<Limb> good{Limb(kSlots, 192), Limb(kSlots, 96)};
  const std::vector<Limb> bad{Limb(kSlots, 0), Limb(kSlots, 97)};
  Limb result(kSlots);
  const auto code = [](const auto& f) { return error_of(f).substr(0, 15); };
  EXPECT_EQ(code([&] {
              reference::dot_scalar(two[1], two, spans(good), Limb{1, 1}, result);
            }),
            "no error");
  EXPECT_EQ(code([&] {
              reference::dot_scalar(two[1], two, spans(bad), Limb{1, 1}, result);
            }),
            "range_violation");
  EXPECT_EQ(code([&] {
              reference::dot_scalar(two[1], two, spans(good), Limb{1, 97}, result);
            }),
            "range_violation");
  EXPECT_EQ(code([&] { reference::quotient(two, spans(bad), Rounding::floor, result); }),
            "range_violation");
  EXPECT_EQ(code([&] { reference::reduce(two[1], two[0], Lift::plain, bad[1], result); }),
            "range_violation");
}

}  // namespace
}  // namespace heliodor::ring
