// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/ckks/integer_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "heliodor/base/error.h"

namespace heliodor::ckks {
namespace {

constexpr unsigned kPieceBits = 50;

// Adding 1.5 * 2^52 leaves the integer nearest to |x| <= 2^51 in the low bits of the sum.
constexpr double kRounder = 0x1.8p52;

// Rounding up must not leave the range of doubles.
constexpr double kLimit = 0x1p1000;

double largest_magnitude(std::span<const double> reals) {
  double largest = 0;
  bool inside = true;
  for (const double x : reals) {
    largest = std::max(largest, std::abs(x));
    inside &= std::abs(x) < kLimit;
  }
  if (!inside)
    throw Error(ErrorCode::out_of_range, "a coefficient is not finite, or 2^1000 or more");
  return largest;
}

std::size_t count_pieces(double largest) {
  std::size_t count = 1;
  while (std::ldexp(largest, -static_cast<int>(count * kPieceBits)) >= 1) ++count;
  return count;
}

}  // namespace

IntegerPieces::IntegerPieces(std::span<const double> reals) : size_(reals.size()) {
  const std::size_t count = count_pieces(largest_magnitude(reals));
  pieces_.resize(count * size_);
  std::vector<double> rest(reals.begin(), reals.end());
  for (std::size_t j = count; j-- > 0;) {
    const int shift = static_cast<int>(j * kPieceBits);
    const double down = std::ldexp(1.0, -shift), up = std::ldexp(1.0, shift);
    std::int64_t* piece = &pieces_[j * size_];
    for (std::size_t k = 0; k < size_; ++k) {
      const double sum = rest[k] * down + kRounder;
      piece[k] = std::bit_cast<std::int64_t>(sum) - std::bit_cast<std::int64_t>(kRounder);
      rest[k] -= (sum - kRounder) * up;
    }
  }
}

void IntegerPieces::to_residues(const ring::Modulus& q, std::span<std::uint64_t> out,
                                std::size_t stride) const {
  // A multiple of q that makes every piece positive.
  const std::uint64_t offset = ((std::uint64_t{1} << kPieceBits) / q.value() + 1) * q.value();
  const std::uint64_t radix = q.reduce(std::uint64_t{1} << kPieceBits);
  const std::uint64_t radix_shoup = q.shoup(radix);
  const std::size_t count = size_ == 0 ? 0 : pieces_.size() / size_;
  for (std::size_t j = count; j-- > 0;) {
    const std::int64_t* piece = &pieces_[j * size_];
    const bool first = j + 1 == count;
    for (std::size_t k = 0; k < size_; ++k) {
      const std::uint64_t above = first ? 0 : q.mul_shoup_lazy(out[k * stride], radix, radix_shoup);
      // Below 2q + 2^51 + q, far from 2^64.
      out[k * stride] = q.reduce(above + static_cast<std::uint64_t>(piece[k]) + offset);
    }
  }
}

void from_digits(const rlwe::LimbMatrix& digits, std::span<const ring::Modulus> moduli,
                 std::span<double> out, std::size_t stride) {
  std::ranges::fill(out, 0.0);
  for (std::size_t i = digits.limb_count(); i-- > 0;) {
    const std::uint64_t q = moduli[i].value(), half = q / 2;
    const std::span<const std::uint64_t> digit = digits.limb(0, i);
    const auto q_real = static_cast<double>(q);
    for (std::size_t k = 0; k < out.size(); ++k) {
      const std::uint64_t d = digit[k * stride];
      const std::uint64_t minus = q & (std::uint64_t{0} - static_cast<std::uint64_t>(d > half));
      out[k] = out[k] * q_real + static_cast<double>(static_cast<std::int64_t>(d - minus));
    }
  }
}

}  // namespace heliodor::ckks
