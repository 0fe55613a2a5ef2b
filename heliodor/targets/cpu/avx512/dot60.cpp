// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ranges. With halves of 30 bits, x = x1*2^30 + x0, a term adds x0*y0, x1*y0 + x0*y1 and x1*y1,
// each product below 2^60, to accumulators of weight 1, 2^30 and 2^60.
// KernelModulus::terms_60 gives the number of terms that keep each below 2^64, carries included,
// and the whole sum on top of a word below 2^63 below 2^123.
//
// Folding: carrying upwards leaves sum = high*2^60 + low exactly, with low < 2^60 and high < 2^63;
// high*(2^60 mod q) by Shoup's product (wide.h) is below 4q, so the folded sum is below 4q + 2^60
// < 2^63. The next group of terms starts from it; after the last, one Barrett step leaves less than
// 4q.
#include "heliodor/targets/cpu/avx512/dot60.h"

#include "heliodor/targets/cpu/avx512/lanes.h"
#include "heliodor/targets/cpu/avx512/wide.h"

namespace heliodor::cpu::avx512 {
namespace {

constexpr unsigned kHalfBits = 30;

HELIODOR_LANES Vec low_part(Vec x) {
  return _mm512_and_si512(x, broadcast((Word{1} << kHalfBits) - 1));
}
HELIODOR_LANES Vec high_part(Vec x) { return _mm512_srli_epi64(x, kHalfBits); }

class Sum {
 public:
  HELIODOR_LANES void start(Vec x) {
    low_ = low_part(x);
    middle_ = high_part(x);
    high_ = _mm512_setzero_si512();
  }
  HELIODOR_LANES void add_product(Vec x0, Vec x1, Vec y0, Vec y1) {
    low_ = add(low_, _mm512_mul_epu32(x0, y0));
    middle_ = add(middle_, _mm512_mul_epu32(x1, y0));
    middle_ = add(middle_, _mm512_mul_epu32(x0, y1));
    high_ = add(high_, _mm512_mul_epu32(x1, y1));
  }
  /// Congruent to the sum and below 2^63.
  HELIODOR_LANES Vec fold(const Dot60& sum) const {
    const Vec middle = add(middle_, high_part(low_));
    const Vec high = add(high_, high_part(middle));
    const Vec low = add(low_part(low_), _mm512_slli_epi64(low_part(middle), kHalfBits));
    return add(low, mul_shoup_63(high, broadcast(sum.carry), broadcast(sum.carry_companion),
                                 broadcast(sum.q)));
  }

 private:
  Vec low_, middle_, high_;
};

HELIODOR_LANES Vec finish(Vec folded, const Dot60& sum) {
  const Vec q = broadcast(sum.q);
  const Vec estimate = estimate_63(folded, broadcast(sum.inverse));
  const Vec remainder = sub(folded, _mm512_mullo_epi64(estimate, q));
  return subtract_if_above_wide(subtract_if_above_wide(remainder, broadcast(2 * sum.q)), q);
}

template <std::size_t vectors>
HELIODOR_LANES void dot_at(const Dot60& sum, const Word* const* a, std::size_t count,
                           const DotTarget<Word>& target, std::size_t i) {
  Vec folded[vectors];
#pragma GCC unroll 4
  for (std::size_t v = 0; v < vectors; ++v) {
    folded[v] =
        target.addend == nullptr ? _mm512_setzero_si512() : load(target.addend + i + kLanes * v);
  }
  for (std::size_t k = 0; k < count;) {
    const std::size_t end = count - k < sum.terms ? count : k + sum.terms;
    Sum sums[vectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) sums[v].start(folded[v]);
    for (; k < end; ++k) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) {
        const Vec x = load(a[k] + i + kLanes * v), y = load(target.b[k] + i + kLanes * v);
        sums[v].add_product(low_part(x), high_part(x), low_part(y), high_part(y));
      }
    }
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) folded[v] = sums[v].fold(sum);
  }
#pragma GCC unroll 4
  for (std::size_t v = 0; v < vectors; ++v) {
    store(target.result + i + kLanes * v, finish(folded[v], sum));
  }
}

template <std::size_t targets, std::size_t vectors>
HELIODOR_LANES void dot_scalar_at(const Word* const* x, std::size_t count,
                                  const DotScalar60* target, std::size_t terms, std::size_t i) {
  Vec folded[targets][vectors];
#pragma GCC unroll 4
  for (std::size_t t = 0; t < targets; ++t) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) folded[t][v] = _mm512_setzero_si512();
  }
  for (std::size_t k = 0; k < count;) {
    const std::size_t end = count - k < terms ? count : k + terms;
    Sum sums[targets][vectors];
#pragma GCC unroll 4
    for (std::size_t t = 0; t < targets; ++t) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) sums[t][v].start(folded[t][v]);
    }
    for (; k < end; ++k) {
      Vec low[vectors], high[vectors];
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) {
        const Vec source = load(x[k] + i + kLanes * v);
        low[v] = low_part(source);
        high[v] = high_part(source);
      }
#pragma GCC unroll 4
      for (std::size_t t = 0; t < targets; ++t) {
        const Vec factor = broadcast(target[t].factors[k]);
        const Vec factor_low = low_part(factor), factor_high = high_part(factor);
#pragma GCC unroll 4
        for (std::size_t v = 0; v < vectors; ++v) {
          sums[t][v].add_product(low[v], high[v], factor_low, factor_high);
        }
      }
    }
#pragma GCC unroll 4
    for (std::size_t t = 0; t < targets; ++t) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) folded[t][v] = sums[t][v].fold(target[t].sum);
    }
  }
#pragma GCC unroll 4
  for (std::size_t t = 0; t < targets; ++t) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) {
      store(target[t].result + i + kLanes * v, finish(folded[t][v], target[t].sum));
    }
  }
}

template <std::size_t targets>
void dot_scalar_targets(const Word* const* x, std::size_t count, const DotScalar60* target,
                        std::size_t n) noexcept {
  std::size_t terms = target[0].sum.terms;
  for (std::size_t t = 1; t < targets; ++t)
    terms = target[t].sum.terms < terms ? target[t].sum.terms : terms;
  constexpr std::size_t vectors = 2;
  std::size_t i = 0;
  for (; i + vectors * kLanes <= n; i += vectors * kLanes) {
    dot_scalar_at<targets, vectors>(x, count, target, terms, i);
  }
  for (; i < n; i += kLanes) dot_scalar_at<targets, 1>(x, count, target, terms, i);
}

}  // namespace

void dot60(const Dot60& sum, const Word* const* a, std::size_t count, const DotTarget<Word>& target,
           std::size_t n) noexcept {
  constexpr std::size_t vectors = 4;
  std::size_t i = 0;
  for (; i + vectors * kLanes <= n; i += vectors * kLanes)
    dot_at<vectors>(sum, a, count, target, i);
  for (; i < n; i += kLanes) dot_at<1>(sum, a, count, target, i);
}

void dot_scalar60(const Word* const* x, std::size_t count, const DotScalar60* targets,
                  std::size_t target_count, std::size_t n) noexcept {
  switch (target_count) {
    case 1:
      return dot_scalar_targets<1>(x, count, targets, n);
    case 2:
      return dot_scalar_targets<2>(x, count, targets, n);
    case 3:
      return dot_scalar_targets<3>(x, count, targets, n);
    default:
      return dot_scalar_targets<4>(x, count, targets, n);
  }
}

}  // namespace heliodor::cpu::avx512
