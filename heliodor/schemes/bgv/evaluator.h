// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluator: arithmetic modulo t on BGV ciphertexts. Slots of a product are products of slots.
//
//   Evaluator evaluator(context, relinearization_keys, galois_keys);
//   const Ciphertext z = evaluator.rotate_rows(evaluator.multiply(x, y), 3);
//
// With automatic matching the operand with more limbs is switched down to the other, and products
// and their operands drop limbs by the rules of noise.h. With exact matching nothing moves unless
// asked: operands that differ throw Error{mismatch}. Plaintext factors are matched in both cases.
//
// Every operation throws Error{noise_overflow} rather than return what might not decrypt, and
// Error{missing_key} if its key was not given. Safe to use from many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "heliodor/rlwe/evaluator.h"
#include "heliodor/rlwe/matching.h"
#include "heliodor/schemes/bgv/ciphertext.h"
#include "heliodor/schemes/bgv/context.h"
#include "heliodor/schemes/slots/plaintext.h"

namespace heliodor::bgv {

class Evaluator {
 public:
  explicit Evaluator(ContextPtr context, rlwe::RelinearizationKeys relinearization = {},
                     rlwe::GaloisKeys galois = {},
                     rlwe::Matching matching = rlwe::Matching::automatic);

  Ciphertext add(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext sub(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext negate(const Ciphertext& a) const;
  Ciphertext add_plain(const Ciphertext& a, const slots::Plaintext& b) const;
  Ciphertext sub_plain(const Ciphertext& a, const slots::Plaintext& b) const;
  Ciphertext multiply_plain(const Ciphertext& a, const slots::Plaintext& b) const;
  /// By an integer, modulo t.
  Ciphertext multiply_scalar(const Ciphertext& a, std::int64_t c) const;

  /// Relinearized products of two-part ciphertexts.
  Ciphertext multiply(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext square(const Ciphertext& a) const { return multiply(a, a); }
  /// Products a[i] * b[i] in one run: each piece of the key serves all of them. Ciphertexts of a
  /// batch have one limb count, else Error{mismatch}, and drop limbs only after the product.
  std::vector<Ciphertext> multiply(std::span<const Ciphertext> a,
                                   std::span<const Ciphertext> b) const;
  /// Products of three parts, and the way back to two.
  Ciphertext multiply_without_relinearization(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext relinearize(const Ciphertext& a) const;

  /// Both rows of N/2 slots by `steps` to the left; Error{out_of_range} unless |steps| < N/2.
  Ciphertext rotate_rows(const Ciphertext& a, std::int64_t steps) const;
  /// Several rotations of one ciphertext, which share its digits (hoisting).
  std::vector<Ciphertext> rotate_rows(const Ciphertext& a,
                                      std::span<const std::int64_t> steps) const;
  /// Swaps the two rows.
  Ciphertext rotate_columns(const Ciphertext& a) const;
  /// Sums of `count` slots of a row, or of all (slots/inner_sum.h, which lists the keys it needs).
  Ciphertext inner_sum(const Ciphertext& a, std::uint64_t count) const;

  /// Divides the phase by the last modulus, which is dropped. Error{out_of_range} at one limb.
  Ciphertext mod_switch(const Ciphertext& a) const;
  /// mod_switch until limb_count limbs are left.
  Ciphertext mod_switch_to(const Ciphertext& a, std::size_t limb_count) const;

  rlwe::KeySwitchPlanner& planner() noexcept { return evaluator_.planner(); }

 private:
  const slots::PlaintextModulus& t() const noexcept { return context_->parameters().t(); }
  Ciphertext with_multiple(const Ciphertext& a, std::int64_t multiplier) const;
  std::pair<Ciphertext, Ciphertext> terms(const Ciphertext& a, const Ciphertext& b) const;
  std::pair<Ciphertext, Ciphertext> matched(const Ciphertext& a, const Ciphertext& b) const;
  std::uint64_t divided_by_modulus(std::uint64_t factor, std::size_t i) const;
  std::pair<Ciphertext, Ciphertext> factors(const Ciphertext& a, const Ciphertext& b) const;
  std::size_t limbs_to_drop(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext settled(Ciphertext a) const;

  ContextPtr context_;
  rlwe::Evaluator evaluator_;
  rlwe::Matching matching_;
};

}  // namespace heliodor::bgv
