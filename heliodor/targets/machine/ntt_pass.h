// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// One pass of a transform over a chunk, as an NTT unit does it: pre-multiplication and a cyclic
// network (forward), or network and post-multiplication (inverse); micro_op.h has the formulas.
//
// With x split by index bits [bit, bit + s) into points x_j, block a of a forward pass is a
// polynomial sum_j x_j Y^j modulo Y^(2^s) - zeta^(2^s), Y = X^(2^bit), zeta = psi^((2 bitrev(a) +
// 1) 2^bit). Its residues modulo Y - zeta w^k, w the root of order 2^s, are sum_j (x_j zeta^j)
// w^(jk): a twist and a cyclic transform. Leaving residue k in place bitrev(k) makes the block of
// the next pass a' = 2^s a + bitrev(k), whose zeta' is zeta w^k.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "heliodor/targets/machine/factor.h"
#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::machine {

/// The constants of one pass over one modulus.
struct PassConstants {
  std::vector<Factor> network;  ///< [h + j]: power j of the root of order 2h; h = 1, 2 .. 2^(s - 1)
  std::vector<Factor> outer;    ///< [2^s a + j]: what point j of block a is multiplied by
};

/// The constants of all passes of one MicroProgram, made when first asked for and kept: about 2^5 N
/// bytes per modulus and direction. Safe to use from several threads.
class PassTables {
 public:
  /// Requires a pass that is not malformed.
  const PassConstants& find(const MicroOp& op, const MicroProgram& program);

 private:
  using Key = std::tuple<std::uint32_t, MicroCode, std::uint8_t, std::uint8_t>;

  std::mutex mutex_;
  std::map<Key, PassConstants> constants_;
};

/// Transforms the lanes of the operation's chunk in place; words are canonical before and after.
void apply_pass(const MicroOp& op, const MicroProgram& program, const PassConstants& constants,
                std::span<std::uint64_t> lanes) noexcept;

}  // namespace heliodor::machine
