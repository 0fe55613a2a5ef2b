// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// MicroPrograms as text, for people who read what a lowering made or write their own, and as bytes
// (micro_binary.h).
//
//   micro 1
//   degree 4096 chunk 64 word_bits 64 rows 192 registers 0 spills 0
//   modulus q0 = 1152921504606830593
//   input operand
//   outputs 1
//   load i0 c0 -> r0 : q0
//   ntt_pass r0 w6 c0 bit 6 stages 6 -> r0 : q0          # comments run to the end of the line
//   mac r0 r64 c3 -> r128 : q0 first last
//   store r0 c0 -> o0 : q0 @7                            # of instruction 7 of the LimbProgram
//
// Words stand between spaces. docs/reference/micro-operations.md has the syntax of every operation.
#pragma once

#include <string>
#include <string_view>

#include "heliodor/base/diagnostic.h"
#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::machine {

/// One operation without its line end: "mac r0 r64 c3 -> r128 : q0 first last". Fields that its
/// code does not use are left out.
std::string to_text(const MicroOp& op);

/// The whole program. parse_micro_text of it is equal but for residences and unused fields.
std::string to_text(const MicroProgram& program);

/// Every fault with line and column: syntax, unknown operations, what malformed() finds. Never
/// throws on bad text; takes no more memory than a small multiple of the text.
base::Result<MicroProgram> parse_micro_text(std::string_view text);

}  // namespace heliodor::machine
