// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// hybrid: D_j = lift of d modulo digit j (mod_up), A_c = sum_j D_j * key_{c,j} modulo QP, o_c = A_c
// divided by P (mod_down), which divides the error by P too. (Gentry, Halevi, Smart, ePrint
// 2012/099; Han, Ki, ePrint 2019/688.)
#pragma once

#include <array>

#include "heliodor/rlwe/keyswitch/key_switch.h"

namespace heliodor::rlwe {

Digits emit_hybrid_digits(program::Builder& b, const ProgramRing& ring, const Gadget& gadget,
                          const Limbs& d);

/// A_c over QP: what sums of switched products add before one mod_down.
std::array<Limbs, 2> emit_hybrid_products(program::Builder& b, const ProgramRing& ring,
                                          const Digits& digits, const KeyValues& key);

std::array<Limbs, 2> emit_hybrid_switched(program::Builder& b, const ProgramRing& ring,
                                          const Digits& digits, const KeyValues& key,
                                          const Addends& addends);

}  // namespace heliodor::rlwe
