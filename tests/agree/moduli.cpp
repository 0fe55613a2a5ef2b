// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/agree/moduli.h"

#include <algorithm>

#include "heliodor/ring/primes.h"

namespace heliodor::agree {
namespace {

// The first prime q = 1 mod 2*degree at or above `from` that has `bits` bits.
std::optional<std::uint64_t> prime_from(std::uint64_t from, unsigned bits, std::uint64_t degree) {
  const std::uint64_t step = 2 * degree;
  std::uint64_t q = (from + step - 2) / step * step + 1;
  for (; q >> bits == 0; q += step) {
    if (ring::is_prime(q)) return q;
  }
  return std::nullopt;
}

struct Sizes {
  unsigned low;
  unsigned high;
};

Sizes random_sizes(Draw& draw) {
  constexpr Sizes kRanges[] = {{20, 60}, {20, 30}, {28, 30}, {44, 52}, {49, 51}, {55, 60}};
  const Sizes range = draw.of(std::span<const Sizes>(kRanges));
  if (!draw.one_in(3)) return range;
  const auto bits = static_cast<unsigned>(draw.between(range.low, range.high));
  return {bits, bits};
}

std::optional<std::uint64_t> random_prime(Draw& draw, unsigned bits, std::uint64_t degree) {
  switch (draw.below(3)) {
    case 0:
      return smallest_prime(bits, degree);
    case 1:
      return largest_prime(bits, degree);
    default:
      return prime_from(draw.between(std::uint64_t{1} << (bits - 1), std::uint64_t{1} << bits),
                        bits, degree);
  }
}

}  // namespace

std::optional<std::uint64_t> smallest_prime(unsigned bits, std::uint64_t degree) {
  return prime_from(std::uint64_t{1} << (bits - 1), bits, degree);
}

std::optional<std::uint64_t> largest_prime(unsigned bits, std::uint64_t degree) {
  const std::uint64_t step = 2 * degree;
  std::uint64_t q = ((std::uint64_t{1} << bits) - 2) / step * step + 1;
  for (; q >> (bits - 1) == 1; q -= step) {
    if (ring::is_prime(q)) return q;
  }
  return std::nullopt;
}

std::vector<ring::Modulus> random_moduli(Draw& draw, std::uint64_t degree, std::size_t count) {
  const Sizes sizes = random_sizes(draw);
  std::vector<ring::Modulus> moduli;
  // Small sizes hold few primes of a large degree, so the attempts are counted.
  for (int attempt = 0; attempt < 40 && moduli.size() < count; ++attempt) {
    const auto bits = static_cast<unsigned>(draw.between(sizes.low, sizes.high));
    const auto q = random_prime(draw, bits, degree);
    const auto is_q = [&](const ring::Modulus& modulus) { return modulus.value() == q; };
    if (q && std::ranges::none_of(moduli, is_q)) moduli.emplace_back(*q, degree);
  }
  if (moduli.empty()) moduli.emplace_back(largest_prime(60, degree).value(), degree);
  return moduli;
}

}  // namespace heliodor::agree
