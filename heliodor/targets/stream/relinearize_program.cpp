// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each output is expanded into its sum of products. Products of two operands are the tensor part,
// products with a key the inner product; the other factor of those is traced back to the product of
// operands that it is a digit of.
#include "heliodor/targets/stream/relinearize_program.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/targets/stream/internal/products.h"

namespace heliodor::stream {
namespace {

using internal::Components;
using internal::Product;
using internal::Refusal;
using internal::refuse;
using internal::Sum;
using program::Input;
using program::InputKind;
using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

// Products of c1: two of operands, one for each digit.
constexpr std::uint32_t kMaxProducts = kRelinearizeMaxLimbs + 2;

class Matcher {
 public:
  explicit Matcher(const LimbProgram& program) : program_(program), inputs_(program.value_count()) {
    std::size_t operands = 0;
    std::size_t shared = 0;
    for (const Input& input : program.inputs()) {
      if (input.kind == InputKind::seed) refuse("input \"{}\" is a seed", input.name);
      const bool is_operand = input.kind == InputKind::operand;
      inputs_[input.value] = Place{is_operand, is_operand ? operands++ : shared++};
    }
  }

  RelinearizeProgram match() {
    const auto limbs = internal::sums_by_modulus(
        program_, kMaxProducts, [this](ValueId x, ValueId y, Sum& sum) { add_product(x, y, sum); });
    RelinearizeProgram result;
    result.log_degree = static_cast<std::uint32_t>(std::countr_zero(program_.degree()));
    std::vector<Components> components;
    for (const auto& [modulus, sums] : limbs) {
      components.push_back(internal::match_components(program_, modulus, sums));
      RelinearizeRoles& roles = result.limbs.emplace_back();
      roles.modulus = modulus;
      roles.outputs = {components.back().c0->output, components.back().c1->output};
      for (std::size_t i = 0; i < kTensorParts; ++i) {
        roles.parts[i] = inputs_[components.back().parts[i]]->index;
      }
    }
    check(result.shape(1));
    for (std::size_t limb = 0; limb < result.limbs.size(); ++limb) {
      match_digits(*components[limb].c0, components, result, result.limbs[limb].key_b);
      match_digits(*components[limb].c1, components, result, result.limbs[limb].key_a);
    }
    return result;
  }

 private:
  struct Place {
    bool is_operand = false;
    std::size_t index = 0;
  };

  static void check(const RelinearizeShape& shape) {
    try {
      check_shape(shape);
    } catch (const Error& error) {
      refuse("{}", error.what());
    }
  }

  bool is_operand(ValueId value) const { return inputs_[value] && inputs_[value]->is_operand; }
  bool is_key(ValueId value) const { return inputs_[value] && !inputs_[value]->is_operand; }

  void add_product(ValueId x, ValueId y, Sum& sum) const {
    if (is_key(x)) std::swap(x, y);
    if (is_operand(x) && is_operand(y)) {
      sum.tensor.emplace_back(x, y);
    } else if (is_key(y) && !inputs_[x]) {
      sum.inner.emplace_back(x, y);
    } else {
      refuse("output \"{}\" has a product of neither two operands nor a digit and a key", sum.name);
    }
    if (sum.tensor.size() > 2) {
      refuse("output \"{}\" has more than 2 products of operands", sum.name);
    }
    if (sum.inner.size() > kRelinearizeMaxLimbs) {
      refuse("output \"{}\" has more than {} digits", sum.name, kRelinearizeMaxLimbs);
    }
  }

  /// The operand of the instruction that makes `value`, if that is `op` with one operand.
  std::optional<ValueId> operand_of(ValueId value, LimbOp op) const {
    const auto definition = program_.definition(value);
    if (!definition) return std::nullopt;
    const Instruction instruction = program_.instruction(*definition);
    if (instruction.op != op || instruction.operands.size() != 1) return std::nullopt;
    if (op == LimbOp::reduce && instruction.lift() != ring::Lift::centred) return std::nullopt;
    return instruction.operands[0];
  }

  /// The product whose digit a value is: the value itself, or what ntt, reduce and intt made it of.
  ValueId source_of(ValueId value) const {
    const auto lifted = operand_of(value, LimbOp::ntt);
    const auto coefficients = lifted ? operand_of(*lifted, LimbOp::reduce) : std::nullopt;
    const auto source = coefficients ? operand_of(*coefficients, LimbOp::intt) : std::nullopt;
    return source.value_or(value);
  }

  bool is_product(ValueId value, const Product& of) const {
    const auto definition = program_.definition(value);
    if (!definition) return false;
    const Instruction instruction = program_.instruction(*definition);
    if (instruction.op != LimbOp::mul && instruction.op != LimbOp::dot) return false;
    const auto& factors = instruction.operands;
    return factors.size() == 2 && ((factors[0] == of.first && factors[1] == of.second) ||
                                   (factors[0] == of.second && factors[1] == of.first));
  }

  /// The keys of one digit for each limb, and no others.
  void match_digits(const Sum& sum, const std::vector<Components>& components,
                    const RelinearizeProgram& session, std::vector<std::size_t>& keys) const {
    const std::size_t limbs = components.size();
    if (sum.inner.size() != limbs) {
      refuse("output \"{}\" has {} digits, not {}", sum.name, sum.inner.size(), limbs);
    }
    for (std::size_t digit = 0; digit < limbs; ++digit) {
      const Product c2 = {components[digit].parts[1], components[digit].parts[3]};
      keys.push_back(key_of(sum, session.limbs[digit].modulus, c2));
    }
  }

  /// The key of the digit of limb `modulus`, whose c2 is the product `c2`.
  std::size_t key_of(const Sum& sum, std::uint32_t modulus, const Product& c2) const {
    for (const auto& [digit, key] : sum.inner) {
      const ValueId source = source_of(digit);
      if (program_.type(source).modulus == modulus && is_product(source, c2)) {
        return inputs_[key]->index;
      }
    }
    refuse("output \"{}\" has no digit of a1*b1 in limb q{}", sum.name, modulus);
  }

  const LimbProgram& program_;
  std::vector<std::optional<Place>> inputs_;  // by value
};

}  // namespace

RelinearizeMatch match_relinearize(const LimbProgram& program) {
  try {
    return {Matcher(program).match(), ""};
  } catch (const Refusal& refusal) {
    return {std::nullopt, refusal.reason};
  }
}

}  // namespace heliodor::stream
