// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The order of parts, as a list scheduler makes it: units and off-chip memory each take, as soon as
// they are free, the part with the longest path to the end of the program among those whose words
// and rows are ready. So loads move ahead as far as rows allow and keys stream while units compute.
// Times are estimates by the rates of the description; the Timeline decides.
#pragma once

#include <cstdint>
#include <vector>

#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/micro_op.h"
#include "heliodor/targets/machine/parts.h"

namespace heliodor::machine {

/// When a part's operations enter its unit, in machine cycles.
struct Slot {
  std::uint32_t part;
  std::uint32_t unit;  ///< index into MachineDescription::units; their number: off-chip memory
  double start;
  double cycles;  ///< for all chunks
};

struct Schedule {
  std::vector<Slot> slots;  ///< of every part but resident transfers; by unit without overlap
  double cycles = 0;        ///< until the last result is there, or the ports take for all accesses
};

/// Whatever an operation needs of another is entered before: chunk i of a part starts after chunk i
/// of the parts that it depends on, or after all of it where they touch words of other chunks.
/// Of `program` no operations are read.
Schedule schedule(const MachineDescription& description, const MicroProgram& program,
                  const std::vector<Part>& parts);

}  // namespace heliodor::machine
