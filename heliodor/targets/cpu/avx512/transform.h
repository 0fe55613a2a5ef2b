// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Transform: everything the AVX-512 IFMA transforms of one modulus and direction need, as plain data. Made by
// transform_tables.cpp, read by ntt_forward.cpp and ntt_inverse.cpp.
//
// A transform of 2^k points is a depth-first sequence of *passes*. A strided pass of radix R = 2^r (8 or 16) takes R words a
// stride apart in each lane and performs r stages in registers; a block of length L has stride L/R. The *inner* pass takes
// eight blocks of R consecutive words at a time, transposed so that a register holds one position of eight blocks. The
// forward transform runs strided passes from the whole limb down, then the inner pass; the inverse runs the mirror image.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heliodor::cpu::avx512 {

/// What happens to the u half (the upper half of the registers) when a pass begins.
enum class Entry : std::uint8_t {
  none,
  add_bias,  ///< bias is added: a multiple K*q that keeps differences non-negative
  reduce,    ///< reduced modulo q and raised by K*q; bias is -K, modulo 2^64
};

enum class Arithmetic : std::uint8_t {
  lazy,    ///< q < 2^48: values modulo 2^52, reduced only where the range plan says
  harvey,  ///< q < 2^50: values below 4q (forward) or 2q (inverse)
};

struct Pass {
  unsigned log_radix;
  Entry entry;
  std::uint64_t bias;
  const std::uint64_t* twiddles;  ///< strided: pairs (w, w'); inner: vectors of eight w, then eight w'
};

inline constexpr unsigned kMaxPasses = 6;

struct Transform {
  std::uint64_t q;
  std::size_t degree;
  Arithmetic arithmetic;
  unsigned pass_count;      ///< the last one is the inner pass
  Pass passes[kMaxPasses];
  std::uint64_t scale, scale_shoup;  ///< inverse: 1/N mod q and its companion
};

/// Lane l of a register in the inner pass belongs to block kBlockOfLane[l] of its eight: the order in which two unpacks and
/// two 128-bit shuffles transpose.
inline constexpr unsigned kBlockOfLane[8] = {0, 1, 4, 5, 2, 3, 6, 7};

// in: canonical. out: canonical, standard order. in == out is allowed. Constant time.
void ntt_forward(const Transform& transform, const std::uint64_t* in, std::uint64_t* out) noexcept;
void ntt_inverse(const Transform& transform, const std::uint64_t* in, std::uint64_t* out) noexcept;

}  // namespace heliodor::cpu::avx512
