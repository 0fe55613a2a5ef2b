// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse negacyclic transform, Gentleman-Sande, on the 52-bit multiplier; the mirror image of
// ntt52_forward.cpp.
//
// Lazy butterfly (q < 2^48), C = floor(M/(2q)), five or six operations:
//     d = u - v + bias*q;  x0 = u + v;  Q = hi(d*w');  x1 = start*q + lo(d*w) + lo(Q*(M-q))
// The difference is multiplied, so it may not be negative: its low 52 bits would stand for another
// residue. Where u can be less than v a bias is added; a product that begins at start*q, which
// costs nothing, often makes the bias of the next difference unnecessary. With 0 <= d < M the
// product is in [start*q, (start + 2)*q). Sums double, so registers are reduced where a result
// would not fit below 2C*q <= M. All three are compile-time computations on intervals
// (reduction_plan.h), for each C.
//
// Harvey's butterfly (q < 2^50): values in [0, 2q) throughout, 2q <= 2^51.
#include "heliodor/targets/cpu/avx512/inverse_passes.h"

namespace heliodor::cpu::avx512 {
namespace {

template <unsigned c_bound>
class LazyInverse : Constants {
 public:
  static constexpr std::size_t kInnerWords = inner_factor_words(Arithmetic::lazy52);
  static constexpr unsigned kBound = c_bound;

  explicit HELIODOR_LANES LazyInverse(const Transform& t) : Constants(t.q, t.mu), q_(t.q) {}

  HELIODOR_LANES Factor inner_factor(const Word* words) const {
    const Vec companion = load(words);
    return {factor_of(companion, *this), companion};
  }
  HELIODOR_LANES void butterfly(Vec& u, Vec& v, Vec w, Vec companion, unsigned bias,
                                unsigned start) const {
    Vec difference = sub(u, v);
    if (bias > 0) difference = add(difference, broadcast(bias * q_));
    u = add(u, v);
    const Vec raised = start > 0 ? broadcast(start * q_) : zero;
    v = mul_low(mul_low(raised, difference, w), mul_high(zero, difference, companion), negative_q);
  }
  HELIODOR_LANES Vec reduce(Vec x) const { return avx512::reduce(x, zero, *this); }
  HELIODOR_LANES Vec scale(Vec x, Vec w, Vec companion) const {
    return mul_shoup(x, w, companion, *this);
  }
  HELIODOR_LANES Vec leave(Vec x) const { return subtract_if_above(low_52(x), q); }

 private:
  Word q_;
};

class HarveyInverse : Constants {
 public:
  static constexpr std::size_t kInnerWords = inner_factor_words(Arithmetic::harvey52);
  static constexpr unsigned kBound = 0;

  explicit HELIODOR_LANES HarveyInverse(const Transform& t) : Constants(t.q, t.mu) {}

  HELIODOR_LANES Factor inner_factor(const Word* words) const {
    const Vec companion = load(words);
    return {factor_of(companion, *this), companion};
  }
  HELIODOR_LANES void butterfly(Vec& u, Vec& v, Vec w, Vec companion, unsigned /*bias*/,
                                unsigned /*start*/) const {
    const Vec difference = add(sub(u, v), two_q);
    u = subtract_if_above(add(u, v), two_q);
    v = scale(difference, w, companion);
  }
  HELIODOR_LANES Vec scale(Vec x, Vec w, Vec companion) const {
    return low_52(mul_shoup(x, w, companion, *this));
  }
  HELIODOR_LANES Vec leave(Vec x) const { return subtract_if_above(x, q); }
};

}  // namespace

void ntt52_inverse(const Transform& t, const LastStage& last, const Word* in, Word* out) noexcept {
  if (t.arithmetic == Arithmetic::harvey52)
    return InversePasses<HarveyInverse>::run(t, last, in, out);
  if (t.q < Word{1} << 45) return InversePasses<LazyInverse<64>>::run(t, last, in, out);
  if (t.q < Word{1} << 46) return InversePasses<LazyInverse<32>>::run(t, last, in, out);
  if (t.q < Word{1} << 47) return InversePasses<LazyInverse<16>>::run(t, last, in, out);
  return InversePasses<LazyInverse<8>>::run(t, last, in, out);
}

}  // namespace heliodor::cpu::avx512
