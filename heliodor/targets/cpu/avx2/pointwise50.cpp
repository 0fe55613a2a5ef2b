// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx2/pointwise.h"
#include "heliodor/targets/cpu/avx2/real.h"

namespace heliodor::cpu::avx2 {

void mul_words50(Word q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept {
  const RealModulus modulus(static_cast<double>(q));
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Real product = modulus.mul(to_real(load(a + i)), to_real(load(b + i)));
    store(result + i, modulus.canonical(product));
  }
}

void mul_constant50(Word q, const Word* a, Word c, Word* result, std::size_t n) noexcept {
  const auto q_value = static_cast<double>(q);
  const double factor = centred(static_cast<double>(c), q_value);
  const RealModulus modulus(q_value);
  const Real w = broadcast_real(factor), w_over_q = broadcast_real(factor / q_value);
  for (std::size_t i = 0; i < n; i += kLanes) {
    store(result + i, modulus.canonical(modulus.mul(to_real(load(a + i)), w, w_over_q)));
  }
}

void lift_words50(const Lift50& lift, const Word* a, Word* result, std::size_t n) noexcept {
  const RealModulus modulus(static_cast<double>(lift.q));
  const Real half = broadcast_real(static_cast<double>(lift.half));
  const Real source = broadcast_real(static_cast<double>(lift.source));
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Real x = to_real(load(a + i));
    const Real above = _mm256_and_pd(_mm256_cmp_pd(x, half, _CMP_GT_OQ), source);
    store(result + i, modulus.canonical(modulus.reduce(_mm256_sub_pd(x, above))));
  }
}

}  // namespace heliodor::cpu::avx2
