// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/choose_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/cli/internal/explain_parameters.h"
#include "heliodor/formats/container/packing.h"
#include "heliodor/ring/primes.h"
#include "heliodor/schemes/bfv/noise.h"
#include "heliodor/schemes/bgv/noise.h"
#include "heliodor/schemes/ckks/noise.h"

namespace heliodor::cli {
namespace {

using Description = rlwe::Parameters::Description;
using ring::Modulus;
using rlwe::SecurityLevel;

constexpr std::uint64_t kUsualT = 65537;
constexpr std::uint64_t kLeastDegree = 1024;
constexpr unsigned kLeastScaleBits = 20, kMostScaleBits = 47;

/// A choice of a scheme and what its products leave.
struct Choice {
  rlwe::Parameters parameters;
  std::vector<LevelRow> levels;
};

bool is_bv(const ParameterRequest& request) { return request.method == rlwe::KeySwitchMethod::bv; }

// Without special primes where BV is asked for, and of the security asked for.
Description finished(Description description, const ParameterRequest& request) {
  if (is_bv(request)) {
    description.p.clear();
    description.gadgets = {{1, 0, description.q.size()}};
  }
  description.security = request.security;
  return description;
}

std::vector<LevelRow> rows_of(const rlwe::Parameters& parameters,
                              const std::vector<rlwe::NoiseBudget>& budgets) {
  std::vector<LevelRow> rows;
  for (const rlwe::NoiseBudget& budget : budgets) {
    rows.push_back({rows.size(),
                    budget.limb_count,
                    parameters.q().prefix(budget.limb_count).log2(),
                    budget.bits(),
                    {}});
  }
  return rows;
}

slots::Requirements requirements_modulo_t(const ParameterRequest& request) {
  slots::Requirements requirements{.t = request.t.value_or(kUsualT), .depth = request.depth};
  requirements.summands = request.summands.value_or(requirements.summands);
  requirements.digit_count = request.digits.value_or(requirements.digit_count);
  requirements.security = request.security;
  return requirements;
}

// What the library chooses, if it is of this degree.
template <typename Parameters>
std::optional<Choice> secure_at(const ParameterRequest& request, std::uint64_t degree) {
  slots::Requirements requirements = requirements_modulo_t(request);
  requirements.min_degree = degree;
  try {
    const Parameters chosen = Parameters::for_depth(requirements);
    if (chosen.degree() != degree) return std::nullopt;
    return Choice{chosen.rlwe(), rows_of(chosen.rlwe(), noise_budgets(chosen, requirements.summands,
                                                                      request.depth))};
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_range) throw;
    return std::nullopt;  // no degree does
  }
}

// At this degree whatever its security, then of the security asked for; nothing if it cannot carry
// the depth. BV switches noisily: more depth is asked of the library until enough is left.
template <typename Parameters>
std::optional<Choice> choose_at(const ParameterRequest& request, std::uint64_t degree) {
  if (!is_bv(request)) {
    if (auto choice = secure_at<Parameters>(request, degree)) return choice;
  }
  slots::Requirements requirements = requirements_modulo_t(request);
  requirements.security = SecurityLevel::none;
  requirements.min_degree = degree;
  for (;; ++requirements.depth) {
    const Parameters chosen = Parameters::for_depth(requirements);
    if (chosen.degree() != degree) return std::nullopt;
    const Parameters parameters(finished(chosen.rlwe().description(), request), requirements.t);
    auto rows =
        rows_of(parameters.rlwe(), noise_budgets(parameters, requirements.summands, request.depth));
    if (rows.size() > request.depth) return Choice{parameters.rlwe(), std::move(rows)};
  }
}

ckks::Requirements ckks_requirements(const ParameterRequest& request) {
  ckks::Requirements requirements{.depth = request.depth};
  requirements.scale_bits = request.scale_bits.value_or(requirements.scale_bits);
  requirements.integer_bits = request.integer_bits.value_or(requirements.integer_bits);
  requirements.digit_count = request.digits.value_or(requirements.digit_count);
  requirements.security = request.security;
  requirements.degree = request.degree;
  return requirements;
}

Choice ckks_choice(const ckks::Parameters& chosen, const ParameterRequest& request) {
  const std::size_t top = chosen.limb_count();
  const ckks::Parameters parameters(finished(chosen.rlwe().description(), request),
                                    chosen.scale(top), chosen.base_limbs(), chosen.value_bound());
  std::vector<LevelRow> rows;
  for (const ckks::LevelNoise& level : level_noise(parameters)) {
    const std::size_t l = level.budget.limb_count;
    rows.push_back({rows.size(), l, parameters.rlwe().q().prefix(l).log2(), level.budget.bits(),
                    -std::log2(level.slot_error)});
  }
  if (rows.size() <= request.depth) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("depth {} exceeds the {} products that scale_bits {} and integer_bits "
                            "{} leave room for",
                            request.depth, rows.empty() ? 0 : rows.size() - 1,
                            ckks_requirements(request).scale_bits,
                            ckks_requirements(request).integer_bits));
  }
  return {parameters.rlwe(), std::move(rows)};
}

template <>
std::optional<Choice> choose_at<ckks::Parameters>(const ParameterRequest& request,
                                                  std::uint64_t degree) {
  ckks::Requirements requirements = ckks_requirements(request);
  requirements.security = SecurityLevel::none;
  requirements.degree = degree;
  return ckks_choice(ckks::Parameters::for_depth(requirements), request);
}

Choice for_depth(const ParameterRequest& request, const ckks::Parameters*) {
  return ckks_choice(ckks::Parameters::for_depth(ckks_requirements(request)), request);
}

template <typename Parameters>
Choice for_depth(const ParameterRequest& request, const Parameters*) {
  const slots::Requirements requirements = requirements_modulo_t(request);
  const Parameters parameters = Parameters::for_depth(requirements);
  return {
      parameters.rlwe(),
      rows_of(parameters.rlwe(), noise_budgets(parameters, requirements.summands, request.depth))};
}

template <typename Parameters>
Choice choose(const ParameterRequest& request) {
  if (request.degree) {
    if (auto choice = choose_at<Parameters>(request, *request.degree)) return *std::move(choice);
    throw Error(ErrorCode::out_of_range,
                fmt::format("degree {} cannot carry depth {}", *request.degree, request.depth));
  }
  if (!is_bv(request)) return for_depth(request, static_cast<const Parameters*>(nullptr));
  for (std::uint64_t degree = kLeastDegree; degree <= Modulus::kMaxDegree; degree *= 2) {
    try {
      if (auto choice = choose_at<Parameters>(request, degree)) return *std::move(choice);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::insecure || degree == Modulus::kMaxDegree) throw;
    }
  }
  throw Error(ErrorCode::out_of_range, fmt::format("no degree up to {} carries depth {} with bv",
                                                   Modulus::kMaxDegree, request.depth));
}

Choice choose_for_scheme(const ParameterRequest& request) {
  if (request.scheme == "bgv") return choose<bgv::Parameters>(request);
  if (request.scheme == "bfv") return choose<bfv::Parameters>(request);
  if (request.scheme == "ckks") return choose<ckks::Parameters>(request);
  throw Error(ErrorCode::out_of_range,
              fmt::format("scheme '{}' is not bgv, bfv or ckks", request.scheme));
}

// With the smallest scale that leaves the precision after all products.
Choice choose_for_precision(ParameterRequest& request) {
  double best = 0;
  for (unsigned bits = std::max(kLeastScaleBits, *request.precision); bits <= kMostScaleBits;
       ++bits) {
    request.scale_bits = bits;
    try {
      Choice choice = choose_for_scheme(request);
      best = *choice.levels.back().precision;
      if (best >= *request.precision) return choice;
    } catch (const Error&) {
      // There are too few primes of this size, or this scale has no room: a larger one may do.
      if (bits == kMostScaleBits) throw;
    }
  }
  throw Error(
      ErrorCode::out_of_range,
      fmt::format("precision {} exceeds the {:.1f} bits that depth {} leaves of the largest "
                  "scale, 2^{}",
                  *request.precision, best, request.depth, kMostScaleBits));
}

void check_options(const ParameterRequest& request) {
  const bool ckks = request.scheme == "ckks";
  const auto refuse = [&](bool given, const char* option) {
    if (!given) return;
    throw Error(ErrorCode::out_of_range,
                fmt::format("{} has no meaning for {}", option, request.scheme));
  };
  refuse(ckks && request.t, "--t");
  refuse(ckks && request.summands, "--summands");
  refuse(!ckks && request.scale_bits, "--scale-bits");
  refuse(!ckks && request.precision, "--precision");
  refuse(!ckks && request.integer_bits, "--integer-bits");
  if (request.degree && (!std::has_single_bit(*request.degree) || *request.degree < kLeastDegree ||
                         *request.degree > Modulus::kMaxDegree)) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("degree {} is not a power of two in [{}, {}]", *request.degree,
                            kLeastDegree, Modulus::kMaxDegree));
  }
  if (request.scale_bits && request.precision) {
    throw Error(ErrorCode::out_of_range, "--precision chooses the scale: give no --scale-bits");
  }
}

std::uint64_t packed(std::span<const Modulus> moduli) {
  std::uint64_t bytes = 0;
  for (const Modulus& q : moduli) bytes += formats::packed_bytes(q.degree(), q.bits());
  return bytes;
}

std::uint64_t words(std::span<const Modulus> moduli) {
  std::uint64_t bytes = 0;
  for (const Modulus& q : moduli) bytes += q.degree() * sizeof(std::uint64_t);
  return bytes;
}

// A key for each gadget, as KeyGenerator makes them.
ObjectSize size_of_evaluation_key(const rlwe::Parameters& parameters) {
  ObjectSize size{"relinearization or Galois key", 0, 0};
  for (const rlwe::Gadget& gadget : parameters.gadgets()) {
    const auto q = parameters.q().moduli().first(gadget.max_limb_count);
    const auto p = parameters.p().first(gadget.special_count);
    const std::size_t digits = gadget.digit_count(gadget.max_limb_count);
    size.in_memory += 2 * digits * (words(q) + words(p));
    size.in_file += digits * (packed(q) + packed(p));
  }
  return size;
}

std::vector<ObjectSize> sizes_of(const rlwe::Parameters& parameters) {
  const auto q = parameters.q().moduli();
  return {{"fresh ciphertext", 2 * words(q), 2 * packed(q)},
          {"public key", 2 * words(q), packed(q)},
          size_of_evaluation_key(parameters)};
}

std::size_t slots_of(const ParameterRequest& request, std::uint64_t degree) {
  if (request.scheme == "ckks") return degree / 2;
  const std::uint64_t t = request.t.value_or(kUsualT);
  return ring::is_prime(t) && t % (2 * degree) == 1 ? degree : 0;
}

std::optional<double> log_qp_below(const ParameterRequest& request, std::uint64_t degree) {
  if (degree <= kLeastDegree) return std::nullopt;
  ParameterRequest below = request;
  below.degree = degree / 2;
  below.security = SecurityLevel::none;
  try {
    return choose_for_scheme(below).parameters.log_qp();
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

ChosenParameters choose_parameters(const ParameterRequest& request) {
  check_options(request);
  ParameterRequest filled = request;
  Choice choice = request.precision ? choose_for_precision(filled) : choose_for_scheme(filled);
  ChosenParameters chosen{filled,
                          choice.parameters,
                          {},
                          {},
                          slots_of(filled, choice.parameters.degree()),
                          std::move(choice.levels),
                          sizes_of(choice.parameters),
                          {}};
  if (filled.scheme == "ckks") {
    chosen.scale_bits = ckks_requirements(filled).scale_bits;
  } else {
    chosen.t = filled.t.value_or(kUsualT);
  }
  chosen.reasons = explain_parameters(chosen, log_qp_below(filled, chosen.parameters.degree()));
  return chosen;
}

}  // namespace heliodor::cli
