// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters of CKKS: the ring-LWE parameters and the scale that belongs to each limb_count.
//
// Scales follow the reduced-error variant (Kim, Papadimitriou, Polyakov, ePrint 2020/1118): with
// S_l for l limbs,
//
//   S_|Q| = scale,    S_{l-1} = S_l^2 / q_{l-1}    exactly,
//
// so that the rescaled product of two ciphertexts of scale S_l has S_{l-1}. Every ciphertext that
// is brought to l limbs gets S_l, and operands match without approximation. for_depth chooses each
// q_{l-1} next to S_l^2 / T, T a little below 2^scale_bits, so that no S_l but the first moves away
// from T. The first base_limbs moduli are never rescaled away; they hold the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "heliodor/rlwe/parameters.h"
#include "heliodor/schemes/ckks/scale.h"

namespace heliodor::ckks {

struct Requirements {
  std::size_t depth;            ///< multiplications in a row, each rescaled
  unsigned scale_bits = 45;     ///< slots have about scale_bits less the noise's bits; in [20, 47]
  unsigned integer_bits = 10;   ///< results stay below 2^integer_bits, their error bound included
  double value_bound = 1;       ///< largest absolute value of a slot that may be encrypted
  std::size_t digit_count = 3;  ///< of key switching at the top
  rlwe::SecurityLevel security = rlwe::SecurityLevel::bits128;
  std::optional<std::uint64_t> degree = {};  ///< the smallest that is secure without
};

class Parameters {
 public:
  /// Explicit moduli; limbs are consumed from the end. Throws as rlwe::Parameters, and
  /// Error{out_of_range} for an error scale other than 1, base_limbs outside [1, |Q|], or a
  /// value_bound that is not positive and finite.
  Parameters(rlwe::Parameters::Description description, const Scale& scale,
             std::size_t base_limbs = 1, double value_bound = 1);

  /// depth + 1 limbs, or depth + 2 where scale_bits + integer_bits + 1 exceed the 47 bits of the
  /// fastest kernels and the base is split in halves. Throws Error{out_of_range} for scale_bits or
  /// an integer_bits above 40, or if no degree up to 2^17 is secure; Error{insecure} if the given
  /// degree is not.
  static Parameters for_depth(const Requirements& requirements);

  const rlwe::Parameters& rlwe() const noexcept { return rlwe_; }
  std::uint64_t degree() const noexcept { return rlwe_.degree(); }
  std::size_t max_slots() const noexcept { return degree() / 2; }
  std::size_t limb_count() const noexcept { return rlwe_.q().size(); }  ///< of fresh ciphertexts
  std::size_t base_limbs() const noexcept { return base_limbs_; }
  std::size_t depth() const noexcept { return limb_count() - base_limbs_; }
  double value_bound() const noexcept { return value_bound_; }

  /// S_l. Error{out_of_range} unless limb_count is in [base_limbs(), limb_count()].
  const Scale& scale(std::size_t limb_count) const;

 private:
  rlwe::Parameters rlwe_;
  std::size_t base_limbs_;
  double value_bound_;
  std::vector<Scale> scales_;  // from base_limbs_ on
};

}  // namespace heliodor::ckks
