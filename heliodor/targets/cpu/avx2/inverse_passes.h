// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The passes of an inverse transform (transform.h) for any arithmetic A, which provides
//   A(const Transform&)                    its constants, broadcast
//   kBits                                  `bits` of reduction_plan.h, or 0 if values never need
//                                          reducing
//   from_word(x)                           a register of canonical words
//   butterfly(u, v, w, companion)          (u, v) <- (u + v, (u - v)*w)
//   reduce(x)                              only for kBits > 0
//   scale(x, w, companion)                 x*w, as a product of butterfly
//   leave(x)                               the canonical words of products
#pragma once

#include <cstring>

#include "heliodor/targets/cpu/avx2/lanes.h"
#include "heliodor/targets/cpu/avx2/reduction_plan.h"
#include "heliodor/targets/cpu/avx2/transform.h"
#include "heliodor/targets/cpu/avx2/transpose.h"

namespace heliodor::cpu::avx2 {

template <typename A>
class InversePasses {
 public:
  static void run(const Transform& transform, const LastStage& last, const Word* in,
                  Word* out) noexcept {
    InversePasses(transform, last).block(transform.passes, in, out, transform.degree, 0);
  }

 private:
  static constexpr std::size_t kLevelWords = 1024;  // a quarter of L1, with its twiddle factors

  InversePasses(const Transform& transform, const LastStage& last)
      : t_(transform), last_(last), inner_(transform.passes + transform.pass_count - 1) {}

  static constexpr unsigned kPlanBits = A::kBits == 0 ? 47 : A::kBits;
  static constexpr unsigned kSteady = steady_bound<kPlanBits>();  // between passes

  template <unsigned log_radix, bool inner, unsigned enter, unsigned leave>
  static HELIODOR_LANES void stages(const A& a, Vec* x, const Word* twiddles) {
    constexpr unsigned radix = 1u << log_radix;
    static constexpr ReductionPlan<log_radix, kPlanBits, enter, leave> plan;
#pragma GCC unroll 3
    for (int s = static_cast<int>(log_radix) - 1; s >= 0; --s) {
      if constexpr (A::kBits > 0) {
#pragma GCC unroll 8
        for (unsigned i = 0; i < radix; ++i) {
          if (plan.before[static_cast<unsigned>(s)][i]) x[i] = a.reduce(x[i]);
        }
      }
      const unsigned half = radix >> (s + 1);
#pragma GCC unroll 4
      for (unsigned g = 0; g < (1u << s); ++g) {
        const unsigned number = (1u << s) - 1 + g;
        const Word* pair = twiddles + (inner ? 2 * kLanes : 2) * number;
        const Vec w = inner ? load(pair) : broadcast(pair[0]);
        const Vec companion = inner ? load(pair + kLanes) : broadcast(pair[1]);
#pragma GCC unroll 4
        for (unsigned j = 0; j < half; ++j)
          a.butterfly(x[2 * half * g + j], x[2 * half * g + half + j], w, companion);
      }
    }
    if constexpr (A::kBits > 0) {
#pragma GCC unroll 8
      for (unsigned i = 0; i < radix; ++i) {
        if (plan.at_exit[i]) x[i] = a.reduce(x[i]);
      }
    }
  }

  // Canonical words in standard order come in, so they are below q.
  template <unsigned log_radix>
  static void inner_pass(const Transform& t, const Word* twiddles, const Word* in, Word* out,
                         std::size_t length) noexcept {
    constexpr unsigned radix = 1u << log_radix;
    const A a(t);
    for (std::size_t i = 0; i < length; i += kLanes * radix, twiddles += 2 * kLanes * (radix - 1)) {
      Vec x[radix];
#pragma GCC unroll 2
      for (unsigned column = 0; column < radix; column += kLanes)
        transpose_load(x + column, in + i + column, radix);
#pragma GCC unroll 8
      for (unsigned k = 0; k < radix; ++k) x[k] = a.from_word(x[k]);
      stages<log_radix, true, kUnits, kSteady>(a, x, twiddles);
#pragma GCC unroll 2
      for (unsigned column = 0; column < radix; column += kLanes)
        transpose_store(x + column, out + i + column, radix);
    }
  }

  // `blocks` consecutive blocks of the same level.
  template <unsigned log_radix>
  static void strided_pass(const Transform& t, const Word* twiddles, Word* words,
                           std::size_t stride, std::size_t blocks) noexcept {
    constexpr unsigned radix = 1u << log_radix;
    const A a(t);
    for (std::size_t b = 0; b < blocks; ++b, twiddles += 2 * (radix - 1)) {
      for (std::size_t j = 0; j < stride; j += kLanes) {
        Vec x[radix];
#pragma GCC unroll 8
        for (unsigned i = 0; i < radix; ++i) x[i] = load(words + j + i * stride);
        stages<log_radix, false, kSteady, kSteady>(a, x, twiddles);
#pragma GCC unroll 8
        for (unsigned i = 0; i < radix; ++i) store(words + j + i * stride, x[i]);
      }
      words += radix * stride;
    }
  }

  // The pass whose final stage ends the transform: the scale rides on that stage's twiddle factor,
  // the sums, which may be as large as any multiplicand, are multiplied by it here.
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
#pragma GCC unroll 8
      for (unsigned i = 0; i < radix; ++i) x[i] = load(words + j + i * stride);
      stages<log_radix, false, kSteady, largest_factor(kPlanBits)>(a, x, scaled);
#pragma GCC unroll 4
      for (unsigned i = 0; i < radix / 2; ++i) x[i] = a.scale(x[i], sum, sum_companion);
#pragma GCC unroll 8
      for (unsigned i = 0; i < radix; ++i) store(words + j + i * stride, a.leave(x[i]));
    }
  }

  // Consecutive blocks of the level that the strided pass joins, the first with number `number`.
  void strided(const Pass* pass, Word* words, std::size_t length, std::size_t number,
               std::size_t blocks) const noexcept {
    const bool wide = pass->log_radix == 3;
    const Word* twiddles = pass->twiddles + number * 2 * ((std::size_t{1} << pass->log_radix) - 1);
    const std::size_t stride = length >> pass->log_radix;
    if (pass == t_.passes) {
      (wide ? last_pass<3> : last_pass<2>)(t_, last_, twiddles, words, stride);
    } else {
      (wide ? strided_pass<3> : strided_pass<2>)(t_, twiddles, words, stride, blocks);
    }
  }

  // A block up to its strided pass: sub-blocks first; within L1 whole passes follow each other.
  void block(const Pass* pass, const Word* in, Word* out, std::size_t length,
             std::size_t number) const noexcept {
    const std::size_t radix = std::size_t{1} << pass->log_radix, stride = length / radix;
    if (length > kLevelWords && pass + 1 != inner_) {
      for (std::size_t i = 0; i < radix; ++i) {
        block(pass + 1, in + i * stride, out + i * stride, stride, number * radix + i);
      }
    } else {
      std::size_t blocks = length >> inner_->log_radix;
      inner_block(in, out, length, number * blocks);
      for (const Pass* later = inner_ - 1; later != pass; --later) {
        blocks >>= later->log_radix;
        strided(later, out, length / blocks, number * blocks, blocks);
      }
    }
    strided(pass, out, length, number, 1);
  }

  // The inner pass on the blocks from `number` on, four together.
  void inner_block(const Word* in, Word* out, std::size_t length,
                   std::size_t number) const noexcept {
    const std::size_t radix = std::size_t{1} << inner_->log_radix;
    const Word* twiddles = inner_->twiddles + number * 2 * (radix - 1);
    (inner_->log_radix == 3 ? inner_pass<3> : inner_pass<2>)(t_, twiddles, in, out, length);
  }

  const Transform& t_;
  const LastStage& last_;
  const Pass* inner_;
};

}  // namespace heliodor::cpu::avx2
