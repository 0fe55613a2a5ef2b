// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The canonical norm of what keys and operations add, measured for many keys, against the bounds of
// rlwe/noise_growth.h at a degree where those of sampled polynomials are below the worst case.
// Coefficients alone, as other tests measure them, are some sqrt(N) below their norm.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "heliodor/rlwe/encryption.h"
#include "heliodor/rlwe/evaluator.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/rlwe/noise_growth.h"
#include "tests/exact/oracle.h"

namespace heliodor::exact {
namespace {

constexpr std::uint64_t kDegree = 1024;
constexpr std::size_t kLimbs = 3;
constexpr double kTau = 257;
constexpr std::uint64_t kKeys = 40;

using Reals = std::vector<double>;

double canonical_norm(const Reals& a) {
  std::vector<std::complex<double>> powers(2 * kDegree);
  for (std::size_t k = 0; k < powers.size(); ++k)
    powers[k] = std::polar(1.0, M_PI * static_cast<double>(k) / kDegree);
  double norm = 0;
  for (std::size_t odd = 1; odd < kDegree; odd += 2) {  // one of each conjugate pair
    std::complex<double> sum = 0;
    for (std::size_t k = 0; k < kDegree; ++k) sum += a[k] * powers[odd * k % powers.size()];
    norm = std::max(norm, std::abs(sum));
  }
  return norm;
}

Reals difference(const Integers& a, const Integers& b) {
  Reals result;
  for (std::size_t k = 0; k < a.size(); ++k) result.push_back(mpz_class(a[k] - b[k]).get_d());
  return result;
}

/// The largest of many norms: below the bound, and not so far below that the bound is another's.
struct Largest {
  double norm = 0;

  void include(const Reals& a) { norm = std::max(norm, canonical_norm(a)); }
  void expect_below(rlwe::NoiseBound bound, double least_share) const {
    EXPECT_LE(std::log2(norm), bound.log2());
    EXPECT_GE(std::log2(norm), bound.log2() + std::log2(least_share));
  }
};

class NoiseNormsTest : public testing::TestWithParam<rlwe::Gadget> {
 protected:
  static rlwe::Parameters::Description description() {
    rlwe::Parameters::Description d;
    const auto all = moduli(40, kDegree, kLimbs + 2);
    d.p.assign(all.begin(), all.begin() + 2);
    d.q.assign(all.begin() + 2, all.end());
    d.gadgets = {GetParam()};
    d.error_scale = static_cast<std::uint64_t>(kTau);
    return d;
  }
};

TEST_P(NoiseNormsTest, of_many_keys_stay_below_their_bounds) {
  const rlwe::ContextPtr shared = context(description());
  const rlwe::Parameters& parameters = shared->parameters();
  Largest secret, with_secret, with_public, switched, rounded;
  for (std::uint64_t seed = 1; seed <= kKeys; ++seed) {
    rlwe::KeyGenerator generator(shared, base::TestSeed(seed));
    const rlwe::SecretKey s = generator.secret_key();
    secret.include(Reals(s.coefficients().begin(), s.coefficients().end()));

    const rlwe::Decryptor decryptor(shared, s);
    const auto phase = [&](const rlwe::Ciphertext& c) {
      const rlwe::LimbMatrix limbs = decryptor.phase(c);
      std::vector<Limb> rows;
      for (std::size_t i = 0; i < limbs.limb_count(); ++i)
        rows.emplace_back(limbs.limb(0, i).begin(), limbs.limb(0, i).end());
      return centred_integers(parameters.q().moduli().first(c.limb_count()), rows);
    };
    const Integers zero(kDegree);
    rlwe::Encryptor own(shared, s, base::TestSeed(seed));
    with_secret.include(difference(phase(own.encrypt_zero(kLimbs)), zero));
    rlwe::Encryptor encryptor(shared, generator.public_key(s), base::TestSeed(seed));
    const rlwe::Ciphertext fresh = encryptor.encrypt_zero(kLimbs);
    with_public.include(difference(phase(fresh), zero));

    const rlwe::Evaluator evaluator(shared, generator.relinearization_keys(s));
    const rlwe::Ciphertext three = evaluator.tensor(fresh, fresh);
    switched.include(difference(phase(evaluator.relinearize(three)), phase(three)));
    const rlwe::Ciphertext lower = evaluator.mod_switch(fresh);
    const Integers before = phase(fresh), after = phase(lower);
    Reals rounding;
    for (std::size_t k = 0; k < kDegree; ++k) {
      const auto q = static_cast<unsigned long>(parameters.q()[kLimbs - 1].value());
      rounding.push_back(mpz_class(q * after[k] - before[k]).get_d() / static_cast<double>(q));
    }
    rounded.include(rounding);
  }
  secret.expect_below(rlwe::secret_norm(parameters), 1.0 / 5);
  with_secret.expect_below(rlwe::encryption_error(parameters, false), 1.0 / 5);
  with_public.expect_below(rlwe::encryption_error(parameters), 1.0 / 50);
  // Digits and rounding errors are at their worst in the bound: another sqrt(N) below.
  switched.expect_below(rlwe::key_switch_error(parameters, GetParam(), kLimbs), 1.0 / 1000);
  rounded.expect_below(rlwe::mod_switch_error(parameters, 2), 1.0 / 300);
}

INSTANTIATE_TEST_SUITE_P(gadgets, NoiseNormsTest,
                         testing::Values(rlwe::Gadget{1, 0, kLimbs}, rlwe::Gadget{2, 2, kLimbs}),
                         [](const auto& given) {
                           return given.param.special_count == 0 ? "bv" : "hybrid";
                         });

}  // namespace
}  // namespace heliodor::exact
