// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/ring/primes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "heliodor/base/error.h"
#include "heliodor/ring/modulus.h"

namespace heliodor::ring {
namespace {

// The smallest strong pseudoprime to all of these bases exceeds 3.1 * 10^23 (Sorenson and Webster,
// Strong pseudoprimes to twelve prime bases, 2017).
constexpr std::array<std::uint64_t, 12> kBases{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

std::uint64_t mul_mod(std::uint64_t a, std::uint64_t b, std::uint64_t n) noexcept {
  return static_cast<std::uint64_t>(Uint128{a} * b % n);
}

std::uint64_t pow_mod(std::uint64_t a, std::uint64_t exponent, std::uint64_t n) noexcept {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = mul_mod(result, a, n);
    a = mul_mod(a, a, n);
  }
  return result;
}

/// Whether odd n > base passes the strong pseudoprime test to `base`.
bool passes_miller_rabin(std::uint64_t n, std::uint64_t base) noexcept {
  const int twos = std::countr_zero(n - 1);
  std::uint64_t x = pow_mod(base, (n - 1) >> twos, n);
  if (x == 1 || x == n - 1) return true;
  for (int i = 1; i < twos; ++i) {
    x = mul_mod(x, x, n);
    if (x == n - 1) return true;
  }
  return false;
}

void check_request(unsigned bits, std::uint64_t degree, std::uint64_t factor) {
  if (bits < 2 || bits > Modulus::kMaxBits) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("bits {} is not in [2, {}]", bits, Modulus::kMaxBits));
  }
  Modulus::check_degree(degree);
  if (factor == 0) throw Error(ErrorCode::out_of_range, "factor 0 is below 1");
}

/// The distance of candidates: least common multiple of 2*degree and factor, 2^bits if above.
std::uint64_t step_of(unsigned bits, std::uint64_t degree, std::uint64_t factor) noexcept {
  const Uint128 multiple = Uint128{factor / std::gcd(factor, 2 * degree)} * (2 * degree);
  return static_cast<std::uint64_t>(std::min<Uint128>(multiple, Uint128{1} << bits));
}

}  // namespace

bool is_prime(std::uint64_t n) noexcept {
  if (n < 2) return false;
  for (const std::uint64_t p : kBases) {
    if (n % p == 0) return n == p;
  }
  return std::ranges::all_of(kBases, [n](auto base) { return passes_miller_rabin(n, base); });
}

std::vector<std::uint64_t> find_primes(unsigned bits, std::uint64_t degree, std::size_t most,
                                       std::span<const std::uint64_t> exclude,
                                       std::uint64_t factor) {
  check_request(bits, degree, factor);
  const std::uint64_t top = std::uint64_t{1} << bits, step = step_of(bits, degree, factor);
  std::vector<std::uint64_t> primes;
  // The largest number below 2^bits that is 1 modulo the step, then down; candidate 1 ends the
  // search in any case.
  for (std::uint64_t q = (top - 2) / step * step + 1; primes.size() < most && q > top / 2;
       q -= step) {
    if (is_prime(q) && std::ranges::find(exclude, q) == exclude.end()) primes.push_back(q);
  }
  return primes;
}

std::vector<std::uint64_t> generate_primes(unsigned bits, std::uint64_t degree, std::size_t count,
                                           std::span<const std::uint64_t> exclude,
                                           std::uint64_t factor) {
  std::vector<std::uint64_t> primes = find_primes(bits, degree, count, exclude, factor);
  if (primes.size() < count) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("count {} exceeds the {} primes of {} bits that are 1 modulo {}{}",
                            count, primes.size(), bits, step_of(bits, degree, factor),
                            exclude.empty() ? "" : " and not excluded"));
  }
  return primes;
}

bool is_primitive_root(std::uint64_t psi, std::uint64_t q, std::uint64_t degree) noexcept {
  return pow_mod(psi, degree, q) == q - 1;
}

std::uint64_t minimal_primitive_root(std::uint64_t q, std::uint64_t degree) noexcept {
  std::uint64_t root = 0;
  for (std::uint64_t base = 2; !is_primitive_root(root, q, degree); ++base) {
    root = pow_mod(base, (q - 1) / (2 * degree), q);
  }
  // The primitive roots are the odd powers of any one of them: as many as the degree, so the factor
  // that leads from one to the next gets a Shoup companion (root and the product's remainder before
  // correction are below 2q).
  const std::uint64_t square = mul_mod(root, root, q);
  const auto square_shoup = static_cast<std::uint64_t>((Uint128{square} << 64) / q);
  std::uint64_t smallest = root;
  for (std::uint64_t i = 1; i < degree; ++i) {
    const auto quotient = static_cast<std::uint64_t>(Uint128{root} * square_shoup >> 64);
    root = root * square - quotient * q;
    if (root >= q) root -= q;
    smallest = std::min(smallest, root);
  }
  return smallest;
}

}  // namespace heliodor::ring
