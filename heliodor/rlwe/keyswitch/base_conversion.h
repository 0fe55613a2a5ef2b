// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Emitters of RNS base conversions and of division by moduli: what key switching, rescaling and
// modulus switching are made of.
//
// With B = b_0 * ... * b_{n-1} the residues x_i of an integer x become y_i = [x_i * (B/b_i)^-1] mod
// b_i. The fast lift is the integer sum_i y_i * (B/b_i), in [0, n*B) and congruent to x; the exact
// one subtracts round(sum_i y_i / b_i) * B from it (Halevi, Polyakov, Shoup, ePrint 2018/117).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "heliodor/rlwe/keyswitch/program_ring.h"

namespace heliodor::rlwe {

/// An integer polynomial in coefficients, prepared for reduction modulo any modulus.
struct Convertible {
  ring::RnsBase base;
  Limbs scaled;  ///< y_i
  DigitLift lift;
  std::optional<program::ValueId> quotient;  ///< round(sum y_i / b_i): exact lifts of 2 moduli up
};

/// From x: coefficients modulo the moduli of `base`. The integer is the lift of [x / divisor] mod
/// B; a divisor other than 1 must be coprime to B. exact: the centred representative; fast: the
/// unsigned sum without correction. Of a base of one modulus the fast lift is the residue itself.
Convertible prepare_conversion(program::Builder& b, const ring::RnsBase& base, const Limbs& x,
                               DigitLift lift, std::uint64_t divisor = 1);

/// The same from the y_i.
Convertible from_scaled(program::Builder& b, const ring::RnsBase& base, Limbs scaled,
                        DigitLift lift);

/// y_i / [x_i / divisor]_{b_i}: what from_scaled's callers fold into constants of their own.
std::uint64_t scaling_factor(const ring::RnsBase& base, std::size_t i, std::uint64_t divisor = 1);

/// factor * x modulo program modulus `target`, in coefficients. Requires factor below the modulus.
program::ValueId convert(program::Builder& b, const Convertible& x, std::uint32_t target,
                         std::uint64_t factor = 1);

/// The residue of an integer modulo q, as a term of sums modulo q.
Convertible residue(const ring::Modulus& q, program::ValueId x);

struct ConversionTerm {
  const Convertible& x;
  std::uint64_t factor;  ///< below the target's modulus
};

/// The sum of factor * x over the terms, in one dot_scalar.
program::ValueId convert_sum(program::Builder& b, std::span<const ConversionTerm> terms,
                             std::uint32_t target);

/// (x - delta) / P modulo q_0 .. q_{l-1}, in evaluations. x: evaluations modulo QP (qp_size limbs).
/// delta = tau * lift([x / tau] mod P): congruent to x modulo P and to 0 modulo tau, so that a
/// phase's residue modulo tau is divided by P and nothing else.
/// (OpenFHE's ApproxModDown for the fast lift.) Plus `addend`, coefficients modulo Q, which share
/// delta's transforms.
Limbs emit_mod_down(program::Builder& b, const ProgramRing& ring, const Limbs& x,
                    const Limbs* addend = nullptr);

/// Drops the last limb with rounding: (x - delta) / q_{l-1}, delta = tau * centred([x / tau] mod
/// q_{l-1}). BGV's modulus switch for tau = t, CKKS' rescale for tau = 1. x: evaluations,
/// ring.limb_count() limbs; the result has one limb fewer. Error{out_of_range} for fewer than 2.
Limbs emit_mod_switch(program::Builder& b, const ProgramRing& ring, const Limbs& x);

}  // namespace heliodor::rlwe
