// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Execution: the memory and addresses of one run of a schedule on one binding.
#pragma once

#include <cstddef>
#include <vector>

#include "heliodor/base/limb_arena.h"
#include "heliodor/program/target.h"
#include "heliodor/targets/cpu/kernel_table.h"
#include "heliodor/targets/cpu/packed_keys.h"
#include "heliodor/targets/cpu/schedule.h"

namespace heliodor::cpu {

class Execution {
 public:
  /// `workers` threads may execute parts of a strip at the same time, each with tiles of its own.
  Execution(const program::LimbProgram& program, const Schedule& schedule, std::size_t workers);
  /// Zeros intermediate values: programs of key owners leave secrets in them.
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  /// Resolves all addresses. The spans must live until the run is over, and so must `packed`, the
  /// packed form of `shared` or null.
  void bind(const program::Binding& binding, const program::SharedBinding& shared,
            const PackedKeys* packed);
  void copy_outputs(const program::Binding& binding) const;

  /// The address of word `begin` of a limb; for a value in a tile, of the worker's tile.
  Word* address(program::ValueId value, std::size_t begin, std::size_t worker) {
    const Place place = schedule_.places[value];
    if (place.kind == Place::Kind::tile)
      return tiles_.limb(worker * schedule_.tile_count + place.index).data();
    return words_[value] + begin;
  }
  const base::PublicSeed& seed(program::ValueId value) const {
    return shared_->seeds[schedule_.places[value].index];
  }

  /// Addresses of many values, in an array of the worker's that its next call with that number
  /// overwrites, or the same of packed_addresses. number < KernelTable::kMaxDotTargets.
  const Word* const* addresses(std::span<const program::ValueId> values, std::size_t begin,
                               std::size_t worker, std::size_t number = 0);

  bool has_packed_keys() const noexcept { return packed_ != nullptr; }
  /// The address of word `begin` of a packed limb. Requires has_packed_keys().
  const std::uint32_t* packed_address(program::ValueId value, std::size_t begin) const {
    return packed_->limb(schedule_.places[value].index) + begin;
  }
  /// The fetching of at most Ahead::kMaxLimbs limbs of the binding.
  Ahead ahead(std::span<const program::ValueId> limbs) const;

  const std::uint32_t* const* packed_addresses(std::span<const program::ValueId> values,
                                               std::size_t begin, std::size_t worker,
                                               std::size_t number = 0);

 private:
  const program::LimbProgram& program_;
  const Schedule& schedule_;
  base::LimbArena slots_;
  base::LimbArena tiles_;  // tile_count for each worker
  std::vector<Word*>
      words_;  // by value; null for seeds, tiles and fused values. Inputs are only read
  std::vector<std::vector<const Word*>> scratch_;                  // by worker, kMaxDotTargets each
  std::vector<std::vector<const std::uint32_t*>> packed_scratch_;  // likewise
  const program::SharedBinding* shared_ = nullptr;
  const PackedKeys* packed_ = nullptr;
};

}  // namespace heliodor::cpu
