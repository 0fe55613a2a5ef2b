// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ranges. A term adds less than 2^52 to the low accumulator and at most max_high to the high one.
// After K terms on top of a canonical word the sum is high*M + low with low < (K+1)*M; carrying
// low's upper bits over gives high' <= K*max_high + K + 1, which must stay below M:
// KernelModulus::terms_52 gives that K.
//
// Reduction: high'*(M mod q) by Shoup's product on top of low' reduced by Barrett: below 2q + 2q =
// 4q <= M.
#include "heliodor/targets/cpu/avx512/dot52.h"

#include "heliodor/targets/cpu/avx512/lanes.h"

namespace heliodor::cpu::avx512 {
namespace {

HELIODOR_LANES Vec finish(Vec low, Vec high, const Dot52& sum) {
  const Constants c(sum.q, sum.mu);
  const Vec carried = add(high, _mm512_srli_epi64(low, kWordBits));
  const Vec estimate = mul_high(c.zero, carried, broadcast(sum.carry_companion));
  const Vec total = mul_low(mul_low(reduce(low, c.zero, c), carried, broadcast(sum.carry)),
                            estimate, c.negative_q);
  return subtract_if_above(subtract_if_above(low_52(total), c.two_q), c.q);
}

template <std::size_t targets, std::size_t vectors>
HELIODOR_LANES void clear(Vec (&x)[targets][vectors]) {
#pragma GCC unroll 4
  for (std::size_t t = 0; t < targets; ++t) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) x[t][v] = _mm512_setzero_si512();
  }
}

// A tile of `targets` sums by `vectors` registers at word i.
template <std::size_t targets, std::size_t vectors, typename Second>
HELIODOR_LANES void dot_at(const Dot52& sum, const Word* const* a, std::size_t count,
                           const DotTarget<Second>* target, std::size_t i) {
  Vec low[targets][vectors], high[targets][vectors];
  clear(low);
#pragma GCC unroll 2
  for (std::size_t t = 0; t < targets; ++t) {
    if (target[t].addend == nullptr) continue;
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) low[t][v] = load(target[t].addend + i + kLanes * v);
  }
  for (std::size_t k = 0; k < count;) {
    const std::size_t end = count - k < sum.terms ? count : k + sum.terms;
    clear(high);
    for (; k < end; ++k) {
      Vec x[vectors];
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) {
        x[v] = load(a[k] + i + kLanes * v);
        prefetch(a[k] + i + kLanes * v + kPrefetchWords);
      }
#pragma GCC unroll 2
      for (std::size_t t = 0; t < targets; ++t) {
        const Second* b = target[t].b[k] + i;
#pragma GCC unroll 4
        for (std::size_t v = 0; v < vectors; ++v) {
          const Vec y = load(b + kLanes * v);
          prefetch(b + kLanes * v + kPrefetchWords);
          low[t][v] = mul_low(low[t][v], x[v], y);
          high[t][v] = mul_high(high[t][v], x[v], y);
        }
      }
    }
#pragma GCC unroll 2
    for (std::size_t t = 0; t < targets; ++t) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) low[t][v] = finish(low[t][v], high[t][v], sum);
    }
  }
#pragma GCC unroll 2
  for (std::size_t t = 0; t < targets; ++t) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) store(target[t].result + i + kLanes * v, low[t][v]);
  }
}

// Terms k to end - 1 of a tile of `targets` sums by `vectors` registers: each source register feeds
// two IFMA per target.
template <std::size_t targets, std::size_t vectors>
HELIODOR_LANES void add_terms(const Word* const* x, std::size_t k, std::size_t end,
                              const DotScalar52* target, std::size_t i,
                              Vec (&low)[targets][vectors], Vec (&high)[targets][vectors]) {
  for (; k < end; ++k) {
    Vec source[vectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) {
      source[v] = load(x[k] + i + kLanes * v);
      prefetch(x[k] + i + kLanes * v + kPrefetchWords);
    }
#pragma GCC unroll 4
    for (std::size_t t = 0; t < targets; ++t) {
      const Vec factor = broadcast(target[t].factors[k]);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) {
        low[t][v] = mul_low(low[t][v], source[v], factor);
        high[t][v] = mul_high(high[t][v], source[v], factor);
      }
    }
  }
}

// Tiles of any sum: reduced when the accumulators are full.
struct Long {
  template <std::size_t targets, std::size_t vectors>
  static HELIODOR_LANES void sum(const Word* const* x, std::size_t count, const DotScalar52* target,
                                 std::size_t i, Vec (&low)[targets][vectors]) {
    const std::size_t terms = target[0].sum.terms;
    Vec high[targets][vectors];
    for (std::size_t k = 0; k < count; k += terms) {
      clear(high);
      add_terms(x, k, count - k < terms ? count : k + terms, target, i, low, high);
#pragma GCC unroll 4
      for (std::size_t t = 0; t < targets; ++t) {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < vectors; ++v)
          low[t][v] = finish(low[t][v], high[t][v], target[t].sum);
      }
    }
  }
};

// Tiles of sums in which the words of all x[k] together are at most M, whose factors carry M. The
// sum A = high*M + low of words and residues is at most M*q, and m = -A/q mod M makes A + m*q a
// multiple of M, below M*2q.
struct Short {
  template <std::size_t targets, std::size_t vectors>
  static HELIODOR_LANES void sum(const Word* const* x, std::size_t count, const DotScalar52* target,
                                 std::size_t i, Vec (&low)[targets][vectors]) {
    Vec high[targets][vectors];
    clear(high);
    add_terms(x, 0, count, target, i, low, high);
#pragma GCC unroll 4
    for (std::size_t t = 0; t < targets; ++t) {
      const Vec q = broadcast(target[t].sum.q), factor = broadcast(target[t].montgomery);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) {
        const Vec m = mul_low(_mm512_setzero_si512(), low[t][v], factor);
        const Vec carry = _mm512_srli_epi64(mul_low(low[t][v], m, q), kWordBits);
        low[t][v] = subtract_if_above(add(mul_high(high[t][v], m, q), carry), q);
      }
    }
  }
};

template <typename Sum, std::size_t targets, std::size_t vectors>
HELIODOR_LANES void dot_scalar_at(const Word* const* x, std::size_t count,
                                  const DotScalar52* target, std::size_t i) {
  Vec low[targets][vectors];
  clear(low);
  Sum::sum(x, count, target, i, low);
#pragma GCC unroll 4
  for (std::size_t t = 0; t < targets; ++t) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) store(target[t].result + i + kLanes * v, low[t][v]);
  }
}

template <typename Sum, std::size_t targets>
void dot_scalar_targets(const Word* const* x, std::size_t count, const DotScalar52* target,
                        std::size_t n) noexcept {
  // Independent accumulators hide the latency of IFMA.
  constexpr std::size_t vectors = targets == 1 ? 4 : 2;
  std::size_t i = 0;
  for (; i + vectors * kLanes <= n; i += vectors * kLanes)
    dot_scalar_at<Sum, targets, vectors>(x, count, target, i);
  for (; i < n; i += kLanes) dot_scalar_at<Sum, targets, 1>(x, count, target, i);
}

template <typename Sum>
void dot_scalars(const Word* const* x, std::size_t count, const DotScalar52* targets,
                 std::size_t target_count, std::size_t n) noexcept {
  switch (target_count) {
    case 1:
      return dot_scalar_targets<Sum, 1>(x, count, targets, n);
    case 2:
      return dot_scalar_targets<Sum, 2>(x, count, targets, n);
    case 3:
      return dot_scalar_targets<Sum, 3>(x, count, targets, n);
    default:
      return dot_scalar_targets<Sum, 4>(x, count, targets, n);
  }
}

template <std::size_t targets, typename Second>
void dot_targets(const Dot52& sum, const Word* const* a, std::size_t count,
                 const DotTarget<Second>* target, std::size_t n) noexcept {
  constexpr std::size_t vectors = targets == 1 ? 4 : 2;
  std::size_t i = 0;
  for (; i + vectors * kLanes <= n; i += vectors * kLanes)
    dot_at<targets, vectors>(sum, a, count, target, i);
  for (; i < n; i += kLanes) dot_at<targets, 1>(sum, a, count, target, i);
}

}  // namespace

void dot52(const Dot52& sum, const Word* const* a, std::size_t count,
           const DotTarget<Word>* targets, std::size_t target_count, std::size_t n) noexcept {
  (target_count == 1 ? dot_targets<1, Word> : dot_targets<2, Word>)(sum, a, count, targets, n);
}

void dot52_packed(const Dot52& sum, const Word* const* a, std::size_t count,
                  const DotTarget<std::uint32_t>* targets, std::size_t target_count,
                  std::size_t n) noexcept {
  (target_count == 1 ? dot_targets<1, std::uint32_t> : dot_targets<2, std::uint32_t>)(sum, a, count,
                                                                                      targets, n);
}

void dot_scalar52(const Word* const* x, std::size_t count, const DotScalar52* targets,
                  std::size_t target_count, std::size_t n) noexcept {
  dot_scalars<Long>(x, count, targets, target_count, n);
}

void dot_scalar52_short(const Word* const* x, std::size_t count, const DotScalar52* targets,
                        std::size_t target_count, std::size_t n) noexcept {
  dot_scalars<Short>(x, count, targets, target_count, n);
}

}  // namespace heliodor::cpu::avx512
