// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Whole polynomials from one domain to the other, on the context's target.
#pragma once

#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/context.h"

namespace heliodor::rlwe {

/// Limbs modulo q_0 .. q_{l-1}, any number of parts: coefficients to evaluations. Throws
/// Error{out_of_range} for more limbs than Q has, Error{mismatch} for another degree.
LimbMatrix to_evaluations(const Context& context, const LimbMatrix& coefficients);

/// Evaluations to coefficients; errors as above.
LimbMatrix to_coefficients(const Context& context, const LimbMatrix& evaluations);

}  // namespace heliodor::rlwe
