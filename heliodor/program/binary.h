// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The compact binary form of LimbPrograms. Little endian; integers are LEB128 varints unless said.
//
//   "HLP" 0x01                                  magic and version
//   name, degree, modulus count, moduli (q, psi)
//   definition count, then each definition: tag byte (0 = input: kind byte, type, name; else
//   opcode: type, operand
//     count, operands as distances back from this value, scalar count, scalars, parameter if the
//     instruction has one)
//   output count, outputs (value, name)
//   xxh3 of all bytes before it, 8 bytes
// A type is modulus index * 2 + domain + 1, or 0 for a seed. A name is its length and its bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/program/limb_program.h"

namespace heliodor::program {

std::vector<std::uint8_t> encode_binary(const LimbProgram& program);

/// Decodes and verifies. Diagnostics carry byte offsets, or instructions where the bytes are fine
/// but the program is not. Hostile bytes yield diagnostics: memory is at most linear in
/// bytes.size().
base::Result<LimbProgram> decode_binary(std::span<const std::uint8_t> bytes);

}  // namespace heliodor::program
