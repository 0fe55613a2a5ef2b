// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bfv/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/ring/primes.h"
#include "heliodor/schemes/bfv/noise.h"

namespace heliodor::bfv {
namespace {

// Of moduli: the widest whose transforms take the fastest kernels everywhere.
constexpr unsigned kLimbBits = 47;
// Of the auxiliary base: no wider than Q where Q is narrow, so that it runs where Q runs.
constexpr unsigned kMinAuxiliaryBits = 30;
// Less is not looked for: limbs stay at 27 bits and more, of which there are enough primes.
constexpr unsigned kMinLogQ = 54;
constexpr unsigned kMaxLogQ = 4096;

double log2_of(const ring::Modulus& q) { return std::log2(static_cast<double>(q.value())); }

// log2 of the least R (parameters.h). The slack also covers the rounding of the logarithms.
double log2_of_least_r(const ring::RnsBase& q, const slots::PlaintextModulus& t) {
  return q.log2() + std::log2(static_cast<double>(t.value())) +
         std::log2(static_cast<double>(q.degree())) + 0x1p-29;
}

ring::RnsBase make_auxiliary_base(const rlwe::Parameters& parameters,
                                  const slots::PlaintextModulus& t) {
  std::vector<std::uint64_t> taken;
  unsigned widest = kMinAuxiliaryBits;
  for (const ring::Modulus& q : parameters.q().moduli()) {
    taken.push_back(q.value());
    widest = std::max(widest, q.bits());
  }
  for (const ring::Modulus& p : parameters.p()) taken.push_back(p.value());

  const unsigned bits = std::min(widest, kLimbBits);
  const double least = log2_of_least_r(parameters.q(), t);
  const auto count = static_cast<std::size_t>(least / (bits - 1)) + 1;
  std::vector<ring::Modulus> r;
  double log2_of_r = 0;
  for (const std::uint64_t prime : ring::generate_primes(bits, parameters.degree(), count, taken)) {
    if (log2_of_r >= least) break;
    r.emplace_back(prime, parameters.degree());
    log2_of_r += log2_of(r.back());
  }
  return ring::RnsBase(std::move(r));
}

// Q of about log_q bits in as few limbs as possible, of nearly one size.
rlwe::Parameters::Description describe(const Requirements& requirements, std::uint64_t degree,
                                       unsigned log_q) {
  const unsigned limbs = (log_q + kLimbBits - 1) / kLimbBits;
  rlwe::ModuliRequest request{.degree = degree,
                              .q_bits = {},
                              .digit_count = requirements.digit_count,
                              .error_scale = requirements.t};  // moduli coprime to t
  for (unsigned i = 0; i < limbs; ++i) request.q_bits.push_back((log_q + i) / limbs);
  rlwe::Parameters::Description description = rlwe::choose_moduli(request);
  description.error_scale = 1;
  description.security = rlwe::SecurityLevel::none;
  return description;
}

// With the least log2(Q) that allows the depth at this degree; none if the level is not reached.
std::optional<rlwe::Parameters::Description> describe_at(const Requirements& requirements,
                                                         std::uint64_t degree) {
  const auto limit = rlwe::max_log_qp(requirements.security, degree);
  if (!limit) return std::nullopt;
  const auto deep_enough = [&](unsigned log_q) {
    const Parameters parameters(describe(requirements, degree, log_q), requirements.t);
    return supported_depth(parameters, requirements.summands, requirements.depth) ==
           requirements.depth;
  };
  unsigned too_small = kMinLogQ - 1;
  unsigned enough = kMinLogQ;
  while (!deep_enough(enough)) {
    if (enough > *limit || enough > kMaxLogQ) return std::nullopt;
    too_small = std::exchange(enough, 2 * enough);
  }
  while (enough - too_small > 1) {
    const unsigned middle = (too_small + enough) / 2;
    (deep_enough(middle) ? enough : too_small) = middle;
  }
  rlwe::Parameters::Description description = describe(requirements, degree, enough);
  if (rlwe::Parameters(description).log_qp() > *limit) return std::nullopt;
  description.security = requirements.security;
  return description;
}

}  // namespace

Parameters::Parameters(rlwe::Parameters::Description description, std::uint64_t t)
    : rlwe_(std::move(description)), t_(t), auxiliary_(make_auxiliary_base(rlwe_, t_)) {
  if (rlwe_.error_scale() != 1) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("error scale {} of BFV is not 1", rlwe_.error_scale()));
  }
  for (const ring::Modulus& q : rlwe_.q().moduli()) t_.inverse(q.value());
}

Parameters Parameters::for_depth(const Requirements& requirements) {
  for (std::uint64_t degree = std::max<std::uint64_t>(std::bit_ceil(requirements.min_degree), 1024);
       degree <= ring::Modulus::kMaxDegree; degree *= 2) {
    if (auto description = describe_at(requirements, degree))
      return Parameters(*std::move(description), requirements.t);
  }
  throw Error(ErrorCode::out_of_range,
              fmt::format("depth {} modulo {} exceeds what degree {} carries at {}",
                          requirements.depth, requirements.t, ring::Modulus::kMaxDegree,
                          rlwe::to_string(requirements.security)));
}

ring::RnsBase Parameters::auxiliary_base(std::size_t limb_count) const {
  const double least = log2_of_least_r(rlwe_.q().prefix(limb_count), t_);
  std::size_t size = 0;
  double log2_of_r = 0;
  while (log2_of_r < least) log2_of_r += log2_of(auxiliary_[size++]);
  return auxiliary_.prefix(size);
}

}  // namespace heliodor::bfv
