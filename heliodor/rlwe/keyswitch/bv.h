// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// bv: D_j = centred [d]_{q_j}, o_c = sum_j D_j * key_{c,j} modulo Q. No special primes, so nothing
// divides the error sum_j D_j * tau * e_j: it takes a good part of one limb. (Brakerski,
// Vaikuntanathan, FOCS 2011, in its RNS form: Bajard, Eynard, Hasan, Zucca, ePrint 2016/510.)
#pragma once

#include <array>

#include "heliodor/rlwe/keyswitch/key_switch.h"

namespace heliodor::rlwe {

Digits emit_bv_digits(program::Builder& b, const ProgramRing& ring, const Gadget& gadget,
                      const Limbs& d);

std::array<Limbs, 2> emit_bv_switched(program::Builder& b, const ProgramRing& ring,
                                      const Digits& digits, const KeyValues& key,
                                      const Addends& addends);

}  // namespace heliodor::rlwe
