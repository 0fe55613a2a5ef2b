// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/explain_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace heliodor::cli {
namespace {

using ring::Modulus;
using rlwe::SecurityLevel;

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

// "42" or "28 to 45".
std::string bits_text(std::span<const Modulus> moduli) {
  const auto [least, most] =
      std::ranges::minmax(moduli, {}, [](const Modulus& q) { return q.bits(); });
  if (least.bits() == most.bits()) return fmt::format("{}", least.bits());
  return fmt::format("{} to {}", least.bits(), most.bits());
}

std::string degree_reason(const ChosenParameters& chosen, std::optional<double> log_qp_below) {
  const std::uint64_t degree = chosen.parameters.degree(), half = degree / 2;
  const SecurityLevel level = chosen.request.security;
  if (chosen.request.degree) return fmt::format("N = {}: as asked", degree);
  if (level == SecurityLevel::none)
    return fmt::format("N = {}: no security is asked for, and no more is needed", degree);
  const auto limit = rlwe::max_log_qp(level, half);
  if (!limit)
    return fmt::format("N = {}: the smallest with {} of security", degree, to_string(level));
  if (!log_qp_below) return fmt::format("N = {}: {} cannot carry the depth", degree, half);
  return fmt::format("N = {}: {} holds {:.0f} bits, the fewest limbs take {:.0f}", degree, half,
                     *limit, std::ceil(*log_qp_below));
}

std::string q_reason(const ChosenParameters& chosen) {
  const auto q = chosen.parameters.q().moduli();
  const std::string size = fmt::format("Q: {} limb{} of {} bits, {:.1f} in all", q.size(),
                                       plural(q.size()), bits_text(q), chosen.parameters.log_q());
  const std::size_t depth = chosen.request.depth;
  if (!chosen.scale_bits) {
    return fmt::format("{}: the fewest that are secure enough and leave depth {} right", size,
                       depth);
  }
  const std::size_t base = q.size() - depth;
  return fmt::format(
      "{}: {} for the result (scale, integer part, sign), one of {} bits per product", size, base,
      *chosen.scale_bits);
}

double largest_digit(const rlwe::Parameters& parameters, const rlwe::Gadget& gadget) {
  double largest = 0;
  const auto q = parameters.q().moduli().first(gadget.max_limb_count);
  for (std::size_t i = 0; i < q.size(); i += gadget.digit_size) {
    const auto digit = q.subspan(i, std::min(gadget.digit_size, q.size() - i));
    largest = std::max(largest, rlwe::log2_product(digit));
  }
  return largest;
}

std::string p_reason(const rlwe::Parameters& parameters) {
  const auto p = parameters.p();
  if (p.empty()) return "P: none, as keys are for bv";
  return fmt::format(
      "P: {} prime{} of {} bits, {:.1f} in all: no less than the largest digit, {:.1f}", p.size(),
      plural(p.size()), bits_text(p), rlwe::log2_product(p),
      largest_digit(parameters, parameters.gadgets().front()));
}

std::string digits_reason(const rlwe::Parameters& parameters) {
  const rlwe::Gadget& gadget = parameters.gadgets().front();
  const std::size_t limbs = parameters.q().size(), digits = gadget.digit_count(limbs);
  std::string text = fmt::format("digit_size = {}: {} limb{} in {} digit{}", gadget.digit_size,
                                 limbs, plural(limbs), digits, plural(digits));
  if (gadget.special_count == 0) return text + ", as bv cuts them";
  text += "; fewer digits make keys smaller and P larger";
  const std::size_t more = parameters.gadgets().size() - 1;
  if (more > 0) text += fmt::format("; {} smaller key{} for low limb counts", more, plural(more));
  return text;
}

std::string method_reason(const ChosenParameters& chosen) {
  if (chosen.parameters.p().empty()) return "method: bv";
  if (chosen.request.method)
    return fmt::format("method: {}, as asked; hybrid and klss take the same keys",
                       to_string(*chosen.request.method));
  return "method: hybrid or klss, whichever the target predicts to be faster (heliodor plan "
         "keyswitch --explain)";
}

std::string security_reason(const ChosenParameters& chosen) {
  const rlwe::Parameters& parameters = chosen.parameters;
  const SecurityLevel reached = parameters.security();
  if (reached == SecurityLevel::none) {
    return fmt::format("security: NONE, log2(QP) = {:.1f} is more than degree {} holds at 128 bits",
                       parameters.log_qp(), parameters.degree());
  }
  return fmt::format(
      "security: {}, log2(QP) = {:.1f} of at most {:.0f} (2024 guidelines, classical)",
      to_string(reached), parameters.log_qp(), *rlwe::max_log_qp(reached, parameters.degree()));
}

std::string slots_reason(const ChosenParameters& chosen) {
  const std::uint64_t degree = chosen.parameters.degree();
  if (!chosen.t) return fmt::format("slots: {}, N/2 complex numbers", chosen.slots);
  if (chosen.slots > 0)
    return fmt::format("slots: {} in two rows, as t = {} is a prime = 1 modulo 2N", chosen.slots,
                       *chosen.t);
  return fmt::format(
      "slots: none, as t = {} is no prime = 1 modulo 2N = {}; messages are "
      "polynomials modulo t",
      *chosen.t, 2 * degree);
}

std::string noise_reason(const ChosenParameters& chosen) {
  const LevelRow& last = chosen.levels.back();
  std::string text =
      fmt::format("noise: {:.1f} bits of budget are left after {} product{} in the worst case",
                  last.budget, last.products, plural(last.products));
  if (last.precision) text += fmt::format(", with slots right to {:.1f} bits", *last.precision);
  return text;
}

}  // namespace

std::vector<std::string> explain_parameters(const ChosenParameters& chosen,
                                            std::optional<double> log_qp_below) {
  return {degree_reason(chosen, log_qp_below),
          q_reason(chosen),
          p_reason(chosen.parameters),
          digits_reason(chosen.parameters),
          method_reason(chosen),
          security_reason(chosen),
          slots_reason(chosen),
          noise_reason(chosen)};
}

}  // namespace heliodor::cli
