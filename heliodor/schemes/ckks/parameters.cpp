// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/ckks/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "heliodor/base/error.h"
#include "heliodor/ring/primes.h"

namespace heliodor::ckks {
namespace {

constexpr unsigned kMinBits = 20;
constexpr unsigned kFastBits = 47;  // primes that the fastest kernels take
constexpr unsigned kMaxIntegerBits = 40;

// How far level primes keep below 2^scale_bits: special primes, which are the largest of their
// size, then cover a digit without one more of them.
constexpr double kBelow = 0x1p-12;

void check_in(const char* what, std::size_t value, std::size_t low, std::size_t high) {
  if (value >= low && value <= high) return;
  throw Error(ErrorCode::out_of_range,
              fmt::format("{} {} is not in [{}, {}]", what, value, low, high));
}

void check(const Requirements& r) {
  check_in("scale_bits", r.scale_bits, kMinBits, kFastBits);
  check_in("integer_bits", r.integer_bits, 0, kMaxIntegerBits);
  // Exponents of scales double with every level.
  constexpr std::size_t max_depth = 100;
  check_in("depth", r.depth, 0, max_depth);
}

// Sizes of the moduli, base first. The sign takes a bit.
std::vector<unsigned> sizes_of(const Requirements& r) {
  const unsigned base_bits = std::max(kMinBits, r.scale_bits + r.integer_bits + 1);
  std::vector<unsigned> sizes{base_bits};
  if (base_bits > kFastBits) sizes = {(base_bits + 1) / 2, (base_bits + 1) / 2};
  sizes.resize(sizes.size() + r.depth, r.scale_bits);
  return sizes;
}

// The unused prime = 1 mod 2N nearest to `target`.
std::uint64_t nearest_prime(double target, std::uint64_t degree,
                            const std::vector<std::uint64_t>& used) {
  const std::uint64_t step = 2 * degree;
  const auto middle = static_cast<std::uint64_t>(target / static_cast<double>(step)) * step + 1;
  for (std::uint64_t distance = 0; distance < middle / 2; distance += step) {
    for (const std::uint64_t q : {middle + distance, middle - distance}) {
      if (ring::is_prime(q) && std::ranges::find(used, q) == used.end()) return q;
    }
  }
  throw Error(ErrorCode::out_of_range,
              fmt::format("no prime near {:.0f} is left for degree {}", target, degree));
}

// Replaces the moduli of the levels by those that keep scales near T.
void steer_scales(rlwe::Parameters::Description& description, std::size_t base_limbs,
                  unsigned scale_bits) {
  const std::uint64_t degree = description.q.front().degree();
  std::vector<std::uint64_t> used;
  for (std::size_t i = 0; i < base_limbs; ++i) used.push_back(description.q[i].value());
  for (const ring::Modulus& p : description.p) used.push_back(p.value());
  double scale = std::ldexp(1.0, static_cast<int>(scale_bits));
  const double wanted = scale * (1 - kBelow);
  for (std::size_t i = description.q.size(); i-- > base_limbs;) {
    const std::uint64_t q = nearest_prime(scale * (scale / wanted), degree, used);
    used.push_back(q);
    description.q[i] = ring::Modulus(q, degree);
    scale *= scale / static_cast<double>(q);
  }
}

rlwe::Parameters::Description describe(const Requirements& r, std::uint64_t degree) {
  const std::vector<unsigned> sizes = sizes_of(r);
  rlwe::Parameters::Description description =
      rlwe::choose_moduli({degree, sizes, r.digit_count, 1});
  steer_scales(description, sizes.size() - r.depth, r.scale_bits);
  description.security = r.security;
  return description;
}

double log2_product(std::span<const ring::Modulus> moduli) {
  double sum = 0;
  for (const ring::Modulus& q : moduli) sum += std::log2(static_cast<double>(q.value()));
  return sum;
}

// The smallest degree whose own moduli are secure: larger degrees have scarcer primes, so that
// sizes may shift by a bit.
rlwe::Parameters::Description describe(const Requirements& r) {
  if (r.degree) return describe(r, *r.degree);
  const std::vector<unsigned> sizes = sizes_of(r);
  double least = 0;
  for (const unsigned bits : sizes) least += bits - 1;
  std::uint64_t degree = rlwe::smallest_degree(r.security, least);
  for (;;) {
    auto description = describe(r, degree);
    const double log_qp = log2_product(description.q) + log2_product(description.p);
    const std::uint64_t needed = rlwe::smallest_degree(r.security, log_qp);
    if (needed <= degree) return description;
    degree = needed;
  }
}

}  // namespace

Parameters::Parameters(rlwe::Parameters::Description description, const Scale& scale,
                       std::size_t base_limbs, double value_bound)
    : rlwe_(std::move(description)), base_limbs_(base_limbs), value_bound_(value_bound) {
  check_in("error_scale", rlwe_.error_scale(), 1, 1);
  check_in("base_limbs", base_limbs, 1, limb_count());
  if (!std::isfinite(value_bound) || value_bound <= 0) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("value_bound {} is not positive and finite", value_bound));
  }
  scales_.resize(depth() + 1);
  scales_.back() = scale;
  for (std::size_t level = depth(); level > 0; --level) {
    const std::uint64_t dropped = rlwe_.q()[base_limbs + level - 1].value();
    scales_[level - 1] = scales_[level] * scales_[level] / Scale::of_integer(dropped);
  }
}

Parameters Parameters::for_depth(const Requirements& requirements) {
  check(requirements);
  const std::size_t base_limbs = sizes_of(requirements).size() - requirements.depth;
  return {describe(requirements), Scale::power_of_two(static_cast<int>(requirements.scale_bits)),
          base_limbs, requirements.value_bound};
}

const Scale& Parameters::scale(std::size_t limb_count) const {
  check_in("limb_count", limb_count, base_limbs_, this->limb_count());
  return scales_[limb_count - base_limbs_];
}

}  // namespace heliodor::ckks
