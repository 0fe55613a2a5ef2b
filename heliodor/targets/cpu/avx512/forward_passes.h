// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The passes of a forward transform (transform.h) for any arithmetic A, which provides
//   A(const Transform&)                    its constants, broadcast
//   enter<entry>(x, bias)                  a register of the u half when a pass begins
//   butterfly(u, y, w, companion)          (u, y) <- (u + w*y, u - w*y)
//   inner_factor(words)                    the factors of eight blocks, from kInnerWords words
//   leave(x)                               the canonical residue of an output
#pragma once

#include "heliodor/targets/cpu/avx512/lanes.h"
#include "heliodor/targets/cpu/avx512/transform.h"
#include "heliodor/targets/cpu/avx512/transpose.h"

namespace heliodor::cpu::avx512 {

template <typename A>
class ForwardPasses {
 public:
  /// `canonical`: whether outputs are passed through leave().
  static void run(const Transform& transform, const Ahead& ahead, const Word* in, Word* out,
                  bool canonical) noexcept {
    ForwardPasses(transform, ahead, canonical).blocks(0, in, out, transform.degree, 0, 1);
  }

  /// The first pass is one that adds a bias.
  static void run_lifted(const Transform& transform, const NearLift& lift, const Ahead& ahead,
                         const Word* in, Word* out, bool canonical) noexcept {
    const Pass& pass = transform.passes[0];
    const std::size_t stride = transform.degree >> pass.log_radix;
    (pass.log_radix == 4 ? first_pass_lifted<4> : first_pass_lifted<3>)(transform, lift, in, out,
                                                                        stride);
    ForwardPasses(transform, ahead, canonical).after_strided(0, out, transform.degree, 0, 1);
  }

 private:
  ForwardPasses(const Transform& transform, const Ahead& ahead, bool canonical)
      : t_(transform), ahead_(ahead), canonical_(canonical) {}

  // log_radix stages on x[0 .. R). Twiddle number 2^s - 1 + g belongs to group g of stage s.
  // Registers i and i + 1 are done when finish(i) is called.
  template <unsigned log_radix, bool inner, typename Finish>
  static HELIODOR_LANES void stages(const A& a, Vec* x, const Word* twiddles, Finish finish) {
    constexpr unsigned radix = 1u << log_radix;
#pragma GCC unroll 4
    for (unsigned s = 0; s < log_radix; ++s) {
      const unsigned half = radix >> (s + 1);
#pragma GCC unroll 8
      for (unsigned g = 0; g < (1u << s); ++g) {
        const unsigned number = (1u << s) - 1 + g;
        const Factor f =
            inner ? a.inner_factor(twiddles + A::kInnerWords * number)
                  : Factor{broadcast(twiddles[2 * number]), broadcast(twiddles[2 * number + 1])};
#pragma GCC unroll 8
        for (unsigned j = 0; j < half; ++j)
          a.butterfly(x[2 * half * g + j], x[2 * half * g + half + j], f.w, f.companion);
        if (half == 1) finish(2 * g);
      }
    }
  }

  // One block of radix * stride words, whose registers load_words(address) gives.
  template <unsigned log_radix, Entry entry, typename LoadWords>
  static HELIODOR_LANES void strided_block(const A& a, Vec bias, const Word* twiddles,
                                           const Word* in, Word* out, std::size_t stride,
                                           LoadWords load_words) {
    constexpr unsigned radix = 1u << log_radix;
    // A limb that comes from far away; one that fits the nearest cache is soon there.
    const bool far = entry == Entry::add_bias && radix * stride > kNearWords;
    for (std::size_t j = 0; j < stride; j += kLanes) {
      Vec x[radix];
#pragma GCC unroll 16
      for (unsigned i = 0; i < radix; ++i) x[i] = load_words(in + j + i * stride);
      if (far) {
#pragma GCC unroll 16
        for (unsigned i = 0; i < radix; ++i) prefetch(in + j + i * stride + 16 * kLanes);
      }
#pragma GCC unroll 8
      for (unsigned i = 0; i < radix / 2; ++i) x[i] = a.template enter<entry>(x[i], bias);
      stages<log_radix, false>(
          a, x, twiddles, [&](unsigned i) __attribute__((always_inline)) {
            store(out + j + i * stride, x[i]);
            store(out + j + (i + 1) * stride, x[i + 1]);
          });
    }
  }

  // `count` neighbouring blocks, each with twiddles of its own.
  template <unsigned log_radix, Entry entry>
  static void strided_pass(const Transform& t, const Pass& pass, const Word* twiddles,
                           const Word* in, Word* out, std::size_t stride,
                           std::size_t count) noexcept {
    constexpr unsigned radix = 1u << log_radix;
    const A a(t);
    const Vec bias = broadcast(pass.bias);
    for (std::size_t block = 0; block < count; ++block) {
      strided_block<log_radix, entry>(
          a, bias, twiddles, in, out, stride,
          [](const Word* p) __attribute__((always_inline)) { return load(p); });
      twiddles += 2 * (radix - 1);
      in += radix * stride;
      out += radix * stride;
    }
  }

  template <unsigned log_radix>
  static void first_pass_lifted(const Transform& t, const NearLift& lift, const Word* in, Word* out,
                                std::size_t stride) noexcept {
    const A a(t);
    const Pass& pass = t.passes[0];
    const Vec half = broadcast(lift.half), shift = broadcast(lift.shift);
    strided_block<log_radix, Entry::add_bias>(
        a, broadcast(pass.bias), pass.twiddles, in, out,
        stride, [&](const Word* p) __attribute__((always_inline)) {
          return a.lift(load(p), half, shift);
        });
  }

  template <unsigned log_radix, Entry entry, bool canonical>
  static void inner_pass(const Transform& t, const Pass& pass, const Word* twiddles,
                         const Ahead& ahead, std::size_t first_word, Word* words,
                         std::size_t length) noexcept {
    constexpr unsigned radix = 1u << log_radix;
    const A a(t);
    const Vec bias = broadcast(pass.bias);
    for (std::size_t i = 0; i < length;
         i += kLanes * radix, twiddles += A::kInnerWords * (radix - 1)) {
      Vec x[radix];
#pragma GCC unroll 2
      for (unsigned column = 0; column < radix; column += 8)
        transpose_load(x + column, words + i + column, radix);
#pragma GCC unroll 8
      for (unsigned k = 0; k < radix / 2; ++k) x[k] = a.template enter<entry>(x[k], bias);
#pragma GCC unroll 32
      for (unsigned k = 0; k < A::kInnerWords * radix; k += kLanes)
        prefetch(twiddles + k + kNearWords);
      for (std::size_t k = 0; k < ahead.count; ++k) {
        const std::size_t bytes = ahead.word_bytes[k];
        const char* limb = static_cast<const char*>(ahead.limbs[k]) + (first_word + i) * bytes;
        for (std::size_t b = 0; b < kLanes * radix * bytes; b += kLineBytes) prefetch(limb + b);
      }
      stages<log_radix, true>(a, x, twiddles, [](unsigned) __attribute__((always_inline)){});
      if constexpr (canonical) {
#pragma GCC unroll 16
        for (unsigned k = 0; k < radix; ++k) x[k] = a.leave(x[k]);
      }
#pragma GCC unroll 2
      for (unsigned column = 0; column < radix; column += 8)
        transpose_store(x + column, words + i + column, radix);
    }
  }

  using StridedPass = void (*)(const Transform&, const Pass&, const Word*, const Word*, Word*,
                               std::size_t, std::size_t) noexcept;
  using InnerPass = void (*)(const Transform&, const Pass&, const Word*, const Ahead&, std::size_t,
                             Word*, std::size_t) noexcept;

  template <unsigned log_radix>
  static StridedPass strided(Entry entry) {
    switch (entry) {
      case Entry::none:
        return strided_pass<log_radix, Entry::none>;
      case Entry::add_bias:
        return strided_pass<log_radix, Entry::add_bias>;
      default:
        return strided_pass<log_radix, Entry::reduce>;
    }
  }

  // The inner pass is never the first, so it never adds the bias.
  template <unsigned log_radix>
  static InnerPass inner(Entry entry, bool canonical) {
    if (entry == Entry::reduce) {
      return canonical ? inner_pass<log_radix, Entry::reduce, true>
                       : inner_pass<log_radix, Entry::reduce, false>;
    }
    return canonical ? inner_pass<log_radix, Entry::none, true>
                     : inner_pass<log_radix, Entry::none, false>;
  }

  // `count` neighbouring blocks from number `first` on, of the level that strided pass `depth`
  // starts from. A block larger than the nearest cache is transformed sub-block by sub-block,
  // smaller ones all together, pass by pass. The inner pass takes eight sub-blocks of the last
  // strided pass together.
  void blocks(unsigned depth, const Word* in, Word* out, std::size_t length, std::size_t first,
              std::size_t count) const noexcept {
    const Pass& pass = t_.passes[depth];
    const std::size_t radix = std::size_t{1} << pass.log_radix;
    const std::size_t stride = length / radix;
    const StridedPass do_strided =
        pass.log_radix == 4 ? strided<4>(pass.entry) : strided<3>(pass.entry);
    do_strided(t_, pass, pass.twiddles + first * 2 * (radix - 1), in, out, stride, count);
    after_strided(depth, out, length, first, count);
  }

  void after_strided(unsigned depth, Word* out, std::size_t length, std::size_t first,
                     std::size_t count) const noexcept {
    const std::size_t radix = std::size_t{1} << t_.passes[depth].log_radix;
    const std::size_t stride = length / radix;
    if (depth + 2 == t_.pass_count) return inner_blocks(out, length, first, count);
    if (length * count <= kNearWords) {
      return blocks(depth + 1, out, out, stride, first * radix, count * radix);
    }
    for (std::size_t i = 0; i < count * radix; ++i) {
      blocks(depth + 1, out + i * stride, out + i * stride, stride, first * radix + i, 1);
    }
  }

  void inner_blocks(Word* words, std::size_t length, std::size_t first,
                    std::size_t count) const noexcept {
    const Pass& pass = t_.passes[t_.pass_count - 1];
    const std::size_t radix = std::size_t{1} << pass.log_radix;
    const std::size_t first_group = first * length / (kLanes * radix);
    const InnerPass do_inner =
        pass.log_radix == 4 ? inner<4>(pass.entry, canonical_) : inner<3>(pass.entry, canonical_);
    do_inner(t_, pass, pass.twiddles + first_group * A::kInnerWords * (radix - 1), ahead_,
             first * length, words, length * count);
  }

  const Transform& t_;
  const Ahead& ahead_;
  bool canonical_;
};

}  // namespace heliodor::cpu::avx512
