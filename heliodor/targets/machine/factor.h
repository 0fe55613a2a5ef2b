// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Constant factors with their Shoup companions, for the loops that simulate multipliers.
#pragma once

#include <cstdint>

#include "heliodor/ring/modulus.h"

namespace heliodor::machine {

/// A constant below q and floor(value * 2^64 / q).
struct Factor {
  std::uint64_t value = 0;
  std::uint64_t shoup = 0;
};

inline Factor make_factor(const ring::Modulus& q, std::uint64_t value) noexcept {
  return {value, q.shoup(value)};
}

/// x mod q for x < 2q. Shifts the sign out of the difference: compilers turn a comparison into a
/// branch, which data of networks mispredict.
inline std::uint64_t subtract_once(const ring::Modulus& q, std::uint64_t x) noexcept {
  const std::uint64_t difference = x - q.value();
  return difference + (q.value() & (std::uint64_t{0} - (difference >> 63)));
}

/// f x mod q for any word x.
inline std::uint64_t multiply(const ring::Modulus& q, Factor f, std::uint64_t x) noexcept {
  return subtract_once(q, q.mul_shoup_lazy(x, f.value, f.shoup));
}

}  // namespace heliodor::machine
