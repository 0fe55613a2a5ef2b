// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters of BFV (Brakerski, 2012; Fan and Vercauteren, ePrint 2012/144): a ring-LWE
// cryptosystem whose phase is (Q/t)*m + error, for a message m modulo t. They add to
// rlwe::Parameters the plaintext modulus and the auxiliary base R of exact products (multiply.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/ring/rns_base.h"
#include "heliodor/rlwe/parameters.h"
#include "heliodor/schemes/slots/plaintext_modulus.h"
#include "heliodor/schemes/slots/requirements.h"

namespace heliodor::bfv {

using slots::Requirements;

class Parameters {
 public:
  /// Throws Error{out_of_range} unless 2 <= t < 2^60 and the error scale is 1, Error{mismatch} if t
  /// is a multiple of a modulus, and what rlwe::Parameters throws.
  Parameters(rlwe::Parameters::Description description, std::uint64_t t);

  /// The smallest degree, and at it the fewest limbs of at most 47 bits, for which the
  /// bounds of noise.h allow the depth. Throws Error{out_of_range} if no degree up to 2^17 does.
  static Parameters for_depth(const Requirements& requirements);

  const rlwe::Parameters& rlwe() const noexcept { return rlwe_; }
  const slots::PlaintextModulus& t() const noexcept { return t_; }
  std::uint64_t degree() const noexcept { return rlwe_.degree(); }

  /// R for products of ciphertexts of limb_count limbs: the first primes of one sequence, none of
  /// them in Q or P, with R >= (1 + 2^-30) * t * N * q_0 * .. * q_{limb_count-1}. Requires
  /// 1 <= limb_count <= |Q|.
  ring::RnsBase auxiliary_base(std::size_t limb_count) const;

 private:
  rlwe::Parameters rlwe_;
  slots::PlaintextModulus t_;
  ring::RnsBase auxiliary_;  // for all of Q
};

}  // namespace heliodor::bfv
