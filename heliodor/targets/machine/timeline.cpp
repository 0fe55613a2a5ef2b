// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/timeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "heliodor/targets/machine/port_calendar.h"

namespace heliodor::machine {
namespace {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) noexcept { return (a + b - 1) / b; }

std::uint64_t align_up(std::uint64_t tick, std::uint64_t period) noexcept {
  return divide_up(tick, period) * period;
}

// The part of a limb that one operation touches: chunk `chunk` of the division into chunks that
// `mode` names. Two modes of a limb have no chunk in common.
struct Touch {
  std::uint32_t frame;
  std::uint32_t frames;  // 2 for a wide limb
  std::uint32_t mode;
  std::uint32_t chunk;
};

constexpr std::uint32_t kNoMode = 0xffffffff;
constexpr std::uint32_t kWideMode = 64;    // above all windows
constexpr std::uint32_t kWholeMode = 128;  // gathers reach every row

// A time for each chunk of a frame, in the division of the last mode that set one.
class ChunkTimes {
 public:
  explicit ChunkTimes(std::uint32_t chunks) : times_(chunks) {}

  std::uint64_t get(const Touch& touch) const noexcept {
    return touch.mode == mode_ ? times_[touch.chunk] : latest_;
  }
  void raise(const Touch& touch, std::uint64_t time) noexcept {
    if (touch.mode != mode_) {
      std::fill(times_.begin(), times_.end(), latest_);
      mode_ = touch.mode;
    }
    times_[touch.chunk] = std::max(times_[touch.chunk], time);
    latest_ = std::max(latest_, time);
  }

 private:
  std::vector<std::uint64_t> times_;
  std::uint64_t latest_ = 0;
  std::uint32_t mode_ = kNoMode;
};

struct Frame {
  ChunkTimes ready;   // first cycle in which the last written words can be read
  ChunkTimes unread;  // first cycle after all booked reads
  bool from_off_chip = false;
};

// Times in ticks.
struct UnitState {
  std::vector<std::uint64_t> next_free;  // by copy: when it takes the next operation
  std::size_t turn = 0;                  // the copy whose turn it is
  std::uint64_t last_enter = 0;
  std::uint64_t ticks_per_cycle = 1;
  std::uint64_t depth = 0;
  std::vector<std::uint64_t> entered;  // machine cycle, ring over the last queue_depth operations
  std::size_t oldest = 0;
};

Traffic traffic_of(const MicroOp& op, const MicroProgram& program) noexcept {
  switch (op.code) {
    case MicroCode::store:
      return Traffic::output;
    case MicroCode::load:
      break;
    default:
      return Traffic::spill;
  }
  switch (program.inputs[op.immediate]) {
    case program::InputKind::key:
      return Traffic::key;
    case program::InputKind::constant:
      return Traffic::constant;
    default:
      return Traffic::operand;
  }
}

}  // namespace

std::string_view to_string(Stall stall) noexcept {
  constexpr std::array<std::string_view, kStalls> kNames = {"dispatch", "transfer", "operand",
                                                            "ports", "drained"};
  return kNames[static_cast<std::size_t>(stall)];
}

std::string_view to_string(Traffic traffic) noexcept {
  constexpr std::array<std::string_view, kTraffics> kNames = {"operands", "keys", "constants",
                                                              "outputs", "spills"};
  return kNames[static_cast<std::size_t>(traffic)];
}

struct Timeline::State {
  // Transfers are booked in 1/kFraction ticks, so that their rate is the bandwidth.
  static constexpr std::uint64_t kFraction = 1024;

  const MachineDescription& description;
  const MicroProgram& program;
  std::uint64_t ticks = 0;                       // per machine cycle
  std::uint64_t dispatched = 0;                  // cycle of the last dispatch
  std::uint64_t transfer_free = 0;               // in 1/kFraction ticks
  std::array<std::uint64_t, 2> transfer_time{};  // of a chunk, narrow and wide, in the same
  std::array<std::uint64_t, 2> chunk_bits{};     // off-chip size of the same
  std::array<std::uint64_t, kTraffics> traffic_bits{};
  std::array<std::uint32_t, kOperations> unit_of{};
  std::vector<UnitState> units;
  std::vector<Frame> frames;
  PortCalendar reads, writes;
  Activity activity;

  State(const MachineDescription& machine, const MicroProgram& code);

  std::uint64_t to_cycle(std::uint64_t tick) const noexcept { return divide_up(tick, ticks); }
  Touch touch(const MicroOp& op, Place place, bool wide, std::uint32_t chunk) const noexcept;
  PortCalendar& write_calendar() noexcept {
    return description.scratchpad.write_ports == 0 ? reads : writes;
  }

  std::uint64_t fetch(const MicroOp& op, std::uint64_t free_cycle, MicroTiming& timing);
  std::uint64_t enter_transfer(std::uint64_t arrival, bool wide, MicroTiming& timing);
  std::uint64_t enter_unit(const MicroOp& op, UnitState& unit, std::uint64_t arrival, bool wide,
                           MicroTiming& timing);
  std::uint64_t write(const MicroOp& op, std::uint64_t done);
};

Timeline::State::State(const MachineDescription& machine, const MicroProgram& code)
    : description(machine),
      program(code),
      reads(machine.scratchpad.ports),
      writes(std::max(1u, machine.scratchpad.write_ports)) {
  const std::uint64_t mhz = tick_mhz(machine).value_or(kMaxTickMhz);
  ticks = mhz / machine.clock_mhz;
  const std::array<std::uint32_t, 2> bits = {machine.word_bits, machine.largest_word_bits()};
  for (std::size_t wide = 0; wide < 2; ++wide) {
    chunk_bits[wide] = std::uint64_t{bits[wide]} << code.layout.chunk_bits;
    // bits / 8 bytes at GB/s = 1000 bytes per microsecond, in which `mhz` ticks pass.
    const double time = static_cast<double>(chunk_bits[wide]) / 8 / (1000 * machine.dram.bandwidth);
    transfer_time[wide] = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(
               std::llround(time * static_cast<double>(mhz) * static_cast<double>(kFraction))));
  }
  const std::uint32_t chunks = code.layout.chunks();
  frames.assign(divide_up(code.rows, chunks), Frame{ChunkTimes(chunks), ChunkTimes(chunks)});
  for (const Unit& unit : machine.units) {
    for (std::size_t kind = 0; kind < kOperations; ++kind) {
      if (unit.capabilities[kind]) unit_of[kind] = static_cast<std::uint32_t>(units.size());
    }
    units.push_back({.next_free = std::vector<std::uint64_t>(unit.count),
                     .ticks_per_cycle = mhz / unit.clock_mhz,
                     .depth = unit.depth,
                     .entered = std::vector<std::uint64_t>(machine.queue_depth)});
  }
  unit_of[static_cast<std::size_t>(Operation::transfer)] = static_cast<std::uint32_t>(units.size());
  units.push_back({.next_free = {0},
                   .ticks_per_cycle = 1,
                   .entered = std::vector<std::uint64_t>(machine.queue_depth)});
  activity.units.resize(units.size());
}

Touch Timeline::State::touch(const MicroOp& op, Place place, bool wide,
                             std::uint32_t chunk) const noexcept {
  const std::uint32_t frame = place.number() / program.layout.chunks();
  const std::uint32_t frame_count = wide ? 2 : 1;
  return {frame, frame_count, op.window + (wide ? kWideMode : 0), chunk};
}

// Books the reads; the cycle in which all operands are at the unit.
std::uint64_t Timeline::State::fetch(const MicroOp& op, std::uint64_t free_cycle,
                                     MicroTiming& timing) {
  const MicroCodeInfo& code = info(op.code);
  std::array<std::uint32_t, 2> rows{};
  for (unsigned i = 0; i < code.reads; ++i) rows[i] = rows_read(op, i, program);
  const std::uint32_t total = rows[0] + rows[1];
  if (total == 0) return dispatched;
  const std::uint64_t latency = description.scratchpad.latency;
  const std::uint64_t lead = latency + divide_up(total, description.scratchpad.ports) - 1;
  const std::uint64_t just_in_time = free_cycle - std::min(free_cycle, lead);
  const std::uint64_t earliest = std::max(dispatched, just_in_time);
  std::uint64_t ready = earliest;
  std::uint64_t last = 0;
  bool from_off_chip = false;
  timing.first_read = std::numeric_limits<std::uint64_t>::max();
  for (unsigned i = 0; i < code.reads; ++i) {
    if (rows[i] == 0) continue;
    Touch part = touch(op, op.in[i], rows[i] == 2,
                       op.code == MicroCode::permute_eval ? op.source_chunk : op.chunk);
    if (op.code == MicroCode::permute_coeff) part = {part.frame, part.frames, kWholeMode, 0};
    std::uint64_t from = earliest;
    for (std::uint32_t f = part.frame; f < part.frame + part.frames; ++f) {
      from = std::max(from, frames[f].ready.get(part));
    }
    if (from > ready) {
      ready = from;
      from_off_chip = frames[part.frame].from_off_chip;
    }
    std::uint64_t cycle = from;
    for (std::uint32_t r = 0; r < rows[i]; ++r) {
      cycle = reads.book(from);
      timing.first_read = std::min(timing.first_read, cycle);
      last = std::max(last, cycle);
    }
    for (std::uint32_t f = part.frame; f < part.frame + part.frames; ++f) {
      frames[f].unread.raise(part, cycle + 1);
    }
  }
  activity.scratchpad_reads += total;
  // The largest of three consecutive waits names the cause.
  const std::uint64_t operand_wait = ready - earliest;
  const std::uint64_t port_wait = last - std::min(last, ready);
  const std::uint64_t late = earliest - std::min(earliest, just_in_time);
  timing.cause = Stall::dispatch;
  std::uint64_t most = late;
  if (operand_wait > most) {
    timing.cause = from_off_chip ? Stall::transfer : Stall::operand;
    most = operand_wait;
  }
  if (port_wait > most) timing.cause = Stall::ports;
  return last + latency;
}

std::uint64_t Timeline::State::enter_transfer(std::uint64_t arrival, bool wide,
                                              MicroTiming& timing) {
  const std::uint64_t begin = std::max(arrival * ticks * kFraction, transfer_free);
  const std::uint64_t free_cycle = to_cycle(divide_up(transfer_free, kFraction));
  transfer_free = begin + transfer_time[wide];
  timing.enter = to_cycle(divide_up(begin, kFraction));
  timing.leave = to_cycle(divide_up(transfer_free, kFraction));
  timing.waited = timing.enter - std::min(timing.enter, free_cycle);
  timing.done = timing.leave - 1 + description.dram.latency;
  return timing.leave - timing.enter;
}

std::uint64_t Timeline::State::enter_unit(const MicroOp& op, UnitState& unit, std::uint64_t arrival,
                                          bool wide, MicroTiming& timing) {
  const Capability& how = *description.units[timing.unit].can(info(op.code).operation);
  const std::uint64_t lanes = wide ? how.wide_lanes : how.lanes;
  const std::uint64_t interval = divide_up(program.layout.chunk_words(), lanes);
  std::uint64_t& free_tick = unit.next_free[unit.turn];
  const std::uint64_t enter =
      align_up(std::max({arrival * ticks, free_tick, unit.last_enter}), unit.ticks_per_cycle);
  const std::uint64_t free_cycle = to_cycle(free_tick);
  free_tick = enter + interval * unit.ticks_per_cycle;
  unit.last_enter = enter;
  unit.turn = (unit.turn + 1) % unit.next_free.size();
  timing.enter = to_cycle(enter);
  timing.leave = to_cycle(free_tick);
  timing.waited = timing.enter - std::min(timing.enter, free_cycle);
  timing.done = to_cycle(enter + (interval - 1 + unit.depth) * unit.ticks_per_cycle);
  return interval;
}

// Books the writes; the cycle in which all results can be read, or `done` if there are none.
std::uint64_t Timeline::State::write(const MicroOp& op, std::uint64_t done) {
  const std::uint32_t rows = rows_written(op, program);
  if (rows == 0) return done;
  const Touch part = touch(op, op.out, rows == 2, op.chunk);
  std::uint64_t from = done;
  for (std::uint32_t f = part.frame; f < part.frame + part.frames; ++f) {
    from = std::max({from, frames[f].unread.get(part), frames[f].ready.get(part)});
  }
  std::uint64_t cycle = from;
  for (std::uint32_t r = 0; r < rows; ++r) cycle = std::max(cycle, write_calendar().book(from));
  activity.scratchpad_writes += rows;
  for (std::uint32_t f = part.frame; f < part.frame + part.frames; ++f) {
    frames[f].ready.raise(part, cycle + 1);
    frames[f].from_off_chip = info(op.code).operation == Operation::transfer;
  }
  return cycle + 1;
}

Timeline::Timeline(const MachineDescription& description, const MicroProgram& program)
    : state_(std::make_unique<State>(description, program)) {}
Timeline::~Timeline() = default;
Timeline::Timeline(Timeline&&) noexcept = default;

MicroTiming Timeline::place(const MicroOp& op) {
  State& state = *state_;
  if (op.code == MicroCode::fence) {
    state.dispatched = std::max(state.dispatched, state.activity.cycles);
    return {.first_read = state.dispatched,
            .enter = state.dispatched,
            .leave = state.dispatched,
            .done = state.dispatched,
            .end = state.dispatched,
            .unit = static_cast<std::uint32_t>(state.units.size() - 1)};
  }
  const Operation operation = info(op.code).operation;
  MicroTiming timing;
  timing.unit = state.unit_of[static_cast<std::size_t>(operation)];
  if (op.resident) return timing;

  UnitState& unit = state.units[timing.unit];
  state.dispatched = std::max(state.dispatched, unit.entered[unit.oldest]);
  state.reads.forget_before(state.dispatched);
  state.writes.forget_before(state.dispatched);

  const bool transfers = operation == Operation::transfer;
  const bool wide = transfers ? state.program.is_wide(op.modulus) : is_wide(op, state.program);
  const std::uint64_t free_tick =
      transfers ? divide_up(state.transfer_free, State::kFraction) : unit.next_free[unit.turn];
  const std::uint64_t arrival = state.fetch(op, free_tick / state.ticks, timing);
  const std::uint64_t busy = transfers ? state.enter_transfer(arrival, wide, timing)
                                       : state.enter_unit(op, unit, arrival, wide, timing);
  if (rows_read(op, 0, state.program) == 0) timing.first_read = timing.enter;
  timing.end = state.write(op, timing.done);

  unit.entered[unit.oldest] = timing.enter;
  unit.oldest = (unit.oldest + 1) % unit.entered.size();
  Activity::UnitActivity& used = state.activity.units[timing.unit];
  used.operations += 1;
  used.busy_cycles += busy;
  used.stalled_cycles[static_cast<std::size_t>(timing.cause)] += timing.waited;
  if (transfers) {
    state.traffic_bits[static_cast<std::size_t>(traffic_of(op, state.program))] +=
        state.chunk_bits[wide];
  }
  state.activity.cycles = std::max(state.activity.cycles, timing.end);
  return timing;
}

Activity Timeline::activity() const {
  Activity activity = state_->activity;
  for (std::size_t i = 0; i < activity.units.size(); ++i) {
    const bool transfers = i + 1 == activity.units.size();
    const UnitState& unit = state_->units[i];
    const std::uint64_t free_tick =
        transfers ? divide_up(state_->transfer_free, State::kFraction)
                  : *std::max_element(unit.next_free.begin(), unit.next_free.end());
    const std::uint64_t free_cycle = state_->to_cycle(free_tick);
    activity.units[i].stalled_cycles[static_cast<std::size_t>(Stall::drained)] =
        activity.cycles - std::min(activity.cycles, free_cycle);
  }
  for (std::size_t kind = 0; kind < kTraffics; ++kind) {
    activity.bytes[kind] = divide_up(state_->traffic_bits[kind], 8);
  }
  return activity;
}

}  // namespace heliodor::machine
