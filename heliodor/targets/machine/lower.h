// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// LimbProgram -> MicroProgram. With chunks of 2 words and N = 4,
//
//   %0 = input operand "x"   load input 0 chunk 0 -> r0
//                            load input 0 chunk 1 -> r1
//   %1 = ntt %0              ntt_butterfly r0 r1 twiddle 1 -> r0 r1
//                            ntt_stages r0 twiddle 2 stride 1 count 1 -> r0
//                            ntt_stages r1 twiddle 3 stride 1 count 1 -> r1
//   output "z" = %1          store r0 output 0 chunk 0
//                            store r1 output 0 chunk 1
//
// Before: the program is well formed and refusal() is empty. After: inputs are loaded at their
// first use, outputs are stored as soon as they are final, rows are placed by placement.h, and
// every row is written before it is read.
#pragma once

#include <optional>
#include <string>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::machine {

/// Why the machine cannot run a well-formed program: words too short for a modulus or a quotient's
/// sum, no unit for an instruction, scratchpad too small. Nothing if it can.
std::optional<std::string> refusal(const MachineDescription& description,
                                   const program::LimbProgram& program);

/// Throws Error{unsupported} with the refusal if there is one.
MicroProgram lower(const MachineDescription& description, const program::LimbProgram& program);

}  // namespace heliodor::machine
