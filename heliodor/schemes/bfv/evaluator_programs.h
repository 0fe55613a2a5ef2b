// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The programs of BFV's products. Ciphertexts enter and leave in evaluations, all limbs of part 0
// first, then those of part 1 and 2; keys follow in the order of rlwe/keyswitch/key_limbs.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/program/limb_program.h"
#include "heliodor/rlwe/keyswitch/key_switch.h"
#include "heliodor/schemes/bfv/parameters.h"

namespace heliodor::bfv {

/// Products of two ciphertexts, or squares of one.
enum class Factors : std::uint8_t { two, equal };

/// Two parts each, or two parts, to three: round(t*x*y/Q).
program::LimbProgram tensor_program(const Parameters& parameters, Factors factors,
                                    std::size_t limb_count);

/// The same and what its third part switches to, in one program: two parts.
program::LimbProgram multiply_program(const Parameters& parameters, Factors factors,
                                      const rlwe::KeySwitchShape& shape, std::size_t limb_count);

}  // namespace heliodor::bfv
