// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/noise_bound.h"

#include <algorithm>

namespace heliodor::rlwe {
namespace {

// Far above the error of log2, log1p, exp2 and their sums, a few units of 2^-52 of what they
// return.
double rounded_up(double log2) { return log2 + 0x1p-40 * std::max(1.0, std::abs(log2)); }

}  // namespace

NoiseBound NoiseBound::of(double value) noexcept {
  int exponent = 0;
  const bool exact = value == 0 || std::frexp(value, &exponent) == 0.5;
  return of_log2(exact ? std::log2(value) : rounded_up(std::log2(value)));
}

NoiseBound NoiseBound::of_log2(double log2) noexcept {
  NoiseBound result;
  result.log2_ = log2;
  return result;
}

NoiseBound operator+(NoiseBound a, NoiseBound b) noexcept {
  const double larger = std::max(a.log2_, b.log2_);
  const double smaller = std::min(a.log2_, b.log2_);
  // Nothing adds to what is unknown.
  if (smaller == -INFINITY || larger == INFINITY) return NoiseBound::of_log2(larger);
  return NoiseBound::of_log2(rounded_up(larger + std::log1p(std::exp2(smaller - larger)) / M_LN2));
}

NoiseBound operator*(NoiseBound a, NoiseBound b) noexcept {
  // 0 * x = 0, and factors of 1 leave no trace.
  if (a.log2_ == -INFINITY || b.log2_ == -INFINITY) return {};
  if (a.log2_ == 0) return b;
  if (b.log2_ == 0) return a;
  return NoiseBound::of_log2(rounded_up(a.log2_ + b.log2_));
}

NoiseBound operator/(NoiseBound a, double divisor) noexcept {
  return a * NoiseBound::of(1 / divisor);
}

NoiseBound worst_norm(std::uint64_t degree, NoiseBound largest) noexcept {
  return largest * NoiseBound::of(1 / std::sin(M_PI / (2 * static_cast<double>(degree))));
}

NoiseBound sampled_norm(std::uint64_t degree, double s) noexcept {
  const auto n = static_cast<double>(degree);
  const double x = s * std::sqrt(n * M_LN2 * (144 + std::log2(n)));
  return NoiseBound::of(x / std::cos(M_PI / 32));
}

}  // namespace heliodor::rlwe
