// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Negacyclic transforms for primes up to 60 bits in 64-bit lanes (wide.h), 8q <= 2^63.
//
// Forward, Cooley-Tukey with Harvey's butterfly: values in [0, 8q); u reduced to [0, 4q), T in [0,
// 4q), results u + T and u + 4q - T.
// Inverse, Gentleman-Sande: values in [0, 4q); sums reduced to [0, 4q), differences raised to (0,
// 8q), products in [0, 4q).
#include "heliodor/targets/cpu/avx2/forward_passes.h"
#include "heliodor/targets/cpu/avx2/inverse_passes.h"
#include "heliodor/targets/cpu/avx2/wide.h"

namespace heliodor::cpu::avx2 {
namespace {

class WideArithmetic {
 public:
  explicit HELIODOR_LANES WideArithmetic(const Transform& t)
      : q_(broadcast(t.q)), two_q_(broadcast(2 * t.q)), four_q_(broadcast(4 * t.q)) {}

  HELIODOR_LANES Vec from_word(Vec x) const { return x; }

 protected:
  Vec q_, two_q_, four_q_;
};

class WideForward : public WideArithmetic {
 public:
  using WideArithmetic::WideArithmetic;

  HELIODOR_LANES Vec enter(Vec x) const { return x; }
  HELIODOR_LANES void butterfly(Vec& u, Vec& y, Vec w, Vec companion) const {
    const Vec t = mul_shoup_63(y, w, companion, q_);
    const Vec reduced = subtract_if_above(u, four_q_);
    y = add(reduced, sub(four_q_, t));
    u = add(reduced, t);
  }
  HELIODOR_LANES Vec leave(Vec x) const {
    return below_4q_to_canonical(subtract_if_above(x, four_q_), two_q_, q_);
  }
};

class WideInverse : public WideArithmetic {
 public:
  static constexpr unsigned kBits = 0;
  using WideArithmetic::WideArithmetic;

  HELIODOR_LANES void butterfly(Vec& u, Vec& v, Vec w, Vec companion) const {
    const Vec difference = add(sub(u, v), four_q_);
    u = subtract_if_above(add(u, v), four_q_);
    v = mul_shoup_63(difference, w, companion, q_);
  }
  HELIODOR_LANES Vec scale(Vec x, Vec w, Vec companion) const {
    return mul_shoup_63(x, w, companion, q_);
  }
  HELIODOR_LANES Vec leave(Vec x) const { return below_4q_to_canonical(x, two_q_, q_); }
};

}  // namespace

void ntt60_forward(const Transform& transform, const Word* in, Word* out) noexcept {
  ForwardPasses<WideForward>::run(transform, in, out);
}

void ntt60_inverse(const Transform& transform, const LastStage& last, const Word* in,
                   Word* out) noexcept {
  InversePasses<WideInverse>::run(transform, last, in, out);
}

}  // namespace heliodor::cpu::avx2
