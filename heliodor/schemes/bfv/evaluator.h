// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluator: arithmetic on BFV ciphertexts. What it returns decrypts right: an operation
// whose error (noise.h) could spoil decryption throws Error{noise_overflow} instead.
//
//   Evaluator evaluator(context, relinearization_keys, galois_keys);
//   const Ciphertext z = evaluator.rotate_rows(evaluator.multiply(x, y), 3);
//
// With automatic level matching the operand with more limbs is switched down to the other, and a
// relinearized product drops limbs by the rule of noise.h. With exact matching nothing moves unless
// asked: operands of different limb counts are an Error{mismatch}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "heliodor/rlwe/evaluator.h"
#include "heliodor/rlwe/matching.h"
#include "heliodor/schemes/bfv/encryption.h"
#include "heliodor/schemes/bfv/evaluator_programs.h"

namespace heliodor::bfv {

/// Safe to use from many threads. Throws as rlwe::Evaluator does: Error{missing_key} without the
/// key that an operation needs, Error{unsupported} if a simulated machine stops.
class Evaluator {
 public:
  explicit Evaluator(ContextPtr context, rlwe::RelinearizationKeys relinearization = {},
                     rlwe::GaloisKeys galois = {},
                     rlwe::Matching matching = rlwe::Matching::automatic);

  const Context& context() const noexcept { return *context_; }
  rlwe::KeySwitchPlanner& planner() noexcept { return rlwe_.planner(); }

  Ciphertext add(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext sub(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext negate(const Ciphertext& a) const;

  /// With plaintexts of the context's t and degree, else Error{mismatch}. The error of
  /// multiply_plain grows by the sum of the plaintext's coefficients, centred.
  Ciphertext add_plain(const Ciphertext& a, const slots::Plaintext& message) const;
  Ciphertext sub_plain(const Ciphertext& a, const slots::Plaintext& message) const;
  Ciphertext multiply_plain(const Ciphertext& a, const slots::Plaintext& message) const;
  /// By an integer, modulo t.
  Ciphertext multiply_scalar(const Ciphertext& a, std::int64_t c) const;

  /// Relinearized products of two-part ciphertexts; Error{mismatch} for others.
  Ciphertext multiply(const Ciphertext& a, const Ciphertext& b) const;
  /// Products a[i] * b[i] in one run, all at the lowest limb count among them: each piece of the
  /// key serves all of them. Error{mismatch} for different sizes.
  std::vector<Ciphertext> multiply(std::span<const Ciphertext> a,
                                   std::span<const Ciphertext> b) const;
  /// multiply(a, a) with fewer transforms.
  Ciphertext square(const Ciphertext& a) const;
  /// Products of three parts, and the way back to two.
  Ciphertext multiply_without_relinearization(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext relinearize(const Ciphertext& a) const;

  /// Both rows of slots by `steps` to the left; negative ones to the right. Error{out_of_range}
  /// unless |steps| < N/2.
  Ciphertext rotate_rows(const Ciphertext& a, std::int64_t steps) const;
  /// Several rotations of one ciphertext; its digits are made once.
  std::vector<Ciphertext> rotate_rows(const Ciphertext& a,
                                      std::span<const std::int64_t> steps) const;
  /// Swaps the two rows.
  Ciphertext rotate_columns(const Ciphertext& a) const;
  /// Sums of `count` slots of a row, or of all (slots/inner_sum.h, which lists the keys it needs).
  Ciphertext inner_sum(const Ciphertext& a, std::uint64_t count) const;

  /// Divides by the last modulus and rounds: one limb fewer. Error{out_of_range} below 2 limbs.
  Ciphertext mod_switch(const Ciphertext& a) const;
  /// Down to limb_count limbs; Error{out_of_range} unless in [1, a.limb_count()].
  Ciphertext mod_switch_to(const Ciphertext& a, std::size_t limb_count) const;

 private:
  using Storage = std::deque<Ciphertext>;

  // a, or what it becomes at limb_count, kept in storage.
  const Ciphertext& at(std::size_t limb_count, const Ciphertext& a, Storage& storage) const;
  std::vector<Ciphertext> products(Factors factors, std::span<const Ciphertext> a,
                                   std::span<const Ciphertext> b) const;
  // With no more limbs than the rule of noise.h leaves.
  Ciphertext settled(Ciphertext product) const;
  // The error of a result is what rlwe calls its phase; Error{noise_overflow} at the limit.
  Ciphertext checked(Ciphertext result) const;

  ContextPtr context_;
  rlwe::Matching matching_;
  rlwe::Evaluator rlwe_;
};

}  // namespace heliodor::bfv
