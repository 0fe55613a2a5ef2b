// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Worst-case bounds carried by ciphertexts. All are on the canonical embedding norm, the largest
// absolute value at a primitive 2N-th root of unity: |a*b| <= |a|*|b|, |a|_inf <= |a|, and
// |a| <= N*|a|_inf. No heuristics: a bound that holds always, as decryption failures reveal keys
// (ePrint 2024/116, 2024/127).
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

/// What is known of c0 + c1*s (+ c2*s^2), reduced to the centred residue modulo Q.
struct Bounds {
  NoiseBound phase;  ///< on the phase itself, message included: must stay below Q/2
  NoiseBound error;  ///< on the phase less what its scheme calls ideal
};

}  // namespace heliodor::rlwe
