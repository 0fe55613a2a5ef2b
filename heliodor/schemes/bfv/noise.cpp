// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bfv/noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "heliodor/base/error.h"
#include "heliodor/rlwe/noise_growth.h"

namespace heliodor::bfv {
namespace {

using rlwe::NoiseBound;

constexpr double kQuotientExcess = 1 + 0x1p-36;

// Of coefficients of at most 1/2, and what their quotients may miss.
NoiseBound rounding_norm(const Parameters& parameters, double excess = 1) {
  return rlwe::worst_norm(parameters.degree(), NoiseBound::of(excess / 2));
}

// log2(t/Q); sums of logarithms are rounded up where they are added to bounds.
double log2_of_t_over_q(const Parameters& parameters, std::size_t limb_count) {
  return std::log2(static_cast<double>(parameters.t().value())) -
         parameters.rlwe().q().prefix(limb_count).log2();
}

}  // namespace

NoiseBound error_limit(const Parameters& parameters, std::size_t limb_count) {
  return NoiseBound::of_log2(-1 - log2_of_t_over_q(parameters, limb_count) - 0x1p-30);
}

void check_error(const Parameters& parameters, const rlwe::Ciphertext& ciphertext) {
  const NoiseBound limit = error_limit(parameters, ciphertext.limb_count());
  if (ciphertext.bounds.error < limit) return;
  throw Error(ErrorCode::noise_overflow,
              fmt::format("an error of up to 2^{:.2f} reaches Q/(2t) = 2^{:.2f} of {} limbs",
                          ciphertext.bounds.error.log2(), limit.log2(), ciphertext.limb_count()));
}

NoiseBound encoding_error(const Parameters& parameters) { return rounding_norm(parameters); }

NoiseBound fresh_error(const Parameters& parameters) {
  return rlwe::encryption_error(parameters.rlwe()) + encoding_error(parameters);
}

NoiseBound product_error(const Parameters& parameters, std::size_t limb_count, NoiseBound x,
                         NoiseBound y) {
  const NoiseBound s = rlwe::secret_norm(parameters.rlwe()), one = NoiseBound::of(1);
  const NoiseBound rounding = rounding_norm(parameters, kQuotientExcess);
  const NoiseBound t_over_q =
      NoiseBound::of_log2(log2_of_t_over_q(parameters, limb_count)) * NoiseBound::of(1 + 0x1p-40);
  const NoiseBound wrapped =
      NoiseBound::of(static_cast<double>(parameters.t().value())) * rounding * (one + s);
  return (wrapped + t_over_q * x) * y + (wrapped + t_over_q * y) * x + t_over_q * x * y +
         rounding * (one + s + s * s);
}

NoiseBound switched_error(const Parameters& parameters, std::size_t limb_count, NoiseBound error,
                          std::size_t parts) {
  const auto q = static_cast<double>(parameters.rlwe().q()[limb_count - 1].value());
  return error / q + rlwe::mod_switch_error(parameters.rlwe(), parts);
}

bool drops_limb(const Parameters& parameters, std::size_t limb_count, NoiseBound error) {
  if (limb_count < 2) return false;
  const NoiseBound after = switched_error(parameters, limb_count, error, 2);
  const NoiseBound rounding = rlwe::mod_switch_error(parameters.rlwe(), 2);
  return !(after < rounding + rounding) && after < error_limit(parameters, limb_count - 1);
}

// A ciphertext may drop a limb when it meets another that has, with one rounding more than this
// sequence has: each operand is given one.
std::vector<rlwe::NoiseBudget> noise_budgets(const Parameters& parameters, std::size_t summands,
                                             std::size_t most) {
  std::vector<rlwe::NoiseBudget> budgets;
  std::size_t l = parameters.rlwe().q().size();
  NoiseBound error = fresh_error(parameters);
  while (error < error_limit(parameters, l)) {
    // A product drops limbs, a fresh ciphertext does not.
    for (; !budgets.empty() && drops_limb(parameters, l, error); --l)
      error = switched_error(parameters, l, error, 2);
    budgets.push_back({l, error, error_limit(parameters, l)});
    if (budgets.size() > most) break;
    const NoiseBound switching = rlwe::noisiest_key_switch_error(parameters.rlwe(), l);
    const NoiseBound operand = error + switching + rlwe::mod_switch_error(parameters.rlwe(), 2);
    const NoiseBound sum = operand * NoiseBound::of(static_cast<double>(summands));
    error = product_error(parameters, l, sum, sum) + switching;
  }
  return budgets;
}

std::optional<std::size_t> supported_depth(const Parameters& parameters, std::size_t summands,
                                           std::size_t most) {
  const std::size_t depths = noise_budgets(parameters, summands, most).size();
  return depths == 0 ? std::nullopt : std::optional(depths - 1);
}

}  // namespace heliodor::bfv
