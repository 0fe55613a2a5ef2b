// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// How the lazy inverse butterflies (ntt52_inverse.cpp) of one pass keep every integer in [0, M), M
// = 2^52: computed by the compiler on intervals in units of q. With C = floor(M/(2q)) a register
// may hold values below 2C*q.
//
// A butterfly makes the sum u + v and the product (u - v + bias*q)*w mod q, which lies in [start*q,
// (start + 2)*q) when its accumulator begins at start*q. So
//   bias   raises a difference that could be negative; it costs an addition;
//   start  raises a product, at no cost: chosen so that the difference it enters next needs no
//   bias; reduction to [0, 2q) comes before a butterfly whose results would not fit, and at the end
//   where the next pass expects
//          less; it costs two multiplications.
//
// Files compiled with the AVX-512 flags include this header, and so does its test, compiled without
// them. Everything here is evaluated at compile time, so that no function is compiled twice under
// one name.
#pragma once

#include <array>

namespace heliodor::cpu::avx512 {

/// `enter` bounds every register at entry, `leave` every register at exit; exclusive, in units of
/// q.
template <unsigned log_radix, unsigned c_bound, unsigned enter, unsigned leave>
struct ReductionPlan {
  static constexpr unsigned kRadix = 1u << log_radix;
  template <typename T>
  using PerRegister = std::array<T, kRadix>;

  std::array<PerRegister<bool>, log_radix> before{};    ///< reduce register i before stage s
  std::array<PerRegister<unsigned>, log_radix> bias{};  ///< of the difference whose u is register i
  std::array<PerRegister<unsigned>, log_radix> start{};  ///< of the product that goes to register i
  PerRegister<bool> at_exit{};
  unsigned cost = 0;  ///< additions of a bias, and three times the reductions

  // Starts are raised one by one where that makes the pass cheaper.
  consteval ReductionPlan() {
    simulate();
    for (unsigned s = log_radix - 1; s-- > 0;) {
      for (unsigned u = 0; u < kRadix; ++u) {
        const unsigned made = made_in_stage(u, s);
        if (bias[s][u] == 0 || made == log_radix) continue;
        ReductionPlan raised = *this;
        raised.start[made][u] += bias[s][u];
        raised.simulate();
        if (raised.cost < cost) *this = raised;
      }
    }
  }

 private:
  struct Interval {
    unsigned lo, hi;
  };

  static consteval unsigned half_of(unsigned stage) { return kRadix >> (stage + 1); }

  // The latest stage before s (they run downwards) that leaves a product in register i; log_radix
  // if none does.
  static consteval unsigned made_in_stage(unsigned i, unsigned s) {
    for (unsigned stage = s + 1; stage < log_radix; ++stage) {
      if ((i & half_of(stage)) != 0) return stage;
    }
    return log_radix;
  }

  static consteval unsigned bias_for(Interval u, Interval v) {
    return v.hi > u.lo ? v.hi - u.lo : 0;
  }

  static consteval bool fits(Interval u, Interval v) {
    return u.hi + v.hi <= 2 * c_bound && u.hi + bias_for(u, v) - v.lo <= 2 * c_bound;
  }

  // Fills everything but the starts.
  consteval void simulate() {
    PerRegister<Interval> x{};
    x.fill({0, enter});
    cost = 0;
    for (unsigned s = log_radix; s-- > 0;) {
      before[s] = {};
      for (unsigned u = 0; u < kRadix; ++u) {
        bias[s][u] = 0;
        const unsigned v = u + half_of(s);
        if ((u & half_of(s)) != 0) continue;
        for (const unsigned larger : {x[v].hi > x[u].hi ? v : u, x[v].hi > x[u].hi ? u : v}) {
          if (fits(x[u], x[v])) break;
          before[s][larger] = true;
          x[larger] = {0, 2};
          cost += 3;
        }
        bias[s][u] = bias_for(x[u], x[v]);
        cost += bias[s][u] > 0 ? 1 : 0;
        x[u] = {x[u].lo + x[v].lo, x[u].hi + x[v].hi};
        x[v] = {start[s][v], start[s][v] + 2};
      }
    }
    for (unsigned i = 0; i < kRadix; ++i) {
      at_exit[i] = x[i].hi > leave;
      cost += at_exit[i] ? 3 : 0;
    }
  }
};

/// What a pass costs with `bound` at entry and at exit; as a variable, so that it is computed once.
template <unsigned log_radix, unsigned c_bound, unsigned bound>
inline constexpr unsigned kSteadyCost = ReductionPlan<log_radix, c_bound, bound, bound>().cost;

/// The bound between passes that costs least in the steady state.
template <unsigned c_bound>
consteval unsigned steady_bound() {
  unsigned best = 2;
  unsigned cost = kSteadyCost<4, c_bound, 2>;
  if (c_bound >= 4 && kSteadyCost<4, c_bound, 4> < cost) {
    best = 4;
    cost = kSteadyCost<4, c_bound, 4>;
  }
  if (c_bound >= 8 && kSteadyCost<4, c_bound, 8> < cost) {
    best = 8;
    cost = kSteadyCost<4, c_bound, 8>;
  }
  if (c_bound >= 16 && kSteadyCost<4, c_bound, 16> < cost) best = 16;
  return best;
}

}  // namespace heliodor::cpu::avx512
