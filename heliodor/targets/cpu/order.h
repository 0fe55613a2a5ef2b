// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// In which order a plan executes the instructions of a program.
//
// On demand: the outputs are visited in turn, and each instruction follows the operands it needs.
// So the limbs of one output are finished before those of the next begin, transforms of one modulus
// follow each other, and accumulators stay in cache. Some instructions are pulled forward to the
// one that made their operands hot:
//   a mul_scalar that alone reads an intt;
//   up to three more dot_scalars that read the same sources;
//   a dot with the same first factors (the second half of a key switch), and the adds that alone
//   read the two, with the products that these add;
//   other dots and muls whose operands are all there, once a dot has read one of them.
#pragma once

#include <cstdint>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/cpu/uses.h"

namespace heliodor::cpu {

/// A permutation of the instructions' indices in which every operand is defined before it is read.
/// Linear in the program's size. Requires a well-formed program.
std::vector<std::uint32_t> demand_order(const program::LimbProgram& program, const Uses& uses);

/// 0, 1, 2, ..
std::vector<std::uint32_t> program_order(const program::LimbProgram& program);

}  // namespace heliodor::cpu
