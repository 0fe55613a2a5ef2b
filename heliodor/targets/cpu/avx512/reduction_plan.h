// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which registers of an inverse pass must be reduced, and when: computed by the compiler on upper
// bounds in units of q. With C = floor(M/(2q)), a butterfly (ntt_inverse.cpp) needs both operands
// below C*q; its sum has the sum of their bounds, its product is below 2q, and a reduced register
// is below 2q.
//
// Files compiled with the AVX-512 flags include this header, and so does its test, compiled without
// them. Everything here is evaluated at compile time, so that no function is compiled twice under
// one name.
#pragma once

#include <array>

namespace heliodor::cpu::avx512 {

// Bounds are exclusive and in units of q. `enter` holds for every register at entry and `leave` for
// every register at exit.
template <unsigned log_radix, unsigned c_bound, unsigned enter, unsigned leave>
struct ReductionPlan {
  static constexpr unsigned kRadix = 1u << log_radix;
  std::array<std::array<bool, kRadix>, log_radix> before{};  // reduce register i before stage s
  std::array<bool, kRadix> at_exit{};
  unsigned reductions = 0;

  consteval ReductionPlan() {
    std::array<unsigned, kRadix> bound{};
    bound.fill(enter);
    for (unsigned s = log_radix; s-- > 0;) {
      for (unsigned i = 0; i < kRadix; ++i) {
        if (bound[i] > c_bound) {
          before[s][i] = true;
          bound[i] = 2;
          ++reductions;
        }
      }
      const unsigned half = kRadix >> (s + 1);
      for (unsigned u = 0; u < kRadix; ++u) {
        if ((u & half) != 0) continue;
        bound[u] += bound[u + half];
        bound[u + half] = 2;
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

// The bound between passes that costs the fewest reductions in the steady state.
template <unsigned c_bound>
consteval unsigned steady_bound() {
  unsigned best = 2;
  unsigned cost = ReductionPlan<4, c_bound, 2, 2>().reductions;
  if (c_bound >= 4 && ReductionPlan<4, c_bound, 4, 4>().reductions < cost) {
    best = 4;
    cost = ReductionPlan<4, c_bound, 4, 4>().reductions;
  }
  if (c_bound >= 8 && ReductionPlan<4, c_bound, 8, 8>().reductions < cost) best = 8;
  return best;
}

}  // namespace heliodor::cpu::avx512
