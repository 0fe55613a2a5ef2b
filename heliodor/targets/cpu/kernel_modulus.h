// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// KernelModulus: a modulus with the constants that the kernels of any table use, prepared once per
// plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/ring/modulus.h"

namespace heliodor::cpu {

using Word = std::uint64_t;

class KernelModulus {
 public:
  /// Largest moduli of kernels on the 52-bit multiplier: 4q <= 2^52.
  static constexpr unsigned kMaxBits52 = 50;

  KernelModulus(
      const ring::Modulus& modulus);  // NOLINT(google-explicit-constructor): a modulus is one

  const ring::Modulus& modulus() const noexcept { return modulus_; }
  Word value() const noexcept { return modulus_.value(); }
  unsigned bits() const noexcept { return modulus_.bits(); }
  bool fits_52() const noexcept { return modulus_.bits() <= kMaxBits52; }

  /// floor((2^64 - 1)/q), which is floor(2^64/q) as q is odd: a Barrett step with it on any word is
  /// at most 1 short.
  Word inverse_64() const noexcept { return inverse_64_; }
  /// floor(2^(51 + bits)/q), for products on the 52-bit multiplier. Only where fits_52().
  Word product_inverse_52() const noexcept { return product_inverse_52_; }
  /// floor(2^52/q). Only where fits_52().
  Word inverse_52() const noexcept { return inverse_52_; }
  /// 2^52 mod q and its companion floor(2^52 * (2^52 mod q)/q). Only where fits_52().
  Word carry_52() const noexcept { return carry_52_; }
  Word carry_companion_52() const noexcept { return carry_companion_52_; }
  /// How many products of a word below `bound` <= 2^52 and a residue the 52-bit accumulators hold;
  /// at least 3 where fits_52() (avx512/dot52.cpp).
  std::size_t terms_52(Word bound) const noexcept;
  /// -1/q mod 2^52, for Montgomery's reduction.
  Word montgomery_52() const noexcept { return montgomery_52_; }

  /// floor(2^63/q).
  Word inverse_63() const noexcept { return inverse_64_ >> 1; }
  /// floor(2^(61 + bits)/q), for products of two words in 32-bit halves.
  Word product_inverse_63() const noexcept { return product_inverse_63_; }
  /// 2^60 mod q and its companion floor(2^63 * (2^60 mod q)/q).
  Word carry_60() const noexcept { return carry_60_; }
  Word carry_companion_60() const noexcept { return carry_companion_60_; }
  /// How many products of a word below `bound` <= 2^60 and a residue the accumulators of sums in
  /// 30-bit halves hold; at least 8 (avx512/dot60.cpp).
  std::size_t terms_60(Word bound) const noexcept;

  /// floor(2^(bits + kQuotientBits)/q), the reciprocal of ring::reference::quotient.
  Word quotient_reciprocal() const noexcept { return quotient_reciprocal_; }

 private:
  ring::Modulus modulus_;
  Word inverse_64_;
  Word product_inverse_52_ = 0;
  Word inverse_52_ = 0;
  Word carry_52_ = 0;
  Word carry_companion_52_ = 0;
  Word montgomery_52_ = 0;
  Word product_inverse_63_;
  Word carry_60_;
  Word carry_companion_60_;
  Word quotient_reciprocal_;
};

/// A constant factor c < q with its companions.
struct KernelScalar {
  KernelScalar(const KernelModulus& q, Word c);

  Word value;
  Word companion_52;  ///< floor(c * 2^52 / q); only where q.fits_52()
  Word companion_63;  ///< floor(c * 2^63 / q)
  Word companion_64;  ///< floor(c * 2^64 / q)
};

/// Constant factors c < q of a sum, with what its kernels multiply by instead.
struct KernelFactors {
  KernelFactors(const KernelModulus& q, std::span<const Word> c);

  std::vector<Word> values;
  std::vector<Word> montgomery_52;  ///< c * 2^52 mod q; only where q.fits_52()
};

/// The inverse of an odd number modulo 2^32, and so modulo every smaller power of two.
std::uint32_t inverse_modulo_2_32(std::uint64_t odd) noexcept;

}  // namespace heliodor::cpu
