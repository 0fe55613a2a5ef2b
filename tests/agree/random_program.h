// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Random LimbPrograms: all instructions, N from 16 to 8192, 1 to 8 limbs of 20 to 60 bits, every
// kind of input.
#pragma once

#include <cstdint>

#include "heliodor/program/limb_program.h"

namespace heliodor::agree {

/// Well formed; the same seed gives the same program on every machine. Results that nothing uses
/// are outputs.
program::LimbProgram random_program(std::uint64_t seed);

}  // namespace heliodor::agree
