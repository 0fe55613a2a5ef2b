// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Forward negacyclic transform, Cooley-Tukey, on the 52-bit multiplier.
//
// Lazy butterfly (q < 2^48), w' = floor(w*M/q), five operations for eight lanes:
//     Q = hi(y*w');  x0 = u + lo(y*w) + lo(Q*(M-q));  x1 = 2u - x0
// represents x0 = u + T, x1 = u - T with T = y*w - Q*q = y*w mod q in [0, (1 + y/M)*q): write w' = wM/q - e and
// Q = yw'/M - d with 0 <= e, d < 1, then T = q*(y*e/M + d). It is exact as long as 0 <= u - T and u + T < M;
// range_plan.cpp proves that for every stage, from the prime itself, and says where to add a bias or reduce.
//
// Harvey's butterfly (q < 2^50): values in [0, 4q) with 4q <= M; u reduced to [0, 2q), T clean in [0, 2q).
#include "heliodor/targets/cpu/avx512/lanes.h"
#include "heliodor/targets/cpu/avx512/transform.h"
#include "heliodor/targets/cpu/avx512/transpose.h"

namespace heliodor::cpu::avx512 {
namespace {

template <Arithmetic arithmetic>
HELIODOR_LANES void butterfly(Vec& u, Vec& y, Vec w, Vec w_shoup, const Constants& c) {
  const Vec estimate = mul_high(c.zero, y, w_shoup);
  if constexpr (arithmetic == Arithmetic::lazy) {
    const Vec double_u = twice(u);
    u = mul_low(u, y, w);
    u = mul_low(u, estimate, c.negative_q);
    y = sub(double_u, u);
  } else {
    const Vec t = sub(_mm512_mullo_epi64(y, w), _mm512_mullo_epi64(estimate, c.q));
    const Vec reduced = subtract_if_above(u, c.two_q);
    y = add(reduced, sub(c.two_q, t));
    u = add(reduced, t);
  }
}

// log_radix stages on x[0 .. R). Twiddle number (2^s - 1 + g) belongs to group g of stage s.
template <Arithmetic arithmetic, unsigned log_radix, bool inner>
HELIODOR_LANES void stages(Vec* x, const Word* twiddles, const Constants& c) {
  constexpr unsigned radix = 1u << log_radix;
#pragma GCC unroll 4
  for (unsigned s = 0; s < log_radix; ++s) {
    const unsigned half = radix >> (s + 1);
#pragma GCC unroll 8
    for (unsigned g = 0; g < (1u << s); ++g) {
      const unsigned number = (1u << s) - 1 + g;
      const Vec w = inner ? load(twiddles + 16 * number) : broadcast(twiddles[2 * number]);
      const Vec w_shoup = inner ? load(twiddles + 16 * number + 8) : broadcast(twiddles[2 * number + 1]);
#pragma GCC unroll 8
      for (unsigned j = 0; j < half; ++j) {
        butterfly<arithmetic>(x[2 * half * g + j], x[2 * half * g + half + j], w, w_shoup, c);
      }
    }
  }
}

template <unsigned radix>
HELIODOR_LANES void enter(Vec* x, Entry entry, Vec bias, const Constants& c) {
  if (entry == Entry::none) return;
#pragma GCC unroll 8
  for (unsigned i = 0; i < radix / 2; ++i) x[i] = entry == Entry::add_bias ? add(x[i], bias) : reduce(x[i], bias, c);
}

struct Step {
  const Transform& transform;
  const Pass& pass;
  const Word* twiddles;
};

template <Arithmetic arithmetic, unsigned log_radix, Entry entry>
void strided_pass(const Step& step, const Word* in, Word* out, std::size_t stride) noexcept {
  constexpr unsigned radix = 1u << log_radix;
  const Constants c(step.transform.q);
  const Vec bias = broadcast(step.pass.bias);
  for (std::size_t j = 0; j < stride; j += kLanes) {
    Vec x[radix];
#pragma GCC unroll 16
    for (unsigned i = 0; i < radix; ++i) x[i] = load(in + j + i * stride);
    enter<radix>(x, entry, bias, c);
    stages<arithmetic, log_radix, false>(x, step.twiddles, c);
#pragma GCC unroll 16
    for (unsigned i = 0; i < radix; ++i) store(out + j + i * stride, x[i]);
  }
}

template <Arithmetic arithmetic, unsigned log_radix, Entry entry>
void inner_pass(const Step& step, Word* words, std::size_t length) noexcept {
  constexpr unsigned radix = 1u << log_radix;
  const Constants c(step.transform.q);
  const Vec bias = broadcast(step.pass.bias);
  const Word* twiddles = step.twiddles;
  for (std::size_t i = 0; i < length; i += kLanes * radix, twiddles += 2 * kLanes * (radix - 1)) {
    Vec x[radix];
#pragma GCC unroll 2
    for (unsigned column = 0; column < radix; column += 8) transpose_load(x + column, words + i + column, radix);
    enter<radix>(x, entry, bias, c);
    stages<arithmetic, log_radix, true>(x, twiddles, c);
#pragma GCC unroll 16
    for (unsigned k = 0; k < radix; ++k) {
      x[k] = arithmetic == Arithmetic::lazy ? canonical(x[k], c)
                                            : subtract_if_above(subtract_if_above(x[k], c.two_q), c.q);
    }
#pragma GCC unroll 2
    for (unsigned column = 0; column < radix; column += 8) transpose_store(x + column, words + i + column, radix);
  }
}

using StridedPass = void (*)(const Step&, const Word*, Word*, std::size_t) noexcept;
using InnerPass = void (*)(const Step&, Word*, std::size_t) noexcept;

// By radix (8, 16) and, for lazy arithmetic, by entry.
constexpr StridedPass kLazyStrided[2][3] = {
    {strided_pass<Arithmetic::lazy, 3, Entry::none>, strided_pass<Arithmetic::lazy, 3, Entry::add_bias>,
     strided_pass<Arithmetic::lazy, 3, Entry::reduce>},
    {strided_pass<Arithmetic::lazy, 4, Entry::none>, strided_pass<Arithmetic::lazy, 4, Entry::add_bias>,
     strided_pass<Arithmetic::lazy, 4, Entry::reduce>}};
constexpr InnerPass kLazyInner[2][3] = {
    {inner_pass<Arithmetic::lazy, 3, Entry::none>, nullptr, inner_pass<Arithmetic::lazy, 3, Entry::reduce>},
    {inner_pass<Arithmetic::lazy, 4, Entry::none>, nullptr, inner_pass<Arithmetic::lazy, 4, Entry::reduce>}};
constexpr StridedPass kHarveyStrided[2] = {strided_pass<Arithmetic::harvey, 3, Entry::none>,
                                           strided_pass<Arithmetic::harvey, 4, Entry::none>};
constexpr InnerPass kHarveyInner[2] = {inner_pass<Arithmetic::harvey, 3, Entry::none>,
                                       inner_pass<Arithmetic::harvey, 4, Entry::none>};

void run_inner(const Transform& t, Word* words, std::size_t length, std::size_t block) noexcept {
  const Pass& pass = t.passes[t.pass_count - 1];
  const unsigned row = pass.log_radix - 3;
  const std::size_t radix = std::size_t{1} << pass.log_radix;
  const std::size_t first_group = block * length / (kLanes * radix);
  const Step step{t, pass, pass.twiddles + first_group * 2 * kLanes * (radix - 1)};
  const InnerPass run = t.arithmetic == Arithmetic::lazy ? kLazyInner[row][static_cast<unsigned>(pass.entry)]
                                                         : kHarveyInner[row];
  run(step, words, length);
}

// Transforms block number `block` of the level that strided pass `depth` starts from. Each sub-block is finished before the
// next begins, so that it stays in the nearest cache that holds it. The inner pass takes eight sub-blocks of the last strided
// pass together.
void transform_block(const Transform& t, unsigned depth, const Word* in, Word* out, std::size_t length,
                     std::size_t block) noexcept {
  const Pass& pass = t.passes[depth];
  const unsigned row = pass.log_radix - 3;
  const std::size_t radix = std::size_t{1} << pass.log_radix;
  const std::size_t stride = length / radix;
  const Step step{t, pass, pass.twiddles + block * 2 * (radix - 1)};
  const StridedPass run = t.arithmetic == Arithmetic::lazy ? kLazyStrided[row][static_cast<unsigned>(pass.entry)]
                                                           : kHarveyStrided[row];
  run(step, in, out, stride);
  if (depth + 2 == t.pass_count) return run_inner(t, out, length, block);
  for (std::size_t i = 0; i < radix; ++i) {
    transform_block(t, depth + 1, out + i * stride, out + i * stride, stride, block * radix + i);
  }
}

}  // namespace

void ntt_forward(const Transform& transform, const Word* in, Word* out) noexcept {
  transform_block(transform, 0, in, out, transform.degree, 0);
}

}  // namespace heliodor::cpu::avx512
