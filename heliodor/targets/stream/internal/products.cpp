// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/internal/products.h"

#include "heliodor/program/text.h"

namespace heliodor::stream::internal {
namespace {

using program::ValueId;

std::optional<ValueId> partner(ValueId factor, const Product& product) {
  if (product.first == factor) return product.second;
  if (product.second == factor) return product.first;
  return std::nullopt;
}

}  // namespace

void refuse_instruction(const program::LimbProgram& program, std::size_t instruction) {
  refuse("'{}' is not part of a sum of products", program::to_text(program, instruction));
}

Components match_components(const program::LimbProgram& program, std::uint32_t modulus,
                            const std::vector<Sum>& sums) {
  const ring::Modulus& q = program.moduli()[modulus];
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
  const auto [a0, b0] = c0.tensor[0];
  for (const bool swapped : {false, true}) {
    const auto b1 = partner(a0, c1.tensor[swapped ? 1 : 0]);
    const auto a1 = partner(b0, c1.tensor[swapped ? 0 : 1]);
    if (b1 && a1) return {&c0, &c1, {a0, *a1, b0, *b1}};
  }
  refuse("outputs \"{}\" and \"{}\" are not a0*b0 and a0*b1 + a1*b0", c0.name, c1.name);
}

}  // namespace heliodor::stream::internal
