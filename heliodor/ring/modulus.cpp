// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/ring/modulus.h"

#include <fmt/format.h>

#include <bit>

#include "heliodor/base/error.h"
#include "heliodor/ring/primes.h"

namespace heliodor::ring {
namespace {

void check_modulus(std::uint64_t q, std::uint64_t degree) {
  Modulus::check_degree(degree);
  if (q >> Modulus::kMaxBits != 0) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("modulus {} is not below 2^{}", q, Modulus::kMaxBits));
  }
  if (!is_prime(q)) {
    throw Error(ErrorCode::invalid_modulus, fmt::format("modulus {} is not a prime", q));
  }
  if (q % (2 * degree) != 1) {
    throw Error(ErrorCode::invalid_modulus,
                fmt::format("modulus {} is {} modulo 2*degree = {}, not 1", q, q % (2 * degree),
                            2 * degree));
  }
}

std::uint64_t checked_minimal_root(std::uint64_t q, std::uint64_t degree) {
  check_modulus(q, degree);
  return minimal_primitive_root(q, degree);
}

/// q^-1 mod 2^64 for odd q, by Newton's iteration: q itself is right in 3 bits, each step doubles
/// their number.
std::uint64_t inverse_modulo_word(std::uint64_t q) noexcept {
  std::uint64_t inverse = q;
  for (int right_bits = 3; right_bits < 64; right_bits *= 2) inverse *= 2 - q * inverse;
  return inverse;
}

}  // namespace

void Modulus::check_degree(std::uint64_t degree) {
  if (!std::has_single_bit(degree) || degree < 2 || degree > kMaxDegree) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("degree {} is not a power of two in [2, {}]", degree, kMaxDegree));
  }
}

Modulus::Modulus(std::uint64_t q, std::uint64_t degree)
    : Modulus(q, degree, checked_minimal_root(q, degree)) {}

Modulus::Modulus(std::uint64_t q, std::uint64_t degree, std::uint64_t psi)
    : q_(q), degree_(degree), psi_(psi) {
  check_modulus(q, degree);
  if (psi >= q || !is_primitive_root(psi, q, degree)) {
    throw Error(ErrorCode::invalid_modulus,
                fmt::format("psi {} is not a primitive root of order 2*degree = {} modulo {}", psi,
                            2 * degree, q));
  }
  bits_ = static_cast<unsigned>(std::bit_width(q));
  barrett_ = static_cast<std::uint64_t>((Uint128{1} << (2 * bits_)) / q);
  one_shoup_ = shoup(1);
  montgomery_inverse_ = std::uint64_t{0} - inverse_modulo_word(q);
  const auto r = static_cast<std::uint64_t>((Uint128{1} << 64) % q);
  montgomery_r2_ = static_cast<std::uint64_t>(Uint128{r} * r % q);
}

std::uint64_t Modulus::pow(std::uint64_t a, std::uint64_t exponent) const noexcept {
  std::uint64_t result = 1;
  for (std::uint64_t square = a; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = mul(result, square);
    square = mul(square, square);
  }
  return result;
}

std::uint64_t Modulus::inverse(std::uint64_t a) const noexcept { return pow(a, q_ - 2); }

}  // namespace heliodor::ring
