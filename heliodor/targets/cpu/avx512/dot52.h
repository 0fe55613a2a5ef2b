// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of products on the 52-bit multiplier: two IFMA per term into a low and a high accumulator,
// one reduction per output. n is a multiple of 8; canonical results; a result may be any operand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/targets/cpu/dot_target.h"

namespace heliodor::cpu::avx512 {

/// One sum modulo q < 2^50.
struct Dot52 {
  std::uint64_t q;
  std::uint64_t mu;               ///< floor(2^52/q)
  std::uint64_t carry;            ///< 2^52 mod q
  std::uint64_t carry_companion;  ///< floor(carry*2^52/q)
  std::size_t terms;              ///< that fit the accumulators, at least 3
};

/// 1 <= target_count <= 2 sums of a[k]*b[k] on top of their addends, which share the loads of a;
/// only the low 52 bits of the factors are read. The results of two may overlap nothing but each
/// its own addend.
void dot52(const Dot52& sum, const std::uint64_t* const* a, std::size_t count,
           const DotTarget<std::uint64_t>* targets, std::size_t target_count,
           std::size_t n) noexcept;
void dot52_packed(const Dot52& sum, const std::uint64_t* const* a, std::size_t count,
                  const DotTarget<std::uint32_t>* targets, std::size_t target_count,
                  std::size_t n) noexcept;

struct DotScalar52 {
  Dot52 sum;
  std::uint64_t montgomery;      ///< -1/q mod 2^52
  const std::uint64_t* factors;  ///< c[k], or c[k]*2^52 mod q where Montgomery's reduction follows
  std::uint64_t* result;
};

/// 1 <= target_count <= 4 sums of x[k]*c[k], which share the loads of x, all with the terms that
/// fit the tightest. The shorter of the two, with Montgomery's reduction, is for count <= terms
/// words x[k] whose sum is at most 2^52.
void dot_scalar52_short(const std::uint64_t* const* x, std::size_t count,
                        const DotScalar52* targets, std::size_t target_count,
                        std::size_t n) noexcept;
void dot_scalar52(const std::uint64_t* const* x, std::size_t count, const DotScalar52* targets,
                  std::size_t target_count, std::size_t n) noexcept;

}  // namespace heliodor::cpu::avx512
