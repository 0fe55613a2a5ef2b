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

// Bits of a stream word.
inline constexpr unsigned kStreamWordWidth = 64;

// Words of a stream FIFO unless its user says otherwise.
inline constexpr unsigned kStreamFifoDepth = 16;

// Bits of modulus and residues of modular adders and subtractors unless their user says otherwise.
inline constexpr unsigned kModAddWidth = 32;

// Clocks from operands to sum or difference.
inline constexpr unsigned kModAddLatency = 1;

// Bits of the residues and of the modulus q = h*2^17 + 1.
inline constexpr unsigned kModMulMontgomeryWidth = 32;

// Bits that one Montgomery round removes; two rounds make R = 2^34.
inline constexpr unsigned kModMulMontgomeryRoundBits = 17;

// Bits of h.
inline constexpr unsigned kModMulMontgomeryHighWidth = kModMulMontgomeryWidth - kModMulMontgomeryRoundBits;

// Clocks from operands to result.
inline constexpr unsigned kModMulMontgomeryLatency = 7;

// Bits of the modulus 2^62 - 2^ModMulSolinasHigh - 2^ModMulSolinasLow + 1.
inline constexpr unsigned kModMulSolinasWidth = 62;

// The larger exponent of the Solinas prime; at most 29.
inline constexpr unsigned kModMulSolinasHigh = 26;

// The smaller exponent of the Solinas prime.
inline constexpr unsigned kModMulSolinasLow = 25;

// Clocks from operands to result.
inline constexpr unsigned kModMulSolinasLatency = 6;

// Clocks from operands to results.
inline constexpr unsigned kNttButterflyLatency = kModMulBarrettLatency + 2;

// Words of one bank of a coefficient store unless its user says otherwise.
inline constexpr unsigned kCoefficientStoreDepth = 512;

// Lanes of an omega network unless its user says otherwise; a power of two.
inline constexpr unsigned kPermuteOmegaLanes = 16;

// Bits of a lane of an omega network unless its user says otherwise.
inline constexpr unsigned kPermuteOmegaWidth = 32;

// Clocks from operands to result at PermuteOmegaLanes: 1 + log2(lanes).
inline constexpr unsigned kPermuteOmegaLatency = 5;

// Words of the register file unless its user says otherwise; a power of two.
inline constexpr unsigned kMacElementRegisters = 16;

// Clocks from the last term to the sum.
inline constexpr unsigned kMacElementLatency = kModMulBarrettLatency + 2;

// Both halves of the word that begins a profile frame: "RLPT".
inline constexpr unsigned kSessionProfileTag = 1380733012;

// Both halves of the word that begins a pair frame: "RLMP".
inline constexpr unsigned kSessionPairTag = 1380732240;

// Top 16 bits of a status word: "ER".
inline constexpr unsigned kSessionStatusTag = 17746;

// Pairs of limbs in a session.
inline constexpr unsigned kSessionMaxPairs = 6;

// Ciphertext slots in a session.
inline constexpr unsigned kSessionMaxBatch = 64;

// Key-switching digits in a session.
inline constexpr unsigned kSessionMaxDigits = 16;

// Coefficients of a limb.
inline constexpr unsigned kSessionMaxDegree = 65536;

// A frame begins with neither tag.
inline constexpr unsigned kSessionReasonUnknownCommand = 1;

// A frame ends before its last word.
inline constexpr unsigned kSessionReasonShortFrame = 2;

// A frame does not end with its last word.
inline constexpr unsigned kSessionReasonLongFrame = 3;

// The degree setting is out of range.
inline constexpr unsigned kSessionReasonDegree = 4;

// The pair count is out of range or not that of the table.
inline constexpr unsigned kSessionReasonPairCount = 5;

// A modulus is out of range.
inline constexpr unsigned kSessionReasonModulus = 6;

// A reciprocal does not belong to its modulus.
inline constexpr unsigned kSessionReasonReciprocal = 7;

// A pair frame without a profile table.
inline constexpr unsigned kSessionReasonNoSession = 8;

// The digit count is out of range.
inline constexpr unsigned kSessionReasonDigitCount = 9;

// The batch is out of range.
inline constexpr unsigned kSessionReasonBatch = 10;

// Digit count or batch changed within a session.
inline constexpr unsigned kSessionReasonShapeChanged = 11;

// Not the frame of the next pair.
inline constexpr unsigned kSessionReasonPairOrder = 12;

// A residue is not below its modulus.
inline constexpr unsigned kSessionReasonOperand = 13;

// A profile frame before the session was complete.
inline constexpr unsigned kSessionReasonRestarted = 14;

// Bits of a word index of the NTT unit: at most 2^12 words.
inline constexpr unsigned kNttIndexWidth = 12;

// Words that enter the NTT unit's butterflies in a clock; two to each.
inline constexpr unsigned kNttLanes = 8;

// Bits that number the groups of NttLanes words.
inline constexpr unsigned kNttGroupWidth = kNttIndexWidth - 3;

// Clocks from asking the NTT unit for a row to its words.
inline constexpr unsigned kNttUnitReadLatency = 3;

// Clocks from reading a group until it can be read again, transformed.
inline constexpr unsigned kNttUnitTurnaround = kNttUnitReadLatency + kNttButterflyLatency + 1;

// Polynomials that the paged NTT unit transforms side by side.
inline constexpr unsigned kNttChannels = 2;

// Pages of the paged NTT unit, each with a polynomial of each channel.
inline constexpr unsigned kNttPages = 4;

// Clocks from asking the paged NTT unit for a row to its words.
inline constexpr unsigned kNttPagedReadLatency = 2;

// The limb count is out of range, or the digits exceed the core's memory.
inline constexpr unsigned kSessionReasonLimbCount = 15;

// A root is not a primitive one of order 2N.
inline constexpr unsigned kSessionReasonRoot = 16;

// Not the frame of the next group.
inline constexpr unsigned kSessionReasonGroup = 17;

// Both halves of the word that begins a profile frame of the complete core: "RCPT".
inline constexpr unsigned kRelinearizeProfileTag = 1380143188;

// Both halves of the word that begins a group frame of the complete core: "RCGR".
inline constexpr unsigned kRelinearizeGroupTag = 1380140882;

// Fewest limbs of a ciphertext.
inline constexpr unsigned kRelinearizeMinLimbs = 2;

// Most limbs of a ciphertext.
inline constexpr unsigned kRelinearizeMaxLimbs = 16;

// Rows of 8 coefficients that the digits of one ciphertext may take: 12 limbs of 4096.
inline constexpr unsigned kRelinearizeDigitRows = 6144;

// Smallest log2 N.
inline constexpr unsigned kRelinearizeMinLogDegree = 3;

// Largest log2 N.
inline constexpr unsigned kRelinearizeMaxLogDegree = kNttIndexWidth;

// Clocks from the pipeline's first stage to the operands of the first multipliers.
inline constexpr unsigned kRelinearizeReadStage = 4;

// The stage in which first products meet their sums.
inline constexpr unsigned kRelinearizeSumStage = kRelinearizeReadStage + kModMulBarrettLatency;

// Stages of the pipeline: the last one holds a result.
inline constexpr unsigned kRelinearizeStages = kRelinearizeSumStage + kModMulBarrettLatency + 1;

}  // namespace heliodor::machine::pe
