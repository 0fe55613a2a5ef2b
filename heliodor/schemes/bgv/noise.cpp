// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bgv/noise.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "heliodor/rlwe/noise_growth.h"

namespace heliodor::bgv {
namespace {

using ring::Uint128;
using rlwe::NoiseBound;

NoiseBound last_modulus(const rlwe::Parameters& parameters, std::size_t limb_count) {
  return NoiseBound::of(static_cast<double>(parameters.q()[limb_count - 1].value()));
}

// The phase after the last of limb_count limbs is dropped.
NoiseBound dropped(const rlwe::Parameters& parameters, NoiseBound phase, std::size_t limb_count) {
  const auto q = static_cast<double>(parameters.q()[limb_count - 1].value());
  return phase / q + rlwe::mod_switch_error(parameters, 2);
}

}  // namespace

NoiseBound message_bound(const Parameters& parameters) {
  return rlwe::worst_norm(parameters.degree(),
                          NoiseBound::of(static_cast<double>(parameters.t().max_centred())));
}

bool result_drops_limb(const rlwe::Parameters& parameters, NoiseBound phase,
                       std::size_t limb_count) {
  if (limb_count < 2) return false;
  return !(phase < rlwe::mod_switch_error(parameters, 2) * last_modulus(parameters, limb_count));
}

bool operands_drop_limb(const rlwe::Parameters& parameters, NoiseBound a, NoiseBound b,
                        std::size_t limb_count) {
  if (limb_count < 2) return false;
  return dropped(parameters, a, limb_count) * dropped(parameters, b, limb_count) *
             last_modulus(parameters, limb_count) <
         a * b;
}

std::pair<std::int64_t, std::int64_t> balancing_multipliers(const slots::PlaintextModulus& t,
                                                            std::uint64_t f1, std::uint64_t f2) {
  // Remainders r_i = e_i * ratio modulo t, the first r_i <= sqrt(t): then |e_i| <= sqrt(t) too.
  std::uint64_t r0 = t.value();
  std::uint64_t r1 = t.multiply(f1, t.factor(t.inverse(f2)));
  std::int64_t e0 = 0, e1 = 1;
  while (Uint128{r1} * r1 > t.value()) {
    const std::uint64_t quotient = r0 / r1;
    r0 = std::exchange(r1, r0 - quotient * r1);
    e0 = std::exchange(e1, e0 - static_cast<std::int64_t>(quotient) * e1);
  }
  const auto common = std::gcd(std::gcd(static_cast<std::uint64_t>(std::abs(e1)), r1), t.value());
  if (common == 1) return {e1, static_cast<std::int64_t>(r1)};
  return {t.centred(t.multiply(f2, t.factor(t.inverse(f1)))), 1};
}

namespace {

// The largest phases that ciphertexts can have, by limb count; 0 where there are none. Bounds of
// the evaluator's decisions for every phase up to these, so that no order of operations exceeds
// them.
class Reach {
 public:
  explicit Reach(const Parameters& parameters)
      : of_(parameters.rlwe()),
        rounding_(rlwe::mod_switch_error(of_, 2)),
        phases_(of_.q().size() + 1) {
    const bool one_factor = std::ranges::all_of(of_.q().moduli(), [&](const ring::Modulus& q) {
      return parameters.t().reduce(q.value()) == 1;
    });
    const auto t = static_cast<double>(parameters.t().value());
    balancing_ = NoiseBound::of(one_factor ? 1 : t / 2);
    switching_.emplace_back();
    for (std::size_t l = 1; l <= of_.q().size(); ++l)
      switching_.push_back(rlwe::noisiest_key_switch_error(of_, l));
  }

  // Whether the phase is below the limit.
  [[nodiscard]] bool include(std::size_t limb_count, NoiseBound phase) {
    phases_[limb_count] = std::max(phases_[limb_count], phase);
    return phase < of_.phase_limit(limb_count);
  }

  // What is left least room.
  rlwe::NoiseBudget least_budget() const {
    std::optional<rlwe::NoiseBudget> least;
    for (std::size_t l = of_.q().size(); l > 0; --l) {
      if (phases_[l] == NoiseBound()) continue;
      const rlwe::NoiseBudget budget{l, phases_[l], of_.phase_limit(l)};
      if (!least || budget.bits() < least->bits()) least = budget;
    }
    return *least;
  }

  // Products of sums; whether all stay below the limit.
  [[nodiscard]] bool multiply(std::size_t summands) {
    const std::vector<NoiseBound> operands = sums(summands);
    std::ranges::fill(phases_, NoiseBound());
    for (std::size_t l = of_.q().size(); l > 0; --l) {
      if (operands[l] == NoiseBound()) continue;
      if (!(operands[l] < of_.phase_limit(l)) || !multiply_at(l, operands[l])) return false;
    }
    return true;
  }

 private:
  // What meets at l limbs has l or more, is rotated and brought to one factor. 0 if none has l.
  std::vector<NoiseBound> sums(std::size_t summands) const {
    const NoiseBound count = NoiseBound::of(static_cast<double>(summands));
    const NoiseBound each = summands > 1 ? balancing_ * count : count;
    std::vector<NoiseBound> result(phases_.size());
    NoiseBound from_above;
    for (std::size_t l = of_.q().size(); l > 0; --l) {
      if (!(from_above == NoiseBound())) from_above = dropped(of_, from_above, l + 1);
      from_above = std::max(from_above, phases_[l]);
      if (from_above == NoiseBound()) continue;
      from_above = from_above + switching_[l];
      if (!(phases_[l] == NoiseBound())) result[l] = from_above * each;
    }
    return result;
  }

  // Operands up to `phase` that first drop no limb, one, ..
  bool multiply_at(std::size_t l, NoiseBound phase) {
    for (; operands_drop_limb(of_, phase, phase, l); --l) {
      // Those that drop none satisfy A*B*(1 - 1/q) <= r*(A + B) + r^2*q.
      const NoiseBound kept =
          (rounding_ * phase * NoiseBound::of(2) + rounding_ * rounding_ * last_modulus(of_, l)) *
          NoiseBound::of(1 + 0x1p-16);
      if (!include_product(l, std::min(kept, phase * phase))) return false;
      phase = dropped(of_, phase, l);
    }
    return include_product(l, phase * phase);
  }

  // A product up to `phase` that drops no limb, one, ..
  bool include_product(std::size_t l, NoiseBound phase) {
    phase = phase + switching_[l];
    if (!(phase < of_.phase_limit(l))) return false;
    for (; result_drops_limb(of_, phase, l); --l) {
      const NoiseBound threshold = rounding_ * last_modulus(of_, l);
      if (!include(l, std::min(threshold, phase))) return false;
      phase = dropped(of_, phase, l);
    }
    return include(l, phase);
  }

  const rlwe::Parameters& of_;
  NoiseBound rounding_;
  NoiseBound balancing_;
  std::vector<NoiseBound> phases_;
  std::vector<NoiseBound> switching_;  // the error of a key switch, by limb count
};

}  // namespace

std::vector<rlwe::NoiseBudget> noise_budgets(const Parameters& parameters, std::size_t summands,
                                             std::size_t most) {
  Reach reach(parameters);
  const NoiseBound fresh = message_bound(parameters) + rlwe::encryption_error(parameters.rlwe());
  std::vector<rlwe::NoiseBudget> budgets;
  bool below = reach.include(parameters.rlwe().q().size(), fresh);
  while (below) {
    budgets.push_back(reach.least_budget());
    if (budgets.size() > most) break;
    below = reach.multiply(summands);
  }
  return budgets;
}

std::optional<std::size_t> supported_depth(const Parameters& parameters, std::size_t summands,
                                           std::size_t most) {
  const std::size_t depths = noise_budgets(parameters, summands, most).size();
  return depths == 0 ? std::nullopt : std::optional(depths - 1);
}

}  // namespace heliodor::bgv
