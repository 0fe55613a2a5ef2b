// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The text form of LimbPrograms: to read, to write by hand, to keep in tests.
//
//   limb_program 1 "multiply"
//   degree 4096
//   modulus q0 1073692673 psi 236231
//   %0 = input operand "x" : q0 eval
//   %1 = input key "k" : q0 eval
//   %2 = input seed "s"
//   %3 = mul %0 %1 : q0 eval
//   %4 = dot %0 %1, %3 %3 : q0 eval
//   %5 = uniform %2 stream 7 : q0 coeff
//   %6 = intt %4 : q0 coeff
//   %7 = dot_scalar %5 * 12, %6 * 3 : q0 coeff
//   %8 = quotient nearest %5, %7 : q0 coeff
//   %9 = reduce centred %8 : q0 coeff
//   %10 = permute 5 %9 : q0 coeff
//   %11 = add_scalar %10 1 : q0 coeff
//   output "z" = %11
//
// '#' starts a comment. Values are numbered in order of definition. Blank lines and extra spaces
// are free.
#pragma once

#include <string>
#include <string_view>

#include "heliodor/base/diagnostic.h"
#include "heliodor/program/limb_program.h"

namespace heliodor::program {

/// Round-trips: parse_text(to_text(p)) == p for every well-formed p.
std::string to_text(const LimbProgram& program);

/// One instruction as in the text form, for messages.
std::string to_text(const LimbProgram& program, std::size_t instruction);

/// Parses and verifies. Diagnostics carry lines and columns. Moduli are checked (prime, below 2^60,
/// 1 mod 2N, psi a primitive root), so hostile text yields diagnostics and never a crash; memory is
/// linear in text.size().
base::Result<LimbProgram> parse_text(std::string_view text);

}  // namespace heliodor::program
