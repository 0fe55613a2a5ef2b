// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/bv.h"

#include "heliodor/rlwe/keyswitch/inner_product.h"

namespace heliodor::rlwe {

Digits emit_bv_digits(program::Builder& b, const ProgramRing& ring, const Gadget& gadget,
                      const Limbs& d) {
  const std::size_t l = ring.limb_count();
  if (l == 1) return {{{b.evaluations(d[0])}}};  // no other limb asks for the digit's coefficients
  Digits result;
  for (std::size_t j = 0; j < l; ++j) {
    const DigitSource digit = emit_digit_source(b, ring, gadget, d, j, DigitLift::exact);
    Limbs limbs;
    for (std::size_t i = 0; i < l; ++i) {
      limbs.push_back(i == j ? b.evaluations(d[i])
                             : b.ntt(convert(b, digit.integer, ring.q_index(i))));
    }
    result.digits.push_back(std::move(limbs));
  }
  return result;
}

std::array<Limbs, 2> emit_bv_switched(program::Builder& b, const ProgramRing& ring,
                                      const Digits& digits, const KeyValues& key,
                                      const Addends& addends) {
  std::array<Limbs, 2> result;
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t i = 0; i < ring.limb_count(); ++i) {
      const program::ValueId sum = emit_inner_product(b, digits, i, key.components[c], i);
      result[c].push_back(addends ? b.add(sum, b.ntt((*addends)[c][i])) : sum);
    }
  }
  return result;
}

}  // namespace heliodor::rlwe
