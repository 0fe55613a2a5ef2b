// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Twin models of rtl/modmul/heliodor_mod_add.sv and heliodor_mod_sub.sv: a + b and a - b modulo q,
// for a, b < q < 2^kModAddWidth.

#pragma once

#include <cstdint>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"
#include "heliodor/targets/machine/pe/pipelined_element.h"

namespace heliodor::machine::pe {

struct ModAddOperands {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t q = 0;
};

// The preconditions of the hardware: a < q, b < q.
bool mod_add_accepts(const ModAddOperands& operands) noexcept;

// In [0, q) if the operands are accepted. Otherwise a value without meaning.
std::uint32_t mod_add(const ModAddOperands& operands) noexcept;
std::uint32_t mod_sub(const ModAddOperands& operands) noexcept;

using ModAdd = PipelinedElement<ModAddOperands, std::uint32_t, mod_add, kModAddLatency>;
using ModSub = PipelinedElement<ModAddOperands, std::uint32_t, mod_sub, kModAddLatency>;

}  // namespace heliodor::machine::pe
