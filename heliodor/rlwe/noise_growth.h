// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What operations add to a phase, on the canonical norm of noise_bound.h: secrets and errors as
// they are sampled, all else at worst. Pure functions of the parameters; below, N is the degree,
// tau the error scale, W = 1/sin(pi/(2N)) the worst norm of coefficients of at most 1.
//
// Sampled polynomials. Uniform ternary coefficients are sub-Gaussian of parameter sqrt(2/3):
// 1 + (2/3)*(cosh(x) - 1) <= exp(x^2/3), term by term. Errors: ring::GaussianSampler. A secret of
// weight h counts as one of parameter sqrt(h/N): places drawn without replacement are no worse than
// drawn with it (Hoeffding, 1963, Theorem 4), and with it E exp(x*A(theta)) is the h-th power of
// the mean over k of cosh(x*cos(k*phi - theta)), which is at most exp(x^2/4), term by term. Keys
// made elsewhere are taken to have been sampled so.
//
// Key switching. The key satisfies b_j + a_j*s = tau*e_j + P*g_j*s' modulo QP and sum_j D_j*g_j = d
// modulo Q, so A_c = sum_j D_j*key_{c,j} has A_0 + A_1*s = P*d*s' + sum_j D_j*tau*e_j modulo QP.
// mod_down returns o_c = (A_c - delta_c) / P exactly, delta_c = tau * lift([A_c/tau] mod P). Thus
//
//   o_0 + o_1*s - d*s' = (sum_j D_j*tau*e_j) / P - (delta_0 + delta_1*s) / P          modulo Q
//
// of norm at most sum_j (W*max|D_j|) * tau*|e| / P + W*tau*kappa*(1 + |s|), where kappa =
// max|lift| / P is 1/2 for the exact lift and the number of special primes for the fast one. BV has
// the first term alone, with P = 1. klss returns hybrid's limbs and so has hybrid's error.
//
// Modulus switching by q: delta_c = tau * centred([x_c/tau] mod q) leaves (phase - sum_c
// delta_c*s^c) / q: the old phase divided by q and at most W*tau/2 * (1 + |s| + ..) more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/rlwe/noise_bound.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::rlwe {

/// log2 of max|D_j| over the limbs of digit j that are present at limb_count. Requires j <
/// gadget.digit_count(limb_count). BV digits (special_count 0) are centred, others follow the lift
/// of the parameters.
double log2_of_digit(const Parameters& parameters, const Gadget& gadget, std::size_t limb_count,
                     std::size_t j);

/// |s|.
NoiseBound secret_norm(const Parameters& parameters);

/// Of a fresh encryption: tau*(e*u + e0 + s*e1) under the public key, u uniform ternary; tau*e
/// under the secret key.
NoiseBound encryption_error(const Parameters& parameters, bool public_key = true);

/// Of one key switch with a key of this gadget.
NoiseBound key_switch_error(const Parameters& parameters, const Gadget& gadget,
                            std::size_t limb_count);

/// The same with the noisiest gadget that serves limb_count.
NoiseBound noisiest_key_switch_error(const Parameters& parameters, std::size_t limb_count);

/// What rounding adds when a ciphertext of `parts` parts drops a limb.
NoiseBound mod_switch_error(const Parameters& parameters, std::size_t parts);

/// The room that a ciphertext has: it decrypts right while noise is below limit, what its scheme
/// calls noise.
struct NoiseBudget {
  std::size_t limb_count;
  NoiseBound noise;
  NoiseBound limit;

  double bits() const noexcept { return limit.log2() - noise.log2(); }
};

/// Of a sum or difference.
Bounds sum_bounds(const Bounds& a, const Bounds& b);
/// Of a product. With phases p = ideal + e: p_a*p_b - ideal_a*ideal_b = p_a*e_b + ideal_b*e_a, and
/// |ideal_b| <= |p_b| + |e_b|.
Bounds product_bounds(const Bounds& a, const Bounds& b);
/// Of phase + e with |e| <= error.
Bounds with_error(const Bounds& a, const NoiseBound& error);
/// Of phase / q.
Bounds quotient_bounds(const Bounds& a, std::uint64_t q);

}  // namespace heliodor::rlwe
