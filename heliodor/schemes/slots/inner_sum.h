// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of neighbouring slots by rotate-and-add: for each element g in turn, x <- x + x(X^g).
#pragma once

#include <cstdint>
#include <vector>

namespace heliodor::slots {

/// The Galois elements after which slot (row, column) holds the sum of the `count` slots of its row
/// from its column on, cyclically; for count = degree, of all slots. Rotations by 1, 2, 4, ..,
/// then, for count = degree, the swap of the rows. Throws Error{out_of_range} unless count is a
/// power of two in [1, degree] and degree a power of two in [4, Modulus::kMaxDegree].
std::vector<std::uint64_t> inner_sum_elements(std::uint64_t count, std::uint64_t degree);

}  // namespace heliodor::slots
