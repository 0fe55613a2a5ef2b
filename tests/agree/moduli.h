// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Primes at and between the ends of a bit size, where the lazy ranges of a kernel are tightest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "heliodor/ring/modulus.h"
#include "tests/agree/draw.h"

namespace heliodor::agree {

/// The primes q = 1 mod 2*degree next to 2^(bits-1) and to 2^bits; nothing if the size holds none.
std::optional<std::uint64_t> smallest_prime(unsigned bits, std::uint64_t degree);
std::optional<std::uint64_t> largest_prime(unsigned bits, std::uint64_t degree);

/// `count` distinct moduli of 20 to 60 bits: of one size, of mixed sizes, or of the sizes that
/// 30-bit hardware or 52-bit multipliers take. Fewer where the drawn size does not hold as many.
std::vector<ring::Modulus> random_moduli(Draw& draw, std::uint64_t degree, std::size_t count);

}  // namespace heliodor::agree
