// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Automorphisms of a limb with AVX-512. n is a power of two and at least 8; the result may not be
// an operand.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heliodor::cpu::avx512 {

/// result[i] = a[sources[i]] for the sources of an automorphism in evaluation order: every aligned
/// group of eight comes from one aligned group of eight.
void permute_groups(const std::uint32_t* sources, const std::uint64_t* a, std::uint64_t* result,
                    std::size_t n) noexcept;

/// Coefficient j of the result is coefficient j*inverse mod n of a, negated when j*inverse mod 2n
/// >= n; inverse is that of the Galois element modulo 2n.
void permute_coefficients(std::uint64_t q, std::uint32_t inverse, const std::uint64_t* a,
                          std::uint64_t* result, std::size_t n) noexcept;

}  // namespace heliodor::cpu::avx512
