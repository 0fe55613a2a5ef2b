// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/timeline.h"

#include <algorithm>

namespace heliodor::machine {
namespace {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) noexcept { return (a + b - 1) / b; }

std::uint64_t align_up(std::uint64_t tick, std::uint64_t period) noexcept {
  return divide_up(tick, period) * period;
}

}  // namespace

Timeline::Timeline(const MachineDescription& description, const MicroProgram& program)
    : latency_(description.scratchpad.latency),
      ports_(description.scratchpad.ports),
      chunk_words_(program.chunk_words),
      chunks_per_limb_(program.chunks_per_limb()),
      rows_(program.rows),
      calendar_(description.scratchpad.ports) {
  const std::uint64_t ticks = tick_mhz(description).value_or(kMaxTickMhz);
  ticks_per_cycle_ = ticks / description.clock_mhz;
  for (std::size_t kind = 0; kind < kUnitKinds; ++kind) {
    if (const std::optional<Unit>& unit = description.units[kind]) {
      units_[kind] = {.ticks_per_cycle = ticks / unit->clock_mhz,
                      .lanes = unit->lanes,
                      .depth = unit->depth,
                      .entered = std::vector<std::uint64_t>(description.queue_depth)};
    }
  }
}

MicroTiming Timeline::place(const MicroOp& op) {
  const MicroCodeInfo& code = info(op.code);
  UnitState& unit = units_[static_cast<std::size_t>(code.unit)];
  MicroTiming timing;

  dispatch(unit);
  const std::uint64_t arrival = fetch(op, unit, timing);
  const std::uint64_t enter =
      align_up(std::max(arrival * ticks_per_cycle_, unit.next_free), unit.ticks_per_cycle);
  const std::uint64_t interval = code.chunks * divide_up(chunk_words_, unit.lanes);
  unit.next_free = enter + interval * unit.ticks_per_cycle;
  timing.enter = to_cycle(enter);
  timing.done = to_cycle(enter + (interval - 1 + unit.depth) * unit.ticks_per_cycle);
  if (code.reads == 0) timing.first_read = timing.enter;
  timing.end = write_rows(op, timing.done);

  unit.entered[unit.oldest] = timing.enter;
  unit.oldest = (unit.oldest + 1) % unit.entered.size();
  Activity::UnitActivity& used = activity_.units[static_cast<std::size_t>(code.unit)];
  used.operations += 1;
  used.busy_cycles += interval;
  activity_.cycles = std::max(activity_.cycles, timing.end);
  return timing;
}

void Timeline::dispatch(const UnitState& unit) noexcept {
  dispatched_ = std::max(dispatched_, unit.entered[unit.oldest]);
  calendar_.forget_before(dispatched_);
}

/// Books the reads; the cycle in which all operands are at the unit.
std::uint64_t Timeline::fetch(const MicroOp& op, const UnitState& unit, MicroTiming& timing) {
  const MicroCodeInfo& code = info(op.code);
  if (code.reads == 0) return dispatched_;
  const std::uint64_t lead = latency_ + divide_up(code.reads, ports_) - 1;
  const std::uint64_t unit_free = unit.next_free / ticks_per_cycle_;
  const std::uint64_t earliest = std::max(dispatched_, unit_free - std::min(unit_free, lead));
  std::uint64_t last = 0;
  for (unsigned i = 0; i < code.reads; ++i) {
    const bool whole_limb = op.code == MicroCode::permute_coeff;
    const std::uint64_t cycle = read_row(op.in[i], whole_limb ? chunks_per_limb_ : 1, earliest);
    timing.first_read = i == 0 ? cycle : std::min(timing.first_read, cycle);
    last = std::max(last, cycle);
  }
  return last + latency_;
}

std::uint64_t Timeline::read_row(Row first, std::uint32_t count, std::uint64_t earliest) {
  for (Row row = first; row < first + count; ++row) earliest = std::max(earliest, rows_[row].ready);
  const std::uint64_t cycle = calendar_.book(earliest);
  for (Row row = first; row < first + count; ++row) {
    rows_[row].unread = std::max(rows_[row].unread, cycle + 1);
  }
  ++activity_.scratchpad_reads;
  return cycle;
}

/// Books the writes; the cycle in which all results can be read, or `done` if there are none.
std::uint64_t Timeline::write_rows(const MicroOp& op, std::uint64_t done) {
  std::uint64_t end = done;
  const unsigned writes = write_count(op);
  for (unsigned i = 0; i < writes; ++i) {
    RowState& row = rows_[op.out[i]];
    row.ready = calendar_.book(std::max({done, row.unread, row.ready})) + 1;
    end = std::max(end, row.ready);
    ++activity_.scratchpad_writes;
  }
  return end;
}

}  // namespace heliodor::machine
