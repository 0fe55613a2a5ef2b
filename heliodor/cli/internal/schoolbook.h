// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A coefficient of a polynomial product by its definition, with none of our own arithmetic: the
// demo's oracle.
#pragma once

#include <cstdint>
#include <span>

namespace heliodor::cli {

/// Coefficient k of x * y modulo X^N + 1 and q: sum of x_i * y_j over i + j = k, less those over i
/// + j = k + N. N is the size of x and y; all words are below q < 2^60, k < N.
std::uint64_t negacyclic_coefficient(std::span<const std::uint64_t> x,
                                     std::span<const std::uint64_t> y, std::uint64_t k,
                                     std::uint64_t q);

}  // namespace heliodor::cli
