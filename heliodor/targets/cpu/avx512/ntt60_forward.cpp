// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Forward negacyclic transform for primes up to 60 bits, Cooley-Tukey with Harvey's butterfly in
// 64-bit lanes: values in [0, 8q) with 8q <= 2^63; u reduced to [0, 4q), T in [0, 4q) (wide.h),
// results u + T and u + 4q - T.
#include "heliodor/targets/cpu/avx512/forward_passes.h"
#include "heliodor/targets/cpu/avx512/wide.h"

namespace heliodor::cpu::avx512 {
namespace {

class WideForward {
 public:
  static constexpr std::size_t kInnerWords = inner_factor_words(Arithmetic::harvey60);
  explicit HELIODOR_LANES WideForward(const Transform& t)
      : q_(broadcast(t.q)), two_q_(broadcast(2 * t.q)), four_q_(broadcast(4 * t.q)) {}

  template <Entry entry>
  HELIODOR_LANES Vec enter(Vec x, Vec /*bias*/) const {
    return x;
  }

  HELIODOR_LANES Factor inner_factor(const Word* words) const {
    return {load(words), load(words + kLanes)};
  }
  HELIODOR_LANES void butterfly(Vec& u, Vec& y, Vec w, Vec companion) const {
    const Vec t = mul_shoup_63(y, w, companion, q_);
    const Vec reduced = subtract_if_above_wide(u, four_q_);
    y = add(reduced, sub(four_q_, t));
    u = add(reduced, t);
  }

  HELIODOR_LANES Vec leave(Vec x) const {
    return subtract_if_above_wide(
        subtract_if_above_wide(subtract_if_above_wide(x, four_q_), two_q_), q_);
  }

 private:
  Vec q_, two_q_, four_q_;
};

}  // namespace

void ntt60_forward(const Transform& transform, const Word* in, Word* out) noexcept {
  ForwardPasses<WideForward>::run(transform, {}, in, out, true);
}

}  // namespace heliodor::cpu::avx512
