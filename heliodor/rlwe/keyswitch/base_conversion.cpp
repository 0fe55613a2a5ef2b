// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/base_conversion.h"

#include <fmt/format.h>

#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::rlwe {
namespace {

using program::Builder;
using program::ValueId;

// What a dot_scalar to one modulus sums up.
struct Sources {
  Limbs values;
  std::vector<std::uint64_t> factors;

  void add(ValueId value, std::uint64_t factor) {
    values.push_back(value);
    factors.push_back(factor);
  }
};

void add_sources(Builder& b, const ConversionTerm& term, std::uint32_t target, Sources& sources) {
  const ring::Modulus& q = b.modulus(target);
  const auto& [x, factor] = term;
  if (x.lift == DigitLift::exact && !x.quotient) {
    sources.add(b.reduce(target, ring::Lift::centred, x.scaled.front()), factor);
    return;
  }
  for (std::size_t i = 0; i < x.scaled.size(); ++i) {
    sources.add(x.scaled[i], q.mul(x.base.cofactor_mod(i, q), factor));
  }
  if (x.quotient) sources.add(*x.quotient, q.neg(q.mul(x.base.product_mod(q), factor)));
}

Limbs coefficients(Builder& b, const Limbs& x, std::size_t first, std::size_t count) {
  Limbs result;
  for (std::size_t i = first; i < first + count; ++i) result.push_back(b.intt(x[i]));
  return result;
}

// (x - tau * delta) / d + addend of one limb in evaluations; d is a residue of its modulus, the
// addend in coefficients.
ValueId subtract_and_divide(Builder& b, ValueId x, const Convertible& delta, std::uint64_t tau,
                            std::uint64_t d, std::optional<ValueId> addend = {}) {
  const std::uint32_t target = b.type(x).modulus;
  const ring::Modulus& q = b.modulus(target);
  std::vector<ConversionTerm> terms = {{delta, q.reduce(tau)}};
  const auto own = addend ? std::optional(residue(q, *addend)) : std::nullopt;
  if (own) terms.push_back({*own, q.neg(d)});
  return b.mul_scalar(b.sub(x, b.ntt(convert_sum(b, terms, target))), q.inverse(d));
}

// A quotient is small whatever its modulus is said to be: of x's and q_0 the one that costs its
// readers least.
std::uint32_t smaller_modulus(Builder& b, ValueId x) {
  const std::uint32_t own = b.type(x).modulus;
  return b.modulus(0).value() < b.modulus(own).value() ? 0 : own;
}

}  // namespace

std::uint64_t scaling_factor(const ring::RnsBase& base, std::size_t i, std::uint64_t divisor) {
  const ring::Modulus& q = base[i];
  return q.mul(base.inverse_cofactor(i), q.inverse(q.reduce(divisor)));
}

Convertible from_scaled(Builder& b, const ring::RnsBase& base, Limbs scaled, DigitLift lift) {
  Convertible x{base, std::move(scaled), lift, std::nullopt};
  if (lift == DigitLift::exact && base.size() > 1) {
    x.quotient =
        b.quotient(smaller_modulus(b, x.scaled.front()), ring::Rounding::nearest, x.scaled);
  }
  return x;
}

Convertible residue(const ring::Modulus& q, ValueId x) {
  return {ring::RnsBase({q}), {x}, DigitLift::fast, std::nullopt};
}

Convertible prepare_conversion(Builder& b, const ring::RnsBase& base, const Limbs& x,
                               DigitLift lift, std::uint64_t divisor) {
  Limbs scaled;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const std::uint64_t factor = scaling_factor(base, i, divisor);
    scaled.push_back(factor == 1 ? x[i] : b.mul_scalar(x[i], factor));
  }
  return from_scaled(b, base, std::move(scaled), lift);
}

ValueId convert_sum(Builder& b, std::span<const ConversionTerm> terms, std::uint32_t target) {
  Sources sources;
  for (const ConversionTerm& term : terms) add_sources(b, term, target, sources);
  if (sources.values.size() == 1 && sources.factors.front() == 1) {
    const ValueId only = sources.values.front();
    return b.type(only).modulus == target ? only : b.reduce(target, ring::Lift::plain, only);
  }
  return b.dot_scalar(target, sources.values, sources.factors);
}

ValueId convert(Builder& b, const Convertible& x, std::uint32_t target, std::uint64_t factor) {
  const ConversionTerm term{x, factor};
  return convert_sum(b, {&term, 1}, target);
}

Limbs emit_mod_down(Builder& b, const ProgramRing& ring, const Limbs& x, const Limbs* addend) {
  const std::size_t l = ring.limb_count();
  const Convertible delta = prepare_conversion(
      b, ring.p(), coefficients(b, x, l, ring.special_count()), ring.lift(), ring.error_scale());
  Limbs result;
  for (std::size_t i = 0; i < l; ++i) {
    result.push_back(
        subtract_and_divide(b, x[i], delta, ring.error_scale(), ring.p().product_mod(ring.q()[i]),
                            addend != nullptr ? std::optional((*addend)[i]) : std::nullopt));
  }
  return result;
}

Limbs emit_mod_switch(Builder& b, const ProgramRing& ring, const Limbs& x) {
  const std::size_t l = ring.limb_count();
  if (l < 2) {
    throw Error(ErrorCode::out_of_range, fmt::format("limb_count {} is below 2: none to drop", l));
  }
  const ring::Modulus& last = ring.q()[l - 1];
  const Convertible delta = prepare_conversion(
      b, ring::RnsBase({last}), coefficients(b, x, l - 1, 1), DigitLift::exact, ring.error_scale());
  Limbs result;
  for (std::size_t i = 0; i + 1 < l; ++i) {
    const ring::Modulus& q = ring.q()[i];
    result.push_back(
        subtract_and_divide(b, x[i], delta, ring.error_scale(), q.reduce(last.value())));
  }
  return result;
}

}  // namespace heliodor::rlwe
