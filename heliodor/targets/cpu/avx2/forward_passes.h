// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The passes of a forward transform (transform.h) for any arithmetic A, which provides
//   A(const Transform&)                    its constants, broadcast
//   from_word(x)                           a register of canonical words
//   enter(x)                               a register of the u half when a later pass begins
//   butterfly(u, y, w, companion)          (u, y) <- (u + w*y, u - w*y)
//   leave(x)                               the canonical words of an output
#pragma once

#include "heliodor/targets/cpu/avx2/lanes.h"
#include "heliodor/targets/cpu/avx2/transform.h"
#include "heliodor/targets/cpu/avx2/transpose.h"

namespace heliodor::cpu::avx2 {

template <typename A>
class ForwardPasses {
 public:
  static void run(const Transform& transform, const Word* in, Word* out) noexcept {
    ForwardPasses(transform).block(transform.passes, in, out, transform.degree, 0);
  }

 private:
  static constexpr std::size_t kLevelWords = 1024;  // a quarter of L1, with its twiddle factors

  explicit ForwardPasses(const Transform& transform)
      : t_(transform), inner_(transform.passes + transform.pass_count - 1) {}

  // log_radix stages on x[0 .. R). Twiddle number 2^s - 1 + g belongs to group g of stage s.
  template <unsigned log_radix, bool inner>
  static HELIODOR_LANES void stages(const A& a, Vec* x, const Word* twiddles) {
    constexpr unsigned radix = 1u << log_radix;
#pragma GCC unroll 3
    for (unsigned s = 0; s < log_radix; ++s) {
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
  }

  // `blocks` consecutive blocks of the same level.
  template <unsigned log_radix, bool first>
  static void strided_pass(const Transform& t, const Word* twiddles, const Word* in, Word* out,
                           std::size_t stride, std::size_t blocks) noexcept {
    constexpr unsigned radix = 1u << log_radix;
    const A a(t);
    for (std::size_t b = 0; b < blocks; ++b, twiddles += 2 * (radix - 1)) {
      for (std::size_t j = 0; j < stride; j += kLanes) {
        Vec x[radix];
#pragma GCC unroll 8
        for (unsigned i = 0; i < radix; ++i) {
          x[i] = load(in + j + i * stride);
          if constexpr (first) x[i] = a.from_word(x[i]);
          if (!first && i < radix / 2) x[i] = a.enter(x[i]);
        }
        stages<log_radix, false>(a, x, twiddles);
#pragma GCC unroll 8
        for (unsigned i = 0; i < radix; ++i) store(out + j + i * stride, x[i]);
      }
      in += radix * stride;
      out += radix * stride;
    }
  }

  template <unsigned log_radix>
  static void inner_pass(const Transform& t, const Word* twiddles, Word* words,
                         std::size_t length) noexcept {
    constexpr unsigned radix = 1u << log_radix;
    const A a(t);
    for (std::size_t i = 0; i < length; i += kLanes * radix, twiddles += 2 * kLanes * (radix - 1)) {
      Vec x[radix];
#pragma GCC unroll 2
      for (unsigned column = 0; column < radix; column += kLanes)
        transpose_load(x + column, words + i + column, radix);
#pragma GCC unroll 4
      for (unsigned k = 0; k < radix / 2; ++k) x[k] = a.enter(x[k]);
      stages<log_radix, true>(a, x, twiddles);
#pragma GCC unroll 8
      for (unsigned k = 0; k < radix; ++k) x[k] = a.leave(x[k]);
#pragma GCC unroll 2
      for (unsigned column = 0; column < radix; column += kLanes)
        transpose_store(x + column, words + i + column, radix);
    }
  }

  // Consecutive blocks of the level that the strided pass starts from, the first with number
  // `number`.
  void strided(const Pass* pass, const Word* in, Word* out, std::size_t length, std::size_t number,
               std::size_t blocks) const noexcept {
    const bool wide = pass->log_radix == 3;
    const Word* twiddles = pass->twiddles + number * 2 * ((std::size_t{1} << pass->log_radix) - 1);
    const std::size_t stride = length >> pass->log_radix;
    if (pass == t_.passes) {
      (wide ? strided_pass<3, true> : strided_pass<2, true>)(t_, twiddles, in, out, stride, blocks);
    } else {
      (wide ? strided_pass<3, false> : strided_pass<2, false>)(t_, twiddles, in, out, stride,
                                                               blocks);
    }
  }

  // A block from its strided pass on. Each of its sub-blocks is finished before the next begins, so
  // that it stays in the nearest cache that holds it; within L1 whole passes follow each other.
  void block(const Pass* pass, const Word* in, Word* out, std::size_t length,
             std::size_t number) const noexcept {
    strided(pass, in, out, length, number, 1);
    const std::size_t radix = std::size_t{1} << pass->log_radix, stride = length / radix;
    if (length > kLevelWords && pass + 1 != inner_) {
      for (std::size_t i = 0; i < radix; ++i) {
        block(pass + 1, out + i * stride, out + i * stride, stride, number * radix + i);
      }
      return;
    }
    std::size_t blocks = radix;
    for (++pass, number *= radix; pass != inner_; ++pass) {
      strided(pass, out, out, length / blocks, number, blocks);
      blocks <<= pass->log_radix;
      number <<= pass->log_radix;
    }
    inner_block(out, length, number);
  }

  // The inner pass on the blocks from `number` on, four together.
  void inner_block(Word* words, std::size_t length, std::size_t number) const noexcept {
    const std::size_t radix = std::size_t{1} << inner_->log_radix;
    const Word* twiddles = inner_->twiddles + number * 2 * (radix - 1);
    (inner_->log_radix == 3 ? inner_pass<3> : inner_pass<2>)(t_, twiddles, words, length);
  }

  const Transform& t_;
  const Pass* inner_;
};

}  // namespace heliodor::cpu::avx2
