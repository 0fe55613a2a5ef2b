// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Transform: everything the AVX2 transforms of one modulus and direction need, as plain data. Made
// by transform_tables.cpp, read by ntt50.cpp and ntt60.cpp.
//
// A transform of 2^k points is a depth-first sequence of *passes*. A strided pass of radix R = 2^r
// (4 or 8) takes R words a stride apart in each lane and performs r stages in registers; a block of
// length L has stride L/R. The *inner* pass takes four blocks of R consecutive words at a time,
// transposed so that a register holds one position of four blocks. The forward transform runs
// strided passes from the whole limb down, then the inner pass; the inverse runs the mirror image.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heliodor::cpu::avx2 {

enum class Arithmetic : std::uint8_t {
  real47,    ///< q < 2^47, double precision (real.h); between passes words hold doubles
  real50,    ///< q < 2^50, the same with more reductions
  harvey60,  ///< q < 2^60: words below 8q (forward) or 4q (inverse)
};

// Twiddle factors are pairs (w, w'): doubles w within q/2 of zero and w/q where real, otherwise
// words and floor(w*2^63/q).
struct Pass {
  unsigned log_radix;
  const std::uint64_t*
      twiddles;  ///< strided: pairs (w, w'); inner: vectors of four w, then four w'
};

inline constexpr unsigned kMaxPasses = 6;

struct Transform {
  std::uint64_t q;
  std::size_t degree;
  Arithmetic arithmetic;
  unsigned pass_count;  ///< the last one is the inner pass
  Pass passes[kMaxPasses];
};

/// The factors of the last stage of an inverse transform, pairs as the twiddle factors.
struct LastStage {
  std::uint64_t sum, sum_companion;
  std::uint64_t product, product_companion;
};

// Canonical in and out, standard order. in == out is allowed. Constant time.
void ntt50_forward(const Transform& transform, const std::uint64_t* in,
                   std::uint64_t* out) noexcept;
void ntt50_inverse(const Transform& transform, const LastStage& last, const std::uint64_t* in,
                   std::uint64_t* out) noexcept;
void ntt60_forward(const Transform& transform, const std::uint64_t* in,
                   std::uint64_t* out) noexcept;
void ntt60_inverse(const Transform& transform, const LastStage& last, const std::uint64_t* in,
                   std::uint64_t* out) noexcept;

}  // namespace heliodor::cpu::avx2
