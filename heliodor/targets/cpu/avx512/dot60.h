// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of products of words up to 60 bits in 30-bit halves, one reduction per output. n is a
// multiple of 8; canonical results; a result may be any operand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/targets/cpu/dot_target.h"

namespace heliodor::cpu::avx512 {

/// One sum modulo q < 2^60.
struct Dot60 {
  std::uint64_t q;
  std::uint64_t inverse;          ///< floor(2^63/q)
  std::uint64_t carry;            ///< 2^60 mod q
  std::uint64_t carry_companion;  ///< floor(carry*2^63/q)
  std::size_t terms;              ///< that fit the accumulators (KernelModulus::terms_60)
};

/// Of a[k]*b[k], on top of the addend.
void dot60(const Dot60& sum, const std::uint64_t* const* a, std::size_t count,
           const DotTarget<std::uint64_t>& target, std::size_t n) noexcept;

struct DotScalar60 {
  Dot60 sum;
  const std::uint64_t* factors;
  std::uint64_t* result;
};

/// 1 <= target_count <= 4 sums of x[k]*factors[k], which share the loads of x.
void dot_scalar60(const std::uint64_t* const* x, std::size_t count, const DotScalar60* targets,
                  std::size_t target_count, std::size_t n) noexcept;

}  // namespace heliodor::cpu::avx512
