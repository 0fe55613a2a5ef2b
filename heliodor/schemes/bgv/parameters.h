// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters of BGV (Brakerski, Gentry, Vaikuntanathan, ITCS 2012): a ring-LWE cryptosystem whose
// phase is factor*m + t*e, for a message m modulo t. The error scale of rlwe::Parameters is t; a
// tracked plaintext factor frees the moduli from being 1 modulo t.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/rlwe/parameters.h"
#include "heliodor/schemes/slots/plaintext_modulus.h"
#include "heliodor/schemes/slots/requirements.h"

namespace heliodor::bgv {

using slots::Requirements;

class Parameters {
 public:
  /// Sets the error scale to t. Throws Error{out_of_range} unless 2 <= t < 2^60, and what
  /// rlwe::Parameters throws.
  Parameters(rlwe::Parameters::Description description, std::uint64_t t);

  /// The smallest degree, and at it the fewest limbs of one size of at most 47 bits, that are
  /// secure and carry the noise of the depth under the rules of noise.h. Throws
  /// Error{out_of_range} if no degree up to 2^17 does.
  static Parameters for_depth(const Requirements& requirements);

  const rlwe::Parameters& rlwe() const noexcept { return rlwe_; }
  const slots::PlaintextModulus& t() const noexcept { return t_; }
  std::uint64_t degree() const noexcept { return rlwe_.degree(); }

 private:
  rlwe::Parameters rlwe_;
  slots::PlaintextModulus t_;
};

}  // namespace heliodor::bgv
