// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of products with AVX2, one reduction per output, by three methods: 64-bit products of 32-bit
// words (dot32.cpp), double precision (dot50.cpp), 30-bit halves (dot60.cpp). n is a multiple of 4;
// canonical results; a result may be any operand. `terms` is the number of products that the
// accumulators of a method hold, at least 1.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/targets/cpu/dot_target.h"

namespace heliodor::cpu::avx2 {

/// Words and q below 2^32.
struct Sum32 {
  double q;
  double carry;  ///< 2^32 mod q, within q/2 of zero
  std::size_t terms;
};

/// q < 2^50, words below 2^52.
struct Sum50 {
  double q;
  double unit;   ///< 2^k: high accumulators hold multiples of it
  double carry;  ///< 2^k mod q, within q/2 of zero
  std::size_t terms;
};

/// q < 2^60, words below 2^60.
struct Sum60 {
  std::uint64_t q;
  std::uint64_t inverse;          ///< floor(2^63/q)
  std::uint64_t carry;            ///< 2^60 mod q
  std::uint64_t carry_companion;  ///< floor(carry*2^63/q)
  std::size_t terms;              ///< KernelModulus::terms_60
};

/// One of the sums that a call makes from the same sources.
template <typename Sum>
struct Target {
  Sum sum;
  const std::uint64_t* factors;
  std::uint64_t* result;
};

void dot32(const Sum32& sum, const std::uint64_t* const* a, std::size_t count,
           const DotTarget<std::uint64_t>& target, std::size_t n) noexcept;
void dot50(const Sum50& sum, const std::uint64_t* const* a, std::size_t count,
           const DotTarget<std::uint64_t>& target, std::size_t n) noexcept;
void dot60(const Sum60& sum, const std::uint64_t* const* a, std::size_t count,
           const DotTarget<std::uint64_t>& target, std::size_t n) noexcept;

// 1 <= target_count <= 4 sums of x[k]*factors[k].
void dot_scalar32(const std::uint64_t* const* x, std::size_t count, const Target<Sum32>* targets,
                  std::size_t target_count, std::size_t n) noexcept;
void dot_scalar50(const std::uint64_t* const* x, std::size_t count, const Target<Sum50>* targets,
                  std::size_t target_count, std::size_t n) noexcept;
void dot_scalar60(const std::uint64_t* const* x, std::size_t count, const Target<Sum60>* targets,
                  std::size_t target_count, std::size_t n) noexcept;

}  // namespace heliodor::cpu::avx2
