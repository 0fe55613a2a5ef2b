// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/mod_add.h"

namespace heliodor::machine::pe {

bool mod_add_accepts(const ModAddOperands& operands) noexcept {
  return operands.a < operands.q && operands.b < operands.q;
}

std::uint32_t mod_add(const ModAddOperands& operands) noexcept {
  const std::uint64_t sum = std::uint64_t{operands.a} + operands.b;
  return static_cast<std::uint32_t>(sum < operands.q ? sum : sum - operands.q);
}

std::uint32_t mod_sub(const ModAddOperands& operands) noexcept {
  const std::uint32_t difference = operands.a - operands.b;
  return operands.a < operands.b ? difference + operands.q : difference;
}

}  // namespace heliodor::machine::pe
