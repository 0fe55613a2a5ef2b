// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the owner of a secret key computes, as LimbPrograms. Inputs and outputs of one polynomial
// stand together, limb by limb; parts follow each other. Small polynomials (errors, u) come as
// coefficients modulo every modulus, all others as evaluations. tau is the error scale.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/program/limb_program.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::rlwe::internal {

/// Operand e, key s, a seed -> (tau*e - a*s, a) over Q, a = uniform(seed, stream i) modulo q_i.
program::LimbProgram public_key_program(const Parameters& parameters);

/// Digit j of a key for `gadget`, over its limbs of Q and P: operand e, key s, key s' (only the
/// limbs of the digit), a seed -> (tau*e - a*s + P*g_j*s', a), a modulo the i-th of the gadget's
/// moduli = uniform(seed, stream (j << 32) + i).
program::LimbProgram evaluation_key_program(const Parameters& parameters, const Gadget& gadget,
                                            std::size_t j);

/// Key s -> s^2, all of Q and P.
program::LimbProgram square_program(const Parameters& parameters);
/// Key s -> s(X^g), all of Q and P.
program::LimbProgram automorphism_program(const Parameters& parameters, std::uint64_t g);

/// Operands m, e0, e1, u, keys b, a -> (b*u + tau*e0 + m, a*u + tau*e1).
program::LimbProgram encrypt_program(const Parameters& parameters, std::size_t limb_count);
/// Operands m, e, key s, a seed -> (tau*e - a*s + m, a), a = uniform(seed, stream i) modulo q_i.
program::LimbProgram encrypt_with_secret_program(const Parameters& parameters,
                                                 std::size_t limb_count);

/// Operands c_0 .. c_{parts-1}, key s -> the coefficients of c_0 + c_1*s + c_2*s^2 ..
program::LimbProgram phase_program(const Parameters& parameters, std::size_t parts,
                                   std::size_t limb_count);

/// Operand x, coefficients -> d, where the centred residue of x modulo q_0 .. q_{l-1} is
/// sum_i d_i * q_0*..*q_{i-1} and d_i, taken modulo q_i, is centred too (Garner):
///   d_i = (..((x_i - d_0) * q_0^-1 - d_1) * q_1^-1 ..) mod q_i
program::LimbProgram mixed_radix_program(const Parameters& parameters, std::size_t limb_count);

}  // namespace heliodor::rlwe::internal
