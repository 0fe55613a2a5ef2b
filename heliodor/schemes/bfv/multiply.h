// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The exact product of BFV in LimbProgram instructions (Halevi, Polyakov, Shoup, ePrint 2018/117,
// sections 2.2-2.4, without their floating point). For ciphertexts x, y modulo Q:
//
//   1  x and y as centred integers, |.| <= Q/2, modulo an auxiliary base R: intt, quotient, ntt
//   2  their tensor product (x_0 y_0, x_0 y_1 + x_1 y_0, x_1 y_1) modulo Q and R: mul, dot, intt
//   3  each coefficient z to round(t*z/Q) modulo R: (t*z - [t*z]_Q) / Q with [.]_Q centred, an
//      exact division: quotient, dot_scalar
//   4  the result, centred modulo R, to residues modulo Q: quotient, dot_scalar
//
// Step 3 needs z modulo Q and modulo R but not z itself, so R must hold the result alone: with
// |z| <= N*Q^2/2 that is R > t*N*Q.
//
// Exactness. `quotient` (ring/reference.h) rounds a sum of K fractions right unless it lies within
// K*2^-48 of a half integer. Step 4 never comes near one, by the slack in R. Step 1 then may lift a
// coefficient within K*2^-48*Q of +-Q/2 to the other representative, and step 3 may round a
// fraction within K*2^-48 of 1/2 to the other neighbour: with probability 2^-43 per coefficient for
// 16 limbs. Both stay inside the bounds of noise.h, all targets do the same, and otherwise the
// result is round(t*x*y/Q) to the last bit.
//
// Cost, with l limbs of Q and k of R: 7(l + k) transforms; per coefficient 4k(l+1) + 3k(l+2) +
// 3l(k+1) multiply-adds of conversions and 4(l + k) of the tensor product. A square saves 2(l + k)
// transforms and 2k(l+1) multiply-adds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "heliodor/program/builder.h"
#include "heliodor/ring/rns_base.h"
#include "heliodor/rlwe/keyswitch/program_ring.h"

namespace heliodor::bfv {

/// R within a program: base[j] is its modulus first + j.
struct AuxiliaryBase {
  ring::RnsBase base;
  std::uint32_t first;
};

/// Two-part ciphertexts in evaluations modulo Q, limb_count() limbs each; x and y may be the same
/// values. The three parts of the product, in coefficients modulo Q. Q is the program's first
/// moduli.
std::array<rlwe::Limbs, 3> emit_multiply(program::Builder& b, const ring::RnsBase& q,
                                         const AuxiliaryBase& r, std::uint64_t t,
                                         const std::array<rlwe::Limbs, 2>& x,
                                         const std::array<rlwe::Limbs, 2>& y);

}  // namespace heliodor::bfv
