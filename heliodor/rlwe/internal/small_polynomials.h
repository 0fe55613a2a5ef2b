// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sampled small polynomials as residues: coefficients modulo each of some moduli, one part. The
// integers they come from are zeroed.
#pragma once

#include <span>

#include "heliodor/base/random.h"
#include "heliodor/ring/sampler.h"
#include "heliodor/rlwe/ciphertext.h"

namespace heliodor::rlwe::internal {

SecretLimbs sample_error(const ring::GaussianSampler& gaussian, base::RandomStream& random,
                         std::span<const ring::Modulus> moduli);

/// Uniform in {-1, 0, 1}.
SecretLimbs sample_ternary(base::RandomStream& random, std::span<const ring::Modulus> moduli);

}  // namespace heliodor::rlwe::internal
