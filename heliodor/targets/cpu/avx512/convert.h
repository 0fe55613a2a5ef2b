// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The quotient kernel of AVX-512.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heliodor::cpu::avx512 {

struct QuotientSource {
  const std::uint64_t* words;  ///< below 2^bits
  std::uint64_t reciprocal;    ///< r = floor(2^(bits+48)/q) <= 2^49
  unsigned bits;               ///< at most 60
};

/// result = (bias + sum_k floor(words*r/2^bits)) >> shift. n is a multiple of 8; the result may be
/// any operand.
void sum_quotients(const QuotientSource* sources, std::size_t count, std::uint64_t bias,
                   unsigned shift, std::uint64_t* result, std::size_t n) noexcept;

}  // namespace heliodor::cpu::avx512
