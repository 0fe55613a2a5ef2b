// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// From a plaintext to a polynomial of the cryptosystem's ring.
#pragma once

#include <cstddef>

#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/context.h"
#include "heliodor/schemes/slots/plaintext.h"

namespace heliodor::slots {

/// The centred coefficients modulo q_0 .. q_{limb_count-1}, in coefficients; one part. Throws
/// Error{mismatch} for another degree than the context's, Error{out_of_range} unless limb_count is
/// in [1, |Q|].
rlwe::SecretLimbs residues(const rlwe::Context& context, const Plaintext& plaintext,
                           std::size_t limb_count);

/// The same in evaluations.
rlwe::LimbMatrix evaluations(const rlwe::Context& context, const Plaintext& plaintext,
                             std::size_t limb_count);

/// On the canonical norm: the sum of the coefficients' absolute values. For public operands.
rlwe::NoiseBound norm_bound(const Plaintext& plaintext);

}  // namespace heliodor::slots
