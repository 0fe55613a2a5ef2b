// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/kernel_modulus.h"

#include <algorithm>

#include "heliodor/ring/reference.h"

namespace heliodor::cpu {

using ring::Uint128;

namespace {

Word divide_power(unsigned exponent, Word q) {
  return static_cast<Word>((Uint128{1} << exponent) / q);
}

}  // namespace

KernelModulus::KernelModulus(const ring::Modulus& modulus)
    : modulus_(modulus),
      inverse_64_(~Word{0} / modulus.value()),
      product_inverse_63_(divide_power(61 + modulus.bits(), modulus.value())),
      carry_60_((Word{1} << 60) % modulus.value()),
      carry_companion_60_(static_cast<Word>((Uint128{carry_60_} << 63) / modulus.value())),
      quotient_reciprocal_(
          divide_power(modulus.bits() + ring::reference::kQuotientBits, modulus.value())) {
  if (!fits_52()) return;
  product_inverse_52_ = static_cast<Word>((Uint128{1} << (51 + modulus.bits())) / modulus.value());
  inverse_52_ = (Word{1} << 52) / modulus.value();
  carry_52_ = (Word{1} << 52) % modulus.value();
  carry_companion_52_ = static_cast<Word>((Uint128{carry_52_} << 52) / modulus.value());
  montgomery_52_ = modulus.montgomery_inverse() & ((Word{1} << 52) - 1);
}

// K terms on top of a canonical word: low < (K+1)*2^52 stays below 2^64 for K <= 4094, and high
// plus low's upper bits stays below 2^52 for K*(max_high + 1) <= 2^52 - 4096.
std::size_t KernelModulus::terms_52(Word bound) const noexcept {
  constexpr std::size_t kMaxTerms = 4094;
  const auto max_high = static_cast<Word>((Uint128{bound - 1} * (value() - 1)) >> 52);
  return std::min<Word>(((Word{1} << 52) - 4096) / (max_high + 1), kMaxTerms);
}

// With halves of 30 bits, x = x1*2^30 + x0, K terms on top of a word below 2^63 (its halves below
// 2^30 and 2^33) stay below 2^64 in each accumulator, carries from the one below included:
//     A0 = sum x0*y0 + 2^30                                    for K <= 16
//     A1 = sum (x1*y0 + x0*y1) + 2^33, plus A0/2^30 < 2^34     by the largest upper halves
// and the sum below 2^123, so that its part from 2^60 on is below 2^63.
std::size_t KernelModulus::terms_60(Word bound) const noexcept {
  constexpr std::size_t kMaxTerms = 16;
  constexpr Word kHalf = (Word{1} << 30) - 1;
  const Word largest = bound - 1, upper = (largest >> 30) + ((value() - 1) >> 30);
  const Uint128 cross = Uint128{kHalf} * std::max<Word>(upper, 1);
  const Uint128 by_cross = ((Uint128{1} << 64) - (Uint128{3} << 33) - 1) / cross;
  const Uint128 by_sum =
      ((Uint128{1} << 123) - (Uint128{1} << 63)) / (Uint128{largest} * (value() - 1) + 1);
  return static_cast<std::size_t>(std::min({Uint128{kMaxTerms}, by_cross, by_sum}));
}

KernelScalar::KernelScalar(const KernelModulus& q, Word c)
    : value(c),
      companion_52(q.fits_52() ? static_cast<Word>((Uint128{c} << 52) / q.value()) : 0),
      companion_63(static_cast<Word>((Uint128{c} << 63) / q.value())),
      companion_64(static_cast<Word>((Uint128{c} << 64) / q.value())) {}

KernelFactors::KernelFactors(const KernelModulus& q, std::span<const Word> c)
    : values(c.begin(), c.end()) {
  if (!q.fits_52()) return;
  for (const Word factor : c) montgomery_52.push_back(q.modulus().mul(factor, q.carry_52()));
}

// An odd number is its own inverse modulo 8; each of Newton's steps doubles the number of right
// bits.
std::uint32_t inverse_modulo_2_32(std::uint64_t odd) noexcept {
  const auto word = static_cast<std::uint32_t>(odd);
  std::uint32_t inverse = word;
  for (int step = 0; step < 4; ++step) inverse *= 2 - word * inverse;
  return inverse;
}

}  // namespace heliodor::cpu
