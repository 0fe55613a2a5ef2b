// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/ckks/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "heliodor/base/error.h"
#include "heliodor/rlwe/transform.h"
#include "heliodor/schemes/ckks/integer_pieces.h"

namespace heliodor::ckks {
namespace {

constexpr double kUnitRoundoff = 0x1p-53;

void check_count(const char* what, std::size_t count, std::size_t most) {
  if (count >= 1 && count <= most) return;
  throw Error(ErrorCode::out_of_range, fmt::format("{} {} are not in [1, {}]", count, what, most));
}

double largest_magnitude(std::span<const std::complex<double>> values) {
  double largest = 0;
  for (const std::complex<double>& z : values) largest = std::max(largest, std::abs(z));
  return largest;
}

double factor_of(const Scale& scale) {
  const double factor = scale.value();
  if (std::isnormal(factor)) return factor;
  throw Error(ErrorCode::out_of_range,
              fmt::format("scale 2^{:.2f} is outside the range of doubles", scale.log2()));
}

void scale_by(std::span<double> reals, double factor) {
  for (double& x : reals) x *= factor;
}

}  // namespace

Encoder::Encoder(rlwe::ContextPtr context)
    : context_(std::move(context)), embedding_(context_->parameters().degree()) {}

Plaintext Encoder::encode(std::span<const std::complex<double>> values, std::size_t limb_count,
                          const Scale& scale) const {
  check_count("slots", values.size(), max_slots());
  const std::size_t n = std::bit_ceil(values.size());
  Slots slots(values.begin(), values.end());
  slots.resize(n);
  std::vector<double> coefficients(2 * n);
  embedding_.to_coefficients(slots, coefficients);
  const double factor = factor_of(scale);
  scale_by(coefficients, factor);

  Plaintext result{
      rlwe::to_evaluations(*context_, residues(coefficients, limb_count)), scale, n, {}, {}};
  const double largest = factor * largest_magnitude(values);
  result.error = encoding_error(n, largest);
  result.bound = rlwe::NoiseBound::of(largest) + result.error;
  check_bound(result);
  return result;
}

Plaintext Encoder::encode(std::span<const double> values, std::size_t limb_count,
                          const Scale& scale) const {
  if (values.size() != 1) return encode(Slots(values.begin(), values.end()), limb_count, scale);
  const double constant = values[0] * factor_of(scale);
  rlwe::LimbMatrix limbs = residues({&constant, 1}, limb_count);
  // A constant has equal evaluations.
  for (std::size_t i = 0; i < limb_count; ++i)
    std::ranges::fill(limbs.limb(0, i).subspan(1), limbs.limb(0, i)[0]);
  Plaintext result{std::move(limbs), scale, 1, {}, {}};
  result.error = rlwe::NoiseBound::of(0.5 + 4 * kUnitRoundoff * std::abs(constant));
  result.bound = rlwe::NoiseBound::of(std::abs(constant)) + result.error;
  check_bound(result);
  return result;
}

Plaintext Encoder::encode_coefficients(std::span<const double> values, std::size_t limb_count,
                                       const Scale& scale) const {
  check_count("coefficients", values.size(), 2 * max_slots());
  std::vector<double> coefficients(2 * max_slots());
  std::ranges::copy(values, coefficients.begin());
  scale_by(coefficients, factor_of(scale));

  Plaintext result{rlwe::to_evaluations(*context_, residues(coefficients, limb_count)),
                   scale,
                   max_slots(),
                   {},
                   {}};
  double sum = 0;
  for (const double x : coefficients) sum += std::abs(x);
  const auto count = static_cast<double>(values.size());
  result.error = rlwe::NoiseBound::of(count / 2 + 4 * kUnitRoundoff * sum);
  // A sum of N doubles is short by less than N units.
  result.bound = rlwe::NoiseBound::of(sum * (1 + 2 * count * kUnitRoundoff)) + result.error;
  check_bound(result);
  return result;
}

// Of a polynomial in X^(N / size).
rlwe::LimbMatrix Encoder::residues(std::span<const double> coefficients,
                                   std::size_t limb_count) const {
  const ring::RnsBase& q = context_->parameters().q();
  check_count("limbs", limb_count, q.size());
  const IntegerPieces integers(coefficients);
  rlwe::LimbMatrix limbs(1, limb_count, q.degree());
  for (std::size_t i = 0; i < limb_count; ++i)
    integers.to_residues(q[i], limbs.limb(0, i), q.degree() / coefficients.size());
  return limbs;
}

void Encoder::check_bound(const Plaintext& plaintext) const {
  const rlwe::NoiseBound limit = context_->parameters().phase_limit(plaintext.limb_count());
  if (plaintext.bound < limit) return;
  throw Error(
      ErrorCode::out_of_range,
      fmt::format("values of 2^{:.2f} times the scale exceed 2^{:.2f}, half of the {} limbs",
                  plaintext.bound.log2(), limit.log2(), plaintext.limb_count()));
}

Slots Encoder::decode(const rlwe::LimbMatrix& digits, const Scale& scale, std::size_t slots) const {
  check_count("slots", slots, max_slots());
  std::vector<double> coefficients(2 * slots);
  from_digits(digits, context_->parameters().q().moduli(), coefficients, max_slots() / slots);
  scale_by(coefficients, 1 / factor_of(scale));
  Slots result(slots);
  embedding_.to_slots(coefficients, result);
  return result;
}

std::vector<double> Encoder::decode_coefficients(const rlwe::LimbMatrix& digits,
                                                 const Scale& scale) const {
  std::vector<double> coefficients(2 * max_slots());
  from_digits(digits, context_->parameters().q().moduli(), coefficients, 1);
  scale_by(coefficients, 1 / factor_of(scale));
  return coefficients;
}

rlwe::NoiseBound Encoder::encoding_error(std::size_t slots, double largest) noexcept {
  const auto n = static_cast<double>(slots);
  const double relative = Embedding::relative_error(slots) + 4 * kUnitRoundoff;
  return rlwe::worst_norm(2 * slots, rlwe::NoiseBound::of(0.5)) +
         rlwe::NoiseBound::of(relative * std::sqrt(n) * largest);
}

double Encoder::decoding_error(std::size_t slots, std::size_t limb_count) noexcept {
  const double digits = static_cast<double>(4 * limb_count + 8) * kUnitRoundoff;
  return (Embedding::relative_error(slots) + digits) * std::sqrt(static_cast<double>(slots));
}

}  // namespace heliodor::ckks
