// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Right files of every kind, small enough to damage each of their bytes.
#pragma once

#include <vector>

#include "heliodor/rlwe/parameters.h"
#include "tests/formats/vector_files.h"

namespace heliodor::vectors {

/// Degree 4, two moduli of Q and one of P. Context, ciphertext, public and secret key, EvalMult
/// and automorphism keys, with BV and with HYBRID key switching.
std::vector<NamedFile> tiny_openfhe_files();

/// Degree 4, two moduli of Q and one of P.
rlwe::Parameters tiny_seal_parameters();

/// Parameters, a secret key, a stored and a seeded ciphertext, relinearization keys.
std::vector<NamedFile> tiny_seal_files();

/// The containers of tests/vectors/native.
std::vector<NamedFile> tiny_native_files();

}  // namespace heliodor::vectors
