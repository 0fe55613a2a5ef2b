// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the values of a schedule live.
#pragma once

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/cpu/schedule.h"
#include "heliodor/targets/cpu/uses.h"

namespace heliodor::cpu {

/// Fills places of inputs and outputs, and the copies; all other values are left as slots.
void place_inputs_and_outputs(const program::LimbProgram& program, Schedule& schedule);

/// Gives every other value a slot, a tile, or none, by the lifetimes in the schedule's steps.
void place_results(const program::LimbProgram& program, const Uses& uses, Concurrency concurrency,
                   Schedule& schedule);

}  // namespace heliodor::cpu
