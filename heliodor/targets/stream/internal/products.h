// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the programs of both cores have in common: two outputs for each modulus, each a sum of
// products written as add, mul and dot in any order and nesting.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/stream/frames.h"

namespace heliodor::stream::internal {

/// Why a core cannot run a program; thrown by the matchers and caught where they are called.
struct Refusal {
  std::string reason;
};

template <typename... Parts>
[[noreturn]] void refuse(fmt::format_string<Parts...> text, Parts&&... parts) {
  throw Refusal{fmt::format(text, std::forward<Parts>(parts)...)};
}

using Product = std::pair<program::ValueId, program::ValueId>;

/// An output as a sum: products of two operands, and (digit, key).
struct Sum {
  std::size_t output = 0;
  std::string name;
  std::vector<Product> tensor;
  std::vector<Product> inner;
};

/// c0 = a0*b0 + .., c1 = a0*b1 + a1*b0 + ..
struct Components {
  const Sum* c0 = nullptr;
  const Sum* c1 = nullptr;
  std::array<program::ValueId, kTensorParts> parts{};  ///< a0, a1, b0, b1
};

/// Which of the two sums of limb `modulus` is which, by their products of operands. Multiplication
/// commutes, so several readings may fit; all of them give the same results. Throws Refusal if none
/// does, or unless the modulus has kModulusBits bits.
Components match_components(const program::LimbProgram& program, std::uint32_t modulus,
                            const std::vector<Sum>& sums);

/// Calls visit(x, y) for every product of a value's sum. A sum of k products nests at most k - 1
/// additions, so deeper ones than `depth` are refused before they cost stack.
template <typename Visit>
void for_each_product(const program::LimbProgram& program, const std::string& name,
                      program::ValueId value, std::uint32_t depth, const Visit& visit);

/// The sums of every modulus, in the order in which the outputs first name each. add(x, y, sum)
/// puts a product where it belongs.
template <typename Add>
std::vector<std::pair<std::uint32_t, std::vector<Sum>>> sums_by_modulus(
    const program::LimbProgram& program, std::uint32_t depth, const Add& add);

/// Throws Refusal: this value is not part of a sum of products.
[[noreturn]] void refuse_instruction(const program::LimbProgram& program, std::size_t instruction);

template <typename Visit>
void for_each_product(const program::LimbProgram& program, const std::string& name,
                      program::ValueId value, std::uint32_t depth, const Visit& visit) {
  if (depth == 0) refuse("output \"{}\" has too many products", name);
  const auto definition = program.definition(value);
  if (!definition) refuse("output \"{}\" has a term that is no product", name);
  const program::Instruction instruction = program.instruction(*definition);
  switch (instruction.op) {
    case program::LimbOp::add:
      for (const program::ValueId operand : instruction.operands) {
        for_each_product(program, name, operand, depth - 1, visit);
      }
      return;
    case program::LimbOp::mul:
    case program::LimbOp::dot:
      for (std::size_t i = 0; i < instruction.operands.size(); i += 2) {
        visit(instruction.operands[i], instruction.operands[i + 1]);
      }
      return;
    default:
      refuse_instruction(program, *definition);
  }
}

template <typename Add>
std::vector<std::pair<std::uint32_t, std::vector<Sum>>> sums_by_modulus(
    const program::LimbProgram& program, std::uint32_t depth, const Add& add) {
  std::vector<std::pair<std::uint32_t, std::vector<Sum>>> limbs;
  for (std::size_t i = 0; i < program.outputs().size(); ++i) {
    const program::Output& output = program.outputs()[i];
    const std::uint32_t modulus = program.type(output.value).modulus;
    std::size_t at = 0;
    while (at < limbs.size() && limbs[at].first != modulus) ++at;
    if (at == limbs.size()) limbs.push_back({modulus, {}});
    Sum sum{.output = i, .name = output.name, .tensor = {}, .inner = {}};
    for_each_product(program, sum.name, output.value, depth,
                     [&](program::ValueId x, program::ValueId y) { add(x, y, sum); });
    limbs[at].second.push_back(std::move(sum));
  }
  return limbs;
}

}  // namespace heliodor::stream::internal
