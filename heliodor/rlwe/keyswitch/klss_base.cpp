// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The sizes of klss: T and the block size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "heliodor/base/error.h"
#include "heliodor/ring/primes.h"
#include "heliodor/rlwe/keyswitch/klss.h"
#include "heliodor/rlwe/noise_growth.h"

namespace heliodor::rlwe {
namespace {

// log2(1 + 2^-8), and far more than the rounding of sums of logarithms.
constexpr double kLog2Slack = 0.0057;

// log2 of the largest R_i.
double log2_of_largest_block(const Parameters& parameters, const Gadget& gadget,
                             std::size_t block_size) {
  const std::size_t k = gadget.special_count, limbs = k + gadget.max_limb_count;
  std::vector<ring::Modulus> order(parameters.p().begin(),
                                   parameters.p().begin() + static_cast<std::ptrdiff_t>(k));
  const auto q = parameters.q().moduli().first(gadget.max_limb_count);
  order.insert(order.end(), q.begin(), q.end());
  double largest = 0;
  for (std::size_t first = 0; first < limbs; first += block_size) {
    const auto block = std::span(order).subspan(first, std::min(block_size, limbs - first));
    largest = std::max(largest, log2_product(block));
  }
  return largest;
}

double log2_of_least_t(const Parameters& parameters, const Gadget& gadget, std::size_t block_size) {
  parameters.check(gadget);
  const std::size_t limbs = gadget.special_count + gadget.max_limb_count;
  if (gadget.special_count == 0)
    throw Error(ErrorCode::out_of_range, "special_count 0 is below 1: klss needs a hybrid key");
  if (block_size < 1 || block_size > limbs) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("block_size {} is not in [1, {}]", block_size, limbs));
  }
  const std::size_t l = gadget.max_limb_count;
  double digit = 0;
  for (std::size_t j = 0; j < gadget.digit_count(l); ++j) {
    digit = std::max(digit, log2_of_digit(parameters, gadget, l, j));
  }
  return std::log2(static_cast<double>(parameters.degree())) +
         std::log2(static_cast<double>(gadget.digit_count(l))) + digit +
         log2_of_largest_block(parameters, gadget, block_size) + kLog2Slack;
}

// Primes of t_bits bits outside Q and P: enough for a product above 2^least, or all that there are.
std::vector<std::uint64_t> candidates_for_t(const Parameters& parameters, double least,
                                            unsigned t_bits) {
  std::vector<std::uint64_t> taken;
  for (const ring::Modulus& q : parameters.q().moduli()) taken.push_back(q.value());
  for (const ring::Modulus& p : parameters.p()) taken.push_back(p.value());
  const auto most = static_cast<std::size_t>(least / (t_bits - 1)) + 1;
  return ring::find_primes(t_bits, parameters.degree(), most, taken);
}

// How many of the primes have a product above 2^least; nothing if all have not.
std::optional<std::size_t> prime_count(std::span<const std::uint64_t> primes, double least) {
  double log2_of_t = 0;
  for (std::size_t i = 0; i < primes.size(); ++i) {
    log2_of_t += std::log2(static_cast<double>(primes[i]));
    if (log2_of_t > least) return i + 1;
  }
  return {};
}

}  // namespace

std::vector<ring::Modulus> klss_base(const Parameters& parameters, const Gadget& gadget,
                                     std::size_t block_size, unsigned t_bits) {
  const double least = log2_of_least_t(parameters, gadget, block_size);
  const std::vector<std::uint64_t> primes = candidates_for_t(parameters, least, t_bits);
  const auto count = prime_count(primes, least);
  if (!count) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("T of {:.0f} bits exceeds the product of the {} primes of {} bits",
                            std::ceil(least), primes.size(), t_bits));
  }
  std::vector<ring::Modulus> t;
  for (const std::uint64_t prime : std::span(primes).first(*count)) {
    t.emplace_back(prime, parameters.degree());
  }
  return t;
}

std::vector<std::size_t> klss_block_sizes(const Parameters& parameters, const Gadget& gadget,
                                          unsigned t_bits) {
  const std::size_t limbs = gadget.special_count + gadget.max_limb_count;
  const std::vector<std::uint64_t> candidates =
      candidates_for_t(parameters, log2_of_least_t(parameters, gadget, limbs), t_bits);
  const auto primes = [&](std::size_t block_size) {
    return prime_count(candidates, log2_of_least_t(parameters, gadget, block_size));
  };
  std::vector<std::size_t> sizes;
  std::size_t blocks = limbs + 1;
  for (std::size_t size = 1; size <= limbs && primes(size); ++size) {
    const bool largest = size == limbs || primes(size + 1) != primes(size);
    const std::size_t its_blocks = (limbs + size - 1) / size;
    if (!largest || its_blocks >= blocks) continue;
    sizes.push_back(size);
    blocks = its_blocks;
  }
  return sizes;
}

}  // namespace heliodor::rlwe
