// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Negacyclic transforms for primes up to 50 bits in double precision (real.h); between passes the
// words hold doubles.
//
// Forward, Cooley-Tukey: (u, y) <- (u + r, u - r) with |r| <= q*(1/2 + Y*q/2^54) for |y| <= Y*q.
// Multiplicands need Y*q <= 2^52, sums |u| + |r| <= 2^53.
// - q < 2^47: Y <= 32, and Y grows by at most 1/2 + Y/128 per stage: from 1 to less than 11 in 17
//   stages. Nothing is reduced before the end.
// - q < 2^50: Y <= 4, growing by 1/2 + Y/16. The u half is reduced to 1/2 and a little when each
//   later pass begins; with y <= 3 three stages lead to at most 1.19, 1.77, 2.38, and the first
//   pass from 1 to 1.57, 2.17, 2.81.
//
// Inverse, Gentleman-Sande: (u, v) <- (u + v, (u - v)*w), reduced where reduction_plan.h says.
#include "heliodor/targets/cpu/avx2/forward_passes.h"
#include "heliodor/targets/cpu/avx2/inverse_passes.h"
#include "heliodor/targets/cpu/avx2/real.h"

namespace heliodor::cpu::avx2 {
namespace {

class RealArithmetic : protected RealModulus {
 public:
  explicit HELIODOR_LANES RealArithmetic(const Transform& t)
      : RealModulus(static_cast<double>(t.q)) {}

  HELIODOR_LANES Vec from_word(Vec x) const { return as_bits(to_real(x)); }
  HELIODOR_LANES Vec reduce(Vec x) const { return as_bits(RealModulus::reduce(as_real(x))); }

 protected:
  HELIODOR_LANES Real product(Real x, Vec w, Vec companion) const {
    return mul(x, as_real(w), as_real(companion));
  }
};

template <bool enter_reduced>
class RealForward : public RealArithmetic {
 public:
  using RealArithmetic::RealArithmetic;

  HELIODOR_LANES Vec enter(Vec x) const { return enter_reduced ? reduce(x) : x; }
  HELIODOR_LANES void butterfly(Vec& u, Vec& y, Vec w, Vec companion) const {
    const Real r = product(as_real(y), w, companion);
    y = as_bits(_mm256_sub_pd(as_real(u), r));
    u = as_bits(_mm256_add_pd(as_real(u), r));
  }
  HELIODOR_LANES Vec leave(Vec x) const { return canonical(RealModulus::reduce(as_real(x))); }
};

template <unsigned bits>
class RealInverse : public RealArithmetic {
 public:
  static constexpr unsigned kBits = bits;
  using RealArithmetic::RealArithmetic;

  HELIODOR_LANES void butterfly(Vec& u, Vec& v, Vec w, Vec companion) const {
    const Real difference = _mm256_sub_pd(as_real(u), as_real(v));
    u = as_bits(_mm256_add_pd(as_real(u), as_real(v)));
    v = as_bits(product(difference, w, companion));
  }
  HELIODOR_LANES Vec scale(Vec x, Vec w, Vec companion) const {
    return as_bits(product(as_real(x), w, companion));
  }
  HELIODOR_LANES Vec leave(Vec x) const { return canonical(as_real(x)); }
};

}  // namespace

void ntt50_forward(const Transform& transform, const Word* in, Word* out) noexcept {
  if (transform.arithmetic == Arithmetic::real47) {
    ForwardPasses<RealForward<false>>::run(transform, in, out);
  } else {
    ForwardPasses<RealForward<true>>::run(transform, in, out);
  }
}

void ntt50_inverse(const Transform& transform, const LastStage& last, const Word* in,
                   Word* out) noexcept {
  if (transform.arithmetic == Arithmetic::real47) {
    InversePasses<RealInverse<47>>::run(transform, last, in, out);
  } else {
    InversePasses<RealInverse<50>>::run(transform, last, in, out);
  }
}

}  // namespace heliodor::cpu::avx2
