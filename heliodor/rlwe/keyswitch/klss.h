// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// klss (Kim, Lee, Seo, Song, CRYPTO 2023, ePrint 2023/413): hybrid's products, made over a base T
// that has nothing to do with Q and P. Take the moduli p_0 .. p_{k-1}, q_0, q_1, .. in blocks of
// block_size; R_i is the product of block i and K_{c,j,i} the integer in [-R_i/2, R_i/2] that is
// key_{c,j} modulo the block. T exceeds every sum V_{c,i} = sum_j D_j * K_{c,j,i}, so that
//
//   V_{c,i} modulo T  ->  the integer V_{c,i}  ->  A_c modulo the moduli of block i
//
// gives hybrid's A_c for the same integers D_j, whatever their lift, and so hybrid's result. Only
// beta * |T| + 2 * blocks * |T| transforms depend on T: the number of digits does not multiply the
// number of limbs.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "heliodor/rlwe/keyswitch/key_switch.h"

namespace heliodor::rlwe {

/// Blocks that hold the moduli of P and of q_0 .. q_{limb_count-1}. P comes first, so that a lower
/// limb_count needs a prefix of the blocks; the last may be used in part.
std::size_t klss_block_count(const KeySwitchShape& shape, std::size_t limb_count);

/// T for a gadget and block size at the gadget's max_limb_count: as few primes of `t_bits` bits
/// outside Q and P as satisfy
///
///     T > (1 + 2^-8) * N * beta * max|D_j| * max R_i.
///
/// Each coefficient of V is a sum of N*beta products of absolute values at most max|D_j| and R_i/2,
/// so |V|/T < 1/2 - 2^-10, and the fixed-point quotient, off by at most |T| * 2^-48 before it is
/// rounded, takes the multiple of T that belongs to the centred representative: V itself.
/// Throws Error{out_of_range} for a BV gadget, a block size outside [1, special_count +
/// max_limb_count], or where there are not enough such primes.
std::vector<ring::Modulus> klss_base(const Parameters& parameters, const Gadget& gadget,
                                     std::size_t block_size, unsigned t_bits = kUsualTBits);

/// The block sizes that a choice needs to consider, ascending: of those with equally many primes in
/// T the largest, unless a shorter T needs no more blocks. Large blocks take fewer words of key but
/// more transforms; which is cheaper depends on the target. Sizes for which there are not enough
/// primes are left out.
std::vector<std::size_t> klss_block_sizes(const Parameters& parameters, const Gadget& gadget,
                                          unsigned t_bits = kUsualTBits);

Digits emit_klss_digits(program::Builder& b, const ProgramRing& ring, const Gadget& gadget,
                        const Limbs& d);

/// (A - delta) / P as emit_mod_down, from the block sums V_i of one component of A, prepared as
/// conversions from T. No limb of A is made: each is a conversion of its block's sum and enters the
/// sum of the division as such, one dot_scalar for each modulus.
Limbs emit_klss_mod_down(program::Builder& b, const ProgramRing& ring, std::size_t block_size,
                         const std::vector<Convertible>& sums, const Limbs* addend = nullptr);

std::array<Limbs, 2> emit_klss_switched(program::Builder& b, const ProgramRing& ring,
                                        const KeySwitchShape& shape, const Digits& digits,
                                        const KeyValues& key, const Addends& addends);

}  // namespace heliodor::rlwe
