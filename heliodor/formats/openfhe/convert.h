// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// OpenFHE's objects to ours and back. Both sides keep evaluations in the same order and have the
// same key equations, so limbs pass unchanged; a polynomial that a file holds as coefficients is
// transformed. Roots are the file's own.
//
// From a file: Error{malformed_file} for moduli that are not primes of the degree, roots that are
// none, words that are not residues, towers that are not those of the parameters, and secrets that
// are not ternary. To a file: Error{mismatch} where parameters or gadget are not the context's.
#pragma once

#include <cstddef>
#include <optional>

#include "heliodor/formats/openfhe/objects.h"
#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::formats::openfhe {

/// Q, error scale, sigma and gadget. A context file does not say what P is: HYBRID parameters for
/// keys take it from any evaluation `key`, and without one have neither P nor gadgets. The result
/// makes rlwe::Parameters unless it is less secure than its `security`, which is the default.
rlwe::Parameters::Description description(const Context& context, const EvalKey* key = nullptr);

/// An evaluation key of the file; none if it holds none.
const EvalKey* find_eval_key(const File& file) noexcept;

/// Bounds are infinite, as files do not carry them: the caller sets what it knows.
rlwe::Ciphertext to_ciphertext(const Ciphertext& ciphertext, const rlwe::Parameters& parameters);
rlwe::PublicKey to_public_key(const PublicKey& key, const rlwe::Parameters& parameters);
rlwe::SecretKey to_secret_key(const SecretKey& key, const rlwe::Parameters& parameters);
/// Of the first gadget of the parameters.
rlwe::EvaluationKey to_evaluation_key(const EvalKey& key, const rlwe::Parameters& parameters);

/// The results view the limbs they are made from.
///
/// With the owner and the counters (level, scaling factors, ..) of `like`: the caller sets those
/// that differ.
Ciphertext from_ciphertext(const rlwe::Ciphertext& ciphertext, const rlwe::Parameters& parameters,
                           const Ciphertext& like);
PublicKey from_public_key(const rlwe::PublicKey& key, const rlwe::Parameters& parameters,
                          const Owner& owner);
SecretKey from_secret_key(const rlwe::SecretKey& key, const rlwe::Parameters& parameters,
                          const Owner& owner);
EvalKey from_evaluation_key(const rlwe::EvaluationKey& key, const rlwe::Parameters& parameters,
                            const Owner& owner);

}  // namespace heliodor::formats::openfhe
