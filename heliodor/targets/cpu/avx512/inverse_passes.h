// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The passes of an inverse transform (transform.h) for any arithmetic A, which provides
//   A(const Transform&)                    its constants, broadcast
//   kBound                                 C of reduction_plan.h, or 0 if values never need
//                                          reducing within the passes
//   butterfly(u, v, w, companion)          (u, v) <- (u + v, (u - v)*w)
//   inner_factor(words)                    the factors of eight blocks, from kInnerWords words
//   reduce(x)                              only for kBound > 0: below 2q
//   scale(x, w, companion)                 x*w, as a product of butterfly
//   leave(x)                               the canonical residue of a product
#pragma once

#include <cstring>

#include "heliodor/targets/cpu/avx512/lanes.h"
#include "heliodor/targets/cpu/avx512/reduction_plan.h"
#include "heliodor/targets/cpu/avx512/transform.h"
#include "heliodor/targets/cpu/avx512/transpose.h"

namespace heliodor::cpu::avx512 {

template <typename A>
class InversePasses {
 public:
  static void run(const Transform& transform, const LastStage& last, const Word* in,
                  Word* out) noexcept {
    InversePasses(transform, last).blocks(0, in, out, transform.degree, 0, 1);
  }

 private:
  InversePasses(const Transform& transform, const LastStage& last) : t_(transform), last_(last) {}

  static constexpr unsigned kPlanBound = A::kBound == 0 ? 64 : A::kBound;
  static constexpr unsigned kSteady = steady_bound<kPlanBound>();  // between passes, in units of q

  // Registers i and i + R/2 are done when finish(i, i + R/2) is called.
  template <unsigned log_radix, bool inner, unsigned enter, unsigned leave, typename Finish>
  static HELIODOR_LANES void stages(const A& a, Vec* x, const Word* twiddles, Finish finish) {
    constexpr unsigned radix = 1u << log_radix;
    static constexpr ReductionPlan<log_radix, kPlanBound, enter, leave> plan;
#pragma GCC unroll 4
    for (int s = static_cast<int>(log_radix) - 1; s >= 0; --s) {
      const auto stage = static_cast<unsigned>(s);
      if constexpr (A::kBound > 0) {
#pragma GCC unroll 16
        for (unsigned i = 0; i < radix; ++i) {
          if (plan.before[stage][i]) x[i] = a.reduce(x[i]);
        }
      }
      const unsigned half = radix >> (s + 1);
#pragma GCC unroll 8
      for (unsigned g = 0; g < (1u << s); ++g) {
        const unsigned number = (1u << s) - 1 + g;
        const Factor f =
            inner ? a.inner_factor(twiddles + A::kInnerWords * number)
                  : Factor{broadcast(twiddles[2 * number]), broadcast(twiddles[2 * number + 1])};
#pragma GCC unroll 8
        for (unsigned j = 0; j < half; ++j) {
          const unsigned u = 2 * half * g + j, v = u + half;
          a.butterfly(x[u], x[v], f.w, f.companion, plan.bias[stage][u], plan.start[stage][v]);
          if (s > 0) continue;
          if constexpr (A::kBound > 0) {
            if (plan.at_exit[u]) x[u] = a.reduce(x[u]);
            if (plan.at_exit[v]) x[v] = a.reduce(x[v]);
          }
          finish(u, v);
        }
      }
    }
  }

  // Canonical words in standard order come in, so they are below 1*q.
  template <unsigned log_radix>
  static void inner_pass(const Transform& t, const Word* twiddles, const Word* in, Word* out,
                         std::size_t length) noexcept {
    constexpr unsigned radix = 1u << log_radix;
    const A a(t);
    for (std::size_t i = 0; i < length;
         i += kLanes * radix, twiddles += A::kInnerWords * (radix - 1)) {
      Vec x[radix];
#pragma GCC unroll 2
      for (unsigned column = 0; column < radix; column += 8)
        transpose_load(x + column, in + i + column, radix);
#pragma GCC unroll 16
      for (unsigned k = 0; k < radix; ++k) prefetch(in + i + kLanes * k + kNearWords);
#pragma GCC unroll 32
      for (unsigned k = 0; k < A::kInnerWords * radix; k += kLanes)
        prefetch(twiddles + k + kNearWords);
      stages<log_radix, true, 1, kSteady>(a, x, twiddles,
                                          [](unsigned, unsigned) __attribute__((always_inline)){});
#pragma GCC unroll 2
      for (unsigned column = 0; column < radix; column += 8)
        transpose_store(x + column, out + i + column, radix);
    }
  }

  template <unsigned log_radix>
  static void strided_pass(const Transform& t, const Word* twiddles, Word* words,
                           std::size_t stride, std::size_t count) noexcept {
    constexpr unsigned radix = 1u << log_radix;
    const A a(t);
    for (std::size_t block = 0; block < count; ++block) {
      for (std::size_t j = 0; j < stride; j += kLanes) {
        Vec x[radix];
#pragma GCC unroll 16
        for (unsigned i = 0; i < radix; ++i) x[i] = load(words + j + i * stride);
        stages<log_radix, false, kSteady, kSteady>(
            a, x, twiddles, [&](unsigned u, unsigned v) __attribute__((always_inline)) {
              store(words + j + u * stride, x[u]);
              store(words + j + v * stride, x[v]);
            });
      }
      twiddles += 2 * (radix - 1);
      words += radix * stride;
    }
  }

  // The pass whose final stage ends the transform: the scale rides on that stage's twiddle factor,
  // the sums are multiplied by it here. That also makes reductions at exit unnecessary: sums of two
  // bounds of at most C are below 2C*q <= M.
  template <unsigned log_radix>
  static void last_pass(const Transform& t, const LastStage& last, const Word* twiddles,
                        Word* words, std::size_t stride) noexcept {
    constexpr unsigned radix = 1u << log_radix;
    const A a(t);
    Word scaled[2 * (radix - 1)];
    std::memcpy(scaled, twiddles, sizeof(scaled));
    scaled[0] = last.product;
    scaled[1] = last.product_companion;
    const Vec sum = broadcast(last.sum), sum_companion = broadcast(last.sum_companion);
    for (std::size_t j = 0; j < stride; j += kLanes) {
      Vec x[radix];
#pragma GCC unroll 16
      for (unsigned i = 0; i < radix; ++i) x[i] = load(words + j + i * stride);
      stages<log_radix, false, kSteady, 2 * kPlanBound>(
          a, x, scaled, [&](unsigned u, unsigned v) __attribute__((always_inline)) {
            store(words + j + u * stride, a.leave(a.scale(x[u], sum, sum_companion)));
            store(words + j + v * stride, a.leave(x[v]));
          });
    }
  }

  // The mirror image of ForwardPasses::blocks: sub-blocks first, then the strided pass that joins
  // them.
  void blocks(unsigned depth, const Word* in, Word* out, std::size_t length, std::size_t first,
              std::size_t count) const noexcept {
    const Pass& pass = t_.passes[depth];
    const bool wide = pass.log_radix == 4;
    const std::size_t radix = std::size_t{1} << pass.log_radix;
    const std::size_t stride = length / radix;
    if (depth + 2 == t_.pass_count) {
      inner_blocks(in, out, length, first, count);
    } else if (length * count <= kNearWords) {
      blocks(depth + 1, in, out, stride, first * radix, count * radix);
    } else {
      for (std::size_t i = 0; i < count * radix; ++i) {
        blocks(depth + 1, in + i * stride, out + i * stride, stride, first * radix + i, 1);
      }
    }
    const Word* twiddles = pass.twiddles + first * 2 * (radix - 1);
    if (depth == 0) {
      (wide ? last_pass<4> : last_pass<3>)(t_, last_, twiddles, out, stride);
    } else {
      (wide ? strided_pass<4> : strided_pass<3>)(t_, twiddles, out, stride, count);
    }
  }

  void inner_blocks(const Word* in, Word* out, std::size_t length, std::size_t first,
                    std::size_t count) const noexcept {
    const Pass& pass = t_.passes[t_.pass_count - 1];
    const std::size_t radix = std::size_t{1} << pass.log_radix;
    const std::size_t first_group = first * length / (kLanes * radix);
    const Word* twiddles = pass.twiddles + first_group * A::kInnerWords * (radix - 1);
    (pass.log_radix == 4 ? inner_pass<4> : inner_pass<3>)(t_, twiddles, in, out, length * count);
  }

  const Transform& t_;
  const LastStage& last_;
};

}  // namespace heliodor::cpu::avx512
