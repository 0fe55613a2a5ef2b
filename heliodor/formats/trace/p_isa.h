// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// P-ISA kernels of Intel's encrypted-computing-sdk, as its kernel generator prints them: one
// instruction a line, on registers of 8192 words, each residues of one modulus.
//
//   # (a0 + a1 s) b
//   0, mul, c_0_0_0, a_0_0_0, b_0_0_0, 0
//   0, mul, c_1_0_0, a_1_0_0, b_0_0_0, 0
//
// Only pointwise instructions have an exact meaning in the file itself: a row of a transform is one
// of its stages, with twiddle factors that the file does not hold. docs/reference/formats.md says
// more.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/program/limb_program.h"

namespace heliodor::formats::trace {

/// What a kernel leaves to its surroundings.
struct PIsaContext {
  std::vector<std::uint64_t> moduli;    ///< that residue indices stand for
  std::uint64_t register_words = 8192;  ///< the degree of the program: a value is one register
};

/// Whether a text begins like a kernel: its first line that is neither blank nor a comment has a
/// label and one of the instructions.
bool is_p_isa(std::string_view text);

/// The program that a kernel computes on the residues that its words stand for. (The words are in
/// Montgomery form: 2^32 times the residue, as mul in the SDK divides by 2^32.) Registers that are
/// read before they are written become operands, results that nothing reads become outputs, both
/// with the register's name. The immediate "x" modulo residue index 3 becomes the constant "x[3]",
/// all of whose words are to be the immediate.
///
/// The diagnostic is the first fault, with line and column. Hostile text is fine; memory is linear
/// in text.size().
base::Result<program::LimbProgram> parse_p_isa(std::string_view text, const PIsaContext& context);

}  // namespace heliodor::formats::trace
