// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Schedule: what a plan does, step by step, and where each value lives.
//
// An *operation* is one kernel call: an instruction; a *chain* of two, of which the second alone
// reads the first: intt and mul_scalar, sub and mul_scalar, reduce and ntt, dot and add; up to four
// dot_scalars with the same sources; or two dots with the same first factors, each alone or in a
// chain. A *step* is a run of operations of one kind:
//   whole   on whole limbs: transforms, automorphisms, uniform
//   strip   pointwise, executed tile by tile: all operations on the first tile of words, then all
//   on the next
// Values that are neither inputs nor outputs live in slots of an arena, one limb each, or, if only
// one strip touches them, in a tile. A slot is free again once its value has been read for the last
// time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/cpu/fusions.h"

namespace heliodor::cpu {

struct Place {
  enum class Kind : std::uint8_t { operand, shared, seed, output, slot, tile, fused };
  Kind kind;
  std::uint32_t index;  ///< among the binding's spans of that kind, the slot, or the tile; 0 for a
                        ///< fused value, which has none

  bool operator==(const Place&) const = default;
};

/// Consecutive entries of Schedule::order.
struct Operation {
  std::uint32_t first;
  std::uint32_t count;
};

struct Step {
  bool strip;
  std::uint32_t first_operation;
  std::uint32_t operation_count;
};

/// An output that another place already holds: an input, or a value that is output twice.
struct OutputCopy {
  program::ValueId value;
  std::uint32_t output;
};

struct Schedule {
  static constexpr std::size_t kTileWords = 1024;

  std::vector<std::uint32_t> order;  ///< instructions
  std::vector<Operation> operations;
  std::vector<Step> steps;
  std::vector<Place> places;       ///< by value
  std::vector<bool> lazy;          ///< by value: its words may be lazy (cpu/ntt.h)
  std::vector<OutputCopy> copies;  ///< made after the last step
  std::size_t slot_count = 0;
  std::size_t tile_count = 0;  ///< tiles that one thread needs
  std::size_t tile_words = 0;  ///< min(degree, kTileWords), or the degree without strips

  std::span<const std::uint32_t> instructions(const Operation& operation) const {
    return std::span(order).subspan(operation.first, operation.count);
  }
  std::span<const Operation> operations_of(const Step& step) const {
    return std::span(operations).subspan(step.first_operation, step.operation_count);
  }
};

/// Whether an instruction of an operation begins a chain; its result has no place. `member` counts
/// within the operation.
bool begins_chain(const program::LimbProgram& program, const Schedule& schedule,
                  const Operation& operation, std::size_t member);

/// Whether the operations of a whole step will run one after the other or at the same time; the
/// latter keeps slots apart.
enum class Concurrency : std::uint8_t { serial, concurrent };

/// Requires a well-formed program. Linear in its size.
Schedule make_schedule(const program::LimbProgram& program, const Fusions& fusions,
                       Concurrency concurrency);

/// For people: a line per operation, grouped by steps.
std::string to_string(const Schedule& schedule, const program::LimbProgram& program);

}  // namespace heliodor::cpu
