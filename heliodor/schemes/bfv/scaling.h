// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Between messages modulo t and phases modulo Q, exactly and in constant time, for any t in
// [2, 2^60) coprime to Q (Halevi, Polyakov, Shoup, ePrint 2018/117, sections 2.2 and 2.3).
//
// Up. round(Q/t * m) = (Q*m - c) / t with c = [Q*m]_t centred: an exact division. Modulo q_i, where
// Q vanishes, it is -c * t^-1: no big integer is needed.
//
// Down. With y_i = [v * (Q/q_i)^-1]_{q_i} the phase is v = sum_i y_i * Q/q_i modulo Q, so that
// t*v/Q = sum_i t*y_i/q_i modulo t. Let r_i = [t*y_i]_{q_i}. Then t*y_i/q_i = a_i + r_i/q_i with an
// integer a_i = (t*y_i - r_i)/q_i, which is -r_i * q_i^-1 modulo t, and
//
//   round(t*v/Q) = round(sum_i r_i/q_i) - sum_i r_i * q_i^-1   modulo t.
//
// The rounded sum is the instruction `quotient`, right unless the fraction lies within |Q|*2^-48 of
// 1/2. For v = (Q/t)*m + e the fraction is that of t*e/Q, and error_limit (noise.h) keeps
// |t*e/Q| < 1/2 - 2^-32: decryption is exact for every ciphertext that an evaluator returns.
#pragma once

#include <cstddef>

#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/schemes/bfv/context.h"
#include "heliodor/schemes/slots/plaintext.h"

namespace heliodor::bfv {

/// round(Q/t * m) modulo q_0 .. q_{limb_count-1}, in evaluations; one part. Throws Error{mismatch}
/// for a plaintext of another t or degree than the context's, Error{out_of_range} unless limb_count
/// is in [1, |Q|].
rlwe::SecretLimbs scale_up(const Context& context, const slots::Plaintext& message,
                           std::size_t limb_count);

/// round(t*v/Q) mod t for coefficients v modulo q_0 .. q_{l-1}, one part of l limbs.
slots::Plaintext scale_down(const Context& context, const rlwe::LimbMatrix& phase);

/// Throws Error{mismatch} unless message has the context's t and degree.
void check_plaintext(const Context& context, const slots::Plaintext& message);

}  // namespace heliodor::bfv
