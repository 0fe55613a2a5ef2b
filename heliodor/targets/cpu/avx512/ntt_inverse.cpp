// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse negacyclic transform, Gentleman-Sande, on the 52-bit multiplier; the mirror image of ntt_forward.cpp.
//
// Lazy butterfly (q < 2^48), C = floor(M/(2q)), six operations:
//     d = u - v + C*q;  x0 = u + v;  Q = hi(d*w');  x1 = lo(d*w) + lo(Q*(M-q))
// Precondition 0 <= u, v < C*q. Then 0 < d < 2C*q <= M, x0 < 2C*q <= M, and x1 < (1 + d/M)*q <= 2q. The bias is added to
// every difference, because the difference is multiplied: were it negative, its low 52 bits would stand for another residue.
// Sums double, products are fresh (below 2q): which registers must be reduced, and when, is a compile-time computation on
// upper bounds in units of q (reduction_plan.h), for each C.
//
// Harvey's butterfly (q < 2^50): values in [0, 2q) throughout, 2q <= 2^51.
#include "heliodor/targets/cpu/avx512/lanes.h"
#include "heliodor/targets/cpu/avx512/reduction_plan.h"
#include "heliodor/targets/cpu/avx512/transform.h"
#include "heliodor/targets/cpu/avx512/transpose.h"

namespace heliodor::cpu::avx512 {
namespace {

// Arithmetic by size of q: C = 64 stands for q < 2^45, 32 for 2^46, 16 for 2^47, 8 for 2^48, 0 for Harvey.
struct InverseConstants : Constants {
  Vec bias;

  HELIODOR_LANES InverseConstants(Word q_value, unsigned c_bound)
      : Constants(q_value), bias(broadcast(c_bound * q_value)) {}
};

template <unsigned c_bound>
HELIODOR_LANES void butterfly(Vec& u, Vec& v, Vec w, Vec w_shoup, const InverseConstants& c) {
  const Vec sum = add(u, v);
  if constexpr (c_bound > 0) {
    const Vec difference = add(sub(u, v), c.bias);
    u = sum;
    v = mul_shoup(difference, w, w_shoup, c);
  } else {
    const Vec difference = add(sub(u, v), c.two_q);
    u = subtract_if_above(sum, c.two_q);
    v = low_52(mul_shoup(difference, w, w_shoup, c));
  }
}

template <unsigned c_bound, unsigned log_radix, bool inner, unsigned enter, unsigned leave>
HELIODOR_LANES void stages(Vec* x, const Word* twiddles, const InverseConstants& c) {
  constexpr unsigned radix = 1u << log_radix;
  static constexpr ReductionPlan<log_radix, c_bound == 0 ? 64 : c_bound, enter, leave> plan;
#pragma GCC unroll 4
  for (int s = static_cast<int>(log_radix) - 1; s >= 0; --s) {
    if constexpr (c_bound > 0) {
#pragma GCC unroll 16
      for (unsigned i = 0; i < radix; ++i) {
        if (plan.before[static_cast<unsigned>(s)][i]) x[i] = reduce(x[i], c.zero, c);
      }
    }
    const unsigned half = radix >> (s + 1);
#pragma GCC unroll 8
    for (unsigned g = 0; g < (1u << s); ++g) {
      const unsigned number = (1u << s) - 1 + g;
      const Vec w = inner ? load(twiddles + 16 * number) : broadcast(twiddles[2 * number]);
      const Vec w_shoup = inner ? load(twiddles + 16 * number + 8) : broadcast(twiddles[2 * number + 1]);
#pragma GCC unroll 8
      for (unsigned j = 0; j < half; ++j) {
        butterfly<c_bound>(x[2 * half * g + j], x[2 * half * g + half + j], w, w_shoup, c);
      }
    }
  }
  if constexpr (c_bound > 0) {
#pragma GCC unroll 16
    for (unsigned i = 0; i < radix; ++i) {
      if (plan.at_exit[i]) x[i] = reduce(x[i], c.zero, c);
    }
  }
}

struct Step {
  const Transform& transform;
  const Word* twiddles;
};

// Canonical words in standard order come in, so they are below 1*q; what leaves is below steady_bound.
template <unsigned c_bound, unsigned log_radix>
void inner_pass(const Step& step, const Word* in, Word* out, std::size_t length) noexcept {
  constexpr unsigned radix = 1u << log_radix;
  const InverseConstants c(step.transform.q, c_bound);
  const Word* twiddles = step.twiddles;
  for (std::size_t i = 0; i < length; i += kLanes * radix, twiddles += 2 * kLanes * (radix - 1)) {
    Vec x[radix];
#pragma GCC unroll 2
    for (unsigned column = 0; column < radix; column += 8) transpose_load(x + column, in + i + column, radix);
    stages<c_bound, log_radix, true, 1, steady_bound<c_bound == 0 ? 64 : c_bound>()>(x, twiddles, c);
#pragma GCC unroll 2
    for (unsigned column = 0; column < radix; column += 8) transpose_store(x + column, out + i + column, radix);
  }
}

// In the last pass of all, 1/N is part of the v half's twiddle; the u half is multiplied by it here, which also makes any
// reduction at exit unnecessary (sums of two bounds of at most C are below 2C*q <= M).
template <unsigned c_bound, unsigned log_radix, bool last>
void strided_pass(const Step& step, Word* words, std::size_t stride) noexcept {
  constexpr unsigned radix = 1u << log_radix;
  constexpr unsigned enter = steady_bound<c_bound == 0 ? 64 : c_bound>();
  const InverseConstants c(step.transform.q, c_bound);
  const Vec scale = broadcast(step.transform.scale), scale_shoup = broadcast(step.transform.scale_shoup);
  for (std::size_t j = 0; j < stride; j += kLanes) {
    Vec x[radix];
#pragma GCC unroll 16
    for (unsigned i = 0; i < radix; ++i) x[i] = load(words + j + i * stride);
    stages<c_bound, log_radix, false, enter, last ? 128 : enter>(x, step.twiddles, c);
    if constexpr (last) {
#pragma GCC unroll 16
      for (unsigned i = 0; i < radix; ++i) {
        if (i < radix / 2) x[i] = mul_shoup(x[i], scale, scale_shoup, c);
        x[i] = subtract_if_above(low_52(x[i]), c.q);
      }
    }
#pragma GCC unroll 16
    for (unsigned i = 0; i < radix; ++i) store(words + j + i * stride, x[i]);
  }
}

template <unsigned c_bound>
void run_inner(const Transform& t, const Word* in, Word* out, std::size_t length, std::size_t block) noexcept {
  const Pass& pass = t.passes[t.pass_count - 1];
  const std::size_t radix = std::size_t{1} << pass.log_radix;
  const std::size_t first_group = block * length / (kLanes * radix);
  const Step step{t, pass.twiddles + first_group * 2 * kLanes * (radix - 1)};
  (pass.log_radix == 4 ? inner_pass<c_bound, 4> : inner_pass<c_bound, 3>)(step, in, out, length);
}

template <unsigned c_bound>
void transform_block(const Transform& t, unsigned depth, const Word* in, Word* out, std::size_t length,
                     std::size_t block) noexcept {
  const Pass& pass = t.passes[depth];
  const bool wide = pass.log_radix == 4;
  const std::size_t radix = std::size_t{1} << pass.log_radix;
  const std::size_t stride = length / radix;
  if (depth + 2 == t.pass_count) {
    run_inner<c_bound>(t, in, out, length, block);
  } else {
    for (std::size_t i = 0; i < radix; ++i) {
      transform_block<c_bound>(t, depth + 1, in + i * stride, out + i * stride, stride, block * radix + i);
    }
  }
  const Step step{t, pass.twiddles + block * 2 * (radix - 1)};
  if (depth == 0) {
    (wide ? strided_pass<c_bound, 4, true> : strided_pass<c_bound, 3, true>)(step, out, stride);
  } else {
    (wide ? strided_pass<c_bound, 4, false> : strided_pass<c_bound, 3, false>)(step, out, stride);
  }
}

}  // namespace

void ntt_inverse(const Transform& t, const Word* in, Word* out) noexcept {
  if (t.arithmetic == Arithmetic::harvey) return transform_block<0>(t, 0, in, out, t.degree, 0);
  if (t.q < Word{1} << 45) return transform_block<64>(t, 0, in, out, t.degree, 0);
  if (t.q < Word{1} << 46) return transform_block<32>(t, 0, in, out, t.degree, 0);
  if (t.q < Word{1} << 47) return transform_block<16>(t, 0, in, out, t.degree, 0);
  return transform_block<8>(t, 0, in, out, t.degree, 0);
}

}  // namespace heliodor::cpu::avx512
