// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Words below 2^32: a product is one multiplication, and as many as fit 64 bits are summed. The sum
// high*2^32 + low is folded in double precision: high*(2^32 mod q) is below 3/4*q (real.h), low
// below 2^32, what was folded before within q/2 and a little, so the total is below 2^34.
#include "heliodor/targets/cpu/avx2/real.h"
#include "heliodor/targets/cpu/avx2/sums.h"

namespace heliodor::cpu::avx2 {
namespace {

class Accumulator32 {
 public:
  using Sum = Sum32;
  using Operand = Vec;

  static HELIODOR_LANES Operand operand(Vec words) { return words; }
  HELIODOR_LANES void begin() { folded_ = _mm256_setzero_pd(); }
  HELIODOR_LANES void start(const Sum& /*sum*/) { sum_ = _mm256_setzero_si256(); }
  HELIODOR_LANES void add_product(Vec x, Vec y) { sum_ = add(sum_, _mm256_mul_epu32(x, y)); }
  HELIODOR_LANES void fold(const Sum& sum) {
    const RealModulus modulus(sum.q);
    const Real high = to_real(_mm256_srli_epi64(sum_, 32));
    const Real low = to_real(_mm256_blend_epi32(sum_, _mm256_setzero_si256(), 0xaa));
    const Real carried =
        modulus.mul(high, broadcast_real(sum.carry), broadcast_real(sum.carry / sum.q));
    folded_ = modulus.reduce(_mm256_add_pd(_mm256_add_pd(folded_, low), carried));
  }
  HELIODOR_LANES Vec finish(const Sum& sum) const { return RealModulus(sum.q).canonical(folded_); }

 private:
  Vec sum_;
  Real folded_;
};

}  // namespace

void dot32(const Sum32& sum, const Word* const* a, std::size_t count, const DotTarget<Word>& target,
           std::size_t n) noexcept {
  Sums<Accumulator32>::dot<4>(sum, a, count, target, n);
}

void dot_scalar32(const Word* const* x, std::size_t count, const Target<Sum32>* targets,
                  std::size_t target_count, std::size_t n) noexcept {
  switch (target_count) {
    case 1:
      return Sums<Accumulator32>::dot_scalar<1, 4>(x, count, targets, n);
    case 2:
      return Sums<Accumulator32>::dot_scalar<2, 2>(x, count, targets, n);
    case 3:
      return Sums<Accumulator32>::dot_scalar<3, 1>(x, count, targets, n);
    default:
      return Sums<Accumulator32>::dot_scalar<4, 1>(x, count, targets, n);
  }
}

}  // namespace heliodor::cpu::avx2
