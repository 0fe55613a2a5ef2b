// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The equation of evaluation keys (rlwe/keys.h), checked in big integers.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "heliodor/ring/sampler.h"
#include "tests/exact/oracle.h"

namespace heliodor::exact {

/// What a key switches from and to, evaluated modulo any modulus.
using Secret = std::function<Limb(const ring::Modulus&)>;

/// b_j + a_j*s - P*g_j*s' is the same tau*e_j modulo every modulus, |e_j| within the sampler's
/// bound.
inline void expect_key_equation(const rlwe::Parameters& parameters, const rlwe::EvaluationKey& key,
                                const Secret& source, const Secret& target) {
  const rlwe::Gadget& gadget = key.gadget;
  const std::size_t l = gadget.max_limb_count;
  std::vector<ring::Modulus> all(parameters.q().moduli().begin(),
                                 parameters.q().moduli().begin() + static_cast<std::ptrdiff_t>(l));
  const auto p = parameters.p().first(gadget.special_count);
  all.insert(all.end(), p.begin(), p.end());
  ASSERT_EQ(key.limbs.limb_count(), all.size());
  ASSERT_EQ(key.digit_count(), gadget.digit_count(l));
  const mpz_class tau = static_cast<unsigned long>(parameters.error_scale());
  for (std::size_t j = 0; j < key.digit_count(); ++j) {
    std::vector<Limb> limbs;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const ring::Modulus& q = all[i];
      const auto b = key.limbs.limb(2 * j, i);
      Limb sum = add(q, {b.begin(), b.end()}, mul(q, key.limbs.limb(2 * j + 1, i), target(q)));
      const bool of_digit = i < l && i / gadget.digit_size == j;
      if (of_digit) {
        const std::uint64_t factor = mpz_fdiv_ui(product(p).get_mpz_t(), q.value());
        const Limb minus(sum.size(), q.neg(factor));
        sum = add(q, sum, mul(q, source(q), minus));
      }
      limbs.push_back(intt(q, sum));
    }
    const Integers error = centred_integers(all, limbs);
    std::size_t nonzero = 0;
    for (const mpz_class& e : error) {
      ASSERT_EQ(e % tau, 0) << "digit " << j;
      nonzero += e != 0 ? 1 : 0;
    }
    EXPECT_LE(largest(error), tau * ring::GaussianSampler(parameters.sigma()).bound());
    EXPECT_GT(nonzero, error.size() / 2) << "digit " << j;
  }
}

}  // namespace heliodor::exact
