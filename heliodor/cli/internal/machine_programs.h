// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The programs behind machine_figures.h: operations of N = 2^16 and limbs of 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/cli/bench_programs.h"
#include "heliodor/program/limb_program.h"
#include "heliodor/rlwe/keyswitch/key_switch.h"

namespace heliodor::cli {

inline constexpr std::uint64_t kFigureDegree = 1 << 16;
inline constexpr unsigned kFigureBits = 32;

/// One ntt for each of `limbs` moduli.
program::LimbProgram transforms(std::size_t limbs);

/// A fast base conversion from products and sums of single limbs.
program::LimbProgram naive_conversion(std::size_t from, std::size_t to);

/// One limb in evaluations.
program::LimbProgram rotation(std::uint64_t galois_element);

/// Hybrid, 40 + 12 limbs, digits of 12.
program::LimbProgram basalisc_key_switch(rlwe::KeyForm form);

/// The set that fits the buffers of arXiv 2609.09423 as far as they are known: 24 + 8 limbs, digits
/// of 8, key blocks of 32, T of 60-bit primes.
struct FittedSet {
  rlwe::Parameters parameters = bench_parameters(kFigureBits, kFigureDegree, 24, 8, 8);
  rlwe::KeySwitchShape shape{rlwe::KeySwitchMethod::klss, parameters.gadgets().front(), 32,
                             ring::Modulus::kMaxBits};
  rlwe::ProgramRing ring = key_switch_ring(parameters, shape, 24);
};

// Steps of its key switch that give their operands back, so that all they read and make lives at
// their end.

/// One digit from its limbs to those modulo T.
program::LimbProgram raised_digit(const FittedSet& set);

/// Both components of a product recovered from T modulo QP: what a separate mod_down starts from.
program::LimbProgram recovered(const FittedSet& set);

/// One component from T through mod_down to Q.
program::LimbProgram recovered_and_divided(const FittedSet& set);

}  // namespace heliodor::cli
