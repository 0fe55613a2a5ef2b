// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ranges. A term adds less than 2^52 to the low accumulator and at most max_high = floor((bound-1)*(q-1)/2^52) to the high
// one. After K terms on top of a canonical word the sum is high*M + low with low < (K+1)*M; carrying low's upper bits over
// gives high' <= K*max_high + K + 1, which must stay below M. Groups of K = floor((M - 4096)/(max_high + 1)), at most 4,094,
// do; for 52-bit factors modulo 50-bit primes that is 3, for 46-bit ones it is 4,094.
//
// Reduction: high'*(M mod q) by Shoup's product on top of low' reduced by Barrett: below 2q + 2q = 4q < M.
#include "heliodor/targets/cpu/avx512/dot.h"

#include "heliodor/targets/cpu/avx512/lanes.h"

namespace heliodor::cpu::avx512 {
namespace {

constexpr std::size_t kMaxGroup = 4094;
constexpr std::size_t kUnroll = 4;  // independent accumulator pairs hide the latency of IFMA

__extension__ using Uint128 = unsigned __int128;

HELIODOR_LANES Vec finish(Vec low, Vec high, Vec carry, Vec carry_shoup, const Constants& c) {
  const Vec carried = add(high, _mm512_srli_epi64(low, kWordBits));
  const Vec estimate = mul_high(c.zero, carried, carry_shoup);
  const Vec sum = mul_low(mul_low(reduce(low, c.zero, c), carried, carry), estimate, c.negative_q);
  return subtract_if_above(subtract_if_above(low_52(sum), c.two_q), c.q);
}

// vectors registers of results at word i: the sum over all k of x(k, i) * y(k, i), group by group.
template <std::size_t vectors, typename LoadPair>
HELIODOR_LANES void sum_at(const DotConstants& constants, const Constants& c, Vec carry, Vec carry_shoup,
                           std::size_t count, Word* result, std::size_t i, LoadPair load_pair) {
  Vec low[vectors], high[vectors];
#pragma GCC unroll 4
  for (std::size_t v = 0; v < vectors; ++v) low[v] = c.zero;
  for (std::size_t k = 0; k < count;) {
    const std::size_t end = count - k < constants.group ? count : k + constants.group;
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) high[v] = c.zero;
    for (; k < end; ++k) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) {
        Vec x, y;
        load_pair(k, i + kLanes * v, x, y);
        low[v] = mul_low(low[v], x, y);
        high[v] = mul_high(high[v], x, y);
      }
    }
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) low[v] = finish(low[v], high[v], carry, carry_shoup, c);
  }
#pragma GCC unroll 4
  for (std::size_t v = 0; v < vectors; ++v) store(result + i + kLanes * v, low[v]);
}

template <typename LoadPair>
HELIODOR_LANES void sum_products(const DotConstants& constants, std::size_t count, Word* result, std::size_t n,
                                 LoadPair load_pair) {
  const Constants c(constants.q);
  const Vec carry = broadcast(constants.carry), carry_shoup = broadcast(constants.carry_shoup);
  std::size_t i = 0;
  for (; i + kUnroll * kLanes <= n; i += kUnroll * kLanes) {
    sum_at<kUnroll>(constants, c, carry, carry_shoup, count, result, i, load_pair);
  }
  for (; i < n; i += kLanes) sum_at<1>(constants, c, carry, carry_shoup, count, result, i, load_pair);
}

}  // namespace

DotConstants::DotConstants(Word modulus, Word bound) noexcept
    : q(modulus), carry(kWordModulus % modulus), carry_shoup(static_cast<Word>((Uint128{carry} << kWordBits) / modulus)) {
  const auto max_high = static_cast<Word>((Uint128{bound - 1} * (modulus - 1)) >> kWordBits);
  const Word terms = (kWordModulus - 4096) / (max_high + 1);
  group = terms < kMaxGroup ? terms : kMaxGroup;
}

void dot_words(const DotConstants& c, const Word* const* a, const Word* const* b, std::size_t count, Word* result,
               std::size_t n) noexcept {
  sum_products(c, count, result, n, [=](std::size_t k, std::size_t i, Vec& x, Vec& y) {
    x = load(a[k] + i);
    y = load(b[k] + i);
  });
}

void dot_constants(const DotConstants& c, const Word* const* x, const Word* factors, std::size_t count, Word* result,
                   std::size_t n) noexcept {
  sum_products(c, count, result, n, [=](std::size_t k, std::size_t i, Vec& term, Vec& factor) {
    term = load(x[k] + i);
    factor = broadcast(factors[k]);
  });
}

}  // namespace heliodor::cpu::avx512
