// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// SlotEncoder: N values modulo t in one plaintext, so that sums and products of plaintexts are sums
// and products of values (Smart, Vercauteren, 2011; ePrint 2011/133). Needs a prime t = 1 mod 2N.
//
// With omega the smallest primitive 2N-th root of unity modulo t, slot j of a plaintext m is
//
//     row 0, column j        slot j        = m(omega^(5^j))      j = 0 .. N/2 - 1
//     row 1, column j        slot N/2 + j  = m(omega^(-5^j))
//
// the order of OpenFHE. X -> X^(5^k) rotates both rows by k to the left, X -> X^(2N-1) swaps them.
// Constant time in the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/context.h"
#include "heliodor/schemes/slots/plaintext.h"

namespace heliodor::slots {

class SlotEncoder {
 public:
  /// Transforms modulo t run on the context's target. Throws Error{invalid_modulus} unless t is a
  /// prime = 1 mod 2N, Error{out_of_range} unless 2 <= t < 2^60.
  SlotEncoder(rlwe::ContextPtr context, std::uint64_t t);

  const PlaintextModulus& t() const noexcept { return t_; }
  std::size_t slot_count() const noexcept { return evaluation_of_slot_.size(); }

  /// Values in [t.min_centred(), t - 1]: the first slots; the others are 0. Throws
  /// Error{out_of_range} for a value outside (the message does not tell it) or too many values.
  Plaintext encode(std::span<const std::int64_t> values) const;

  /// The slots, in [0, t). Throws Error{mismatch} for a plaintext of another t or degree.
  std::vector<std::uint64_t> decode(const Plaintext& plaintext) const;
  /// The same, centred.
  std::vector<std::int64_t> decode_centred(const Plaintext& plaintext) const;

 private:
  enum class Direction : std::uint8_t { encode, decode };
  // One limb of evaluations to coefficients, or back.
  rlwe::SecretLimbs transform(Direction direction, const rlwe::SecretLimbs& x) const;

  rlwe::ContextPtr context_;
  PlaintextModulus t_;
  ring::Modulus modulus_;
  std::vector<std::uint32_t> evaluation_of_slot_;
};

}  // namespace heliodor::slots
