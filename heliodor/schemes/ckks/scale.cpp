// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/ckks/scale.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "heliodor/base/error.h"

namespace heliodor::ckks {
namespace {

constexpr unsigned kExponentBits = 126;

Int128 add_exponents(Int128 a, Int128 b) {
  constexpr Int128 limit = Int128{1} << kExponentBits;
  const Int128 sum = a + b;
  if (sum > -limit && sum < limit) return sum;
  throw Error(ErrorCode::out_of_range,
              fmt::format("an exponent of a scale needs more than {} bits", kExponentBits));
}

class BigFloat {
 public:
  // Horner's squarings double the relative error for each bit of an exponent: 126 bits, and some 60
  // that remain right.
  static constexpr mp_bitcnt_t kPrecision = 256;

  explicit BigFloat(unsigned long value) {
    mpf_init2(value_, kPrecision);
    mpf_set_ui(value_, value);
  }
  ~BigFloat() { mpf_clear(value_); }
  BigFloat(const BigFloat&) = delete;
  BigFloat& operator=(const BigFloat&) = delete;

  mpf_ptr get() noexcept { return value_; }

 private:
  mpf_t value_;
};

// Mantissa in [1/2, 1) and binary exponent of the product, by Horner's rule over the bits of all
// exponents at once: v <- v^2 * product of the bases whose exponent has the next bit. v stays near
// a root of the result, so that no single power overflows.
double evaluate(const std::vector<Scale::Factor>& factors, long& exponent) {
  BigFloat v(1);
  for (unsigned bit = kExponentBits; bit-- > 0;) {
    mpf_mul(v.get(), v.get(), v.get());
    for (const auto& [base, power] : factors) {
      const Int128 magnitude = power < 0 ? -power : power;
      if (((magnitude >> bit) & 1) == 0) continue;
      (power < 0 ? mpf_div_ui : mpf_mul_ui)(v.get(), v.get(), base);
    }
  }
  return mpf_get_d_2exp(&exponent, v.get());
}

}  // namespace

Scale::Scale(double value) {
  if (!std::isfinite(value) || value <= 0)
    throw Error(ErrorCode::out_of_range, fmt::format("scale {} is not positive and finite", value));
  constexpr int mantissa_bits = 53;
  int exponent = 0;
  const auto mantissa =
      static_cast<std::uint64_t>(std::ldexp(std::frexp(value, &exponent), mantissa_bits));
  const int zeros = std::countr_zero(mantissa);
  multiply_in(2, exponent - mantissa_bits + zeros);
  multiply_in(mantissa >> zeros, 1);
}

Scale Scale::of_integer(std::uint64_t value) {
  if (value == 0) throw Error(ErrorCode::out_of_range, "scale 0 is not positive");
  Scale scale;
  const int zeros = std::countr_zero(value);
  scale.multiply_in(2, zeros);
  scale.multiply_in(value >> zeros, 1);
  return scale;
}

Scale Scale::power_of_two(int exponent) {
  Scale scale;
  scale.multiply_in(2, exponent);
  return scale;
}

void Scale::multiply_in(std::uint64_t base, Int128 exponent) {
  if (base == 1 || exponent == 0) return;
  const auto place = std::ranges::lower_bound(factors_, base, {}, &Factor::base);
  if (place != factors_.end() && place->base == base) {
    place->exponent = add_exponents(place->exponent, exponent);
    if (place->exponent == 0) factors_.erase(place);
    return;
  }
  for (auto other = factors_.begin(); other != factors_.end(); ++other) {
    const std::uint64_t common = std::gcd(base, other->base);
    if (common == 1) continue;
    // The product of all bases shrinks by `common`, so this ends.
    const Factor old = *other;
    factors_.erase(other);
    multiply_in(common, add_exponents(old.exponent, exponent));
    multiply_in(old.base / common, old.exponent);
    multiply_in(base / common, exponent);
    return;
  }
  factors_.insert(place, {base, exponent});
}

double Scale::value() const {
  long exponent = 0;
  const double mantissa = evaluate(factors_, exponent);
  constexpr long beyond = 2000;
  return std::ldexp(mantissa, static_cast<int>(std::clamp(exponent, -beyond, beyond)));
}

double Scale::log2() const {
  long exponent = 0;
  const double mantissa = evaluate(factors_, exponent);
  return std::log2(mantissa) + static_cast<double>(exponent);
}

Scale operator*(const Scale& a, const Scale& b) {
  Scale product = a;
  for (const auto& [base, exponent] : b.factors_) product.multiply_in(base, exponent);
  return product;
}

Scale operator/(const Scale& a, const Scale& b) {
  Scale quotient = a;
  for (const auto& [base, exponent] : b.factors_) quotient.multiply_in(base, -exponent);
  return quotient;
}

bool operator==(const Scale& a, const Scale& b) {
  return a.factors_ == b.factors_ || (a / b).factors_.empty();
}

std::string Scale::to_string() const {
  if (factors_.empty()) return "1";
  std::vector<std::string> texts;
  for (const auto& [base, exponent] : factors_) {
    texts.push_back(exponent == 1 ? fmt::format("{}", base) : fmt::format("{}^{}", base, exponent));
  }
  return fmt::format("{}", fmt::join(texts, " * "));
}

}  // namespace heliodor::ckks
