// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// PlaintextModulus: arithmetic modulo t, any integer in [2, 2^60), prime or not. Messages are
// secret: nothing here branches on, divides by or indexes with them, except where stated.
#pragma once

#include <cstdint>

namespace heliodor::slots {

class PlaintextModulus {
 public:
  static constexpr unsigned kMaxBits = 60;

  /// A public constant with its companion for products (Shoup; Harvey, 2014, section 3).
  struct Factor {
    std::uint64_t w;        ///< in [0, t)
    std::uint64_t w_shoup;  ///< floor(w * 2^64 / t)
  };

  /// Throws Error{out_of_range} unless 2 <= t < 2^60.
  explicit PlaintextModulus(std::uint64_t t);

  std::uint64_t value() const noexcept { return t_; }

  /// The centred residues: -floor((t-1)/2) .. floor(t/2).
  std::int64_t min_centred() const noexcept { return -static_cast<std::int64_t>((t_ - 1) / 2); }
  std::int64_t max_centred() const noexcept { return static_cast<std::int64_t>(t_ / 2); }

  /// Any word modulo t, in [0, t).
  std::uint64_t reduce(std::uint64_t a) const noexcept { return multiply(a, one_); }
  /// Requires c < t. Divides: for public constants.
  Factor factor(std::uint64_t c) const noexcept;
  /// a * c mod t in [0, t), for any word a.
  std::uint64_t multiply(std::uint64_t a, const Factor& c) const noexcept;
  /// For a, b in [0, t).
  std::uint64_t add(std::uint64_t a, std::uint64_t b) const noexcept {
    return subtract_once(a + b);
  }

  /// For a in [0, t).
  std::int64_t centred(std::uint64_t a) const noexcept {
    const std::uint64_t above = std::uint64_t{0} - static_cast<std::uint64_t>(a > t_ / 2);
    return static_cast<std::int64_t>(a - (t_ & above));
  }
  /// For a in [-t, t): its residue in [0, t).
  std::uint64_t residue(std::int64_t a) const noexcept {
    const auto word = static_cast<std::uint64_t>(a);
    return word + (t_ & (std::uint64_t{0} - (word >> 63)));
  }

  /// a^-1 mod t. Throws Error{mismatch} if a and t have a common factor. Not constant time: for
  /// public constants.
  std::uint64_t inverse(std::uint64_t a) const;

  bool operator==(const PlaintextModulus& other) const noexcept { return t_ == other.t_; }

 private:
  std::uint64_t subtract_once(std::uint64_t a) const noexcept {
    return a - (t_ & (std::uint64_t{0} - static_cast<std::uint64_t>(a >= t_)));
  }

  std::uint64_t t_;
  Factor one_;
};

}  // namespace heliodor::slots
