// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Words of b bits side by side: value i takes bits i*b to (i+1)*b - 1, the lowest first, of a
// sequence of little-endian 64-bit words; the last word is filled up with zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "heliodor/formats/byte_reader.h"

namespace heliodor::formats {

/// Bytes of `count` packed values: a multiple of 8. Requires count * bits < 2^64.
constexpr std::size_t packed_bytes(std::size_t count, unsigned bits) noexcept {
  return (count * bits + 63) / 64 * 8;
}

/// Requires bits in [1, 63], values below 2^bits, out.size() == packed_bytes(values.size(), bits).
/// Constant time.
void pack(std::span<const std::uint64_t> values, unsigned bits,
          std::span<std::uint8_t> out) noexcept;

/// The inverse: values below 2^bits. Requires packed.size() == packed_bytes(values.size(), bits).
/// Says whether the filling is zero. Constant time.
bool unpack(Bytes packed, unsigned bits, std::span<std::uint64_t> values) noexcept;

}  // namespace heliodor::formats
