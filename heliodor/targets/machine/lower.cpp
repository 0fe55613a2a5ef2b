// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/targets/machine/allocate.h"
#include "heliodor/targets/machine/frames.h"
#include "heliodor/targets/machine/parts.h"
#include "heliodor/targets/machine/schedule.h"
#include "heliodor/targets/machine/tasks.h"

namespace heliodor::machine {
namespace {

using program::LimbProgram;

/// What one order of tasks makes of a program.
struct Candidate {
  std::vector<Part> parts;
  std::vector<Placement> placements;
  Schedule schedule;
  MicroProgram program;  // without operations
};

MicroProgram empty_program(const MachineDescription& description, const LimbProgram& program) {
  MicroProgram micro;
  micro.layout = Frames(description, program).layout();
  micro.word_bits = description.word_bits;
  for (const program::Input& input : program.inputs()) micro.inputs.push_back(input.kind);
  micro.outputs = static_cast<std::uint32_t>(program.outputs().size());
  micro.moduli.assign(program.moduli().begin(), program.moduli().end());
  return micro;
}

/// Nothing if a task does not fit: in another order more of its operands may die with it.
std::optional<Candidate> make_candidate(const MachineDescription& description,
                                        const LimbProgram& program, const Residency& residency,
                                        TaskOrder order) {
  const std::vector<Task> tasks = make_tasks(program, description, order);
  auto allocation = allocate(description, program, tasks, residency);
  if (!allocation) return {};
  Candidate result;
  result.program = empty_program(description, program);
  result.program.rows = allocation->rows;
  result.program.spill_slots = allocation->spill_slots;
  for (const Task& task : tasks) {
    const auto registers = static_cast<std::uint32_t>(task.fetched.size());
    result.program.registers = std::max(result.program.registers, registers);
  }
  result.parts = make_parts(description, program, tasks, allocation->steps);
  result.schedule = schedule(description, result.program, result.parts);
  result.placements = std::move(allocation).value().placements;
  return result;
}

/// Writes the operations of all parts in the order in which they enter their units.
class Writer {
 public:
  Writer(const LimbProgram& program, Candidate& candidate)
      : program_(program),
        candidate_(candidate),
        ops_(candidate.program.ops),
        chunks_(candidate.program.layout.chunks()),
        first_op_(step_count(), kUnwritten),
        last_op_(step_count()) {}

  void run() {
    std::size_t operations = 0;
    for (const Part& part : candidate_.parts) operations += part.ops.size() * chunks_;
    ops_.reserve(operations);
    write_residents(MicroCode::load);
    write_scheduled();
    write_residents(MicroCode::store);
    for (const Placement& placement : candidate_.placements) add_residence(placement);
  }

 private:
  static constexpr std::size_t kUnwritten = ~std::size_t{0};

  /// The slots of a unit, and how far its current one is written.
  struct Stream {
    std::vector<Slot> slots;
    std::size_t slot = 0;
    std::size_t op = 0;  // of all chunks of the slot
    double next = 0;     // when it enters
  };

  std::size_t step_count() const {
    return candidate_.parts.empty() ? 0 : candidate_.parts.back().step + std::size_t{1};
  }

  void add_residence(const Placement& placement) {
    Residence residence{placement.value, placement.first_row, placement.rows,
                        first_op_[placement.steps[0]], 0};
    for (const std::uint32_t step : placement.steps) {
      residence.last_op = std::max(residence.last_op, last_op_[step]);
    }
    candidate_.program.residences.push_back(residence);
  }

  void write_residents(MicroCode code) {
    for (const Part& part : candidate_.parts) {
      if (!part.ops.front().resident || part.ops.front().code != code) continue;
      for (std::size_t i = 0; i < part.ops.size() * chunks_; ++i) write(part, i);
    }
  }

  void write_scheduled() {
    std::vector<Stream> streams;
    for (const Slot& slot : candidate_.schedule.slots) {
      if (slot.unit >= streams.size()) streams.resize(slot.unit + 1);
      streams[slot.unit].slots.push_back(slot);
    }
    std::erase_if(streams, [](const Stream& stream) { return stream.slots.empty(); });
    for (Stream& stream : streams) stream.next = stream.slots.front().start;
    while (!streams.empty()) {
      const auto stream = std::ranges::min_element(streams, {}, &Stream::next);
      write_next(*stream);
      if (stream->slot == stream->slots.size()) streams.erase(stream);
    }
  }

  void write_next(Stream& stream) {
    const Slot* slot = &stream.slots[stream.slot];
    const Part* part = &candidate_.parts[slot->part];
    write(*part, stream.op++);
    std::size_t operations = part->ops.size() * chunks_;
    if (stream.op == operations) {
      stream.op = 0;
      if (++stream.slot == stream.slots.size()) return;
      slot = &stream.slots[stream.slot];
      operations = candidate_.parts[slot->part].ops.size() * chunks_;
    }
    stream.next = slot->start +
                  slot->cycles * static_cast<double>(stream.op) / static_cast<double>(operations);
  }

  void write(const Part& part, std::size_t index) {
    const MicroOp& op = part.ops[index % part.ops.size()];
    const auto chunk = static_cast<std::uint32_t>(index / part.ops.size());
    first_op_[part.step] = std::min(first_op_[part.step], ops_.size());
    last_op_[part.step] = std::max(last_op_[part.step], ops_.size());
    ops_.push_back(at_chunk(op, chunk, program_, candidate_.program.layout));
  }

  const LimbProgram& program_;
  Candidate& candidate_;
  std::vector<MicroOp>& ops_;
  std::uint32_t chunks_;
  std::vector<std::size_t> first_op_, last_op_;  // by step
};

}  // namespace

Residency residency_of(const std::vector<std::string>& kinds) {
  Residency residency;
  for (const std::string& kind : kinds) {
    if (kind == "operands") {
      residency.operands = true;
    } else if (kind == "keys") {
      residency.keys = true;
    } else if (kind == "constants") {
      residency.constants = true;
    } else if (kind == "outputs") {
      residency.outputs = true;
    } else {
      throw Error(ErrorCode::out_of_range,
                  fmt::format("resident '{}' is not operands, keys, constants or outputs", kind));
    }
  }
  return residency;
}

MicroProgram lower(const MachineDescription& description, const LimbProgram& program,
                   const Residency& residency) {
  if (const auto reason = refusal(description, program, residency)) {
    throw Error(ErrorCode::unsupported, *reason);
  }
  std::optional<Candidate> best;
  for (const TaskOrder order : kTaskOrders) {
    auto candidate = make_candidate(description, program, residency, order);
    if (!candidate || (best && candidate->schedule.cycles >= best->schedule.cycles)) continue;
    best = std::move(candidate);
  }
  Writer(program, *best).run();
  return std::move(best->program);
}

}  // namespace heliodor::machine
