// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plaintext: a message polynomial of Z_t[X]/(X^N+1), as BGV and BFV encrypt it. Constant time in
// values and coefficients.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/ring/modulus.h"
#include "heliodor/schemes/slots/plaintext_modulus.h"

namespace heliodor::slots {

struct Plaintext {
  PlaintextModulus t;
  std::vector<std::int64_t> coefficients;  ///< centred: t.min_centred() .. t.max_centred()

  bool operator==(const Plaintext&) const = default;
};

/// Values in [t.min_centred(), t - 1], modulo t, as the first coefficients; the others are 0.
/// Throws Error{out_of_range} for a value outside (the message does not tell it) or more than
/// `degree` values.
Plaintext encode_coefficients(const PlaintextModulus& t, std::uint64_t degree,
                              std::span<const std::int64_t> values);

/// Residues in [0, t) as a plaintext. Requires each below t.
Plaintext from_residues(const PlaintextModulus& t, std::span<const std::uint64_t> residues);

/// The coefficients as residues in [0, t).
std::vector<std::uint64_t> to_residues(const Plaintext& plaintext);

/// The centred coefficients as residues modulo q, which may be below or above t. Throws
/// Error{mismatch} unless out has as many words.
void lift(const Plaintext& plaintext, const ring::Modulus& q, std::span<std::uint64_t> out);

}  // namespace heliodor::slots
