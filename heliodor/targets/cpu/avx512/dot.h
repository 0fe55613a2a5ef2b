// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of products on the 52-bit multiplier: two IFMA per term into a low and a high accumulator, one reduction per output.
// n is a multiple of 8; canonical results; the result may be any operand.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heliodor::cpu::avx512 {

/// Constants of a sum of products modulo q < 2^50, whose factors are below `bound` <= 2^52 and q.
struct DotConstants {
  std::uint64_t q;
  std::uint64_t carry;        ///< 2^52 mod q
  std::uint64_t carry_shoup;  ///< floor(carry*2^52/q)
  std::size_t group;          ///< terms that fit the accumulators, at least 3

  DotConstants(std::uint64_t q, std::uint64_t bound) noexcept;
};

void dot_words(const DotConstants& c, const std::uint64_t* const* a, const std::uint64_t* const* b, std::size_t count,
               std::uint64_t* result, std::size_t n) noexcept;
void dot_constants(const DotConstants& c, const std::uint64_t* const* x, const std::uint64_t* factors,
                   std::size_t count, std::uint64_t* result, std::size_t n) noexcept;

}  // namespace heliodor::cpu::avx512
