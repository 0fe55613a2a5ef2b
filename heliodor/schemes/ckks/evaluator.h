// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluator: arithmetic on encrypted slots. Operations on slots are pointwise; a vector of fewer
// slots counts as repeated.
//
// Matching::automatic (the default). Scales follow Parameters::scale: a ciphertext of l limbs and
// scale S_l is *level*. Operands that are not, or that have more limbs than the other, are brought
// to a lower level: truncated to one limb more, multiplied by the integer c nearest to
// S_{l-1} * q_{l-1} / scale, and rescaled. Rounding c moves slots by at most a factor of
// 1 +- (1/2 + 2^-51 c) / c, about 2^-scale_bits, which the error bound takes in. Ciphertexts of
// equal scale are only truncated. Products are relinearized and rescaled.
//
// Matching::exact. Nothing is brought to anything: operands whose limb_count differs, and summands
// whose scale does, throw Error{mismatch} with both values.
//
// Bounds: every operation throws Error{noise_overflow} before a phase could exceed Q/2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "heliodor/rlwe/evaluator.h"
#include "heliodor/rlwe/matching.h"
#include "heliodor/schemes/ckks/context.h"

namespace heliodor::ckks {

class Evaluator {
 public:
  /// Keys as rlwe::Evaluator: those of rotations are named by galois_elements_of_rotations.
  explicit Evaluator(ContextPtr context, rlwe::RelinearizationKeys relinearization = {},
                     rlwe::GaloisKeys galois = {},
                     rlwe::Matching matching = rlwe::Matching::automatic);

  rlwe::KeySwitchPlanner& planner() noexcept { return rlwe_.planner(); }

  Ciphertext add(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext sub(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext negate(const Ciphertext& a) const;

  /// Values are encoded with the scale that makes the result exact: a's own for sums, that which
  /// makes the rescaled product level for products. One real value is the cheapest operand.
  Ciphertext add(const Ciphertext& a, std::span<const double> values) const;
  Ciphertext add(const Ciphertext& a, const Slots& values) const;
  Ciphertext multiply(const Ciphertext& a, std::span<const double> values) const;
  Ciphertext multiply(const Ciphertext& a, const Slots& values) const;
  Ciphertext add(const Ciphertext& a, double value) const {
    return add(a, std::span<const double>(&value, 1));
  }
  Ciphertext multiply(const Ciphertext& a, double value) const {
    return multiply(a, std::span<const double>(&value, 1));
  }

  /// Plaintexts may have more limbs than `a`; those are ignored. Sums need equal scales
  /// (Error{mismatch}). Products are rescaled: of a level ciphertext and a plaintext of scale
  /// S_{a.limb_count()} the result is level.
  Ciphertext add_plain(const Ciphertext& a, const Plaintext& b) const;
  Ciphertext sub_plain(const Ciphertext& a, const Plaintext& b) const;
  Ciphertext multiply_plain(const Ciphertext& a, const Plaintext& b) const;

  /// Relinearized and rescaled in one program. Error{out_of_range} if only the base limbs are left.
  Ciphertext multiply(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext square(const Ciphertext& a) const { return multiply(a, a); }
  /// Products a[i] * b[i] in one run, all at the lowest level among them: each piece of the key
  /// serves all of them. Error{mismatch} for different sizes.
  std::vector<Ciphertext> multiply(std::span<const Ciphertext> a,
                                   std::span<const Ciphertext> b) const;

  /// The steps of multiply one by one: three parts and the product of the scales, two parts, one
  /// limb less.
  Ciphertext multiply_without_relinearization(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext relinearize(const Ciphertext& a) const;
  Ciphertext rescale(const Ciphertext& a) const;

  /// Slot j of the result is slot j + steps (modulo the number of slots); |steps| < degree/2.
  Ciphertext rotate(const Ciphertext& a, std::int64_t steps) const;
  /// Several rotations share the digits of a (hoisting).
  std::vector<Ciphertext> rotate(const Ciphertext& a, std::span<const std::int64_t> steps) const;
  Ciphertext conjugate(const Ciphertext& a) const;
  /// Slot j of the result is the sum of slots j .. j + count - 1; needs rotations by 1, 2, 4, ..,
  /// count/2. Error{out_of_range} unless count is a power of two up to the number of slots.
  Ciphertext inner_sum(const Ciphertext& a, std::size_t count) const;
  Ciphertext inner_sum(const Ciphertext& a) const { return inner_sum(a, a.slots); }

  /// The same values at fewer limbs, or at its own, with that level's scale. Error{out_of_range}
  /// for a limb_count outside [base_limbs, a.limb_count()], Error{mismatch} if a's scale cannot be
  /// brought there.
  Ciphertext to_level(const Ciphertext& a, std::size_t limb_count) const;

 private:
  class Operand;

  bool is_level(const Ciphertext& a) const;
  std::size_t level_of(const Ciphertext& a) const;
  Operand at_level(const Ciphertext& a, std::size_t limb_count) const;
  std::pair<Operand, Operand> summands(const Ciphertext& a, const Ciphertext& b) const;
  std::size_t factor_level(std::span<const Ciphertext> a, std::span<const Ciphertext> b) const;
  Operand factor(const Ciphertext& a, std::size_t level) const;
  Scale last_modulus(const Ciphertext& a) const;
  Ciphertext step_down(const Ciphertext& a) const;
  void check_rescalable(const Ciphertext& a) const;
  template <typename Values>
  Ciphertext add_values(const Ciphertext& a, const Values& values) const;
  template <typename Values>
  Ciphertext multiply_values(const Ciphertext& a, const Values& values) const;

  ContextPtr context_;
  rlwe::Evaluator rlwe_;
  rlwe::Matching matching_;
};

/// Elements for KeyGenerator::galois_keys: 5^steps modulo 2N for each, in order.
std::vector<std::uint64_t> galois_elements_of_rotations(const Parameters& parameters,
                                                        std::span<const std::int64_t> steps);

}  // namespace heliodor::ckks
