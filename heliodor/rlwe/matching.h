// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What evaluators of schemes do about operands at different limb counts.
#pragma once

#include <cstdint>

namespace heliodor::rlwe {

enum class Matching : std::uint8_t {
  automatic,  ///< the operand with more limbs comes down; results drop limbs when that is free
  exact,      ///< nothing moves unless asked: operands that differ are an Error{mismatch}
};

}  // namespace heliodor::rlwe
