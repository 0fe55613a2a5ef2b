// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Scale: the factor between slots and the polynomial that is encrypted, as an exact positive
// rational. It is a product of integer powers, for CKKS powers of 2 and of moduli, and never
// rounded: rescaling d times from S gives S^(2^d) / (q_d * q_{d-1}^2 * ..), whose exponents double
// with every level. Equality is exact: bases are kept pairwise coprime (splitting by greatest
// common divisors, D. J. Bernstein, "Factoring into coprimes in essentially linear time", 2005),
// and then two products are equal if and only if all exponents of their quotient are 0. No base is
// ever factored.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heliodor::ckks {

__extension__ using Int128 = __int128;

class Scale {
 public:
  Scale() = default;  ///< 1
  /// Exactly `value`, as mantissa * 2^e. Error{out_of_range} unless it is positive and finite.
  explicit Scale(double value);
  /// An integer, such as a modulus. Error{out_of_range} for 0.
  static Scale of_integer(std::uint64_t value);
  static Scale power_of_two(int exponent);

  /// Within 2^-52 relative; infinite or 0 outside the range of doubles. Costs some microseconds for
  /// every factor and bit of the largest exponent.
  double value() const;
  double log2() const;

  /// Error{out_of_range} if an exponent would leave (-2^126, 2^126): after some 120 levels.
  friend Scale operator*(const Scale& a, const Scale& b);
  friend Scale operator/(const Scale& a, const Scale& b);
  friend bool operator==(const Scale& a, const Scale& b);

  /// "2^80 * 1099511480321^-1", exactly; "1" for the empty product.
  std::string to_string() const;

  /// base^exponent: base at least 2, exponent not 0.
  struct Factor {
    std::uint64_t base;
    Int128 exponent;

    bool operator==(const Factor&) const = default;
  };
  /// In ascending order of bases, which are pairwise coprime.
  const std::vector<Factor>& factors() const noexcept { return factors_; }

 private:
  void multiply_in(std::uint64_t base, Int128 exponent);

  std::vector<Factor> factors_;
};

}  // namespace heliodor::ckks
