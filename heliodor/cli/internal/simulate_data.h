// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Random limbs through a simulated machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heliodor/program/limb_program.h"
#include "heliodor/program/target.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::cli {

/// What went wrong, as a line; nothing if all limbs equal the reference's.
/// `micro` is what `program` was lowered to.
std::optional<std::string> differs_from_reference(const machine::MachineDescription& machine,
                                                  const machine::MicroProgram& micro,
                                                  const program::LimbProgram& program,
                                                  std::uint64_t data_seed);

/// The fault of a hand-written program, as a line; nothing if it ends.
std::optional<std::string> fault_with_data(const machine::MachineDescription& machine,
                                           const machine::MicroProgram& micro,
                                           std::uint64_t data_seed);

}  // namespace heliodor::cli
