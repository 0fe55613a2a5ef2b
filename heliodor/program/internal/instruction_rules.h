// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The rules of instructions.toml about one instruction: shape, order, types and bounds. A value of
// impossible type is reported where it is defined; the type rules of the instructions that use it
// then stay silent about it.
#pragma once

#include <cstddef>

#include "heliodor/base/diagnostic.h"
#include "heliodor/program/limb_program.h"

namespace heliodor::program::internal {

/// Appends what is wrong with the type of a limb.
void check_limb_type(const LimbProgram& program, ValueType type, const base::Position& position,
                     base::Diagnostics& diagnostics);

/// Appends every violation of the instruction, but not whether its result is used.
void check_instruction(const LimbProgram& program, std::size_t index,
                       base::Diagnostics& diagnostics);

}  // namespace heliodor::program::internal
