// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Placement: which part of the scratchpad holds each value of a LimbProgram. All limbs of a program
// are equally long, so the scratchpad is cut into frames of one limb each and cannot fragment. A
// linear scan over the instructions gives each value the lowest free frame when it comes to life
// and frees it after its last use:
//
//   An input is alive from its first use, a result from its instruction on. A result that only
//   leaves as an output is alive for its instruction. A result may take the frame of an operand
//   that dies with its instruction: every chunk of it is written after the operands' same chunk is
//   read. A permutation reads other chunks than it writes, so there it may not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heliodor/program/limb_program.h"

namespace heliodor::machine {

struct Placement {
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::vector<std::uint32_t> frames;  ///< by value; kNone for seeds
  std::uint32_t frame_count = 0;      ///< the most frames in use at once
  std::size_t peak_instruction = 0;   ///< the first instruction that needs all of them
};

/// Places every value of a well-formed program, with as many frames as that takes.
Placement place_values(const program::LimbProgram& program);

}  // namespace heliodor::machine
