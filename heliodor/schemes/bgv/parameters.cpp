// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bgv/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/schemes/bgv/noise.h"

namespace heliodor::bgv {
namespace {

using Description = rlwe::Parameters::Description;

// The widest limbs whose transforms take the fastest kernels everywhere, and the narrowest of which
// there are enough.
constexpr unsigned kMaxLimbBits = 47;
constexpr unsigned kMinLimbBits = 30;

Description with_error_scale(Description description, std::uint64_t t) {
  description.error_scale = t;
  return description;
}

// Moduli that are 1 modulo t, so that factors stay 1, where there are enough.
Description choose_moduli(const Requirements& requirements, std::uint64_t degree, unsigned bits,
                          std::size_t limbs) {
  rlwe::ModuliRequest request{.degree = degree,
                              .q_bits = std::vector<unsigned>(limbs, bits),
                              .digit_count = requirements.digit_count,
                              .error_scale = requirements.t,
                              .factor = requirements.t};
  try {
    return rlwe::choose_moduli(request);
  } catch (const Error&) {
    request.factor = 1;
    return rlwe::choose_moduli(request);
  }
}

Parameters insecure(const Requirements& requirements, std::uint64_t degree, unsigned bits,
                    std::size_t limbs) {
  Description description = choose_moduli(requirements, degree, bits, limbs);
  description.security = rlwe::SecurityLevel::none;
  return Parameters(std::move(description), requirements.t);
}

// With the fewest limbs, then the fewest bits, that allow the depth at this degree and reach the
// level; none if there are none. More limbs of fewer bits may come to a smaller Q.
std::optional<Description> describe_at(const Requirements& requirements, std::uint64_t degree) {
  const auto limit = rlwe::max_log_qp(requirements.security, degree);
  if (!limit) return std::nullopt;
  const auto deep_enough = [&](unsigned bits, std::size_t limbs) {
    return supported_depth(insecure(requirements, degree, bits, limbs), requirements.summands,
                           requirements.depth) == requirements.depth;
  };
  constexpr std::size_t kMostLimbs = 100;
  for (std::size_t limbs = 1; limbs <= kMostLimbs; ++limbs) {
    const double room = *limit / static_cast<double>(limbs);
    if (room < kMinLimbBits) break;
    auto bits = static_cast<unsigned>(std::min<double>(kMaxLimbBits, room));
    if (!deep_enough(bits, limbs)) continue;
    while (bits > kMinLimbBits && deep_enough(bits - 1, limbs)) --bits;
    Description description = insecure(requirements, degree, bits, limbs).rlwe().description();
    if (rlwe::Parameters(description).log_qp() > *limit) continue;
    description.security = requirements.security;
    return description;
  }
  return std::nullopt;
}

}  // namespace

Parameters::Parameters(Description description, std::uint64_t t)
    : rlwe_(with_error_scale(std::move(description), t)), t_(t) {
  for (const ring::Modulus& q : rlwe_.q().moduli()) t_.inverse(t_.reduce(q.value()));
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

}  // namespace heliodor::bgv
