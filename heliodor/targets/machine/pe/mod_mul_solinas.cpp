// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/mod_mul_solinas.h"

namespace heliodor::machine::pe {
namespace {

__extension__ typedef unsigned __int128 Uint128;

static_assert(kModMulSolinasLow < kModMulSolinasHigh && kModMulSolinasHigh <= 29,
              "the proof that two folds suffice");

Uint128 fold(Uint128 z) {
  const Uint128 high = z >> kModMulSolinasWidth;
  const Uint128 low = z - (high << kModMulSolinasWidth);
  return low + (high << kModMulSolinasHigh) + (high << kModMulSolinasLow) - high;
}

}  // namespace

bool mod_mul_solinas_accepts(const ModMulSolinasOperands& operands) noexcept {
  return operands.a < kModMulSolinasModulus && operands.b < kModMulSolinasModulus;
}

std::uint64_t mod_mul_solinas(const ModMulSolinasOperands& operands) noexcept {
  const auto r = static_cast<std::uint64_t>(fold(fold(Uint128{operands.a} * operands.b)));
  return r < kModMulSolinasModulus ? r : r - kModMulSolinasModulus;
}

}  // namespace heliodor::machine::pe
