// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sums in double precision. The high accumulator t starts at 2^(52+k) and stays below 2^(53+k), so
// it holds multiples of 2^k and a fused t' = t + x*y rounds to one. The step d = t' - t is exact,
// and so is the rest x*y - d, at most 2^(k-1) in absolute value, which goes to the low accumulator:
//     sum = (t - 2^(52+k)) + low, exact
// With products below 2^p this takes 2^(52+k-p) terms in t and 2^(54-k) in low (below 2^53); k =
// floor(p/2) + 1 makes both about equal: 8 terms for two words of 50 bits, 128 for 46.
//
// Folding: (t - 2^(52+k))/2^k < 2^52 times 2^k mod q is below 3/4*q (real.h), low reduced is within
// q/2 and a little, so is what was folded before: the total is below 2q < 2^51.
#include "heliodor/targets/cpu/avx2/real.h"
#include "heliodor/targets/cpu/avx2/sums.h"

namespace heliodor::cpu::avx2 {
namespace {

class Accumulator50 {
 public:
  using Sum = Sum50;
  using Operand = Real;

  static HELIODOR_LANES Operand operand(Vec words) { return to_real(words); }
  HELIODOR_LANES void begin() { folded_ = _mm256_setzero_pd(); }
  HELIODOR_LANES void start(const Sum& sum) {
    high_ = broadcast_real(sum.unit * 0x1p52);
    low_ = _mm256_setzero_pd();
  }
  HELIODOR_LANES void add_product(Real x, Real y) {
    const Real next = _mm256_fmadd_pd(x, y, high_);
    low_ = _mm256_add_pd(low_, _mm256_fmsub_pd(x, y, _mm256_sub_pd(next, high_)));
    high_ = next;
  }
  HELIODOR_LANES void fold(const Sum& sum) {
    const RealModulus modulus(sum.q);
    const Real units = _mm256_mul_pd(_mm256_sub_pd(high_, broadcast_real(sum.unit * 0x1p52)),
                                     broadcast_real(1 / sum.unit));
    const Real carried =
        modulus.mul(units, broadcast_real(sum.carry), broadcast_real(sum.carry / sum.q));
    const Real low = modulus.reduce(low_);
    folded_ = modulus.reduce(_mm256_add_pd(_mm256_add_pd(folded_, low), carried));
  }
  HELIODOR_LANES Vec finish(const Sum& sum) const { return RealModulus(sum.q).canonical(folded_); }

 private:
  Real high_, low_, folded_;
};

}  // namespace

void dot50(const Sum50& sum, const Word* const* a, std::size_t count, const DotTarget<Word>& target,
           std::size_t n) noexcept {
  Sums<Accumulator50>::dot<4>(sum, a, count, target, n);
}

void dot_scalar50(const Word* const* x, std::size_t count, const Target<Sum50>* targets,
                  std::size_t target_count, std::size_t n) noexcept {
  switch (target_count) {
    case 1:
      return Sums<Accumulator50>::dot_scalar<1, 4>(x, count, targets, n);
    case 2:
      return Sums<Accumulator50>::dot_scalar<2, 2>(x, count, targets, n);
    case 3:
      return Sums<Accumulator50>::dot_scalar<3, 1>(x, count, targets, n);
    default:
      return Sums<Accumulator50>::dot_scalar<4, 1>(x, count, targets, n);
  }
}

}  // namespace heliodor::cpu::avx2
