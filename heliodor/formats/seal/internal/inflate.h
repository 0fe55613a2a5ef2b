// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Decompression of SEAL's bodies by zlib and zstd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "heliodor/base/wipe.h"
#include "heliodor/formats/byte_reader.h"

namespace heliodor::formats::seal {

enum class Compression : std::uint8_t { none = 0, zlib = 1, zstd = 2 };

/// The whole of `packed`, which must be one stream and nothing more. Throws Error{malformed_file}
/// if it is not, and as soon as the result exceeds `limit` bytes.
base::SecretVector<std::uint8_t> inflate(Compression compression, Bytes packed, std::size_t limit);

}  // namespace heliodor::formats::seal
