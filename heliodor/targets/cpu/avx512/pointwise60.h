// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pointwise AVX-512 kernels for what the 52-bit multiplier does not cover, in 32-bit halves
// (wide.h). n is a multiple of 8; canonical in and out; the result may be an operand.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heliodor::cpu::avx512 {

/// 34 <= bits <= 60 is the bit length of q; mu = floor(2^(61 + bits)/q).
void mul_words60(std::uint64_t q, unsigned bits, std::uint64_t mu, const std::uint64_t* a,
                 const std::uint64_t* b, std::uint64_t* result, std::size_t n) noexcept;

/// q < 2^60; companion = floor(c*2^63/q).
void mul_constant60(std::uint64_t q, const std::uint64_t* a, std::uint64_t c,
                    std::uint64_t companion, std::uint64_t* result, std::size_t n) noexcept;
/// (a - b)*c.
void mul_difference60(std::uint64_t q, const std::uint64_t* a, const std::uint64_t* b,
                      std::uint64_t c, std::uint64_t companion, std::uint64_t* result,
                      std::size_t n) noexcept;

/// The integer read from a (below 2^60, below `source`), modulo q < 2^60: words above `half` stand
/// for a - source. `shift` is -source mod q. A plain lift has half = 2^60.
struct Lift60 {
  std::uint64_t q;
  std::uint64_t inverse;  ///< floor(2^63/q)
  std::uint64_t half;
  std::uint64_t shift;
};
void lift_words60(const Lift60& lift, const std::uint64_t* a, std::uint64_t* result,
                  std::size_t n) noexcept;

}  // namespace heliodor::cpu::avx512
