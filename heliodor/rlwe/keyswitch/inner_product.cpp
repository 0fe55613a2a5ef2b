// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/inner_product.h"

#include <algorithm>
#include <utility>

namespace heliodor::rlwe {

program::ValueId emit_inner_product(program::Builder& b, const Digits& digits, std::size_t i,
                                    const std::vector<Limbs>& key, std::size_t key_i) {
  std::vector<std::pair<program::ValueId, program::ValueId>> pairs;
  for (std::size_t j = 0; j < digits.digits.size(); ++j) {
    pairs.emplace_back(digits.digits[j][i], key[j][key_i]);
  }
  return b.dot(pairs);
}

DigitSource emit_digit_source(program::Builder& b, const ProgramRing& ring, const Gadget& gadget,
                              const Limbs& d, std::size_t j, DigitLift lift) {
  const std::size_t first = j * gadget.digit_size;
  const std::size_t last = std::min(first + gadget.digit_size, ring.limb_count());
  const auto q = ring.q().moduli().subspan(first, last - first);
  Limbs x;
  for (std::size_t i = first; i < last; ++i) x.push_back(b.coefficients(d[i]));
  return {first, last, prepare_conversion(b, ring::RnsBase({q.begin(), q.end()}), x, lift)};
}

}  // namespace heliodor::rlwe
