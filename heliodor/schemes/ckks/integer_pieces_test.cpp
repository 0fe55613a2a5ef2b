// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/schemes/ckks/integer_pieces.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "heliodor/ring/primes.h"
#include "heliodor/schemes/ckks/internal/testing.h"

namespace heliodor::ckks {
namespace {

using testing::error_of;

constexpr std::uint64_t kDegree = 16;

std::vector<ring::Modulus> moduli_of(std::initializer_list<unsigned> sizes) {
  std::vector<ring::Modulus> moduli;
  std::vector<std::uint64_t> used;
  for (const unsigned bits : sizes) {
    used.push_back(ring::generate_primes(bits, kDegree, 1, used)[0]);
    moduli.emplace_back(used.back(), kDegree);
  }
  return moduli;
}

// The integer nearest to x, as GMP converts it.
mpz_class nearest(double x) {
  const double floor = std::floor(x);
  const double rest = x - floor;  // exact
  mpz_class result(floor);
  if (rest > 0.5 || (rest == 0.5 && mpz_odd_p(result.get_mpz_t()))) result += 1;
  return result;
}

std::uint64_t residue(const mpz_class& x, const ring::Modulus& q) {
  mpz_class r;
  mpz_fdiv_r_ui(r.get_mpz_t(), x.get_mpz_t(), q.value());
  return r.get_ui();
}

void expect_residues(const std::vector<double>& reals) {
  const IntegerPieces integers(reals);
  for (const ring::Modulus& q : moduli_of({20, 30, 47, 48, 51, 60})) {
    std::vector<std::uint64_t> out(reals.size());
    integers.to_residues(q, out, 1);
    for (std::size_t k = 0; k < reals.size(); ++k)
      ASSERT_EQ(out[k], residue(nearest(reals[k]), q)) << reals[k] << " modulo " << q.value();
  }
}

TEST(IntegerPiecesTest, edges_round_to_the_nearest_integer) {
  std::vector<double> reals{0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994};
  for (const int e : {49, 50, 51, 52, 53, 99, 100, 101, 150, 200, 998}) {
    for (const double x : {std::ldexp(1.0, e), std::nextafter(std::ldexp(1.0, e), 0.0),
                           std::nextafter(std::ldexp(1.0, e), HUGE_VAL), std::ldexp(1.5, e)}) {
      reals.push_back(x);
      reals.push_back(-x);
      expect_residues({x, -x, 0.5});  // with the fewest pieces that hold them
    }
  }
  expect_residues(reals);
}

TEST(IntegerPiecesTest, random_reals_of_all_magnitudes_have_exact_residues) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  for (const int largest : {1, 40, 50, 60, 90, 130, 1000}) {
    std::uniform_int_distribution<int> exponent(-2, largest);
    std::vector<double> reals(200);
    for (double& x : reals) x = std::ldexp(mantissa(random), exponent(random));
    expect_residues(reals);
  }
}

TEST(IntegerPiecesTest, a_stride_leaves_the_words_between) {
  const std::vector<double> reals{1, -1, 2};
  const ring::Modulus q = moduli_of({30})[0];
  std::vector<std::uint64_t> out(12, 7);
  IntegerPieces(reals).to_residues(q, out, 4);
  EXPECT_EQ(out, (std::vector<std::uint64_t>{1, 7, 7, 7, q.value() - 1, 7, 7, 7, 2, 7, 7, 7}));
}

TEST(IntegerPiecesTest, what_is_not_finite_or_huge_is_refused) {
  for (const double x : {HUGE_VAL, -HUGE_VAL, std::nan(""), 0x1p1000, -0x1p1000}) {
    const std::vector<double> reals{1, x, 2};
    EXPECT_EQ(error_of([&] { IntegerPieces{reals}; }), ErrorCode::out_of_range);
  }
}

// Centred mixed radix digits of v, by division.
void set_digits(rlwe::LimbMatrix& digits, std::size_t k, mpz_class v,
                std::span<const ring::Modulus> moduli) {
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    const std::uint64_t d = residue(v, moduli[i]);
    digits.limb(0, i)[k] = d;
    v -= mpz_class(std::to_string(d));
    if (d > moduli[i].value() / 2) v += mpz_class(std::to_string(moduli[i].value()));
    v /= mpz_class(std::to_string(moduli[i].value()));
  }
}

TEST(FromDigitsTest, integers_of_all_magnitudes_come_back_within_the_stated_error) {
  gmp_randclass random(gmp_randinit_default);
  random.seed(3);
  const auto moduli = moduli_of({60, 20, 47, 47, 33, 60});
  for (unsigned bits = 1; bits < 250; ++bits) {
    rlwe::LimbMatrix digits(1, moduli.size(), kDegree);
    std::vector<mpz_class> given;
    for (std::size_t k = 0; k < kDegree; ++k) {
      mpz_class v = random.get_z_bits(bits);
      // Just below and above a product of moduli, where digits cancel most.
      if (k % 4 == 1) v = mpz_class(std::to_string(moduli[0].value())) - v % 1000;
      if (k == 2) v = mpz_class(std::to_string(moduli[0].value() / 2));  // the largest digit
      if (k == 4) v = -mpz_class(std::to_string(moduli[0].value() / 2));
      if (k % 2 == 1) v = -v;
      given.push_back(v);
      set_digits(digits, k, v, moduli);
    }
    std::vector<double> out(kDegree);
    from_digits(digits, moduli, out, 1);
    for (std::size_t k = 0; k < kDegree; ++k) {
      if (abs(given[k]) < (mpz_class(1) << 53)) {
        EXPECT_EQ(out[k], given[k].get_d());
      } else {
        const mpq_class relative = mpq_class(out[k]) / given[k] - 1;
        EXPECT_LE(std::abs(relative.get_d()), 4 * static_cast<double>(moduli.size() + 1) * 0x1p-53);
      }
    }
  }
}

TEST(FromDigitsTest, a_stride_skips_coefficients) {
  const auto moduli = moduli_of({30});
  rlwe::LimbMatrix digits(1, 1, kDegree);
  for (std::size_t k = 0; k < kDegree; ++k) digits.limb(0, 0)[k] = k;
  std::vector<double> out(4);
  from_digits(digits, moduli, out, 4);
  EXPECT_EQ(out, (std::vector<double>{0, 4, 8, 12}));
}

}  // namespace
}  // namespace heliodor::ckks
