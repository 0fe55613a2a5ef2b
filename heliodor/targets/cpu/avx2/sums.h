// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The loops of dot and dot_scalar for any method A of accumulation, which provides
//   Sum, Operand                           constants of a sum; a prepared register of words
//   operand(words)                         prepares one
//   begin()                                an empty sum
//   start()                                empty accumulators, on top of what was folded
//   add_product(x, y)
//   fold(sum)                              empties the accumulators into one folded register
//   finish(sum)                            its canonical residue
#pragma once

#include "heliodor/targets/cpu/avx2/dot.h"
#include "heliodor/targets/cpu/avx2/lanes.h"

namespace heliodor::cpu::avx2 {

template <typename A>
class Sums {
 public:
  using Sum = typename A::Sum;

  template <std::size_t vectors>
  static void dot(const Sum& sum, const Word* const* a, std::size_t count,
                  const DotTarget<Word>& target, std::size_t n) noexcept {
    std::size_t i = 0;
    for (; i + vectors * kLanes <= n; i += vectors * kLanes)
      dot_at<vectors>(sum, a, count, target, i);
    for (; i < n; i += kLanes) dot_at<1>(sum, a, count, target, i);
  }

  /// A tile of `targets` sums by `vectors` registers shares the prepared sources.
  template <std::size_t targets, std::size_t vectors>
  static void dot_scalar(const Word* const* x, std::size_t count, const Target<Sum>* target,
                         std::size_t n) noexcept {
    std::size_t terms = target[0].sum.terms;
    for (std::size_t t = 1; t < targets; ++t)
      terms = target[t].sum.terms < terms ? target[t].sum.terms : terms;
    std::size_t i = 0;
    for (; i + vectors * kLanes <= n; i += vectors * kLanes)
      dot_scalar_at<targets, vectors>(x, count, target, terms, i);
    for (; i < n; i += kLanes) dot_scalar_at<targets, 1>(x, count, target, terms, i);
  }

 private:
  template <std::size_t vectors>
  static HELIODOR_LANES void dot_at(const Sum& sum, const Word* const* a, std::size_t count,
                                    const DotTarget<Word>& target, std::size_t i) {
    A sums[vectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) sums[v].begin();
    for (std::size_t k = 0; k < count;) {
      const std::size_t end = count - k < sum.terms ? count : k + sum.terms;
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) sums[v].start(sum);
      for (; k < end; ++k) {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < vectors; ++v) {
          sums[v].add_product(A::operand(load(a[k] + i + kLanes * v)),
                              A::operand(load(target.b[k] + i + kLanes * v)));
        }
      }
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) sums[v].fold(sum);
    }
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) {
      Vec total = sums[v].finish(sum);
      if (target.addend != nullptr) {
        total = subtract_if_above(add(total, load(target.addend + i + kLanes * v)),
                                  broadcast(static_cast<Word>(sum.q)));
      }
      store(target.result + i + kLanes * v, total);
    }
  }

  template <std::size_t targets, std::size_t vectors>
  static HELIODOR_LANES void dot_scalar_at(const Word* const* x, std::size_t count,
                                           const Target<Sum>* target, std::size_t terms,
                                           std::size_t i) {
    A sums[targets * vectors];
#pragma GCC unroll 4
    for (std::size_t s = 0; s < targets * vectors; ++s) sums[s].begin();
    for (std::size_t k = 0; k < count;) {
      const std::size_t end = count - k < terms ? count : k + terms;
#pragma GCC unroll 4
      for (std::size_t s = 0; s < targets * vectors; ++s) sums[s].start(target[s / vectors].sum);
      for (; k < end; ++k) {
        typename A::Operand source[vectors];
#pragma GCC unroll 4
        for (std::size_t v = 0; v < vectors; ++v)
          source[v] = A::operand(load(x[k] + i + kLanes * v));
#pragma GCC unroll 4
        for (std::size_t t = 0; t < targets; ++t) {
          const typename A::Operand factor = A::operand(broadcast(target[t].factors[k]));
#pragma GCC unroll 4
          for (std::size_t v = 0; v < vectors; ++v)
            sums[t * vectors + v].add_product(source[v], factor);
        }
      }
#pragma GCC unroll 4
      for (std::size_t s = 0; s < targets * vectors; ++s) sums[s].fold(target[s / vectors].sum);
    }
#pragma GCC unroll 4
    for (std::size_t s = 0; s < targets * vectors; ++s) {
      const Target<Sum>& t = target[s / vectors];
      store(t.result + i + kLanes * (s % vectors), sums[s].finish(t.sum));
    }
  }
};

}  // namespace heliodor::cpu::avx2
