// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// OpenFHE's files to native containers and back. A container keeps the owner (context and key tag)
// and a ciphertext's counters, so that the way back gives the same bytes; it differs where OpenFHE
// wrote moduli once more that it could have pointed to, as for rotated ciphertexts.
#pragma once

#include <cstdint>
#include <vector>

#include "heliodor/base/wipe.h"
#include "heliodor/formats/container/object_reader.h"
#include "heliodor/formats/openfhe/objects.h"

namespace heliodor::formats::openfhe {

/// A container with the parameters of the file's context and what else it holds. Of EvalMult keys
/// the key of s^2 is taken. `key` gives special primes, which only keys know; a file of keys needs
/// none. Throws as convert.h, and Error{mismatch} for keys of several key pairs.
base::SecretVector<std::uint8_t> to_container(const File& file, const EvalKey* key = nullptr);

/// The only object of a container as an OpenFHE file. Owner and counters are the container's own
/// or, where `like` is given, those of that file: of a ciphertext for ciphertexts. Throws
/// Error{mismatch} for a container with several objects (Galois keys count as one), one that lacks
/// an owner or counters, and parameters that are not the context's.
std::vector<std::uint8_t> from_container(const ObjectReader& in, const File* like = nullptr);

}  // namespace heliodor::formats::openfhe
