// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/noise_growth.h"

#include <algorithm>
#include <cmath>

#include "heliodor/ring/sampler.h"

namespace heliodor::rlwe {
namespace {

// Above log2(1 + n * 2^-47) for up to 1,024 moduli: by that factor an exact lift may exceed half
// its modulus (ring/reference.h, quotient).
constexpr double kLog2OfExactExcess = 0x1p-36;

constexpr double kUniformTernary = 2.0 / 3;  // variance

// log2 of max|lift| / B for a base B of `size` moduli.
double log2_of_lift(DigitLift lift, std::size_t size) {
  return lift == DigitLift::exact ? -1 + kLog2OfExactExcess : std::log2(static_cast<double>(size));
}

// Of coefficients in {-1, 0, 1}, sampled with this variance. Small degrees have the worst case.
NoiseBound ternary_norm(const Parameters& parameters, double variance) {
  return std::min(worst_norm(parameters.degree(), NoiseBound::of(1)),
                  sampled_norm(parameters.degree(), std::sqrt(variance)));
}

NoiseBound error_norm(const Parameters& parameters) {
  const ring::GaussianSampler sampler(parameters.sigma());
  return std::min(worst_norm(parameters.degree(), NoiseBound::of(sampler.bound())),
                  sampled_norm(parameters.degree(), sampler.sub_gaussian_parameter()));
}

NoiseBound error_scale(const Parameters& parameters) {
  return NoiseBound::of(static_cast<double>(parameters.error_scale()));
}

// 1 + |s| + .. + |s|^{parts-1}
NoiseBound powers_of_secret(const Parameters& parameters, std::size_t parts) {
  NoiseBound sum, power = NoiseBound::of(1);
  for (std::size_t i = 0; i < parts; ++i) {
    sum = sum + power;
    power = power * secret_norm(parameters);
  }
  return sum;
}

// Of parts that differ from exact quotients by tau * kappa, kappa given by its log2.
NoiseBound rounding_error(const Parameters& parameters, double log2_of_kappa, std::size_t parts) {
  return worst_norm(parameters.degree(), NoiseBound::of_log2(log2_of_kappa)) *
         error_scale(parameters) * powers_of_secret(parameters, parts);
}

}  // namespace

double log2_of_digit(const Parameters& parameters, const Gadget& gadget, std::size_t limb_count,
                     std::size_t j) {
  const std::size_t first = j * gadget.digit_size;
  const std::size_t size = std::min(gadget.digit_size, limb_count - first);
  const DigitLift lift = gadget.special_count == 0 ? DigitLift::exact : parameters.lift();
  return log2_product(parameters.q().moduli().subspan(first, size)) + log2_of_lift(lift, size);
}

NoiseBound secret_norm(const Parameters& parameters) {
  if (!parameters.secret_weight()) return ternary_norm(parameters, kUniformTernary);
  const auto weight = static_cast<double>(*parameters.secret_weight());
  return std::min(NoiseBound::of(weight),
                  ternary_norm(parameters, weight / static_cast<double>(parameters.degree())));
}

NoiseBound encryption_error(const Parameters& parameters, bool public_key) {
  const NoiseBound e = error_norm(parameters);
  if (!public_key) return error_scale(parameters) * e;
  const NoiseBound u = ternary_norm(parameters, kUniformTernary);
  return error_scale(parameters) * (e * u + e + secret_norm(parameters) * e);
}

NoiseBound key_switch_error(const Parameters& parameters, const Gadget& gadget,
                            std::size_t limb_count) {
  NoiseBound digits;
  for (std::size_t j = 0; j < gadget.digit_count(limb_count); ++j) {
    digits = digits + NoiseBound::of_log2(log2_of_digit(parameters, gadget, limb_count, j));
  }
  const NoiseBound products =
      worst_norm(parameters.degree(), digits) * error_scale(parameters) * error_norm(parameters);
  if (gadget.special_count == 0) return products;
  const double log2_of_p = log2_product(parameters.p().first(gadget.special_count));
  return products * NoiseBound::of_log2(-log2_of_p) +
         rounding_error(parameters, log2_of_lift(parameters.lift(), gadget.special_count), 2);
}

NoiseBound noisiest_key_switch_error(const Parameters& parameters, std::size_t limb_count) {
  NoiseBound noisiest;
  for (const Gadget& gadget : parameters.gadgets()) {
    if (gadget.max_limb_count < limb_count) continue;
    noisiest = std::max(noisiest, key_switch_error(parameters, gadget, limb_count));
  }
  return noisiest;
}

NoiseBound mod_switch_error(const Parameters& parameters, std::size_t parts) {
  return rounding_error(parameters, log2_of_lift(DigitLift::exact, 1), parts);
}

Bounds sum_bounds(const Bounds& a, const Bounds& b) {
  return {a.phase + b.phase, a.error + b.error};
}

Bounds product_bounds(const Bounds& a, const Bounds& b) {
  return {a.phase * b.phase, a.phase * b.error + (b.phase + b.error) * a.error};
}

Bounds with_error(const Bounds& a, const NoiseBound& error) {
  return {a.phase + error, a.error + error};
}

Bounds quotient_bounds(const Bounds& a, std::uint64_t q) {
  const auto divisor = static_cast<double>(q);
  return {a.phase / divisor, a.error / divisor};
}

}  // namespace heliodor::rlwe
