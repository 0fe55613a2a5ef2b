// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Twin model of rtl/modmul/heliodor_mod_mul_solinas.sv: p = a*b mod q for the fixed
// q = 2^62 - 2^H - 2^L + 1, H = kModMulSolinasHigh, L = kModMulSolinasLow: a prime that leaves 1
// modulo 2^25.
//
// 2^62 = 2^H + 2^L - 1 modulo q, so the part above bit 62 folds down by shifts and additions:
//   fold(z) = z mod 2^62 + h*2^H + h*2^L - h,   h = floor(z / 2^62)
// Two folds take a*b below 2q (proof: rtl/modmul/README.md). Source of the idea: J. Solinas,
// "Generalized Mersenne numbers", CORR 99-39, 1999.

#pragma once

#include <cstdint>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"
#include "heliodor/targets/machine/pe/pipelined_element.h"

namespace heliodor::machine::pe {

inline constexpr std::uint64_t kModMulSolinasModulus = (std::uint64_t{1} << kModMulSolinasWidth) -
                                                       (std::uint64_t{1} << kModMulSolinasHigh) -
                                                       (std::uint64_t{1} << kModMulSolinasLow) + 1;

struct ModMulSolinasOperands {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};

// The preconditions of the hardware: a < q, b < q.
bool mod_mul_solinas_accepts(const ModMulSolinasOperands& operands) noexcept;

// a*b mod q in [0, q) if the operands are accepted. Otherwise a value without meaning.
std::uint64_t mod_mul_solinas(const ModMulSolinasOperands& operands) noexcept;

using ModMulSolinas =
    PipelinedElement<ModMulSolinasOperands, std::uint64_t, mod_mul_solinas, kModMulSolinasLatency>;

}  // namespace heliodor::machine::pe
