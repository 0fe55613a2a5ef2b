// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// SEAL's objects to ours. Evaluations are in the same order, under the smallest primitive root,
// which SEAL does not store. Relinearization keys are hybrid ones with digits of one limb and one
// special prime.
//
// Error{malformed_file} for moduli that are not primes of the degree, words that are not residues,
// sizes that are not those of the parameters, and secrets that are not ternary.
#pragma once

#include "heliodor/formats/seal/objects.h"
#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::formats::seal {

/// Q is all moduli but the last, P the last; one modulus alone is Q. The result makes
/// rlwe::Parameters unless it is less secure than its `security`, which is the default.
rlwe::Parameters::Description description(const Parameters& parameters);

rlwe::SecretKey to_secret_key(const Plaintext& key, const rlwe::Parameters& parameters);

/// A seeded part is expanded; coefficients are transformed. Bounds are infinite, as files do not
/// carry them: the caller sets what it knows.
rlwe::Ciphertext to_ciphertext(const Ciphertext& ciphertext, const rlwe::Parameters& parameters);

/// The key of s^2. Error{malformed_file} if there is none.
rlwe::RelinearizationKeys to_relinearization_keys(const KSwitchKeys& keys,
                                                  const rlwe::Parameters& parameters);

}  // namespace heliodor::formats::seal
