// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/cost_model.h"

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

#include "heliodor/targets/cpu/reuse.h"
#include "heliodor/targets/cpu/uses.h"

namespace heliodor::cpu {
namespace {

using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

constexpr std::size_t kTwiddleBytes = 16;     // per coefficient, at most: factors and companions
constexpr std::size_t kPermutationBytes = 4;  // per coefficient

// ns of the kernel calls of an operation on whole limbs.
class KernelCost {
 public:
  KernelCost(const LimbProgram& program, const Schedule& schedule, const KernelRates& rates)
      : program_(program), schedule_(schedule), rates_(rates) {}

  double of(const Operation& operation) const {
    const auto members = schedule_.instructions(operation);
    const Instruction first = program_.instruction(members[0]);
    const auto words = static_cast<double>(program_.degree());
    const bool whole = std::ranges::any_of(
        members, [&](std::uint32_t i) { return !is_pointwise(program_.instruction(i).op); });
    const std::size_t tile = whole ? program_.degree() : schedule_.tile_words;
    const double calls = static_cast<double>(program_.degree() / tile) * rates_.call;
    if (first.op == LimbOp::dot_scalar) return calls + words * conversion(members);
    if (first.op == LimbOp::dot) return calls + words * sums(members);
    double ns_per_word = per_word(first);
    if (members.size() > 1) {
      // A product costs an intt nothing more, and a difference its product nothing where one
      // kernel makes both.
      if (first.op == LimbOp::sub) ns_per_word = 0;
      if (first.op != LimbOp::intt) ns_per_word += per_word(program_.instruction(members[1]));
    }
    return calls + words * ns_per_word;
  }

 private:
  double conversion(std::span<const std::uint32_t> group) const {
    unsigned bits = 0;
    for (const std::uint32_t i : group) bits = std::max(bits, result_bits(program_.instruction(i)));
    const Instruction first = program_.instruction(group[0]);
    for (const ValueId x : first.operands) bits = std::max(bits, program_.modulus(x).bits());
    const KernelRates::SizeClass& size = rates_.of_bits(bits);
    return static_cast<double>(first.operands.size()) * size.conversion_term[group.size() - 1] +
           size.conversion_output[group.size() - 1];
  }

  // What their addends cost is hidden by their terms.
  double sums(std::span<const std::uint32_t> members) const {
    const auto is_dot = [&](std::uint32_t i) { return program_.instruction(i).op == LimbOp::dot; };
    const auto targets = static_cast<std::size_t>(std::ranges::count_if(members, is_dot));
    const Instruction first = program_.instruction(members[0]);
    const KernelRates::SizeClass& size = rates_.of_bits(result_bits(first));
    return static_cast<double>(first.operands.size() / 2) * size.dot_term[targets - 1] +
           size.dot_output[targets - 1];
  }

  double per_word(const Instruction& instruction) const {
    const auto terms = static_cast<double>(instruction.operands.size());
    const unsigned bits = result_bits(instruction);
    const KernelRates::SizeClass& size = rates_.of_bits(bits);
    switch (instruction.op) {
      case LimbOp::mul:
        return size.mul;
      case LimbOp::mul_scalar:
        return size.mul_scalar;
      case LimbOp::quotient:
        return terms * rates_.quotient_term;
      case LimbOp::reduce:
        return rates_.of_bits(std::max(bits, program_.modulus(instruction.operands[0]).bits()))
            .reduce;
      case LimbOp::ntt:
        return transform(schedule_.lazy[instruction.result] ? TransformKind::forward_lazy
                                                            : TransformKind::forward,
                         bits);
      case LimbOp::intt:
        return transform(TransformKind::inverse, bits);
      case LimbOp::permute:
        return program_.type(instruction.result).domain == ring::Domain::eval
                   ? rates_.permute_eval
                   : rates_.permute_coeff;
      case LimbOp::uniform:
        return rates_.uniform;
      default:
        return size.add;
    }
  }

  double transform(TransformKind kind, unsigned bits) const {
    const auto log_degree = static_cast<unsigned>(std::countr_zero(program_.degree()));
    return rates_.butterfly(kind, bits, log_degree) * log_degree / 2;
  }

  unsigned result_bits(const Instruction& instruction) const {
    return program_.modulus(instruction.result).bits();
  }

  const LimbProgram& program_;
  const Schedule& schedule_;
  const KernelRates& rates_;
};

// ns that operations wait for memory. Call `of` for every operation in order, twice.
class MemoryCost {
 public:
  MemoryCost(const LimbProgram& program, const Schedule& schedule, const KernelRates& rates)
      : program_(program),
        schedule_(schedule),
        rates_(rates),
        limb_bytes_(program.degree() * sizeof(Word)),
        first_(first_places()),
        reuse_(first_.tables + 2 * program.moduli().size() + number_permutations(),
               2 * schedule.steps.size()) {}

  double of(const Operation& operation, bool whole, std::size_t step) {
    touched_.clear();
    for (const std::uint32_t i : schedule_.instructions(operation)) collect(i);
    std::size_t footprint = 0;
    for (const Touched& t : touched_) footprint += t.bytes;
    const std::size_t in_kernel = whole ? footprint : 0;
    const auto members = schedule_.instructions(operation);
    const bool lifted = members.size() > 1 && program_.instruction(members[0]).op == LimbOp::reduce;
    const std::uint32_t leading = members[lifted ? 1 : 0];
    double ns = 0;
    for (const Touched& t : touched_) {
      const std::size_t distance = reuse_.touch(t.place, t.bytes, step);
      if (distance <= in_kernel) continue;
      ns += static_cast<double>(t.bytes) * wait(program_.instruction(leading), distance);
    }
    return ns;
  }

 private:
  struct Touched {
    std::size_t place;
    std::size_t bytes;
  };
  struct FirstPlaces {
    std::size_t operands, shared, outputs, slots, tables;
  };

  FirstPlaces first_places() const {
    const std::size_t inputs = program_.inputs().size();
    FirstPlaces first{0, inputs, 2 * inputs, 0, 0};
    first.slots = first.outputs + program_.outputs().size();
    first.tables = first.slots + schedule_.slot_count;
    return first;
  }

  std::size_t number_permutations() {
    for (std::size_t i = 0; i < program_.instruction_count(); ++i) {
      const Instruction instruction = program_.instruction(i);
      if (instruction.op == LimbOp::permute)
        permutations_.emplace(instruction.parameter, permutations_.size());
    }
    return permutations_.size();
  }

  double wait(const Instruction& instruction, std::size_t distance) const {
    const std::size_t operands = instruction.operands.size();
    switch (instruction.op) {
      case LimbOp::ntt:
      case LimbOp::intt:
        return rates_.wait(AccessPattern::transform, distance);
      case LimbOp::dot:
        return rates_.wait_of_sum(AccessPattern::dot_few, operands / 2, distance);
      case LimbOp::dot_scalar:
      case LimbOp::quotient:
        return rates_.wait_of_sum(AccessPattern::conversion_few, operands, distance);
      default:
        return rates_.wait(AccessPattern::pointwise, distance);
    }
  }

  void collect(std::uint32_t index) {
    const Instruction instruction = program_.instruction(index);
    for (const ValueId operand : instruction.operands) collect_value(operand);
    collect_value(instruction.result);
    const bool forward = instruction.op == LimbOp::ntt;
    if (forward || instruction.op == LimbOp::intt) {
      const std::size_t modulus = program_.type(instruction.result).modulus;
      collect_place(first_.tables + 2 * modulus + (forward ? 0 : 1),
                    kTwiddleBytes * program_.degree());
    }
    if (instruction.op == LimbOp::permute) {
      collect_place(
          first_.tables + 2 * program_.moduli().size() + permutations_.at(instruction.parameter),
          kPermutationBytes * program_.degree());
    }
  }

  void collect_value(ValueId value) {
    const Place place = schedule_.places[value];
    switch (place.kind) {
      case Place::Kind::operand:
        return collect_place(first_.operands + place.index, limb_bytes_);
      case Place::Kind::shared:
        return collect_place(first_.shared + place.index, limb_bytes_);
      case Place::Kind::output:
        return collect_place(first_.outputs + place.index, limb_bytes_);
      case Place::Kind::slot:
        return collect_place(first_.slots + place.index, limb_bytes_);
      case Place::Kind::seed:
      case Place::Kind::tile:
      case Place::Kind::fused:
        return;
    }
  }

  void collect_place(std::size_t place, std::size_t bytes) { touched_.push_back({place, bytes}); }

  const LimbProgram& program_;
  const Schedule& schedule_;
  const KernelRates& rates_;
  std::size_t limb_bytes_;
  FirstPlaces first_;
  std::map<std::uint64_t, std::size_t> permutations_;
  ReuseDistances reuse_;
  std::vector<Touched> touched_;
};

}  // namespace

PredictedTime predict_time(const LimbProgram& program, const Schedule& schedule,
                           const KernelRates& rates, unsigned threads) {
  const KernelCost kernels(program, schedule, rates);
  MemoryCost memory(program, schedule, rates);
  PredictedTime time{rates.run, 0};
  for (std::size_t s = 0; s < 2 * schedule.steps.size(); ++s) {
    const bool warm = s >= schedule.steps.size();
    const Step& step = schedule.steps[s % schedule.steps.size()];
    PredictedTime of_step;
    for (const Operation& operation : schedule.operations_of(step)) {
      of_step.memory_ns += memory.of(operation, !step.strip, s);
      if (warm) of_step.kernels_ns += kernels.of(operation);
    }
    if (!warm) continue;
    const std::size_t items =
        step.strip ? program.degree() / schedule.tile_words : step.operation_count;
    const std::size_t workers = std::min<std::size_t>(items, threads);
    // The longest worker's share of equal items.
    const double share =
        static_cast<double>((items + workers - 1) / workers) / static_cast<double>(items);
    time.kernels_ns += share * of_step.kernels_ns;
    time.memory_ns += share * of_step.memory_ns;
  }
  time.kernels_ns +=
      static_cast<double>(schedule.copies.size() * program.degree()) * rates.classes.back().add;
  return time;
}

}  // namespace heliodor::cpu
