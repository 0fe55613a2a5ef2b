// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/container/packing.h"

#include <cstring>

namespace heliodor::formats {

void pack(std::span<const std::uint64_t> values, unsigned bits,
          std::span<std::uint8_t> out) noexcept {
  std::uint8_t* to = out.data();
  std::uint64_t word = 0;
  unsigned used = 0;  // bits of `word`, below 64
  for (const std::uint64_t value : values) {
    word |= value << used;
    used += bits;
    if (used >= 64) {
      std::memcpy(to, &word, sizeof word);
      to += sizeof word;
      used -= 64;
      word = used == 0 ? 0 : value >> (bits - used);
    }
  }
  if (used != 0) std::memcpy(to, &word, sizeof word);
}

bool unpack(Bytes packed, unsigned bits, std::span<std::uint64_t> values) noexcept {
  const std::uint8_t* from = packed.data();
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t word = 0;  // what is left of the last word read
  unsigned left = 0;       // its bits, below 64
  for (std::uint64_t& value : values) {
    if (left >= bits) {
      value = word & mask;
      word >>= bits;
      left -= bits;
      continue;
    }
    std::uint64_t next;
    std::memcpy(&next, from, sizeof next);
    from += sizeof next;
    value = (word | next << left) & mask;
    const unsigned taken = bits - left;  // in [1, 63]
    word = next >> taken;
    left = 64 - taken;
  }
  return word == 0;
}

}  // namespace heliodor::formats
