// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/execution.h"

#include <algorithm>

namespace heliodor::cpu {
namespace {

std::size_t longest_operand_list(const program::LimbProgram& program) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    longest = std::max(longest, program.instruction(i).operands.size());
  }
  return longest;
}

}  // namespace

Execution::Execution(const program::LimbProgram& program, const Schedule& schedule,
                     std::size_t workers)
    : program_(program),
      schedule_(schedule),
      slots_(schedule.slot_count, program.degree()),
      tiles_(schedule.tile_count * workers, schedule.tile_words),
      words_(program.value_count(), nullptr),
      scratch_(workers * KernelTable::kMaxDotTargets,
               std::vector<const Word*>(longest_operand_list(program))),
      packed_scratch_(scratch_.size(), std::vector<const std::uint32_t*>(scratch_[0].size())) {}

Execution::~Execution() {
  slots_.wipe();
  tiles_.wipe();
}

void Execution::bind(const program::Binding& binding, const program::SharedBinding& shared,
                     const PackedKeys* packed) {
  shared_ = &shared;
  packed_ = packed;
  for (std::size_t value = 0; value < words_.size(); ++value) {
    const Place place = schedule_.places[value];
    switch (place.kind) {
      // One table serves operands and results; no kernel writes to an input.
      case Place::Kind::operand:
        words_[value] = const_cast<Word*>(binding.operands[place.index].data());
        break;
      case Place::Kind::shared:
        words_[value] = const_cast<Word*>(shared.limbs[place.index].data());
        break;
      case Place::Kind::output:
        words_[value] = binding.outputs[place.index].data();
        break;
      case Place::Kind::slot:
        words_[value] = slots_.limb(place.index).data();
        break;
      case Place::Kind::seed:
      case Place::Kind::tile:
      case Place::Kind::fused:
        break;
    }
  }
}

void Execution::copy_outputs(const program::Binding& binding) const {
  for (const OutputCopy& copy : schedule_.copies) {
    std::copy_n(words_[copy.value], program_.degree(), binding.outputs[copy.output].data());
  }
}

const Word* const* Execution::addresses(std::span<const program::ValueId> values, std::size_t begin,
                                        std::size_t worker, std::size_t number) {
  std::vector<const Word*>& scratch = scratch_[worker * KernelTable::kMaxDotTargets + number];
  for (std::size_t k = 0; k < values.size(); ++k) scratch[k] = address(values[k], begin, worker);
  return scratch.data();
}

Ahead Execution::ahead(std::span<const program::ValueId> limbs) const {
  Ahead ahead;
  for (const program::ValueId value : limbs) {
    const bool shared = schedule_.places[value].kind == Place::Kind::shared;
    const std::uint32_t* packed = shared && packed_ != nullptr ? packed_address(value, 0) : nullptr;
    ahead.limbs[ahead.count] = packed == nullptr ? static_cast<const void*>(words_[value]) : packed;
    ahead.word_bytes[ahead.count++] = packed == nullptr ? sizeof(Word) : sizeof(*packed);
  }
  return ahead;
}

const std::uint32_t* const* Execution::packed_addresses(std::span<const program::ValueId> values,
                                                        std::size_t begin, std::size_t worker,
                                                        std::size_t number) {
  std::vector<const std::uint32_t*>& scratch =
      packed_scratch_[worker * KernelTable::kMaxDotTargets + number];
  for (std::size_t k = 0; k < values.size(); ++k) scratch[k] = packed_address(values[k], begin);
  return scratch.data();
}

}  // namespace heliodor::cpu
