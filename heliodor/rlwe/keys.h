// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Secret, public and evaluation keys. The uniform half of a public or evaluation key comes from a
// seed, so that keys ship at half size; in memory both halves are there, in evaluations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/base/wipe.h"
#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::rlwe {

/// s: small coefficients and its evaluations modulo Q then P. Zeroed when it dies; movable only.
class SecretKey {
 public:
  /// From coefficients in {-1, 0, 1}: Error{out_of_range} for others, Error{mismatch} unless there
  /// are degree of them. (Imports and KeyGenerator use it.)
  SecretKey(const Parameters& parameters, std::span<const std::int8_t> coefficients);

  std::span<const std::int8_t> coefficients() const noexcept { return coefficients_; }
  /// |Q| + |P|.
  std::size_t limb_count() const noexcept { return limbs_.limb_count(); }
  /// Modulo q_i for i < |Q|, then modulo p_{i-|Q|}.
  std::span<const std::uint64_t> limb(std::size_t i) const noexcept { return limbs_.limb(0, i); }

 private:
  base::SecretVector<std::int8_t> coefficients_;
  SecretLimbs limbs_;
};

/// b + a*s = tau*e modulo Q.
struct PublicKey {
  LimbMatrix limbs;  ///< parts b, a; |Q| limbs
  std::optional<base::PublicSeed>
      seed;  ///< a = uniform(seed, stream i) modulo q_i; none if imported
};

/// The stream of a seed that limb i of digit j comes from.
constexpr std::uint64_t uniform_stream(std::size_t j, std::size_t i) noexcept {
  return (std::uint64_t{j} << 32) + i;
}

/// For each digit j a pair with b_j + a_j*s = tau*e_j + P*g_j*s' modulo QP, P the product of the
/// gadget's special primes and g_j the gadget vector: 1 modulo the moduli of digit j, 0 modulo the
/// others. (BV: P = 1.)
struct EvaluationKey {
  Gadget gadget;
  /// Parts b_0, a_0, b_1, a_1, ..; limbs q_0 .. q_{max_limb_count-1}, then p_0 .. p_{k-1}.
  LimbMatrix limbs;
  /// a_j modulo the i-th of these = uniform(seed, uniform_stream(j, i)); none if imported.
  std::optional<base::PublicSeed> seed;

  std::size_t digit_count() const noexcept { return limbs.parts() / 2; }
};

/// Alternatives for one source key s': at most one key per gadget.
using EvaluationKeys = std::vector<EvaluationKey>;

struct RelinearizationKeys {
  EvaluationKeys keys;  ///< from s^2 to s
};

/// By Galois element g: from s to s(X^(1/g)). The switch comes first and X -> X^g after it, as in
/// OpenFHE: hoisted rotations then share digits as they are, permute only 2*limb_count limbs each,
/// and return the same limbs as single ones.
struct GaloisKeys {
  std::map<std::uint64_t, EvaluationKeys> keys;
};

}  // namespace heliodor::rlwe
