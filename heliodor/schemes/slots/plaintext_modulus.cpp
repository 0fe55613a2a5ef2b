// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/slots/plaintext_modulus.h"

#include <fmt/format.h>

#include "heliodor/base/error.h"
#include "heliodor/ring/modulus.h"

namespace heliodor::slots {

using ring::Uint128;

PlaintextModulus::PlaintextModulus(std::uint64_t t) : t_(t), one_{} {
  if (t < 2 || t >> kMaxBits != 0) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("plaintext modulus {} is not in [2, 2^{})", t, kMaxBits));
  }
  one_ = factor(1);
}

PlaintextModulus::Factor PlaintextModulus::factor(std::uint64_t c) const noexcept {
  return {c, static_cast<std::uint64_t>((Uint128{c} << 64) / t_)};
}

std::uint64_t PlaintextModulus::multiply(std::uint64_t a, const Factor& c) const noexcept {
  const auto estimate = static_cast<std::uint64_t>((Uint128{a} * c.w_shoup) >> 64);
  return subtract_once(a * c.w - estimate * t_);  // below 2t before
}

std::uint64_t PlaintextModulus::inverse(std::uint64_t a) const {
  // Euclid on (t, a), with the coefficient of a alone; |x| stays at most t < 2^60.
  std::int64_t x0 = 0, x1 = 1;
  std::uint64_t r0 = t_, r1 = reduce(a);
  while (r1 != 0) {
    const std::uint64_t quotient = r0 / r1;
    const std::uint64_t r2 = r0 - quotient * r1;
    const std::int64_t x2 = x0 - static_cast<std::int64_t>(quotient) * x1;
    r0 = r1, r1 = r2, x0 = x1, x1 = x2;
  }
  if (r0 != 1) {
    throw Error(ErrorCode::mismatch,
                fmt::format("{} and the plaintext modulus {} share the factor {}", a, t_, r0));
  }
  return residue(x0);
}

}  // namespace heliodor::slots
