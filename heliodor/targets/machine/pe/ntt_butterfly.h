// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Twin model of rtl/ntt/heliodor_ntt_butterfly.sv, 30-bit modulus.
//
//   forward (Cooley-Tukey):    u = a + w*b           v = a - w*b           modulo q
//   inverse (Gentleman-Sande): u = (a + b) / 2       v = w*(b - a) / 2     modulo q, q odd
//
// The inverse with w' undoes the forward with w where w*w' = -1. For powers of psi, psi^N = -1,
// such a w' stands in the same table as w, so the inverse transform needs no table of its own; and
// with the halving it needs no final division by N.

#pragma once

#include <cstdint>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"
#include "heliodor/targets/machine/pe/pipelined_element.h"

namespace heliodor::machine::pe {

struct NttButterflyOperands {
  bool inverse = false;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t w = 0;
  std::uint32_t q = 0;
  std::uint32_t mu = 0;  // floor(2^60 / q)
};

struct NttButterflyResult {
  std::uint32_t u = 0;
  std::uint32_t v = 0;

  bool operator==(const NttButterflyResult&) const = default;
};

// The preconditions of the hardware: those of ModMulBarrett for q and mu; q odd; a, b, w < q.
bool ntt_butterfly_accepts(const NttButterflyOperands& operands) noexcept;

// Both results in [0, q) if the operands are accepted. Otherwise values without meaning.
NttButterflyResult ntt_butterfly(const NttButterflyOperands& operands) noexcept;

using NttButterfly =
    PipelinedElement<NttButterflyOperands, NttButterflyResult, ntt_butterfly, kNttButterflyLatency>;

}  // namespace heliodor::machine::pe
