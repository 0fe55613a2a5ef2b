// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Primes for rings and their primitive roots. Deterministic: the same request gives the same primes
// on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heliodor::ring {

/// Deterministic Miller-Rabin, right for every 64-bit number.
bool is_prime(std::uint64_t n) noexcept;

/// The `most` largest primes q < 2^bits with q = 1 mod 2*degree, q = 1 mod `factor` and q >
/// 2^(bits-1), in descending order, skipping those in `exclude`; fewer if there are no more. Throws
/// Error{out_of_range} for bits outside [2, Modulus::kMaxBits], a degree that is not a power of two
/// in [2, Modulus::kMaxDegree], or a factor of 0.
std::vector<std::uint64_t> find_primes(unsigned bits, std::uint64_t degree, std::size_t most,
                                       std::span<const std::uint64_t> exclude = {},
                                       std::uint64_t factor = 1);

/// find_primes, but exactly `count`: throws Error{out_of_range} when fewer exist, too (the message
/// says how many do).
std::vector<std::uint64_t> generate_primes(unsigned bits, std::uint64_t degree, std::size_t count,
                                           std::span<const std::uint64_t> exclude = {},
                                           std::uint64_t factor = 1);

/// Whether psi has order exactly 2*degree modulo the prime q, that is psi^degree = -1. Requires q <
/// 2^60.
bool is_primitive_root(std::uint64_t psi, std::uint64_t q, std::uint64_t degree) noexcept;

/// The smallest primitive 2*degree-th root modulo the prime q. Requires q = 1 mod 2*degree, q <
/// 2^60.
std::uint64_t minimal_primitive_root(std::uint64_t q, std::uint64_t degree) noexcept;

}  // namespace heliodor::ring
