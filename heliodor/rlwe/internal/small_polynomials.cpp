// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/internal/small_polynomials.h"

#include <cstdint>

#include "heliodor/base/wipe.h"

namespace heliodor::rlwe::internal {
namespace {

SecretLimbs spread(std::span<const std::int8_t> small, std::span<const ring::Modulus> moduli) {
  SecretLimbs limbs(1, moduli.size(), small.size());
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    ring::spread(moduli[i], small, limbs.limb(0, i));
  }
  return limbs;
}

}  // namespace

SecretLimbs sample_error(const ring::GaussianSampler& gaussian, base::RandomStream& random,
                         std::span<const ring::Modulus> moduli) {
  base::SecretVector<std::int8_t> e(moduli.front().degree());
  gaussian.sample(random, e);
  return spread(e, moduli);
}

SecretLimbs sample_ternary(base::RandomStream& random, std::span<const ring::Modulus> moduli) {
  base::SecretVector<std::int8_t> u(moduli.front().degree());
  ring::sample_ternary(random, u);
  return spread(u, moduli);
}

}  // namespace heliodor::rlwe::internal
