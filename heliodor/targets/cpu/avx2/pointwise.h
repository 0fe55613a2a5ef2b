// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pointwise AVX2 kernels on plain numbers. n is a multiple of 4; canonical in and out; the result
// may be an operand.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heliodor::cpu::avx2 {

// q < 2^60.
void add_words(std::uint64_t q, const std::uint64_t* a, const std::uint64_t* b,
               std::uint64_t* result, std::size_t n) noexcept;
void sub_words(std::uint64_t q, const std::uint64_t* a, const std::uint64_t* b,
               std::uint64_t* result, std::size_t n) noexcept;
void neg_words(std::uint64_t q, const std::uint64_t* a, std::uint64_t* result,
               std::size_t n) noexcept;
void add_constant(std::uint64_t q, const std::uint64_t* a, std::uint64_t c, std::uint64_t* result,
                  std::size_t n) noexcept;

// q < 2^50, in double precision (real.h).
void mul_words50(std::uint64_t q, const std::uint64_t* a, const std::uint64_t* b,
                 std::uint64_t* result, std::size_t n) noexcept;
void mul_constant50(std::uint64_t q, const std::uint64_t* a, std::uint64_t c, std::uint64_t* result,
                    std::size_t n) noexcept;
/// The integer read from a (below 2^52, below `source`), modulo q: words above `half` stand for a -
/// source. A plain lift has half = 2^52.
struct Lift50 {
  std::uint64_t q;
  std::uint64_t source;
  std::uint64_t half;
};
void lift_words50(const Lift50& lift, const std::uint64_t* a, std::uint64_t* result,
                  std::size_t n) noexcept;

// q < 2^60, in 32-bit halves (wide.h).
/// 34 <= bits <= 60 is the bit length of q; mu = floor(2^(61 + bits)/q).
void mul_words60(std::uint64_t q, unsigned bits, std::uint64_t mu, const std::uint64_t* a,
                 const std::uint64_t* b, std::uint64_t* result, std::size_t n) noexcept;
/// companion = floor(c*2^63/q).
void mul_constant60(std::uint64_t q, const std::uint64_t* a, std::uint64_t c,
                    std::uint64_t companion, std::uint64_t* result, std::size_t n) noexcept;
/// As Lift50 for words below 2^60; a plain lift has half = 2^60. `shift` is -source mod q.
struct Lift60 {
  std::uint64_t q;
  std::uint64_t inverse;  ///< floor(2^63/q)
  std::uint64_t half;
  std::uint64_t shift;
};
void lift_words60(const Lift60& lift, const std::uint64_t* a, std::uint64_t* result,
                  std::size_t n) noexcept;

}  // namespace heliodor::cpu::avx2
