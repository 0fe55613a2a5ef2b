// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a well-formed LimbProgram is. verify() reports every violation, not only the first:
//   names      inputs and outputs have names, distinct within each list; a name (the program's too)
//   is 1 to 200 bytes of
//              printable UTF-8 without quotes and backslashes
//   moduli     at most kMaxModuli
//   shape      operand and scalar counts as instructions.toml says; at least one output
//   order      an operand is defined before it is used; no value is a seed where a limb is due, or
//   the reverse types      modulus and domain rules of each instruction (instructions.toml); inputs
//   of kind seed are seeds bounds     scalars below q; Galois elements odd and below 2N; rounding
//   and lift known; quotients of at most
//              kMaxQuotientSources sources and below their modulus
//   use        every value is used by an instruction or is an output
#pragma once

#include <cstddef>

#include "heliodor/base/diagnostic.h"
#include "heliodor/program/limb_program.h"

namespace heliodor::program {

/// At most this many moduli in one program.
inline constexpr std::size_t kMaxModuli = 1024;

/// Empty if the program is well formed. Linear in the program's size.
base::Diagnostics verify(const LimbProgram& program);

}  // namespace heliodor::program
