// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Forward negacyclic transform, Cooley-Tukey, on the 52-bit multiplier.
//
// Lazy butterfly (every q that range_plan.h accepts: all below 2^47.8), w' = floor(w*M/q), five
// operations for eight lanes:
//     Q = hi(y*w');  x0 = u + lo(y*w) + lo(Q*(M-q));  x1 = 2u - x0
// represents x0 = u + T, x1 = u - T with T = y*w - Q*q = y*w mod q in [0, (1 + y/M)*q): write w' =
// wM/q - e and Q = yw'/M - d with 0 <= e, d < 1, then T = q*(y*e/M + d). It is exact as long as 0
// <= u - T and u + T < M; range_plan.cpp proves that for every stage, from the prime itself, and
// says where to add a bias or reduce.
//
// Harvey's butterfly (q < 2^50): values in [0, 4q) with 4q <= M; u reduced to [0, 2q), T clean in
// [0, 2q).
#include "heliodor/targets/cpu/avx512/forward_passes.h"

namespace heliodor::cpu::avx512 {
namespace {

class LazyForward : Constants {
 public:
  static constexpr std::size_t kInnerWords = inner_factor_words(Arithmetic::lazy52);
  explicit HELIODOR_LANES LazyForward(const Transform& t) : Constants(t.q, t.mu) {}

  template <Entry entry>
  HELIODOR_LANES Vec enter(Vec x, Vec bias) const {
    if constexpr (entry == Entry::add_bias) return add(x, bias);
    if constexpr (entry == Entry::reduce) return avx512::reduce(x, bias, *this);
    return x;
  }

  HELIODOR_LANES Factor inner_factor(const Word* words) const {
    const Vec companion = load(words);
    return {factor_of(companion, *this), companion};
  }
  HELIODOR_LANES void butterfly(Vec& u, Vec& y, Vec w, Vec companion) const {
    const Vec estimate = mul_high(zero, y, companion);
    const Vec double_u = twice(u);
    u = mul_low(u, y, w);
    u = mul_low(u, estimate, negative_q);
    y = sub(double_u, u);
  }

  HELIODOR_LANES Vec leave(Vec x) const { return canonical(x, *this); }

  // half - x is negative, with its upper bits set, exactly where x stands for a negative integer.
  // x + shift is then below 2q, as x is otherwise.
  HELIODOR_LANES Vec lift(Vec x, Vec half, Vec shift) const {
    const Vec raise = _mm512_and_si512(_mm512_srai_epi64(sub(half, x), 63), shift);
    return subtract_if_above(add(x, raise), q);
  }
};

class HarveyForward : Constants {
 public:
  static constexpr std::size_t kInnerWords = inner_factor_words(Arithmetic::harvey52);
  explicit HELIODOR_LANES HarveyForward(const Transform& t) : Constants(t.q, t.mu) {}

  template <Entry entry>
  HELIODOR_LANES Vec enter(Vec x, Vec /*bias*/) const {
    return x;
  }

  HELIODOR_LANES Factor inner_factor(const Word* words) const {
    const Vec companion = load(words);
    return {factor_of(companion, *this), companion};
  }
  HELIODOR_LANES void butterfly(Vec& u, Vec& y, Vec w, Vec companion) const {
    const Vec estimate = mul_high(zero, y, companion);
    const Vec t = sub(_mm512_mullo_epi64(y, w), _mm512_mullo_epi64(estimate, q));
    const Vec reduced = subtract_if_above(u, two_q);
    y = add(reduced, sub(two_q, t));
    u = add(reduced, t);
  }

  HELIODOR_LANES Vec leave(Vec x) const {
    return subtract_if_above(subtract_if_above(x, two_q), q);
  }
};

}  // namespace

void ntt52_forward(const Transform& transform, const Ahead& ahead, const Word* in, Word* out,
                   bool canonical) noexcept {
  if (transform.arithmetic == Arithmetic::lazy52) {
    ForwardPasses<LazyForward>::run(transform, ahead, in, out, canonical);
  } else {
    ForwardPasses<HarveyForward>::run(transform, ahead, in, out, canonical);
  }
}

void ntt52_forward_lifted(const Transform& transform, const NearLift& lift, const Ahead& ahead,
                          const Word* in, Word* out, bool canonical) noexcept {
  ForwardPasses<LazyForward>::run_lifted(transform, lift, ahead, in, out, canonical);
}

}  // namespace heliodor::cpu::avx512
