// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// OpenFHE's binary files to objects and back, without OpenFHE. Parsing copies no words, so that it
// costs about the same for a key of a gigabyte as for a small one. Writing what was parsed gives
// the same bytes.
//
// Structure is checked (lengths, pointers, degrees, each tower's modulus); whether words are
// residues and moduli are primes is checked where objects become ours (convert.h).
#pragma once

#include <cstdint>
#include <vector>

#include "heliodor/formats/byte_reader.h"
#include "heliodor/formats/openfhe/objects.h"

namespace heliodor::formats::openfhe {

/// Whether the bytes begin as an OpenFHE file does.
bool is_openfhe(Bytes bytes) noexcept;

/// A context, ciphertext, public or secret key, EvalMult keys or automorphism keys: the kind shows
/// in the bytes. The result views `bytes`. Throws Error{malformed_file}, also for contexts with
/// bootstrapping or scheme-switching state and ciphertexts with metadata, which are not read.
/// Memory: a small multiple of the structure around the words.
File parse(Bytes bytes);

std::vector<std::uint8_t> write(const File& file);

/// The context of whatever object the file holds; the first one of a key map.
const Context& context_of(const File& file);

}  // namespace heliodor::formats::openfhe
