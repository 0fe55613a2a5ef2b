// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a ring degree and a modulus are worth, by Table 5.2 of "Security Guidelines for Implementing
// Homomorphic Encryption" (Bossuat et al., 2024; classical attacks, uniform ternary secrets, sigma
// about 3.2). The limit is on log2 of QP: special primes count.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heliodor::rlwe {

/// Bits of classical security. `none` must be asked for by name and is shown in every report.
enum class SecurityLevel : std::uint8_t { none, bits128, bits192, bits256 };

std::string_view to_string(SecurityLevel level) noexcept;  ///< "none", "128 bits", ..

/// The largest log2(QP) of the table; nothing if the table has no row for the degree or no entry
/// for the level. Infinite for `none`.
std::optional<double> max_log_qp(SecurityLevel level, std::uint64_t degree) noexcept;

/// The highest level that (degree, log2(QP)) reaches. Sparse secrets are outside the table: a
/// fixed Hamming weight gives `none`.
SecurityLevel security_level(std::uint64_t degree, double log_qp, bool sparse_secret) noexcept;

}  // namespace heliodor::rlwe
