// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Timeline: when each micro-operation happens, in event time. Micro-operations are handed over in
// program order; each is placed once, so idle cycles cost nothing. The rules, with c a machine
// cycle and u a cycle of the operation's unit:
//
//   dispatch  in program order, any number per c. A unit's queue holds `queue_depth` operations; a
//             full queue stops dispatch until its oldest enters the unit.
//   reads     each takes one port for one c, at the earliest when its row is ready (permute_coeff:
//             when every row of its limb is). Operands are fetched just in time: not so early that
//             all would wait at the unit's input.
//   enter     in order per unit, `latency` after the last read, when the unit has taken in the
//             operation before it. `lanes` words enter per u: a chunk keeps the unit for
//             ceil(words / lanes) u.
//   done      `depth` u after the last word enters. The accumulator is ready for the unit's next
//             operation at once: it is closed around the last stage.
//   writes    each takes one port for one c, from `done` on, after all earlier reads and writes of
//             the row. The row is ready in the next c.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/micro_op.h"
#include "heliodor/targets/machine/port_calendar.h"

namespace heliodor::machine {

/// What a program kept busy.
struct Activity {
  struct UnitActivity {
    std::uint64_t operations = 0;
    std::uint64_t busy_cycles = 0;  ///< in cycles of the unit

    bool operator==(const UnitActivity&) const = default;
  };

  std::uint64_t cycles = 0;  ///< machine cycles until the last operation ended
  std::array<UnitActivity, kUnitKinds> units;
  std::uint64_t scratchpad_reads = 0;  ///< row accesses through a port
  std::uint64_t scratchpad_writes = 0;

  const UnitActivity& unit(UnitKind kind) const noexcept {
    return units[static_cast<std::size_t>(kind)];
  }
  bool operator==(const Activity&) const = default;
};

/// Machine cycles of one micro-operation. Times of units with other clocks are rounded up to
/// machine cycles.
struct MicroTiming {
  std::uint64_t first_read = 0;  ///< equals `enter` where nothing is read
  std::uint64_t enter = 0;
  std::uint64_t done = 0;
  std::uint64_t end = 0;  ///< results are ready to be read

  bool operator==(const MicroTiming&) const = default;
};

class Timeline {
 public:
  /// `rows` of the scratchpad; `degree` and `chunk_words` of the program. The description must be
  /// one that parse_description accepts.
  Timeline(const MachineDescription& description, const MicroProgram& program);

  /// Places the next operation. Requires !malformed(op, program) and that the machine has the unit.
  MicroTiming place(const MicroOp& op);

  const Activity& activity() const noexcept { return activity_; }

 private:
  struct UnitState {
    std::uint64_t next_free = 0;  // tick at which the unit takes the next operation
    std::uint64_t ticks_per_cycle = 0;
    std::uint64_t lanes = 0;
    std::uint64_t depth = 0;
    std::vector<std::uint64_t> entered;  // machine cycle, ring over the last queue_depth operations
    std::size_t oldest = 0;
  };
  struct RowState {
    std::uint64_t ready = 0;   // first cycle in which the last written value can be read
    std::uint64_t unread = 0;  // first cycle after all booked reads
  };

  void dispatch(const UnitState& unit) noexcept;
  std::uint64_t fetch(const MicroOp& op, const UnitState& unit, MicroTiming& timing);
  std::uint64_t read_row(Row first, std::uint32_t count, std::uint64_t earliest);
  std::uint64_t write_rows(const MicroOp& op, std::uint64_t done);

  std::uint64_t to_cycle(std::uint64_t tick) const noexcept {
    return (tick + ticks_per_cycle_ - 1) / ticks_per_cycle_;
  }

  std::uint64_t ticks_per_cycle_;
  std::uint64_t latency_;
  std::uint64_t ports_;
  std::uint32_t chunk_words_;
  std::uint32_t chunks_per_limb_;
  std::uint64_t dispatched_ = 0;  // cycle of the last dispatch
  std::array<UnitState, kUnitKinds> units_;
  std::vector<RowState> rows_;
  PortCalendar calendar_;
  Activity activity_;
};

}  // namespace heliodor::machine
