// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "heliodor/program/text.h"

namespace heliodor::cpu {
namespace {

using program::Input;
using program::InputKind;
using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

std::vector<std::vector<std::uint32_t>> make_waves(const LimbProgram& program, Order order) {
  std::vector<std::vector<std::uint32_t>> waves;
  std::vector<std::uint32_t> ready(program.value_count(), 0);  // first wave that may read the value
  for (std::uint32_t i = 0; i < program.instruction_count(); ++i) {
    if (order == Order::serial) {
      waves.push_back({i});
      continue;
    }
    const Instruction instruction = program.instruction(i);
    std::uint32_t wave = 0;
    for (const ValueId operand : instruction.operands) wave = std::max(wave, ready[operand]);
    if (wave == waves.size()) waves.emplace_back();
    waves[wave].push_back(i);
    ready[instruction.result] = wave + 1;
  }
  return waves;
}

// A permutation may not write over what it reads.
bool may_overwrite_operand(LimbOp op) { return op != LimbOp::permute; }

class SlotAllocator {
 public:
  SlotAllocator(const LimbProgram& program, Schedule& schedule)
      : program_(program), schedule_(schedule), last_wave_(program.value_count(), 0) {
    for (std::uint32_t wave = 0; wave < schedule.waves.size(); ++wave) {
      for (const std::uint32_t i : schedule.waves[wave]) {
        for (const ValueId operand : program.instruction(i).operands) last_wave_[operand] = wave;
      }
    }
  }

  void place_results() {
    for (std::uint32_t wave = 0; wave < schedule_.waves.size(); ++wave) {
      const std::vector<std::uint32_t>& instructions = schedule_.waves[wave];
      // Alone in its wave, an instruction may take over the slot of an operand that it is the last to read.
      const bool in_place = instructions.size() == 1 && may_overwrite_operand(program_.instruction(instructions[0]).op);
      if (in_place) release_operands(wave);
      for (const std::uint32_t i : instructions) place(program_.instruction(i).result);
      if (!in_place) release_operands(wave);
    }
  }

 private:
  void place(ValueId value) {
    Place& place = schedule_.places[value];
    if (place.kind == Place::Kind::output) return;
    if (free_.empty()) free_.push_back(static_cast<std::uint32_t>(schedule_.slot_count++));
    place = {Place::Kind::slot, free_.back()};
    free_.pop_back();
  }

  void release_operands(std::uint32_t wave) {
    for (const std::uint32_t i : schedule_.waves[wave]) {
      for (const ValueId operand : program_.instruction(i).operands) {
        if (schedule_.places[operand].kind != Place::Kind::slot || last_wave_[operand] != wave) continue;
        free_.push_back(schedule_.places[operand].index);
        last_wave_[operand] = kReleased;  // operands may repeat
      }
    }
  }

  static constexpr std::uint32_t kReleased = 0xffffffff;

  const LimbProgram& program_;
  Schedule& schedule_;
  std::vector<std::uint32_t> last_wave_;
  std::vector<std::uint32_t> free_;
};

void place_inputs(const LimbProgram& program, std::vector<Place>& places) {
  std::uint32_t operands = 0, shared = 0, seeds = 0;
  for (const Input& input : program.inputs()) {
    switch (input.kind) {
      case InputKind::operand: places[input.value] = {Place::Kind::operand, operands++}; break;
      case InputKind::key:
      case InputKind::constant: places[input.value] = {Place::Kind::shared, shared++}; break;
      case InputKind::seed: places[input.value] = {Place::Kind::seed, seeds++}; break;
    }
  }
}

}  // namespace

Schedule make_schedule(const LimbProgram& program, Order order) {
  Schedule schedule;
  schedule.waves = make_waves(program, order);
  schedule.places.assign(program.value_count(), {Place::Kind::slot, 0});
  place_inputs(program, schedule.places);
  for (std::uint32_t i = 0; i < program.outputs().size(); ++i) {
    Place& place = schedule.places[program.outputs()[i].value];
    if (place.kind == Place::Kind::slot) {
      place = {Place::Kind::output, i};
    } else {
      schedule.copies.push_back({program.outputs()[i].value, i});
    }
  }
  SlotAllocator(program, schedule).place_results();
  return schedule;
}

std::string to_string(const Schedule& schedule, const LimbProgram& program) {
  std::string text = fmt::format("{} waves, {} slots of {} bytes\n", schedule.waves.size(), schedule.slot_count,
                                 program.degree() * sizeof(std::uint64_t));
  for (std::size_t wave = 0; wave < schedule.waves.size(); ++wave) {
    for (const std::uint32_t i : schedule.waves[wave]) {
      const Place place = schedule.places[program.instruction(i).result];
      fmt::format_to(std::back_inserter(text), "{:5}  {} {:<3}  {}\n", wave,
                     place.kind == Place::Kind::output ? "output" : "slot  ", place.index, to_text(program, i));
    }
  }
  return text;
}

}  // namespace heliodor::cpu
