// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/ring/sampler.h"

namespace heliodor::rlwe {
namespace {

// The guidelines' table takes sigma = 3.19 (OpenFHE's) and 3.2 as one.
constexpr double kSmallestTableSigma = 3.19;

void check_in(const char* what, std::size_t value, std::size_t low, std::size_t high) {
  if (value < low || value > high) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("{} {} is not in [{}, {}]", what, value, low, high));
  }
}

void check_error_scale(std::uint64_t scale, std::span<const ring::Modulus> moduli) {
  if (scale == 0) throw Error(ErrorCode::out_of_range, "error_scale 0 is below 1");
  for (const ring::Modulus& q : moduli) {
    if (scale % q.value() == 0) {
      throw Error(ErrorCode::out_of_range,
                  fmt::format("error_scale {} is a multiple of modulus {}", scale, q.value()));
    }
  }
}

SecurityLevel verdict(const Parameters::Description& d, double log_qp) {
  const bool outside_table = d.secret_weight || d.sigma < kSmallestTableSigma;
  return security_level(d.q.front().degree(), log_qp, outside_table);
}

[[noreturn]] void refuse(const Parameters::Description& d, double log_qp) {
  const std::uint64_t degree = d.q.front().degree();
  const auto limit = max_log_qp(d.security, degree);
  std::string reason = "the degree has no entry for it";
  if (d.secret_weight) {
    reason = fmt::format("secrets of weight {} are outside the table", *d.secret_weight);
  } else if (d.sigma < kSmallestTableSigma) {
    reason = fmt::format("sigma {} is below the table's {}", d.sigma, kSmallestTableSigma);
  } else if (limit) {
    reason = fmt::format("the limit is {}", *limit);
  }
  throw Error(ErrorCode::insecure,
              fmt::format("degree {} with log2(QP) = {:.2f} does not reach {}: {} (security = none "
                          "allows it)",
                          degree, log_qp, to_string(d.security), reason));
}

}  // namespace

double log2_product(std::span<const ring::Modulus> moduli) noexcept {
  double sum = 0;
  for (const ring::Modulus& q : moduli) sum += std::log2(static_cast<double>(q.value()));
  return sum;
}

Parameters::Parameters(Description description)
    : description_(std::move(description)), q_(description_.q), security_(SecurityLevel::none) {
  if (!description_.p.empty()) {
    static_cast<void>(q_.concatenate(ring::RnsBase(description_.p)));  // one degree, all distinct
  }
  check_error_scale(error_scale(), description_.q);
  check_error_scale(error_scale(), description_.p);
  for (const Gadget& gadget : description_.gadgets) check(gadget);
  if (secret_weight()) check_in("secret_weight", *secret_weight(), 1, degree());
  static_cast<void>(ring::GaussianSampler(sigma()));  // throws for a sigma it cannot sample
  security_ = verdict(description_, log_qp());
  if (security_ < description_.security) refuse(description_, log_qp());
}

double Parameters::log_q() const noexcept { return log2_product(description_.q); }

double Parameters::log_qp() const noexcept { return log_q() + log2_product(description_.p); }

void Parameters::check(const Gadget& gadget) const {
  check_in("special_count", gadget.special_count, 0, description_.p.size());
  check_in("digit_size", gadget.digit_size, 1, gadget.special_count == 0 ? 1 : q_.size());
  check_in("max_limb_count", gadget.max_limb_count, 1, q_.size());
}

NoiseBound Parameters::phase_limit(std::size_t limb_count) const {
  check_in("limb_count", limb_count, 1, q_.size());
  // A sum of at most 2^10 logarithms below 2^16 is off by less than 2^-25.
  const double log2 = log2_product(q_.moduli().first(limb_count));
  return NoiseBound::of_log2(log2 - 1 - 0x1p-25);
}

std::uint64_t smallest_degree(SecurityLevel level, double log_qp) {
  constexpr std::uint64_t kSmallest = 1024;
  constexpr std::uint64_t kLargest = 131072;
  for (std::uint64_t degree = kSmallest; degree <= kLargest; degree *= 2) {
    const auto limit = max_log_qp(level, degree);
    if (limit && log_qp <= *limit) return degree;
  }
  throw Error(ErrorCode::out_of_range,
              fmt::format("log2(QP) = {:.2f} exceeds {}, the limit of the largest degree {} for {}",
                          log_qp, *max_log_qp(level, kLargest), kLargest, to_string(level)));
}

}  // namespace heliodor::rlwe
