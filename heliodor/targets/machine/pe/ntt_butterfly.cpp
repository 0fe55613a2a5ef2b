// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/ntt_butterfly.h"

#include "heliodor/targets/machine/pe/mod_add.h"
#include "heliodor/targets/machine/pe/mod_mul_barrett.h"

namespace heliodor::machine::pe {
namespace {

// x / 2 modulo an odd q, for x < q.
std::uint32_t halved(std::uint32_t x, std::uint32_t q) {
  return x % 2 == 0 ? x / 2 : static_cast<std::uint32_t>((std::uint64_t{x} + q) / 2);
}

}  // namespace

bool ntt_butterfly_accepts(const NttButterflyOperands& operands) noexcept {
  const auto& [inverse, a, b, w, q, mu] = operands;
  return q % 2 == 1 && a < q && mod_mul_barrett_accepts({b, w, q, mu});
}

NttButterflyResult ntt_butterfly(const NttButterflyOperands& operands) noexcept {
  const auto& [inverse, a, b, w, q, mu] = operands;
  if (!inverse) {
    const std::uint32_t product = mod_mul_barrett({b, w, q, mu});
    return {mod_add({a, product, q}), mod_sub({a, product, q})};
  }
  const std::uint32_t difference = mod_sub({b, a, q});
  return {halved(mod_add({a, b, q}), q), halved(mod_mul_barrett({difference, w, q, mu}), q)};
}

}  // namespace heliodor::machine::pe
