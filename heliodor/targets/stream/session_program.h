// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which LimbPrograms the session core can run: for each of its moduli exactly two outputs,
//
//   c0 = a0*b0 + sum_j digit_j*key_b_j
//   c1 = a0*b1 + a1*b0 + sum_j digit_j*key_a_j
//
// where a0, a1, b0, b1 and the digits are operands and the keys are keys or constants. Sums may be
// written as add, mul and dot in any order and nesting.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/stream/frames.h"

namespace heliodor::stream {

/// The part that each input and output of a program plays in one limb. Operands are numbered as in
/// Binding::operands, keys as in SharedBinding::limbs, outputs as in Binding::outputs.
struct LimbRoles {
  std::uint32_t modulus = 0;                      ///< index into the program's moduli
  std::array<std::size_t, kTensorParts> parts{};  ///< operands a0, a1, b0, b1
  std::vector<std::size_t> digits;                ///< operands
  std::vector<std::size_t> key_b, key_a;          ///< keys, by digit
  std::array<std::size_t, 2> outputs{};           ///< c0, c1
};

struct SessionProgram {
  std::uint32_t degree = 0;
  std::uint32_t digits = 0;
  std::vector<LimbRoles> limbs;  ///< two after two share a pair; the last may be alone

  std::uint32_t pairs() const noexcept {
    return static_cast<std::uint32_t>((limbs.size() + kLanes - 1) / kLanes);
  }
  SessionShape shape(std::uint32_t batch) const noexcept {
    return {degree, pairs(), digits, batch};
  }
};

struct SessionMatch {
  std::optional<SessionProgram> program;
  std::string refusal;  ///< why there is none
};

/// Requires a well-formed program.
SessionMatch match_session(const program::LimbProgram& program);

}  // namespace heliodor::stream
