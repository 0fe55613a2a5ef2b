// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Transform: everything the AVX-512 transforms of one modulus and direction need, as plain data.
// Made by transform_tables.cpp, read by ntt52_*.cpp and ntt60_*.cpp.
//
// A transform of 2^k points is a depth-first sequence of *passes*. A strided pass of radix R = 2^r
// (8 or 16) takes R words a stride apart in each lane and performs r stages in registers; a block
// of length L has stride L/R. The *inner* pass takes eight blocks of R consecutive words at a time,
// transposed so that a register holds one position of eight blocks. The forward transform runs
// strided passes from the whole limb down, then the inner pass; the inverse runs the mirror image.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/targets/cpu/ahead.h"

namespace heliodor::cpu::avx512 {

/// What happens to the u half (the upper half of the registers) when a forward pass begins.
enum class Entry : std::uint8_t {
  none,
  add_bias,  ///< bias is added: a multiple K*q that keeps differences non-negative
  reduce,    ///< reduced modulo q and raised by K*q; bias is -K, modulo 2^64
};

enum class Arithmetic : std::uint8_t {
  lazy52,    ///< about q < 2^48: values modulo 2^52, reduced only where the range plan says
  harvey52,  ///< q < 2^50: values below 4q (forward) or 2q (inverse)
  harvey60,  ///< q < 2^60: values below 8q (forward) or 4q (inverse), 64-bit words
};

/// The companion of a twiddle factor w is floor(w * 2^companion_bits / q).
constexpr unsigned companion_bits(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::harvey60 ? 63 : 52;
}

/// Words of the inner pass's table for one factor of eight blocks.
constexpr std::size_t inner_factor_words(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::harvey60 ? 16 : 8;
}

struct Pass {
  unsigned log_radix;
  Entry entry;
  std::uint64_t bias;
  /// Strided: pairs (w, w'). Inner: vectors of eight w' for 52-bit words, which give w; of eight w,
  /// then eight w', for 64-bit words.
  const std::uint64_t* twiddles;
};

inline constexpr unsigned kMaxPasses = 6;

/// Words that the nearest cache holds (32 KB). Tables and limbs that come from far away are asked
/// for as much ahead: the hardware's own prefetch starts anew at every block.
inline constexpr std::size_t kNearWords = 4096;

struct Transform {
  std::uint64_t q;
  std::uint64_t mu;  ///< floor(2^52/q)
  std::size_t degree;
  Arithmetic arithmetic;
  unsigned pass_count;  ///< the last one is the inner pass
  Pass passes[kMaxPasses];
};

/// An InverseScale (cpu/ntt.h) as plain data of this folder.
struct LastStage {
  std::uint64_t sum, sum_companion;
  std::uint64_t product, product_companion;
};

/// Lane l of a register in the inner pass belongs to block kBlockOfLane[l] of its eight: the order
/// in which two unpacks and two 128-bit shuffles transpose.
inline constexpr unsigned kBlockOfLane[8] = {0, 1, 4, 5, 2, 3, 6, 7};

/// Words of another modulus below 2q that a transform takes: those above `half` stand for a
/// negative integer, and `shift` is a multiple of q less that modulus, in [0, q).
struct NearLift {
  std::uint64_t half, shift;
};

// in: canonical. out: standard order, canonical or (52-bit forward) any word whose low 52 bits
// represent a congruent integer. in == out is allowed. Constant time.
void ntt52_forward(const Transform& transform, const Ahead& ahead, const std::uint64_t* in,
                   std::uint64_t* out, bool canonical) noexcept;
/// For Arithmetic::lazy52.
void ntt52_forward_lifted(const Transform& transform, const NearLift& lift, const Ahead& ahead,
                          const std::uint64_t* in, std::uint64_t* out, bool canonical) noexcept;
void ntt52_inverse(const Transform& transform, const LastStage& last, const std::uint64_t* in,
                   std::uint64_t* out) noexcept;
void ntt60_forward(const Transform& transform, const std::uint64_t* in,
                   std::uint64_t* out) noexcept;
void ntt60_inverse(const Transform& transform, const LastStage& last, const std::uint64_t* in,
                   std::uint64_t* out) noexcept;

}  // namespace heliodor::cpu::avx512
