// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of products in a 128-bit accumulator, reduced once per output word. A product is below 2^60 * 2^60, so 255 of
// them and a carried-in residue stay below 2^128.
#include <algorithm>

#include "heliodor/targets/cpu/portable/kernels.h"

namespace heliodor::cpu::portable {
namespace {

using ring::Uint128;

constexpr std::size_t kTermsPerReduction = 255;

// Any 128-bit integer modulo q: the high word by a 64-bit Barrett step, then two Montgomery reductions.
class WideReduction {
 public:
  explicit WideReduction(const ring::Modulus& q) : q_(q), inverse_(~Word{0} / q.value()) {}

  Word operator()(Uint128 z) const noexcept {
    Word high = static_cast<Word>(z >> 64);
    // inverse_ is floor((2^64-1)/q), so the estimate is at most 2 too small and high ends below 3q <= 2^62.
    high -= static_cast<Word>((Uint128{high} * inverse_) >> 64) * q_.value();
    high -= q_.value() & (Word{0} - static_cast<Word>(high >= q_.value()));
    high -= q_.value() & (Word{0} - static_cast<Word>(high >= q_.value()));
    const Word scaled = q_.montgomery_reduce((Uint128{high} << 64) | static_cast<Word>(z));
    return q_.montgomery_reduce(Uint128{scaled} * q_.montgomery_r2());
  }

 private:
  const ring::Modulus& q_;
  Word inverse_;
};

// result[i] = sum over k of product(k, i), in groups that fit the accumulator.
template <typename Product>
void sum_products(const ring::Modulus& q, std::size_t count, Word* result, std::size_t n, Product product) noexcept {
  const WideReduction reduce(q);
  for (std::size_t i = 0; i < n; ++i) {
    Word carried = 0;
    for (std::size_t first = 0; first < count; first += kTermsPerReduction) {
      const std::size_t last = std::min(count, first + kTermsPerReduction);
      Uint128 sum = carried;
      for (std::size_t k = first; k < last; ++k) sum += product(k, i);
      carried = reduce(sum);
    }
    result[i] = carried;
  }
}

}  // namespace

void dot(const ring::Modulus& q, const Word* const* a, const Word* const* b, std::size_t count, Word* result,
         std::size_t n) noexcept {
  sum_products(q, count, result, n, [=](std::size_t k, std::size_t i) { return Uint128{a[k][i]} * b[k][i]; });
}

void dot_scalar(const ring::Modulus& q, Word /*source_bound*/, const Word* const* x, const Word* c, std::size_t count,
                Word* result, std::size_t n) noexcept {
  sum_products(q, count, result, n, [=](std::size_t k, std::size_t i) { return Uint128{x[k][i]} * c[k]; });
}

}  // namespace heliodor::cpu::portable
