// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is sampled here is secret. Comparisons are therefore taken from the top bit of a difference
// of 63-bit numbers, tables are read from end to end, and loops depend on sizes and on whole
// rejected draws only.

#include "heliodor/ring/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "heliodor/base/error.h"
#include "heliodor/base/wipe.h"

namespace heliodor::ring {
namespace {

constexpr std::uint64_t kOne63 = std::uint64_t{1} << 63;

constexpr std::uint64_t power_of_three(std::size_t exponent) {
  return exponent == 0 ? 1 : 3 * power_of_three(exponent - 1);
}

// A word below 3^40 has 40 independent uniform digits to base 3; 3^41 exceeds 2^64.
constexpr std::size_t kTernaryDigits = 40;
constexpr std::uint64_t kTernaryPower = power_of_three(kTernaryDigits);
// floor(w/3) = w * ceil(2^65/3) >> 65 for every 64-bit w.
constexpr std::uint64_t kThird = 0xaaaaaaaaaaaaaaab;

constexpr unsigned kPayloadBits = 2;

// Makes every int8 nonnegative.
constexpr int kShift = 128;

/// 1 if a < b, else 0, for a, b <= 2^63.
std::uint64_t less(std::uint64_t a, std::uint64_t b) noexcept { return (a - b) >> 63 & ~(a >> 63); }

/// Swaps the two words where a > b; both below 2^63.
void compare_exchange(std::uint64_t& a, std::uint64_t& b) noexcept {
  const std::uint64_t swap = std::uint64_t{0} - less(b, a);
  const std::uint64_t difference = (a ^ b) & swap;
  a ^= difference;
  b ^= difference;
}

/// Sorts words below 2^63 by Batcher's merge exchange (Knuth, The Art of Computer Programming
/// 3, 5.2.2, algorithm M): which places are compared depends on the size alone.
void sort_obliviously(std::span<std::uint64_t> words) noexcept {
  const std::size_t n = words.size();
  if (n < 2) return;
  const std::size_t top = std::bit_ceil(n) / 2;
  for (std::size_t p = top; p > 0; p /= 2) {
    std::size_t residue = 0;
    std::size_t distance = p;
    for (std::size_t q = top;; q /= 2) {
      for (std::size_t i = 0; i + distance < n; ++i) {
        if ((i & p) == residue) compare_exchange(words[i], words[i + distance]);
      }
      if (q == p) break;
      distance = q - p;
      residue = p;
    }
  }
}

/// Whether two neighbours agree above their low `payload_bits`. Looks at all of them.
bool any_equal_tags(std::span<const std::uint64_t> sorted, unsigned payload_bits) noexcept {
  std::uint64_t equal = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    equal |= less((sorted[i] ^ sorted[i - 1]) >> payload_bits, 1);
  }
  return equal != 0;
}

}  // namespace

void sample_uniform(const Modulus& modulus, base::RandomStream& random,
                    std::span<std::uint64_t> out) {
  for (std::uint64_t& word : out) word = random.below(modulus.value());
}

void sample_ternary(base::RandomStream& random, std::span<std::int8_t> out) {
  for (std::size_t begin = 0; begin < out.size(); begin += kTernaryDigits) {
    std::uint64_t word = random.below(kTernaryPower);
    for (std::size_t i = begin; i < out.size() && i < begin + kTernaryDigits; ++i) {
      const auto quotient = static_cast<std::uint64_t>(Uint128{word} * kThird >> 65);
      out[i] = static_cast<std::int8_t>(static_cast<int>(word - 3 * quotient) - 1);
      word = quotient;
    }
  }
}

void sample_ternary_fixed_weight(base::RandomStream& random, std::size_t weight,
                                 std::span<std::int8_t> out) {
  if (weight > out.size()) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("weight {} exceeds {} coefficients", weight, out.size()));
  }
  // Each word: 61 random bits, then a payload of 2: value + 1. Sorting by random tags is a uniform
  // permutation of the payloads provided that no two tags are equal, so a draw with equal tags
  // (less than 2^-28 of them) is repeated.
  base::SecretVector<std::uint64_t> words(out.size());
  do {
    random.fill(words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::uint64_t sign = words[i] & 1;
      const std::uint64_t payload = i < weight ? 2 * sign : 1;
      words[i] = (words[i] >> 3 << kPayloadBits) | payload;
    }
    sort_obliviously(words);
  } while (any_equal_tags(words, kPayloadBits));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::int8_t>(static_cast<int>(words[i] & 3) - 1);
  }
}

GaussianSampler::GaussianSampler(double sigma) {
  if (!(sigma >= 0.5 && sigma <= 15)) {
    throw Error(ErrorCode::out_of_range, fmt::format("sigma {} is not in [0.5, 15]", sigma));
  }
  // Half a distribution, from the thin end; the other half by symmetry.
  const auto bound = static_cast<std::size_t>(std::ceil(8 * sigma));
  const long double deviation = sigma;
  const auto weight = [deviation](std::size_t x) {
    const long double z = static_cast<long double>(x) / deviation;
    return std::exp(-z * z / 2);
  };
  long double tail = 0;
  for (std::size_t x = bound; x > 0; --x) tail += weight(x);
  const long double total = 2 * tail + 1;

  cumulative_.resize(2 * bound + 1);
  long double sum = 0;
  for (std::size_t i = 0; i < bound; ++i) {
    sum += weight(bound - i);
    cumulative_[i] =
        static_cast<std::uint64_t>(std::llround(sum / total * static_cast<long double>(kOne63)));
    cumulative_[2 * bound - 1 - i] = kOne63 - cumulative_[i];
  }
  cumulative_[2 * bound] = kOne63;

  // The discrete Gaussian has s = sigma (Micciancio and Peikert, EUROCRYPT 2012, Lemma 2.8), and
  // cutting it lowers u = E cosh(lambda*x) - 1. If no x but 0 is more than 1 + d times as likely
  // here, E exp(lambda*x) <= 1 + (1 + d)*u <= (1 + u)^(1 + d) (Bernoulli): s^2 = (1 + d)*sigma^2.
  long double excess = 0;
  for (std::size_t x = 1; x <= bound; ++x) {
    const std::uint64_t below = x == bound ? 0 : cumulative_[bound - x - 1];
    const auto share = static_cast<long double>(cumulative_[bound - x] - below);
    excess = std::max(excess, share / static_cast<long double>(kOne63) / (weight(x) / total) - 1);
  }
  sub_gaussian_parameter_ =
      static_cast<double>(deviation * std::sqrt(1 + excess + 0x1p-40L));  // and what rounds it
}

void GaussianSampler::sample(base::RandomStream& random, std::span<std::int8_t> out) const {
  for (std::int8_t& value : out) {
    const std::uint64_t r = random.next() >> 1;
    std::uint64_t above = 0;
    for (const std::uint64_t c : cumulative_) above += 1 - less(r, c);
    value = static_cast<std::int8_t>(static_cast<int>(above) - bound());
  }
}

void spread(const Modulus& modulus, std::span<const std::int8_t> small,
            std::span<std::uint64_t> out) {
  if (small.size() != out.size()) {
    throw Error(ErrorCode::mismatch, fmt::format("{} small coefficients do not fit {} residues",
                                                 small.size(), out.size()));
  }
  const std::uint64_t shift = modulus.reduce(kShift);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto nonnegative = static_cast<std::uint8_t>(small[i] + kShift);
    out[i] = modulus.sub(modulus.reduce(nonnegative), shift);
  }
}

}  // namespace heliodor::ring
