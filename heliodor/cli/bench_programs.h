// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The programs that `heliodor bench` measures, emitted from sizes alone: the operations' shape, on
// moduli and constants of the right sizes. Keys and operands are random limbs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/program/limb_program.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::cli {

/// `limbs` moduli of Q and `special` of P, all of one size, and a gadget of that digit size;
/// without security, as bench and plan take any sizes.
rlwe::Parameters bench_parameters(unsigned bits, std::uint64_t degree, std::size_t limbs,
                                  std::size_t special, std::size_t digit_size);

/// One transform of one limb.
program::LimbProgram transform_program(unsigned bits, std::uint64_t degree, bool forward);

/// One inner product of `terms` limbs with `terms` key limbs.
program::LimbProgram dot_program(unsigned bits, std::uint64_t degree, std::size_t terms);

/// The dot_scalars of a fast base conversion from `sources` to `targets` limbs.
program::LimbProgram conversion_program(unsigned bits, std::uint64_t degree, std::size_t sources,
                                        std::size_t targets);

/// EvalMult with BV relinearization: the tensor product of two ciphertexts of `limbs` limbs, one
/// centred digit per limb of c2, the inner product with two key columns, and the addition.
program::LimbProgram evalmult_bv_program(unsigned bits, std::uint64_t degree, std::size_t limbs);

/// Hybrid key switching of one polynomial: `limbs` limbs of Q, `special` of P, `digits` digits.
program::LimbProgram keyswitch_hybrid_program(unsigned bits, std::uint64_t degree,
                                              std::size_t limbs, std::size_t special,
                                              std::size_t digits);

}  // namespace heliodor::cli
