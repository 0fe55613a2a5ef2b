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

  // Bits of a stream word.
  localparam int unsigned StreamWordWidth = 64;

  // Words of a stream FIFO unless its user says otherwise.
  localparam int unsigned StreamFifoDepth = 16;

  // Bits of modulus and residues of modular adders and subtractors unless their user says otherwise.
  localparam int unsigned ModAddWidth = 32;

  // Clocks from operands to sum or difference.
  localparam int unsigned ModAddLatency = 1;

  // Bits of the residues and of the modulus q = h*2^17 + 1.
  localparam int unsigned ModMulMontgomeryWidth = 32;

  // Bits that one Montgomery round removes; two rounds make R = 2^34.
  localparam int unsigned ModMulMontgomeryRoundBits = 17;

  // Bits of h.
  localparam int unsigned ModMulMontgomeryHighWidth = ModMulMontgomeryWidth - ModMulMontgomeryRoundBits;

  // Clocks from operands to result.
  localparam int unsigned ModMulMontgomeryLatency = 7;

  // Bits of the modulus 2^62 - 2^ModMulSolinasHigh - 2^ModMulSolinasLow + 1.
  localparam int unsigned ModMulSolinasWidth = 62;

  // The larger exponent of the Solinas prime; at most 29.
  localparam int unsigned ModMulSolinasHigh = 26;

  // The smaller exponent of the Solinas prime.
  localparam int unsigned ModMulSolinasLow = 25;

  // Clocks from operands to result.
  localparam int unsigned ModMulSolinasLatency = 6;

  // Clocks from operands to results.
  localparam int unsigned NttButterflyLatency = ModMulBarrettLatency + 2;

  // Words of one bank of a coefficient store unless its user says otherwise.
  localparam int unsigned CoefficientStoreDepth = 512;

  // Lanes of an omega network unless its user says otherwise; a power of two.
  localparam int unsigned PermuteOmegaLanes = 16;

  // Bits of a lane of an omega network unless its user says otherwise.
  localparam int unsigned PermuteOmegaWidth = 32;

  // Clocks from operands to result at PermuteOmegaLanes: 1 + log2(lanes).
  localparam int unsigned PermuteOmegaLatency = 5;

  // Words of the register file unless its user says otherwise; a power of two.
  localparam int unsigned MacElementRegisters = 16;

  // Clocks from the last term to the sum.
  localparam int unsigned MacElementLatency = ModMulBarrettLatency + 2;

  // Both halves of the word that begins a profile frame: "RLPT".
  localparam int unsigned SessionProfileTag = 1380733012;

  // Both halves of the word that begins a pair frame: "RLMP".
  localparam int unsigned SessionPairTag = 1380732240;

  // Top 16 bits of a status word: "ER".
  localparam int unsigned SessionStatusTag = 17746;

  // Pairs of limbs in a session.
  localparam int unsigned SessionMaxPairs = 6;

  // Ciphertext slots in a session.
  localparam int unsigned SessionMaxBatch = 64;

  // Key-switching digits in a session.
  localparam int unsigned SessionMaxDigits = 16;

  // Coefficients of a limb.
  localparam int unsigned SessionMaxDegree = 65536;

  // A frame begins with neither tag.
  localparam int unsigned SessionReasonUnknownCommand = 1;

  // A frame ends before its last word.
  localparam int unsigned SessionReasonShortFrame = 2;

  // A frame does not end with its last word.
  localparam int unsigned SessionReasonLongFrame = 3;

  // The degree setting is out of range.
  localparam int unsigned SessionReasonDegree = 4;

  // The pair count is out of range or not that of the table.
  localparam int unsigned SessionReasonPairCount = 5;

  // A modulus is out of range.
  localparam int unsigned SessionReasonModulus = 6;

  // A reciprocal does not belong to its modulus.
  localparam int unsigned SessionReasonReciprocal = 7;

  // A pair frame without a profile table.
  localparam int unsigned SessionReasonNoSession = 8;

  // The digit count is out of range.
  localparam int unsigned SessionReasonDigitCount = 9;

  // The batch is out of range.
  localparam int unsigned SessionReasonBatch = 10;

  // Digit count or batch changed within a session.
  localparam int unsigned SessionReasonShapeChanged = 11;

  // Not the frame of the next pair.
  localparam int unsigned SessionReasonPairOrder = 12;

  // A residue is not below its modulus.
  localparam int unsigned SessionReasonOperand = 13;

  // A profile frame before the session was complete.
  localparam int unsigned SessionReasonRestarted = 14;

  // Bits of a word index of the NTT unit: at most 2^12 words.
  localparam int unsigned NttIndexWidth = 12;

  // Words that enter the NTT unit's butterflies in a clock; two to each.
  localparam int unsigned NttLanes = 8;

  // Bits that number the groups of NttLanes words.
  localparam int unsigned NttGroupWidth = NttIndexWidth - 3;

  // Clocks from asking the NTT unit for a row to its words.
  localparam int unsigned NttUnitReadLatency = 3;

  // Clocks from reading a group until it can be read again, transformed.
  localparam int unsigned NttUnitTurnaround = NttUnitReadLatency + NttButterflyLatency + 1;

  // Polynomials that the paged NTT unit transforms side by side.
  localparam int unsigned NttChannels = 2;

  // Pages of the paged NTT unit, each with a polynomial of each channel.
  localparam int unsigned NttPages = 4;

  // Clocks from asking the paged NTT unit for a row to its words.
  localparam int unsigned NttPagedReadLatency = 2;

  // The limb count is out of range, or the digits exceed the core's memory.
  localparam int unsigned SessionReasonLimbCount = 15;

  // A root is not a primitive one of order 2N.
  localparam int unsigned SessionReasonRoot = 16;

  // Not the frame of the next group.
  localparam int unsigned SessionReasonGroup = 17;

  // Both halves of the word that begins a profile frame of the complete core: "RCPT".
  localparam int unsigned RelinearizeProfileTag = 1380143188;

  // Both halves of the word that begins a group frame of the complete core: "RCGR".
  localparam int unsigned RelinearizeGroupTag = 1380140882;

  // Fewest limbs of a ciphertext.
  localparam int unsigned RelinearizeMinLimbs = 2;

  // Most limbs of a ciphertext.
  localparam int unsigned RelinearizeMaxLimbs = 16;

  // Rows of 8 coefficients that the digits of one ciphertext may take: 12 limbs of 4096.
  localparam int unsigned RelinearizeDigitRows = 6144;

  // Smallest log2 N.
  localparam int unsigned RelinearizeMinLogDegree = 3;

  // Largest log2 N.
  localparam int unsigned RelinearizeMaxLogDegree = NttIndexWidth;

  // Clocks from the pipeline's first stage to the operands of the first multipliers.
  localparam int unsigned RelinearizeReadStage = 4;

  // The stage in which first products meet their sums.
  localparam int unsigned RelinearizeSumStage = RelinearizeReadStage + ModMulBarrettLatency;

  // Stages of the pipeline: the last one holds a result.
  localparam int unsigned RelinearizeStages = RelinearizeSumStage + ModMulBarrettLatency + 1;

endpackage : heliodor_pkg
