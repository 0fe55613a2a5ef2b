// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pointwise AVX-512 kernels on plain numbers. n is a multiple of 8; canonical in and out; the
// result may be an operand.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heliodor::cpu::avx512 {

// q < 2^60.
void add_words(std::uint64_t q, const std::uint64_t* a, const std::uint64_t* b,
               std::uint64_t* result, std::size_t n) noexcept;
void sub_words(std::uint64_t q, const std::uint64_t* a, const std::uint64_t* b,
               std::uint64_t* result, std::size_t n) noexcept;
void neg_words(std::uint64_t q, const std::uint64_t* a, std::uint64_t* result,
               std::size_t n) noexcept;
void add_constant(std::uint64_t q, const std::uint64_t* a, std::uint64_t c, std::uint64_t* result,
                  std::size_t n) noexcept;

/// 2 <= bits <= 50 is the bit length of q; mu = floor(2^(51 + bits)/q) < 2^52.
void mul_words(std::uint64_t q, unsigned bits, std::uint64_t mu, const std::uint64_t* a,
               const std::uint64_t* b, std::uint64_t* result, std::size_t n) noexcept;
/// q < 2^50; c_shoup = floor(c*2^52/q).
void mul_constant(std::uint64_t q, const std::uint64_t* a, std::uint64_t c, std::uint64_t c_shoup,
                  std::uint64_t* result, std::size_t n) noexcept;
/// (a - b)*c.
void mul_difference(std::uint64_t q, const std::uint64_t* a, const std::uint64_t* b,
                    std::uint64_t c, std::uint64_t c_shoup, std::uint64_t* result,
                    std::size_t n) noexcept;

/// The integer read from a (below 2^52, below `source`), modulo q < 2^50: words above `half` stand
/// for a - source. `shift` is -source mod q. A plain lift has half = 2^52.
struct Lift52 {
  std::uint64_t q;
  std::uint64_t half;
  std::uint64_t shift;
};
void lift_words(const Lift52& lift, const std::uint64_t* a, std::uint64_t* result,
                std::size_t n) noexcept;

}  // namespace heliodor::cpu::avx512
