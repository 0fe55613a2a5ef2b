// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Bounds carried by ciphertexts. All are on the canonical embedding norm, the largest absolute
// value at a primitive 2N-th root of unity: |a*b| <= |a|*|b| and |a|_inf <= |a|.
//
// Polynomials that someone may choose, or that depend on such (messages, digits, rounding errors),
// are bounded by their worst case. At a root exp(i*phi), |a| is the largest of the sums
// A(theta) = sum_k a_k*cos(k*phi - theta). The k*phi are, modulo pi, the multiples of pi/N, and N
// unit vectors pi/N apart add up to one of length 1/sin(pi/(2N)): |a| <= |a|_inf / sin(pi/(2N)),
// nearly 2N/pi * |a|_inf.
//
// Polynomials that are sampled (secrets, errors, the u of an encryption) exceed their bound with a
// probability of at most 2^-140 each, whatever is computed with them; of 2^12 in the keys and fresh
// ciphertexts of a computation any does with one of at most 2^-128. Their coefficients are
// independent and sub-Gaussian: E exp(lambda*a_k) <= exp(s^2*lambda^2/2). The squares of
// cos(k*phi - theta) add up to N/2, so Pr[A(theta) > x] <= exp(-x^2/(s^2*N)) (Chernoff). One of 32
// equidistant theta is within pi/32 of the largest sum, and roots come in N/2 conjugate pairs.
// Hence |a| exceeds x/cos(pi/32) with a probability of at most 16*N*exp(-x^2/(s^2*N)), which is
// 2^-140 for x^2 = s^2*N*ln(2)*(144 + log2(N)).
//
// No heuristics: nothing counts as random that is not sampled, since decryption failures reveal
// keys (ePrint 2024/116, 2024/127).
#pragma once

#include <cmath>
#include <cstdint>

namespace heliodor::rlwe {

/// A bound on a nonnegative real, kept as its log2 so that it may exceed any double. Arithmetic
/// rounds upwards (by 2^-40 relative to the logarithm's own rounding).
class NoiseBound {
 public:
  NoiseBound() = default;  ///< 0
  static NoiseBound of(double value) noexcept;
  static NoiseBound of_log2(double log2) noexcept;

  double log2() const noexcept { return log2_; }  ///< -infinity for 0

  friend NoiseBound operator+(NoiseBound a, NoiseBound b) noexcept;
  friend NoiseBound operator*(NoiseBound a, NoiseBound b) noexcept;
  friend NoiseBound operator/(NoiseBound a, double divisor) noexcept;
  friend bool operator==(NoiseBound a, NoiseBound b) noexcept = default;
  friend bool operator<(NoiseBound a, NoiseBound b) noexcept { return a.log2_ < b.log2_; }

 private:
  double log2_ = -INFINITY;
};

/// On every polynomial of `degree` real coefficients of at most `largest`. The degree is a power of
/// two, here and below.
NoiseBound worst_norm(std::uint64_t degree, NoiseBound largest) noexcept;

/// On a polynomial of `degree` independent coefficients, sub-Gaussian of parameter s, but with a
/// probability of at most 2^-140. Requires a degree of at least 2.
NoiseBound sampled_norm(std::uint64_t degree, double s) noexcept;

/// What is known of c0 + c1*s (+ c2*s^2), reduced to the centred residue modulo Q.
struct Bounds {
  NoiseBound phase;  ///< on the phase itself, message included: must stay below Q/2
  NoiseBound error;  ///< on the phase less what its scheme calls ideal
};

}  // namespace heliodor::rlwe
