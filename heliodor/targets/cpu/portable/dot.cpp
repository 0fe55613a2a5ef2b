// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of products in a 128-bit accumulator, reduced once per output word. A product is below 2^60
// * 2^60, so 255 of them and a carried-in residue stay below 2^128.
#include <algorithm>

#include "heliodor/targets/cpu/portable/kernels.h"

namespace heliodor::cpu::portable {
namespace {

using ring::Uint128;

constexpr std::size_t kTermsPerReduction = 255;

// Any 128-bit integer modulo q: the high word by a 64-bit Barrett step, at most 1 short, then two
// Montgomery reductions.
Word reduce_wide(const KernelModulus& q, Uint128 z) noexcept {
  Word high = static_cast<Word>(z >> 64);
  high -= static_cast<Word>((Uint128{high} * q.inverse_64()) >> 64) * q.value();
  high -= q.value() & (Word{0} - static_cast<Word>(high >= q.value()));
  const Word scaled = q.modulus().montgomery_reduce((Uint128{high} << 64) | static_cast<Word>(z));
  return q.modulus().montgomery_reduce(Uint128{scaled} * q.modulus().montgomery_r2());
}

// carried + sum over k of product(k), in groups that fit the accumulator.
template <typename Product>
Word sum_products(const KernelModulus& q, Word carried, std::size_t count,
                  Product product) noexcept {
  for (std::size_t first = 0; first < count; first += kTermsPerReduction) {
    const std::size_t last = std::min(count, first + kTermsPerReduction);
    Uint128 sum = carried;
    for (std::size_t k = first; k < last; ++k) sum += product(k);
    carried = reduce_wide(q, sum);
  }
  return carried;
}

}  // namespace

void dot(const KernelModulus& q, Range /*range*/, const Word* const* a, std::size_t count,
         const DotTarget<Word>* targets, std::size_t target_count, std::size_t n) noexcept {
  for (std::size_t t = 0; t < target_count; ++t) {
    const auto& [b, addend, result] = targets[t];
    for (std::size_t i = 0; i < n; ++i) {
      const Word start = addend == nullptr ? 0 : addend[i];
      result[i] = sum_products(q, start, count,
                               [=, &b](std::size_t k) { return Uint128{a[k][i]} * b[k][i]; });
    }
  }
}

// Word by word, all targets before the next word: a target's result may be a source of another.
void dot_scalar(Word /*source_bound*/, const Word* const* x, std::size_t count,
                const DotScalarTarget* targets, std::size_t target_count, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    Word results[KernelTable::kMaxTargets];
    for (std::size_t t = 0; t < target_count; ++t) {
      const Word* factors = targets[t].factors->values.data();
      results[t] = sum_products(*targets[t].q, 0, count,
                                [=](std::size_t k) { return Uint128{x[k][i]} * factors[k]; });
    }
    for (std::size_t t = 0; t < target_count; ++t) targets[t].result[i] = results[t];
  }
}

}  // namespace heliodor::cpu::portable
