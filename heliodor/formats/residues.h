// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What every codec checks before numbers of a file become ours. `where` names the file and the
// thing ("OpenFHE file: ciphertext"); faults are Error{malformed_file}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "heliodor/ring/modulus.h"
#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::formats {

/// As many moduli as a LimbProgram may have.
inline constexpr std::size_t kMaxModuli = 1024;

/// Checks that q is a prime fit for the degree and psi, where given, a root.
ring::Modulus checked_modulus(std::uint64_t q, std::uint64_t degree,
                              std::optional<std::uint64_t> psi, std::string_view where);

/// Checks that the description makes parameters, whatever their security.
void check_description(const rlwe::Parameters::Description& description, std::string_view where);

/// Checks that all words are residues. Constant time unless one is not.
void check_residues(const ring::Modulus& modulus, std::span<const std::uint64_t> words,
                    std::string_view where);

/// The key of a ternary secret given by evaluations modulo the first moduli of Q and then P, which
/// must all be of the same secret. Constant time unless it is none.
rlwe::SecretKey checked_secret(const rlwe::Parameters& parameters,
                               const rlwe::SecretLimbs& evaluations, std::string_view where);

}  // namespace heliodor::formats
