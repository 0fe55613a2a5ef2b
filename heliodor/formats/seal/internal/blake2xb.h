// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// BLAKE2Xb, the extendable output of BLAKE2b ("BLAKE2X", Aumasson, Neves, Wilcox-O'Hearn,
// Winnerlein, 2016), on libb2's BLAKE2b, and the words that SEAL expands seeds to.
#pragma once

#include <cstdint>
#include <span>

#include "heliodor/formats/byte_reader.h"
#include "heliodor/formats/seal/objects.h"

namespace heliodor::formats::seal {

/// Fills `out` (fewer than 2^32 - 1 bytes). `key` has at most 64 bytes.
void blake2xb(Bytes message, Bytes key, std::span<std::uint8_t> out);

/// SEAL's uniform residues: limb_count * degree of them, modulus by modulus (sample_poly_uniform
/// with UniformRandomGenerator). Words come in blocks of 4,096 bytes, the block's number as
/// message and the seed as key; all words are drawn first, then each that is not below the largest
/// usable bound, in order, until it is.
void expand_seed(const Seed& seed, std::span<const std::uint64_t> moduli, std::size_t degree,
                 std::span<std::uint64_t> out);

}  // namespace heliodor::formats::seal
