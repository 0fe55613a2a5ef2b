// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// generated from rtl/pkg/heliodor_pkg.toml by tools/generate_rtl_package; do not edit

#pragma once

namespace heliodor::machine::pe {

// Bits of the wide unsigned operand of one DSP48E1 multiplier (25 x 18 signed).
inline constexpr unsigned kDspWideWidth = 24;

// Bits of the narrow unsigned operand of one DSP48E1 multiplier (25 x 18 signed).
inline constexpr unsigned kDspNarrowWidth = 17;

// Bits of the modulus and of the residues; the modulus has its top bit set.
inline constexpr unsigned kModMulBarrettWidth = 30;

// Bits of mu = floor(2^(2*ModMulBarrettWidth) / q).
inline constexpr unsigned kModMulBarrettReciprocalWidth = kModMulBarrettWidth + 1;

// Low product bits that the quotient estimate ignores; at most ModMulBarrettWidth/2 - 1.
inline constexpr unsigned kModMulBarrettDroppedBits = 14;

// Clocks from operands to result.
inline constexpr unsigned kModMulBarrettLatency = 7;

}  // namespace heliodor::machine::pe
