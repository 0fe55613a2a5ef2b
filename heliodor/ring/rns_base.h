// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// RnsBase: an ordered set of distinct moduli of one degree (Q, P, QP, T) with the constants of the
// Chinese remainder theorem. With Q = q_0 * ... * q_{l-1} and Q_i = Q / q_i, an integer x in [0, Q)
// is sum_i [x * Q_i^-1]_{q_i} * Q_i mod Q.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/ring/modulus.h"

namespace heliodor::ring {

class RnsBase {
 public:
  /// Throws Error{out_of_range} if empty, Error{mismatch} if degrees differ or two moduli are
  /// equal.
  explicit RnsBase(std::vector<Modulus> moduli);

  std::size_t size() const noexcept { return moduli_.size(); }
  std::uint64_t degree() const noexcept { return moduli_.front().degree(); }
  const Modulus& operator[](std::size_t i) const noexcept { return moduli_[i]; }
  std::span<const Modulus> moduli() const noexcept { return moduli_; }

  /// The first `count` moduli; Error{out_of_range} unless 1 <= count <= size().
  RnsBase prefix(std::size_t count) const;
  /// All of this base followed by all of `other`; Error{mismatch} as the constructor.
  RnsBase concatenate(const RnsBase& other) const;

  /// (Q / q_i)^-1 mod q_i.
  std::uint64_t inverse_cofactor(std::size_t i) const noexcept { return inverse_cofactors_[i]; }
  /// Q / q_i mod p, for any modulus p.
  std::uint64_t cofactor_mod(std::size_t i, const Modulus& p) const noexcept;
  /// Q mod p, for any modulus p.
  std::uint64_t product_mod(const Modulus& p) const noexcept;
  /// log2 of Q, for security and noise estimates.
  double log2() const noexcept;

 private:
  std::vector<Modulus> moduli_;
  std::vector<std::uint64_t> inverse_cofactors_;
};

}  // namespace heliodor::ring
