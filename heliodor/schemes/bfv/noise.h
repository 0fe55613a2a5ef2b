// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Errors of BFV on the canonical norm |.| of rlwe/noise_bound.h, N the degree, S = |s| and
// W = 1/sin(pi/(2N)) the worst norm of coefficients of at most 1. The phase of a ciphertext is v =
// (Q/t)*m + e modulo Q for an integer polynomial m known modulo t; bounds hold for e.
//
// Decryption gives round(t*v/Q) = m + round(t*e/Q) modulo t, which is m if |e| < Q/(2t).
//
// Encryption. round(Q/t * m) is off by 1/2 per coefficient: W/2. The cryptosystem adds
// |e*u + e_0 + e_1*s|.
//
// Product. Take x_0 + x_1*s over the integers, |x_i| <= Q/2 per coefficient (and 2^-37 more, see
// multiply.h), as (Q/t)*u + e with an integer polynomial u: u = m modulo t, and
//
//   |u| <= (t/Q) * (|x_0 + x_1*s| + |e|) <= (t*W/2) * (1 + 2^-37) * (1 + S) + (t/Q)*|e|.
//
// With (Q/t)*u' + e' for the other factor,
//
//   (t/Q) * (x_0 + x_1*s) * (y_0 + y_1*s) = (Q/t)*u*u' + u*e' + u'*e + (t/Q)*e*e'
//
// where u*u' = m*m' modulo t. Rounding moves each of three parts by 1/2 (and 2^-38 more) per
// coefficient, so the error is at most
//
//   |u|*|e'| + |u'|*|e| + (t/Q)*|e|*|e'| + (W/2) * (1 + 2^-37) * (1 + S + S^2).
//
// All other operations are linear, and rlwe's bounds hold: phase and error of rlwe::Bounds are both
// the bound on e here, as a phase is known modulo Q/t alone.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/noise_growth.h"
#include "heliodor/schemes/bfv/parameters.h"

namespace heliodor::bfv {

/// Errors must stay below it, so that decryption is right: Q/(2t) less what the quotients of
/// decryption may miss (scaling.h). Requires 1 <= limb_count <= |Q|.
rlwe::NoiseBound error_limit(const Parameters& parameters, std::size_t limb_count);

/// Throws Error{noise_overflow} unless the ciphertext's error is below its limit.
void check_error(const Parameters& parameters, const rlwe::Ciphertext& ciphertext);

/// Of round(Q/t * m) against (Q/t)*m.
rlwe::NoiseBound encoding_error(const Parameters& parameters);

/// Of an encryption under the public key, encoding included.
rlwe::NoiseBound fresh_error(const Parameters& parameters);

/// Of a product with three parts.
rlwe::NoiseBound product_error(const Parameters& parameters, std::size_t limb_count,
                               rlwe::NoiseBound x, rlwe::NoiseBound y);

/// Of a ciphertext of `parts` parts after it drops the last of its limbs.
rlwe::NoiseBound switched_error(const Parameters& parameters, std::size_t limb_count,
                                rlwe::NoiseBound error, std::size_t parts);

/// Whether a relinearized product with this error drops its last limb where levels match by
/// themselves: if no more than half of the error it leaves is rounding, so that it costs one bit of
/// error/Q at most and all that follows has a limb fewer, and if that error is below the limit.
/// Never the only one.
bool drops_limb(const Parameters& parameters, std::size_t limb_count, rlwe::NoiseBound error);

/// The room after 0, 1, .. `most` multiplications of supported_depth; fewer entries if it is used
/// up before.
std::vector<rlwe::NoiseBudget> noise_budgets(const Parameters& parameters, std::size_t summands,
                                             std::size_t most);

/// How many multiplications in a row, each of two sums of `summands` ciphertexts (publicly
/// encrypted or results of the last, rotated or not) and relinearized with the noisiest gadget,
/// stay below the limit with automatic matching; at most `most`. Nothing if a fresh ciphertext does
/// not.
std::optional<std::size_t> supported_depth(const Parameters& parameters, std::size_t summands,
                                           std::size_t most);

}  // namespace heliodor::bfv
