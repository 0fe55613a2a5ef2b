// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ranges. With halves of 30 bits, x = x1*2^30 + x0, a term adds x0*y0, x1*y0 + x0*y1 and x1*y1,
// each product below 2^60, to accumulators of weight 1, 2^30 and 2^60. KernelModulus::terms_60
// gives the number of terms that keep each below 2^64, carries included, and the whole sum on top
// of a word below 2^63 below 2^123.
//
// Folding: carrying upwards leaves sum = high*2^60 + low exactly, with low < 2^60 and high < 2^63;
// high*(2^60 mod q) by Shoup's product (wide.h) is below 4q, so the folded sum is below 4q + 2^60
// < 2^63. The next group of terms starts from it; after the last, one Barrett step leaves less than
// 4q.
#include "heliodor/targets/cpu/avx2/sums.h"
#include "heliodor/targets/cpu/avx2/wide.h"

namespace heliodor::cpu::avx2 {
namespace {

constexpr unsigned kHalfBits = 30;

HELIODOR_LANES Vec low_part(Vec x) {
  return _mm256_and_si256(x, broadcast((Word{1} << kHalfBits) - 1));
}
HELIODOR_LANES Vec high_part(Vec x) { return _mm256_srli_epi64(x, kHalfBits); }

class Accumulator60 {
 public:
  using Sum = Sum60;
  struct Operand {
    Vec low, high;
  };

  static HELIODOR_LANES Operand operand(Vec words) { return {low_part(words), high_part(words)}; }
  HELIODOR_LANES void begin() { low_ = _mm256_setzero_si256(); }
  HELIODOR_LANES void start(const Sum& /*sum*/) {
    middle_ = high_part(low_);
    low_ = low_part(low_);
    high_ = _mm256_setzero_si256();
  }
  HELIODOR_LANES void add_product(Operand x, Operand y) {
    low_ = add(low_, _mm256_mul_epu32(x.low, y.low));
    middle_ = add(middle_, _mm256_mul_epu32(x.high, y.low));
    middle_ = add(middle_, _mm256_mul_epu32(x.low, y.high));
    high_ = add(high_, _mm256_mul_epu32(x.high, y.high));
  }
  /// Leaves the folded sum in low_.
  HELIODOR_LANES void fold(const Sum& sum) {
    const Vec middle = add(middle_, high_part(low_));
    const Vec high = add(high_, high_part(middle));
    const Vec low = add(low_part(low_), _mm256_slli_epi64(low_part(middle), kHalfBits));
    low_ = add(low, mul_shoup_63(high, broadcast(sum.carry), broadcast(sum.carry_companion),
                                 broadcast(sum.q)));
  }
  HELIODOR_LANES Vec finish(const Sum& sum) const {
    const Vec q = broadcast(sum.q);
    return below_4q_to_canonical(reduce_63(low_, broadcast(sum.inverse), q), broadcast(2 * sum.q),
                                 q);
  }

 private:
  Vec low_, middle_, high_;
};

}  // namespace

void dot60(const Sum60& sum, const Word* const* a, std::size_t count, const DotTarget<Word>& target,
           std::size_t n) noexcept {
  Sums<Accumulator60>::dot<2>(sum, a, count, target, n);
}

void dot_scalar60(const Word* const* x, std::size_t count, const Target<Sum60>* targets,
                  std::size_t target_count, std::size_t n) noexcept {
  switch (target_count) {
    case 1:
      return Sums<Accumulator60>::dot_scalar<1, 2>(x, count, targets, n);
    case 2:
      return Sums<Accumulator60>::dot_scalar<2, 1>(x, count, targets, n);
    case 3:
      return Sums<Accumulator60>::dot_scalar<3, 1>(x, count, targets, n);
    default:
      return Sums<Accumulator60>::dot_scalar<4, 1>(x, count, targets, n);
  }
}

}  // namespace heliodor::cpu::avx2
