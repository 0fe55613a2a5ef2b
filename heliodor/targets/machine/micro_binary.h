// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// MicroPrograms as bytes. Little endian; u16, u32, u64 are unsigned integers of that many bits.
//
//   "HLDMIC", u16 version 1, u64 xxh3 of all bytes that follow
//   u32 degree_bits, chunk_bits, word_bits, rows, registers, spill_slots, outputs,
//       input count, modulus count, 0; u64 operation count
//   inputs, a byte each (0 operand, 1 key, 2 constant, 3 seed); moduli, u64 q and u64 psi each
//   operations, 56 bytes each: bytes code, flags (1 first, 2 last, 4 centred, 8 resident), window,
//       bit, stages, 0, 0, 0; u32 modulus, source_modulus, instruction, in[0], in[1], out, chunk,
//       source_chunk; u64 immediate, offset. A place has bit 31 set for registers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::machine {

/// Requires at most 2^32 - 1 inputs and moduli.
std::vector<std::uint8_t> encode_micro_binary(const MicroProgram& program);

/// The program without residences. Throws nothing on hostile bytes: cut, grown, changed or
/// malformed ones give diagnostics; memory is a small multiple of the bytes.
base::Result<MicroProgram> decode_micro_binary(std::span<const std::uint8_t> bytes);

}  // namespace heliodor::machine
