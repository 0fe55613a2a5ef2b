// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tasks: what a lowering places and orders as one. A task is one instruction, or a kernel: several
// dot_scalars with the same sources (but for sources of the result's own modulus, which each may
// have), or several dots with the same first factors. A kernel's shared sources are fetched into
// registers, chunk by chunk, where that saves more accesses than it costs cycles.
//
// Kernels are cut so that one takes a quarter of the scratchpad at most: while it runs, the next
// one's operands arrive. The pieces of a kernel follow each other.
#pragma once

#include <cstdint>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/machine/description.h"

namespace heliodor::machine {

struct Task {
  std::vector<std::uint32_t> instructions;  ///< ascending; of one kind if there are several
  std::vector<program::ValueId> fetched;    ///< what registers 0, 1 .. hold

  bool operator==(const Task&) const = default;
};

/// Both go depth first from each output in turn, so that what a result needs is made when it is
/// needed.
enum class TaskOrder : std::uint8_t {
  kernelwise,  ///< a kernel is made whole when its first result is needed: fewest accesses
  limbwise,    ///< dot_scalars form no kernels, a base conversion makes one limb at a time: fewest
               ///< live
};
inline constexpr TaskOrder kTaskOrders[] = {TaskOrder::kernelwise, TaskOrder::limbwise};

/// Every instruction that an output needs in one task, operands before their uses.
std::vector<Task> make_tasks(const program::LimbProgram& program,
                             const MachineDescription& description, TaskOrder order);

}  // namespace heliodor::machine
