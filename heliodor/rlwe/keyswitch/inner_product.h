// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What every method of key switching does between its lifts: cut d and multiply by a key.
#pragma once

#include <cstddef>
#include <vector>

#include "heliodor/rlwe/keyswitch/key_switch.h"

namespace heliodor::rlwe {

/// sum_j D_j * key_j modulo one modulus: limb i of the digits and limb key_i of the key.
program::ValueId emit_inner_product(program::Builder& b, const Digits& digits, std::size_t i,
                                    const std::vector<Limbs>& key, std::size_t key_i);

/// Digit j of d, prepared for other moduli: the lift of d modulo the limbs first .. last-1.
struct DigitSource {
  std::size_t first, last;
  Convertible integer;
};
DigitSource emit_digit_source(program::Builder& b, const ProgramRing& ring, const Gadget& gadget,
                              const Limbs& d, std::size_t j, DigitLift lift);

}  // namespace heliodor::rlwe
