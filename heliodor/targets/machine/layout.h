// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the words of a limb lie. Let a limb of N words have C chunks of L words (all powers of
// two), l = log2 L. Index i has chunk c = i div L and lane i mod L, and lies in
//
//   row    first + c                    bank   (i mod L) xor fold(c)
//
// where fold(c) xors the l-bit pieces of c: bit j of the index reaches bank bit j mod l alone. So
// any l consecutive bits of the index (a *window* [w, w + l)) number all banks, each once: the L
// words that differ only in a window can be read and written in one access. Window 0 holds the
// lanes of one row; the passes of an NTT use windows that hold the bits they transform. (BASALISC,
// ePrint 2022/657, has such a conflict-free buffer; the fold is ours.)
//
// A limb in *linear* layout lies without the xor. There, words at c + j h for j = 0 .. L-1, h odd,
// lie in distinct banks: what an automorphism of coefficients reads.
//
// A wide limb (modulus above word_bits) takes two rows for each chunk, 2c and 2c + 1: the low
// word_bits of each word in the first, the others in the second.
#pragma once

#include <bit>
#include <cstdint>

namespace heliodor::machine {

struct Layout {
  std::uint32_t chunk_bits = 0;   ///< l = log2 L
  std::uint32_t degree_bits = 0;  ///< log2 N >= l

  std::uint32_t chunk_words() const noexcept { return 1u << chunk_bits; }
  std::uint32_t chunks() const noexcept { return 1u << (degree_bits - chunk_bits); }
  std::uint32_t windows() const noexcept { return degree_bits - chunk_bits + 1; }

  /// The xor between lane and bank in chunk (row) c.
  std::uint32_t fold(std::uint32_t chunk) const noexcept {
    std::uint32_t folded = 0;
    for (; chunk_bits != 0 && chunk != 0; chunk >>= chunk_bits)
      folded ^= chunk & (chunk_words() - 1);
    return folded;
  }

  /// Index of word `lane` of chunk `chunk` in window w: the lane's bits at [w, w + l), those of
  /// the chunk around them.
  std::uint32_t index(std::uint32_t window, std::uint32_t chunk,
                      std::uint32_t lane) const noexcept {
    const std::uint32_t low = chunk & ((1u << window) - 1);
    return ((chunk >> window) << (window + chunk_bits)) | (lane << window) | low;
  }
};

}  // namespace heliodor::machine
