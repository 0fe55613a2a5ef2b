// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which registers of an inverse pass in double precision must be reduced, and when: computed by the
// compiler on bounds of absolute values. For q < 2^bits (real.h):
//     a difference that is multiplied        at most 2^52
//     a product of x                         at most q/2 + |x|*q/2^54
//     a reduced register                     at most q/2 + |x|/2^53, of |x| < 2^53
// Bounds are inclusive and in units of q/256, rounded up.
//
// Files compiled with the AVX2 flags include this header, and so does its test, compiled without
// them. Everything here is evaluated at compile time, so that no function is compiled twice under
// one name.
#pragma once

#include <array>

namespace heliodor::cpu::avx2 {

inline constexpr unsigned kUnits = 256;

/// The largest multiplicand.
consteval unsigned largest_factor(unsigned bits) { return kUnits << (52 - bits); }
/// Of a product with a multiplicand of at most x.
consteval unsigned product_bound(unsigned bits, unsigned x) {
  const unsigned shift = 54 - bits;
  return kUnits / 2 + ((x + (1u << shift) - 1) >> shift);
}
consteval unsigned reduced_bound() { return kUnits / 2 + 1; }

// `enter` holds for every register at entry and `leave` for every register at exit.
template <unsigned log_radix, unsigned bits, unsigned enter, unsigned leave>
struct ReductionPlan {
  static constexpr unsigned kRadix = 1u << log_radix;
  std::array<std::array<bool, kRadix>, log_radix> before{};  // reduce register i before stage s
  std::array<bool, kRadix> at_exit{};
  unsigned reductions = 0;

  consteval ReductionPlan() {
    std::array<unsigned, kRadix> bound{};
    bound.fill(enter);
    for (unsigned s = log_radix; s-- > 0;) {
      const unsigned half = kRadix >> (s + 1);
      for (unsigned u = 0; u < kRadix; ++u) {
        if ((u & half) != 0) continue;
        if (bound[u] + bound[u + half] > largest_factor(bits)) {
          for (const unsigned i : {u, u + half}) {
            before[s][i] = true;
            bound[i] = reduced_bound();
            ++reductions;
          }
        }
        bound[u] += bound[u + half];
        bound[u + half] = product_bound(bits, bound[u]);
      }
    }
    for (unsigned i = 0; i < kRadix; ++i) {
      if (bound[i] > leave) {
        at_exit[i] = true;
        ++reductions;
      }
    }
  }
};

/// The bound between passes that costs the fewest reductions in the steady state.
template <unsigned bits>
consteval unsigned steady_bound() {
  constexpr unsigned kLow = product_bound(bits, largest_factor(bits));
  unsigned best = kLow;
  unsigned cost = ReductionPlan<3, bits, kLow, kLow>().reductions;
  if (ReductionPlan<3, bits, 2 * kUnits, 2 * kUnits>().reductions < cost) {
    best = 2 * kUnits;
    cost = ReductionPlan<3, bits, 2 * kUnits, 2 * kUnits>().reductions;
  }
  if (ReductionPlan<3, bits, 4 * kUnits, 4 * kUnits>().reductions < cost) best = 4 * kUnits;
  return best;
}

}  // namespace heliodor::cpu::avx2
