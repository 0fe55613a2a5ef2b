// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The programs that Evaluator runs. Ciphertexts enter and leave in evaluations, all limbs of part 0
// first, then those of part 1; keys follow in the order of keyswitch/key_limbs.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "heliodor/program/limb_program.h"
#include "heliodor/rlwe/keyswitch/key_switch.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::rlwe {

enum class LinearOperation : std::uint8_t { add, sub };

/// a + b or a - b; the missing parts of the shorter one are 0.
program::LimbProgram linear_program(const Parameters& parameters, LinearOperation operation,
                                    std::size_t a_parts, std::size_t b_parts,
                                    std::size_t limb_count);

program::LimbProgram negate_program(const Parameters& parameters, std::size_t parts,
                                    std::size_t limb_count);

/// Every part times a message of one part, the second operand.
program::LimbProgram multiply_plain_program(const Parameters& parameters, std::size_t parts,
                                            std::size_t limb_count);

/// (a0 b0, a0 b1 + a1 b0, a1 b1)
program::LimbProgram tensor_program(const Parameters& parameters, std::size_t limb_count);

/// One polynomial d, the operand, to (o_0, o_1): the switch alone.
program::LimbProgram key_switch_program(const Parameters& parameters, const KeySwitchShape& shape,
                                        std::size_t limb_count);

/// Three parts to two: (c0, c1) and what c2 switches to.
program::LimbProgram relinearize_program(const Parameters& parameters, const KeySwitchShape& shape,
                                         std::size_t limb_count);

/// tensor, relinearize, and `drop` (0 or 1) times mod_switch.
program::LimbProgram multiply_program(const Parameters& parameters, const KeySwitchShape& shape,
                                      std::size_t limb_count, std::size_t drop);

/// For each element g the two parts of X -> X^g, by its key from s to s(X^(1/g)): c1 is switched
/// first and both parts permuted then, so that all elements share the digits of c1 (hoisting).
program::LimbProgram automorphisms_program(const Parameters& parameters,
                                           const KeySwitchShape& shape, std::size_t limb_count,
                                           std::span<const std::uint64_t> galois_elements);

program::LimbProgram mod_switch_program(const Parameters& parameters, std::size_t parts,
                                        std::size_t limb_count);

}  // namespace heliodor::rlwe
