// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each output is expanded into its sum of products of inputs. Products of two operands are the
// tensor part, products of an operand with a key the inner product.
#include "heliodor/targets/stream/session_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heliodor/targets/stream/internal/products.h"

namespace heliodor::stream {
namespace {

using program::Input;
using program::InputKind;
using program::LimbProgram;
using program::ValueId;

using internal::Components;
using internal::Product;
using internal::Refusal;
using internal::refuse;
using internal::Sum;

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

  SessionProgram match() {
    if (program_.degree() > kMaxDegree) {
      refuse("degree {} exceeds {}", program_.degree(), kMaxDegree);
    }
    SessionProgram result;
    result.degree = static_cast<std::uint32_t>(program_.degree());
    const auto limbs = internal::sums_by_modulus(
        program_, kMaxDigits + 2,
        [this](ValueId x, ValueId y, Sum& sum) { add_product(x, y, sum); });
    for (const auto& [modulus, sums] : limbs) {
      result.limbs.push_back(match_limb(modulus, sums));
    }
    if (result.pairs() > kMaxPairs) {
      refuse("{} limbs exceed {}", result.limbs.size(), kMaxPairs * kLanes);
    }
    const std::size_t digits = result.limbs.front().digits.size();
    for (const LimbRoles& limb : result.limbs) {
      if (limb.digits.size() == digits) continue;
      refuse("limb q{} has {} digits, limb q{} has {}", limb.modulus, limb.digits.size(),
             result.limbs.front().modulus, digits);
    }
    result.digits = static_cast<std::uint32_t>(digits);
    return result;
  }

 private:
  struct Place {
    bool is_operand = false;
    std::size_t index = 0;
  };

  void add_product(ValueId x, ValueId y, Sum& sum) const {
    for (const ValueId factor : {x, y}) {
      if (!inputs_[factor]) refuse("output \"{}\" has a factor that is no input", sum.name);
    }
    if (!inputs_[x]->is_operand) std::swap(x, y);
    if (!inputs_[x]->is_operand) refuse("output \"{}\" has a product of two keys", sum.name);
    (inputs_[y]->is_operand ? sum.tensor : sum.inner).emplace_back(x, y);
    if (sum.tensor.size() > 2) {
      refuse("output \"{}\" has more than 2 products of operands", sum.name);
    }
    if (sum.inner.size() > kMaxDigits) {
      refuse("output \"{}\" has more than {} digits", sum.name, kMaxDigits);
    }
  }

  LimbRoles match_limb(std::uint32_t modulus, const std::vector<Sum>& sums) const {
    const Components found = internal::match_components(program_, modulus, sums);
    LimbRoles roles;
    roles.modulus = modulus;
    roles.outputs = {found.c0->output, found.c1->output};
    for (std::size_t i = 0; i < kTensorParts; ++i) roles.parts[i] = index(found.parts[i]);
    match_digits(*found.c0, *found.c1, roles);
    return roles;
  }

  void match_digits(const Sum& c0, const Sum& c1, LimbRoles& roles) const {
    if (c0.inner.empty()) refuse("output \"{}\" has no product with a key", c0.name);
    std::vector<Product> left = c1.inner;
    for (const auto& [digit, key_b] : c0.inner) {
      const auto found = std::ranges::find(left, digit, &Product::first);
      if (found == left.end()) refuse_digits(c0, c1);
      roles.digits.push_back(index(digit));
      roles.key_b.push_back(index(key_b));
      roles.key_a.push_back(index(found->second));
      left.erase(found);
    }
    if (!left.empty()) refuse_digits(c0, c1);
  }

  [[noreturn]] static void refuse_digits(const Sum& c0, const Sum& c1) {
    refuse("outputs \"{}\" and \"{}\" do not multiply the same digits by keys", c0.name, c1.name);
  }

  std::size_t index(ValueId input) const { return inputs_[input]->index; }

  const LimbProgram& program_;
  std::vector<std::optional<Place>> inputs_;  // by value
};

}  // namespace

SessionMatch match_session(const LimbProgram& program) {
  try {
    return {Matcher(program).match(), ""};
  } catch (const Refusal& refusal) {
    return {std::nullopt, refusal.reason};
  }
}

}  // namespace heliodor::stream
