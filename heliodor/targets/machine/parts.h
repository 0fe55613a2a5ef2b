// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Parts: steps as micro-operations. A part is what one unit does in one go: a pass of a transform,
// or the whole of most other steps. All chunks of a limb are treated alike, so a part is given by
// its operations on chunk 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/machine/allocate.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/micro_op.h"
#include "heliodor/targets/machine/tasks.h"

namespace heliodor::machine {

struct Part {
  std::uint32_t step;
  std::vector<MicroOp> ops;  ///< on chunk 0
};

/// The parts of every step, steps and their parts in order.
std::vector<Part> make_parts(const MachineDescription& description,
                             const program::LimbProgram& program, const std::vector<Task>& tasks,
                             const std::vector<Step>& steps);

/// The same operation on another chunk.
MicroOp at_chunk(const MicroOp& op, std::uint32_t chunk, const program::LimbProgram& program,
                 const Layout& layout);

/// A pass of a transform: stages on index bits [bit, bit + stages).
struct PassBits {
  std::uint8_t bit;
  std::uint8_t stages;
  std::uint8_t window;  ///< holds the bits

  bool operator==(const PassBits&) const = default;
};

/// The passes of a forward transform, highest bits first; the inverse takes them in reverse. As few
/// as the unit's radix allows; the first takes the rest. Passes share windows where they can.
std::vector<PassBits> ntt_passes(const Layout& layout, std::uint32_t radix);

}  // namespace heliodor::machine
