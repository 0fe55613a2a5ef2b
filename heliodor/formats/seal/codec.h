// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Reads SEAL's binary files without SEAL: parameters, plaintexts and secret keys, ciphertexts and
// relinearization keys (stored or with a BLAKE2xb seed), Galois keys. Uncompressed files are
// parsed without copying words; zlib and zstd bodies are inflated, up to kMaxInflation times the
// file's size.
#pragma once

#include <cstddef>

#include "heliodor/formats/byte_reader.h"
#include "heliodor/formats/seal/objects.h"

namespace heliodor::formats::seal {

/// Residues of 12 bits or more fill 64-bit words, so honest files stay well below it.
inline constexpr std::size_t kMaxInflation = 16;

/// Whether the bytes begin with SEAL's header.
bool is_seal(Bytes bytes) noexcept;

/// The kind of the object shows in the bytes. The result views `bytes` or its own `inflated`.
/// Throws Error{malformed_file}, also for seeds of SHAKE256, which are not read.
File parse(Bytes bytes);

}  // namespace heliodor::formats::seal
