// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bgv/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/rlwe/noise_growth.h"
#include "heliodor/schemes/bgv/message.h"
#include "heliodor/schemes/bgv/noise.h"
#include "heliodor/schemes/slots/evaluations.h"
#include "heliodor/schemes/slots/inner_sum.h"

namespace heliodor::bgv {
namespace {

using rlwe::Matching;
using rlwe::NoiseBound;

}  // namespace

Evaluator::Evaluator(ContextPtr context, rlwe::RelinearizationKeys relinearization,
                     rlwe::GaloisKeys galois, Matching matching)
    : context_(std::move(context)),
      evaluator_(context_->rlwe(), std::move(relinearization), std::move(galois)),
      matching_(matching) {}

// Operands at one limb count.
std::pair<Ciphertext, Ciphertext> Evaluator::matched(const Ciphertext& a,
                                                     const Ciphertext& b) const {
  if (a.limb_count() == b.limb_count()) return {a, b};
  if (matching_ == Matching::exact) {
    throw Error(ErrorCode::mismatch,
                fmt::format("limb counts {} and {} differ and levels are exact", a.limb_count(),
                            b.limb_count()));
  }
  const std::size_t l = std::min(a.limb_count(), b.limb_count());
  return {mod_switch_to(a, l), mod_switch_to(b, l)};
}

// Operands of a sum: one limb count and one plaintext factor.
std::pair<Ciphertext, Ciphertext> Evaluator::terms(const Ciphertext& a, const Ciphertext& b) const {
  auto [x, y] = matched(a, b);
  if (x.plaintext_factor == y.plaintext_factor) return {std::move(x), std::move(y)};
  const auto [e, f] = balancing_multipliers(t(), x.plaintext_factor, y.plaintext_factor);
  return {with_multiple(x, e), with_multiple(y, f)};
}

// multiplier * phase: the same message under multiplier times the factor.
Ciphertext Evaluator::with_multiple(const Ciphertext& a, std::int64_t multiplier) const {
  Ciphertext result = multiply_scalar(a, multiplier);
  const std::uint64_t residue = t().residue(multiplier);
  result.plaintext_factor = t().multiply(a.plaintext_factor, t().factor(residue));
  return result;
}

Ciphertext Evaluator::add(const Ciphertext& a, const Ciphertext& b) const {
  const auto [x, y] = terms(a, b);
  return {evaluator_.add(x.rlwe, y.rlwe), x.plaintext_factor};
}

Ciphertext Evaluator::sub(const Ciphertext& a, const Ciphertext& b) const {
  const auto [x, y] = terms(a, b);
  return {evaluator_.sub(x.rlwe, y.rlwe), x.plaintext_factor};
}

Ciphertext Evaluator::negate(const Ciphertext& a) const {
  return {evaluator_.negate(a.rlwe), a.plaintext_factor};
}

Ciphertext Evaluator::add_plain(const Ciphertext& a, const slots::Plaintext& b) const {
  const rlwe::LimbMatrix message = to_message(*context_, b, a.plaintext_factor, a.limb_count());
  return {evaluator_.add_plain(a.rlwe, message, message_bound(context_->parameters())),
          a.plaintext_factor};
}

Ciphertext Evaluator::sub_plain(const Ciphertext& a, const slots::Plaintext& b) const {
  const std::uint64_t minus = t().value() - a.plaintext_factor;
  const rlwe::LimbMatrix message = to_message(*context_, b, minus, a.limb_count());
  return {evaluator_.add_plain(a.rlwe, message, message_bound(context_->parameters())),
          a.plaintext_factor};
}

Ciphertext Evaluator::multiply_plain(const Ciphertext& a, const slots::Plaintext& b) const {
  const rlwe::LimbMatrix message = to_message(*context_, b, 1, a.limb_count());
  return {evaluator_.multiply_plain(a.rlwe, message, slots::norm_bound(b)), a.plaintext_factor};
}

Ciphertext Evaluator::multiply_scalar(const Ciphertext& a, std::int64_t c) const {
  const auto magnitude = static_cast<std::uint64_t>(c < 0 ? -c : c);
  const std::uint64_t residue = t().reduce(magnitude);
  const std::int64_t centred = t().centred(c < 0 && residue != 0 ? t().value() - residue : residue);
  std::vector<std::uint64_t> residues;
  for (std::size_t i = 0; i < a.limb_count(); ++i) {
    const ring::Modulus& q = context_->parameters().rlwe().q()[i];
    const std::uint64_t r = q.reduce(static_cast<std::uint64_t>(std::abs(centred)));
    residues.push_back(centred < 0 ? q.neg(r) : r);
  }
  const NoiseBound bound = NoiseBound::of(std::abs(static_cast<double>(centred)));
  return {evaluator_.multiply_scalar(a.rlwe, residues, bound), a.plaintext_factor};
}

// Operands of a product at one limb count, without the limbs that would only carry noise.
std::pair<Ciphertext, Ciphertext> Evaluator::factors(const Ciphertext& a,
                                                     const Ciphertext& b) const {
  auto [x, y] = matched(a, b);
  if (matching_ == Matching::exact) return {std::move(x), std::move(y)};
  while (operands_drop_limb(context_->parameters().rlwe(), x.rlwe.bounds.phase, y.rlwe.bounds.phase,
                            x.limb_count())) {
    x = mod_switch(x);
    y = mod_switch(y);
  }
  return {std::move(x), std::move(y)};
}

// How many limbs a product drops in the program that makes it: 0 or 1.
std::size_t Evaluator::limbs_to_drop(const Ciphertext& a, const Ciphertext& b) const {
  if (matching_ == Matching::exact) return 0;
  const NoiseBound phase = a.rlwe.bounds.phase * b.rlwe.bounds.phase;
  return result_drops_limb(context_->parameters().rlwe(), phase, a.limb_count()) ? 1 : 0;
}

// With no more limbs than the rule leaves.
Ciphertext Evaluator::settled(Ciphertext a) const {
  if (matching_ == Matching::exact) return a;
  while (result_drops_limb(context_->parameters().rlwe(), a.rlwe.bounds.phase, a.limb_count()))
    a = mod_switch(a);
  return a;
}

Ciphertext Evaluator::multiply(const Ciphertext& a, const Ciphertext& b) const {
  const auto [x, y] = factors(a, b);
  return std::move(multiply(std::span(&x, 1), std::span(&y, 1)).front());
}

std::vector<Ciphertext> Evaluator::multiply(std::span<const Ciphertext> a,
                                            std::span<const Ciphertext> b) const {
  std::vector<rlwe::Ciphertext> x, y;
  std::size_t drop = 0;
  for (const Ciphertext& of : a) x.push_back(of.rlwe);
  for (const Ciphertext& of : b) y.push_back(of.rlwe);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    drop = std::max(drop, limbs_to_drop(a[i], b[i]));
  std::vector<rlwe::Ciphertext> products = evaluator_.multiply(x, y, drop);
  std::vector<Ciphertext> result;
  for (std::size_t i = 0; i < products.size(); ++i) {
    std::uint64_t factor = t().multiply(a[i].plaintext_factor, t().factor(b[i].plaintext_factor));
    if (drop == 1) factor = divided_by_modulus(factor, a[i].limb_count() - 1);
    result.push_back(settled({std::move(products[i]), factor}));
  }
  return result;
}

Ciphertext Evaluator::multiply_without_relinearization(const Ciphertext& a,
                                                       const Ciphertext& b) const {
  const auto [x, y] = factors(a, b);
  return {evaluator_.tensor(x.rlwe, y.rlwe),
          t().multiply(x.plaintext_factor, t().factor(y.plaintext_factor))};
}

Ciphertext Evaluator::relinearize(const Ciphertext& a) const {
  return settled({evaluator_.relinearize(a.rlwe), a.plaintext_factor});
}

Ciphertext Evaluator::rotate_rows(const Ciphertext& a, std::int64_t steps) const {
  return std::move(rotate_rows(a, std::span(&steps, 1)).front());
}

std::vector<Ciphertext> Evaluator::rotate_rows(const Ciphertext& a,
                                               std::span<const std::int64_t> steps) const {
  std::vector<std::uint64_t> elements;
  for (const std::int64_t by : steps)
    elements.push_back(ring::galois_element_of_rotation(by, context_->parameters().degree()));
  std::vector<Ciphertext> result;
  for (rlwe::Ciphertext& rotated : evaluator_.automorphisms(a.rlwe, elements))
    result.push_back({std::move(rotated), a.plaintext_factor});
  return result;
}

Ciphertext Evaluator::rotate_columns(const Ciphertext& a) const {
  const std::uint64_t g = ring::galois_element_of_conjugation(context_->parameters().degree());
  return {evaluator_.automorphism(a.rlwe, g), a.plaintext_factor};
}

Ciphertext Evaluator::inner_sum(const Ciphertext& a, std::uint64_t count) const {
  Ciphertext sum = a;
  for (const std::uint64_t g : slots::inner_sum_elements(count, context_->parameters().degree()))
    sum.rlwe = evaluator_.add(sum.rlwe, evaluator_.automorphism(sum.rlwe, g));
  return sum;
}

std::uint64_t Evaluator::divided_by_modulus(std::uint64_t factor, std::size_t i) const {
  const std::uint64_t q = t().reduce(context_->parameters().rlwe().q()[i].value());
  return t().multiply(factor, t().factor(t().inverse(q)));
}

Ciphertext Evaluator::mod_switch(const Ciphertext& a) const {
  rlwe::Ciphertext switched = evaluator_.mod_switch(a.rlwe);
  return {std::move(switched), divided_by_modulus(a.plaintext_factor, a.limb_count() - 1)};
}

Ciphertext Evaluator::mod_switch_to(const Ciphertext& a, std::size_t limb_count) const {
  if (limb_count < 1 || limb_count > a.limb_count()) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("limb_count {} is not in [1, {}]", limb_count, a.limb_count()));
  }
  Ciphertext result = a;
  while (result.limb_count() > limb_count) result = mod_switch(result);
  return result;
}

}  // namespace heliodor::bgv
