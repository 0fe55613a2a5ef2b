// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Timeline: when each micro-operation happens, in event time. Micro-operations are handed over in
// program order; each is placed once, so idle cycles cost nothing. The rules, with c a machine
// cycle and u a cycle of the operation's unit:
//
//   dispatch  in program order, any number per c. A unit's queue holds `queue_depth` operations; a
//             full queue stops dispatch until its oldest enters the unit. A fence stops it until
//             all has ended.
//   reads     each row takes one port for one c, at the earliest when its words are ready.
//             Operands are fetched just in time: not so early that all would wait at the unit's
//             input.
//   enter     in order per unit (its copies take operations in turn), `latency` after the last
//   read,
//             when the copy is free. `lanes` words enter per u: a chunk keeps it for
//             ceil(words / lanes) u. A transfer keeps the off-chip memory for its bytes over the
//             bandwidth.
//   done      `depth` u after the last word enters (transfers: `latency` c). Accumulator and
//             registers are ready for the unit's next operation at once: they are closed around
//             the last stage.
//   writes    each row takes one port for one c, from `done` on, after all earlier reads and writes
//             of the words. They are ready in the next c.
//
// Words that operations of one limb touch: in one window, those of equal chunks are the same, those
// of different chunks are distinct; between two windows every chunk is taken to overlap all.
// Resident loads and stores are not placed: they take no time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::machine {

/// What a unit waited for before an operation entered.
enum class Stall : std::uint8_t {
  dispatch,  ///< the operation was not in its queue yet: a full queue or a fence held it back
  transfer,  ///< an operand was still coming from off-chip memory
  operand,   ///< an operand was still being computed
  ports,     ///< the scratchpad had no port free
  drained,   ///< no operation was left
};
inline constexpr std::size_t kStalls = 5;
std::string_view to_string(Stall stall) noexcept;

/// What off-chip memory carries.
enum class Traffic : std::uint8_t { operand, key, constant, output, spill };
inline constexpr std::size_t kTraffics = 5;
std::string_view to_string(Traffic traffic) noexcept;

/// What a program kept busy.
struct Activity {
  struct UnitActivity {
    std::uint64_t operations = 0;
    std::uint64_t busy_cycles =
        0;  ///< in cycles of the unit, summed over copies; off-chip: machine cycles
    std::array<std::uint64_t, kStalls> stalled_cycles{};  ///< in machine cycles, by Stall

    bool operator==(const UnitActivity&) const = default;
  };

  std::uint64_t cycles = 0;         ///< machine cycles until the last operation ended
  std::vector<UnitActivity> units;  ///< by MachineDescription::units; off-chip memory is the last
  std::uint64_t scratchpad_reads = 0;  ///< row accesses
  std::uint64_t scratchpad_writes = 0;
  std::array<std::uint64_t, kTraffics> bytes{};  ///< off-chip, by Traffic

  const UnitActivity& off_chip() const noexcept { return units.back(); }
  bool operator==(const Activity&) const = default;
};

/// Machine cycles of one micro-operation. Times of units with other clocks are rounded up to
/// machine cycles.
struct MicroTiming {
  std::uint64_t first_read = 0;  ///< equals `enter` where nothing is read
  std::uint64_t enter = 0;
  std::uint64_t leave = 0;  ///< the unit takes the next operation
  std::uint64_t done = 0;
  std::uint64_t end = 0;          ///< results are ready to be read
  std::uint32_t unit = 0;         ///< index into Activity::units
  std::uint64_t waited = 0;       ///< cycles that the unit stood idle before `enter`
  Stall cause = Stall::dispatch;  ///< of most of them

  bool operator==(const MicroTiming&) const = default;
};

class Timeline {
 public:
  /// The description must be one that parse_description accepts.
  Timeline(const MachineDescription& description, const MicroProgram& program);
  ~Timeline();
  Timeline(Timeline&&) noexcept;

  /// Places the next operation; nothing for resident transfers and fences but their effect.
  /// Requires !malformed(op, program) and that the machine has the unit.
  MicroTiming place(const MicroOp& op);

  /// Of what was placed so far.
  Activity activity() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heliodor::machine
