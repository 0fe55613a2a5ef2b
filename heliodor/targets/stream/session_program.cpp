// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each output is expanded into its sum of products of inputs. Products of two operands are the
// tensor part, products of an operand with a key the inner product.
#include "heliodor/targets/stream/session_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heliodor/program/text.h"

namespace heliodor::stream {
namespace {

using program::Input;
using program::InputKind;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

struct Refusal {
  std::string reason;
};

template <typename... Parts>
[[noreturn]] void refuse(fmt::format_string<Parts...> text, Parts&&... parts) {
  throw Refusal{fmt::format(text, std::forward<Parts>(parts)...)};
}

using Product = std::pair<ValueId, ValueId>;

/// An output as a sum: products of two operands, and (digit, key).
struct Sum {
  std::size_t output = 0;
  std::string name;
  std::vector<Product> tensor;
  std::vector<Product> inner;
};

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
    for (const auto& [modulus, sums] : sums_by_modulus()) {
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
  using Limb = std::pair<std::uint32_t, std::vector<Sum>>;

  /// In the order in which the outputs first name each modulus.
  std::vector<Limb> sums_by_modulus() const {
    std::vector<Limb> limbs;
    for (std::size_t i = 0; i < program_.outputs().size(); ++i) {
      const program::Output& output = program_.outputs()[i];
      const std::uint32_t modulus = program_.type(output.value).modulus;
      auto limb = std::ranges::find(limbs, modulus, &Limb::first);
      if (limb == limbs.end()) limb = limbs.insert(limbs.end(), {modulus, {}});
      Sum sum{.output = i, .name = output.name, .tensor = {}, .inner = {}};
      expand(output.value, 0, sum);
      limb->second.push_back(std::move(sum));
    }
    return limbs;
  }

  /// A sum of k products nests at most k - 1 additions, so deeper ones are refused before they cost
  /// stack.
  void expand(ValueId value, unsigned depth, Sum& sum) const {
    if (depth >= kMaxDigits + 2) refuse("output \"{}\" has too many products", sum.name);
    const auto definition = program_.definition(value);
    if (!definition) refuse("output \"{}\" has a term that is no product", sum.name);
    const program::Instruction instruction = program_.instruction(*definition);
    switch (instruction.op) {
      case LimbOp::add:
        for (const ValueId operand : instruction.operands) expand(operand, depth + 1, sum);
        return;
      case LimbOp::mul:
      case LimbOp::dot:
        for (std::size_t i = 0; i < instruction.operands.size(); i += 2) {
          add_product(instruction.operands[i], instruction.operands[i + 1], sum);
        }
        return;
      default:
        refuse("'{}' is not part of a sum of products", program::to_text(program_, *definition));
    }
  }

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
    const ring::Modulus& q = program_.moduli()[modulus];
    if (q.bits() != kModulusBits) {
      refuse("modulus q{} has {} bits, not {}", modulus, q.bits(), kModulusBits);
    }
    if (sums.size() != 2) refuse("limb q{} has {} outputs, not 2", modulus, sums.size());
    const bool ordered = sums[0].tensor.size() < sums[1].tensor.size();
    const Sum& c0 = sums[ordered ? 0 : 1];
    const Sum& c1 = sums[ordered ? 1 : 0];
    if (c0.tensor.size() != 1 || c1.tensor.size() != 2) {
      refuse("limb q{} has outputs of {} and {} products of operands, not 1 and 2", modulus,
             c0.tensor.size(), c1.tensor.size());
    }
    LimbRoles roles;
    roles.modulus = modulus;
    roles.outputs = {c0.output, c1.output};
    match_tensor(c0, c1, roles);
    match_digits(c0, c1, roles);
    return roles;
  }

  /// a0*b0 in c0, a0*b1 and a1*b0 in c1. Multiplication commutes, so several readings may fit; all
  /// of them give the same results.
  void match_tensor(const Sum& c0, const Sum& c1, LimbRoles& roles) const {
    const auto [a0, b0] = c0.tensor[0];
    for (const bool swapped : {false, true}) {
      const auto b1 = partner(a0, c1.tensor[swapped ? 1 : 0]);
      const auto a1 = partner(b0, c1.tensor[swapped ? 0 : 1]);
      if (!b1 || !a1) continue;
      roles.parts = {index(a0), index(*a1), index(b0), index(*b1)};
      return;
    }
    refuse("outputs \"{}\" and \"{}\" are not a0*b0 and a0*b1 + a1*b0", c0.name, c1.name);
  }

  static std::optional<ValueId> partner(ValueId factor, const Product& product) {
    if (product.first == factor) return product.second;
    if (product.second == factor) return product.first;
    return std::nullopt;
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
