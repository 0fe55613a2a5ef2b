// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which LimbPrograms the complete core can run: for each of its moduli exactly two outputs,
//
//   c0 = a0*b0 + sum_j d_j*key_b_j          c1 = a0*b1 + a1*b0 + sum_j d_j*key_a_j
//
// with one digit for each limb j: in limb j itself d_j = a1*b1, in every other one
// d_j = ntt(reduce(centred, intt(a1*b1 in limb j))). Inputs a0, a1, b0, b1 are operands, keys are
// keys or constants. Sums may be written as add, mul and dot in any order and nesting.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/stream/relinearize_frames.h"

namespace heliodor::stream {

/// The part that each input and output of a program plays in one limb. Operands are numbered as in
/// Binding::operands, keys as in SharedBinding::limbs, outputs as in Binding::outputs.
struct RelinearizeRoles {
  std::uint32_t modulus = 0;                      ///< index into the program's moduli
  std::array<std::size_t, kTensorParts> parts{};  ///< operands a0, a1, b0, b1
  std::vector<std::size_t> key_b, key_a;          ///< keys, by the digit's limb
  std::array<std::size_t, 2> outputs{};           ///< c0, c1
};

struct RelinearizeProgram {
  std::uint32_t log_degree = 0;
  std::vector<RelinearizeRoles> limbs;

  RelinearizeShape shape(std::uint32_t batch) const noexcept {
    return {log_degree, static_cast<std::uint32_t>(limbs.size()), batch};
  }
};

struct RelinearizeMatch {
  std::optional<RelinearizeProgram> program;
  std::string refusal;  ///< why there is none
};

/// Requires a well-formed program.
RelinearizeMatch match_relinearize(const program::LimbProgram& program);

}  // namespace heliodor::stream
