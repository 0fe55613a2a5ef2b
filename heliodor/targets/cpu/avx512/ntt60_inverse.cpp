// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse negacyclic transform for primes up to 60 bits, Gentleman-Sande in 64-bit lanes: values in
// [0, 4q) with 8q <= 2^63; sums reduced to [0, 4q), differences raised to (0, 8q), products in [0,
// 4q) (wide.h).
#include "heliodor/targets/cpu/avx512/inverse_passes.h"
#include "heliodor/targets/cpu/avx512/wide.h"

namespace heliodor::cpu::avx512 {
namespace {

class WideInverse {
 public:
  static constexpr std::size_t kInnerWords = inner_factor_words(Arithmetic::harvey60);
  static constexpr unsigned kBound = 0;

  explicit HELIODOR_LANES WideInverse(const Transform& t)
      : q_(broadcast(t.q)), two_q_(broadcast(2 * t.q)), four_q_(broadcast(4 * t.q)) {}

  HELIODOR_LANES Factor inner_factor(const Word* words) const {
    return {load(words), load(words + kLanes)};
  }
  HELIODOR_LANES void butterfly(Vec& u, Vec& v, Vec w, Vec companion, unsigned /*bias*/,
                                unsigned /*start*/) const {
    const Vec difference = add(sub(u, v), four_q_);
    u = subtract_if_above_wide(add(u, v), four_q_);
    v = mul_shoup_63(difference, w, companion, q_);
  }
  HELIODOR_LANES Vec scale(Vec x, Vec w, Vec companion) const {
    return mul_shoup_63(x, w, companion, q_);
  }
  HELIODOR_LANES Vec leave(Vec x) const {
    return subtract_if_above_wide(subtract_if_above_wide(x, two_q_), q_);
  }

 private:
  Vec q_, two_q_, four_q_;
};

}  // namespace

void ntt60_inverse(const Transform& transform, const LastStage& last, const Word* in,
                   Word* out) noexcept {
  InversePasses<WideInverse>::run(transform, last, in, out);
}

}  // namespace heliodor::cpu::avx512
