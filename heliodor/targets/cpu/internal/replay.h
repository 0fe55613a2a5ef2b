// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Replay: a schedule executed with names instead of data. Every place remembers, for each tile of
// words, which value it holds; every read must find the value that it means.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/cpu/schedule.h"

namespace heliodor::cpu::internal {

/// In which order a step does what it may do in any: tiles of a strip, operations of a whole step.
enum class Sequence : std::uint8_t {
  forward,
  backward,
  /// Every operation on all tiles before the next operation: as many workers, all as fast.
  in_lockstep,
};

inline constexpr Sequence kAllSequences[] = {Sequence::forward, Sequence::backward,
                                             Sequence::in_lockstep};

class Replay {
 public:
  Replay(const program::LimbProgram& program, const Schedule& schedule)
      : program_(program),
        schedule_(schedule),
        tiles_(program.degree() / std::max<std::size_t>(schedule.tile_words, 1)) {
    for (const program::Input& input : program.inputs()) {
      for (std::size_t t = 0; t < tiles_; ++t) memory_[cell(input.value, t, 0)] = {input.value, t};
    }
  }

  void run(Sequence sequence, Concurrency concurrency) {
    for (const Step& step : schedule_.steps) {
      const auto operations = schedule_.operations_of(step);
      if (step.strip) {
        run_strip(operations, sequence);
        continue;
      }
      if (concurrency == Concurrency::concurrent) expect_apart(operations);
      const bool backward =
          concurrency == Concurrency::concurrent && sequence == Sequence::backward;
      for (std::size_t i = 0; i < operations.size(); ++i)
        run_whole(operations[backward ? operations.size() - 1 - i : i]);
    }
    expect_outputs();
  }

 private:
  using ValueId = program::ValueId;
  // Kind, index, tile of words; for a tile, kind, index and worker.
  using Cell = std::tuple<Place::Kind, std::uint32_t, std::size_t>;
  struct Content {
    ValueId value;
    std::size_t tile;
    bool operator==(const Content&) const = default;
  };

  Cell cell(ValueId value, std::size_t tile, std::size_t worker) const {
    const Place place = schedule_.places[value];
    return {place.kind, place.index, place.kind == Place::Kind::tile ? worker : tile};
  }

  /// Operands that an operation reads from memory, and results that it leaves there.
  std::pair<std::vector<ValueId>, std::vector<ValueId>> traffic(const Operation& operation) const {
    std::vector<ValueId> reads, writes;
    for (const std::uint32_t i : schedule_.instructions(operation)) {
      const program::Instruction instruction = program_.instruction(i);
      for (const ValueId operand : instruction.operands) {
        if (schedule_.places[operand].kind != Place::Kind::fused) reads.push_back(operand);
      }
      if (schedule_.places[instruction.result].kind != Place::Kind::fused)
        writes.push_back(instruction.result);
    }
    return {reads, writes};
  }

  void run_strip(std::span<const Operation> operations, Sequence sequence) {
    if (sequence == Sequence::in_lockstep) {
      for (const Operation& operation : operations) {
        for (std::size_t t = 0; t < tiles_; ++t) run_on_tile(operation, t, t);
      }
      return;
    }
    for (std::size_t i = 0; i < tiles_; ++i) {
      const std::size_t t = sequence == Sequence::backward ? tiles_ - 1 - i : i;
      for (const Operation& operation : operations) run_on_tile(operation, t, 0);
    }
  }

  void run_whole(const Operation& operation) {
    const auto [reads, writes] = traffic(operation);
    for (const ValueId value : reads) {
      EXPECT_NE(schedule_.places[value].kind, Place::Kind::tile) << "a whole step reads a tile";
      for (std::size_t t = 0; t < tiles_; ++t) expect_holds(value, t, 0);
    }
    for (const ValueId value : writes) {
      EXPECT_NE(schedule_.places[value].kind, Place::Kind::tile) << "a whole step writes a tile";
      for (std::size_t t = 0; t < tiles_; ++t) write(value, t, 0);
    }
    const auto first = program_.instruction(schedule_.instructions(operation)[0]);
    if (first.op != program::LimbOp::permute) return;
    EXPECT_NE(schedule_.places[first.operands[0]], schedule_.places[first.result])
        << "a permutation overwrites its operand";
  }

  void run_on_tile(const Operation& operation, std::size_t tile, std::size_t worker) {
    const auto [reads, writes] = traffic(operation);
    std::set<Cell> written;
    for (const ValueId value : reads) expect_holds(value, tile, worker);
    for (const ValueId value : writes) {
      EXPECT_TRUE(written.insert(cell(value, tile, worker)).second)
          << "two results of an operation share a place";
      write(value, tile, worker);
    }
  }

  void expect_holds(ValueId value, std::size_t tile, std::size_t worker) const {
    const auto found = memory_.find(cell(value, tile, worker));
    ASSERT_NE(found, memory_.end()) << "value " << value << " is read before it is written";
    EXPECT_EQ(found->second, (Content{value, tile}))
        << "value " << value << " is overwritten by " << found->second.value;
  }

  void write(ValueId value, std::size_t tile, std::size_t worker) {
    const Place place = schedule_.places[value];
    switch (place.kind) {
      case Place::Kind::slot:
        EXPECT_LT(place.index, schedule_.slot_count);
        break;
      case Place::Kind::tile:
        EXPECT_LT(place.index, schedule_.tile_count);
        break;
      case Place::Kind::output:
        EXPECT_LT(place.index, program_.outputs().size());
        break;
      default:
        ADD_FAILURE() << "value " << value << " is written to an input";
    }
    memory_[cell(value, tile, worker)] = {value, tile};
  }

  /// No operation writes what another one reads or writes.
  void expect_apart(std::span<const Operation> operations) const {
    std::map<Cell, std::size_t> writers;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      for (const ValueId value : traffic(operations[i]).second)
        EXPECT_TRUE(writers.emplace(cell(value, 0, 0), i).second) << "two operations write a place";
    }
    for (std::size_t i = 0; i < operations.size(); ++i) {
      for (const ValueId value : traffic(operations[i]).first) {
        const auto writer = writers.find(cell(value, 0, 0));
        if (writer == writers.end()) continue;
        EXPECT_EQ(writer->second, i) << "operations of a concurrent step meet in a place";
      }
    }
  }

  void expect_outputs() {
    for (const OutputCopy& copy : schedule_.copies) {
      for (std::size_t t = 0; t < tiles_; ++t) {
        expect_holds(copy.value, t, 0);
        memory_[{Place::Kind::output, copy.output, t}] = {copy.value, t};
      }
    }
    for (std::uint32_t i = 0; i < program_.outputs().size(); ++i) {
      for (std::size_t t = 0; t < tiles_; ++t) {
        const auto found = memory_.find({Place::Kind::output, i, t});
        ASSERT_NE(found, memory_.end()) << "output " << i << " is never written";
        EXPECT_EQ(found->second, (Content{program_.outputs()[i].value, t})) << "output " << i;
      }
    }
  }

  const program::LimbProgram& program_;
  const Schedule& schedule_;
  std::size_t tiles_;
  std::map<Cell, Content> memory_;
};

}  // namespace heliodor::cpu::internal
