// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/kernel_rates.h"

#include <algorithm>
#include <cmath>

namespace heliodor::cpu {
namespace {

// The value at x of the line through (xs[i], ys[i]), constant beyond its ends. xs ascend.
template <std::size_t kCount>
double interpolate(const std::array<unsigned, kCount>& xs, const std::array<double, kCount>& ys,
                   double x) noexcept {
  const auto above = std::ranges::lower_bound(xs, x);
  if (above == xs.end()) return ys.back();
  const auto i = static_cast<std::size_t>(above - xs.begin());
  if (i == 0) return ys[0];
  const double share = (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
  return ys[i - 1] + share * (ys[i] - ys[i - 1]);
}

}  // namespace

const KernelRates::SizeClass& KernelRates::of_bits(unsigned bits) const noexcept {
  const auto found = std::ranges::lower_bound(kClassBits, bits);
  const auto index = std::min<std::ptrdiff_t>(found - kClassBits.begin(), kClassBits.size() - 1);
  return classes[static_cast<std::size_t>(index)];
}

double KernelRates::butterfly(TransformKind kind, unsigned bits,
                              unsigned log_degree) const noexcept {
  return interpolate(kLogDegrees, of_bits(bits).transform[static_cast<std::size_t>(kind)],
                     log_degree);
}

double KernelRates::wait(AccessPattern pattern, std::size_t distance) const noexcept {
  const auto& known = waits[static_cast<std::size_t>(pattern)];
  const double log_distance = std::log2(std::max(static_cast<double>(distance), 1.0));
  const double before = kLogDistances.front() - 1;
  if (log_distance < kLogDistances.front())
    return known.front() * std::clamp(log_distance - before, 0.0, 1.0);
  return interpolate(kLogDistances, known, log_distance);
}

double KernelRates::wait_of_sum(AccessPattern few, std::size_t terms,
                                std::size_t distance) const noexcept {
  const AccessPattern many =
      few == AccessPattern::dot_few ? AccessPattern::dot_many : AccessPattern::conversion_many;
  const std::size_t between = std::clamp(terms, kFewTerms, kManyTerms) - kFewTerms;
  const double share = static_cast<double>(between) / (kManyTerms - kFewTerms);
  return (1 - share) * wait(few, distance) + share * wait(many, distance);
}

}  // namespace heliodor::cpu
