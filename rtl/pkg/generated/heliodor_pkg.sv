// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// generated from rtl/pkg/heliodor_pkg.toml by tools/generate_rtl_package; do not edit

package heliodor_pkg;

  // Bits of the wide unsigned operand of one DSP48E1 multiplier (25 x 18 signed).
  localparam int unsigned DspWideWidth = 24;

  // Bits of the narrow unsigned operand of one DSP48E1 multiplier (25 x 18 signed).
  localparam int unsigned DspNarrowWidth = 17;

  // Bits of the modulus and of the residues; the modulus has its top bit set.
  localparam int unsigned ModMulBarrettWidth = 30;

  // Bits of mu = floor(2^(2*ModMulBarrettWidth) / q).
  localparam int unsigned ModMulBarrettReciprocalWidth = ModMulBarrettWidth + 1;

  // Low product bits that the quotient estimate ignores; at most ModMulBarrettWidth/2 - 1.
  localparam int unsigned ModMulBarrettDroppedBits = 14;

  // Clocks from operands to result.
  localparam int unsigned ModMulBarrettLatency = 7;

endpackage : heliodor_pkg
