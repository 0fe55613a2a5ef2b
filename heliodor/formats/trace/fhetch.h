// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// FHETCH text traces (".fhetch"): the polynomial instructions that Niobium's recorder writes and
// its simulator fhetch_sim executes. docs/reference/formats.md has the grammar, what each
// instruction becomes, and what is refused.
//
//   modulus_count 2
//   m[0] 0xFFFFFFFFFFFFFFFF
//   m[1] 0x61
//   sr_mulp %3, %1, %2, m=1
//   sr_intt %4, %3, m=1, omega=19
//   halt
//
// A trace states neither the degree of its ring nor which values are inputs and outputs. Comments
// that begin with "heliodor" do; other readers skip them:
//
//   # heliodor program "multiply"
//   # heliodor degree 16
//   # heliodor input %1 operand m=1 eval "x"
//   # heliodor output %4 "z"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "heliodor/base/diagnostic.h"
#include "heliodor/program/limb_program.h"

namespace heliodor::formats::trace {

/// Whether a text begins like a trace: its first line that is neither blank nor a comment states
/// the number of moduli. (The language of the consortium's interpreter uses the same suffix.)
bool is_fhetch(std::string_view text);

/// The program that a trace computes, exactly. `degree` is needed where neither a comment nor an
/// automorphism states it and must agree with them. Names that are read before they are written
/// become operands, results that nothing reads become outputs, both named as in the trace, where no
/// comments declare them.
///
/// The diagnostic is the first fault, with line and column: whatever is not understood, has no
/// exact meaning, or contradicts. Hostile text is fine; memory is linear in text.size().
base::Result<program::LimbProgram> parse_fhetch(std::string_view text,
                                                std::optional<std::uint64_t> degree = {});

/// A trace with the comments above, of which parse_fhetch makes a program that returns equal limbs;
/// `dot`, `dot_scalar` and `reduce` become several instructions. Throws Error{invalid_program} for
/// a program that does not verify, Error{unsupported} for `quotient`, `uniform` and two moduli of
/// one value.
std::string to_fhetch(const program::LimbProgram& program);

}  // namespace heliodor::formats::trace
