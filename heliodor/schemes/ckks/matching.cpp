// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// How operands of different limb_count or scale are brought to a common level (evaluator.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "heliodor/base/error.h"
#include "heliodor/schemes/ckks/evaluator.h"
#include "heliodor/schemes/ckks/integer_pieces.h"
#include "heliodor/schemes/ckks/internal/operand.h"

namespace heliodor::ckks {
namespace {

[[noreturn]] void throw_scales(const Scale& a, const Scale& b) {
  throw Error(ErrorCode::mismatch, fmt::format("scale 2^{:.6f} = {} differs from 2^{:.6f} = {}",
                                               a.log2(), a.to_string(), b.log2(), b.to_string()));
}

void check_limb_counts(const Ciphertext& a, const Ciphertext& b) {
  if (a.limb_count() == b.limb_count()) return;
  throw Error(ErrorCode::mismatch,
              fmt::format("limb_count {} differs from {}", a.limb_count(), b.limb_count()));
}

}  // namespace

void internal::check_scales(const Scale& a, const Scale& b) {
  if (a != b) throw_scales(a, b);
}

bool Evaluator::is_level(const Ciphertext& a) const {
  const Parameters& parameters = context_->parameters();
  return a.limb_count() >= parameters.base_limbs() && a.scale == parameters.scale(a.limb_count());
}

// The highest level that `a` is at or can be brought to.
std::size_t Evaluator::level_of(const Ciphertext& a) const {
  return is_level(a) ? a.limb_count() : a.limb_count() - 1;
}

auto Evaluator::at_level(const Ciphertext& a, std::size_t limb_count) const -> Operand {
  if (a.limb_count() == limb_count && is_level(a)) return Operand(a);
  return Operand(to_level(a, limb_count));
}

auto Evaluator::summands(const Ciphertext& a, const Ciphertext& b) const
    -> std::pair<Operand, Operand> {
  if (matching_ == rlwe::Matching::exact) check_limb_counts(a, b);
  if (a.scale == b.scale) {
    const std::size_t l = std::min(a.limb_count(), b.limb_count());
    const auto truncated = [&](const Ciphertext& x) {
      if (x.limb_count() == l) return Operand(x);
      return Operand(Ciphertext{rlwe_.truncate(x.rlwe, l), x.scale, x.slots});
    };
    return {truncated(a), truncated(b)};
  }
  const std::size_t level = std::min(level_of(a), level_of(b));
  if (matching_ == rlwe::Matching::exact || level < context_->parameters().base_limbs())
    throw_scales(a.scale, b.scale);
  return {at_level(a, level), at_level(b, level)};
}

// The level at which all of them can be multiplied. `a` is not empty.
std::size_t Evaluator::factor_level(std::span<const Ciphertext> a,
                                    std::span<const Ciphertext> b) const {
  std::size_t level = a.front().limb_count();
  for (const std::span<const Ciphertext> side : {a, b}) {
    for (const Ciphertext& x : side) {
      if (matching_ == rlwe::Matching::exact) {
        check_limb_counts(a.front(), x);
      } else {
        level = std::min(level, level_of(x));
      }
    }
  }
  return level;
}

auto Evaluator::factor(const Ciphertext& a, std::size_t level) const -> Operand {
  return matching_ == rlwe::Matching::exact ? Operand(a) : at_level(a, level);
}

Ciphertext Evaluator::to_level(const Ciphertext& a, std::size_t limb_count) const {
  const Parameters& parameters = context_->parameters();
  if (limb_count < parameters.base_limbs() || limb_count > a.limb_count()) {
    throw Error(ErrorCode::out_of_range, fmt::format("limb_count {} is not in [{}, {}]", limb_count,
                                                     parameters.base_limbs(), a.limb_count()));
  }
  if (limb_count == a.limb_count()) {
    internal::check_scales(a.scale, parameters.scale(limb_count));
    return a;
  }
  // A product that was not rescaled loses its excess first: c would be near 1, too coarse.
  const double scale = parameters.scale(a.limb_count()).log2();
  if (a.limb_count() > limb_count + 1 && a.scale.log2() > 1.5 * scale)
    return to_level(step_down(a), limb_count);
  if (a.limb_count() == limb_count + 1) return step_down(a);
  return step_down({rlwe_.truncate(a.rlwe, limb_count + 1), a.scale, a.slots});
}

// (c * a) / q_{l-1}, c the integer nearest to S_{l-1} * q_{l-1} / scale: one limb less, and level.
// For a rescaled product, c = 1.
Ciphertext Evaluator::step_down(const Ciphertext& a) const {
  const ring::RnsBase& q = context_->parameters().rlwe().q();
  const std::size_t l = a.limb_count();
  const Scale& wanted = context_->parameters().scale(l - 1);
  const Scale ratio = wanted * last_modulus(a) / a.scale;
  if (ratio == Scale()) return {rlwe_.mod_switch(a.rlwe), wanted, a.slots};

  const double c = std::nearbyint(ratio.value());
  if (c < 1) throw_scales(a.scale, wanted);
  const IntegerPieces integer({&c, 1});
  std::vector<std::uint64_t> residues(l);
  for (std::size_t i = 0; i < l; ++i) integer.to_residues(q[i], {&residues[i], 1}, 1);
  rlwe::Ciphertext multiple = rlwe_.multiply_scalar(a.rlwe, residues, rlwe::NoiseBound::of(c));
  // The ideal is scale * z * ratio, and c is what its phase was multiplied by.
  const rlwe::Bounds& bounds = a.rlwe.bounds;
  multiple.bounds.error = multiple.bounds.error +
                          (bounds.phase + bounds.error) * rlwe::NoiseBound::of(0.5 + 0x1p-51 * c);
  return {rlwe_.mod_switch(multiple), wanted, a.slots};
}

}  // namespace heliodor::ckks
