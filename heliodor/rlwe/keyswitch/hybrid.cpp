// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/hybrid.h"

#include "heliodor/rlwe/keyswitch/inner_product.h"

namespace heliodor::rlwe {

Digits emit_hybrid_digits(program::Builder& b, const ProgramRing& ring, const Gadget& gadget,
                          const Limbs& d) {
  Digits result;
  for (std::size_t j = 0; j < gadget.digit_count(ring.limb_count()); ++j) {
    const DigitSource digit = emit_digit_source(b, ring, gadget, d, j, ring.lift());
    Limbs limbs;
    for (std::size_t i = 0; i < ring.qp_size(); ++i) {
      const bool own = i >= digit.first && i < digit.last;
      limbs.push_back(own ? b.evaluations(d[i])
                          : b.ntt(convert(b, digit.integer, ring.qp_index(i))));
    }
    result.digits.push_back(std::move(limbs));
  }
  return result;
}

std::array<Limbs, 2> emit_hybrid_products(program::Builder& b, const ProgramRing& ring,
                                          const Digits& digits, const KeyValues& key) {
  std::array<Limbs, 2> result;
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t i = 0; i < ring.qp_size(); ++i) {
      result[c].push_back(emit_inner_product(b, digits, i, key.components[c], i));
    }
  }
  return result;
}

std::array<Limbs, 2> emit_hybrid_switched(program::Builder& b, const ProgramRing& ring,
                                          const Digits& digits, const KeyValues& key,
                                          const Addends& addends) {
  const auto [a_0, a_1] = emit_hybrid_products(b, ring, digits, key);
  const auto addend = [&](std::size_t c) { return addends ? &(*addends)[c] : nullptr; };
  return {emit_mod_down(b, ring, a_0, addend(0)), emit_mod_down(b, ring, a_1, addend(1))};
}

}  // namespace heliodor::rlwe
