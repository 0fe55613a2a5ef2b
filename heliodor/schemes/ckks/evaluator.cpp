// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/ckks/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "heliodor/base/error.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/schemes/ckks/internal/operand.h"

namespace heliodor::ckks {
namespace {

// The first limbs alone: the same polynomial modulo a smaller Q.
rlwe::LimbMatrix first_limbs(const rlwe::LimbMatrix& limbs, std::size_t limb_count) {
  if (limbs.limb_count() < limb_count) {
    throw Error(ErrorCode::mismatch, fmt::format("a plaintext of {} limbs, a ciphertext of {}",
                                                 limbs.limb_count(), limb_count));
  }
  if (limbs.limb_count() == limb_count) return limbs;
  rlwe::LimbMatrix first(1, limb_count, limbs.degree());
  for (std::size_t i = 0; i < limb_count; ++i)
    std::ranges::copy(limbs.limb(0, i), first.limb(0, i).begin());
  return first;
}

void add_error(rlwe::Ciphertext& a, rlwe::NoiseBound error) {
  a.bounds.error = a.bounds.error + error;
}

}  // namespace

Evaluator::Evaluator(ContextPtr context, rlwe::RelinearizationKeys relinearization,
                     rlwe::GaloisKeys galois, rlwe::Matching matching)
    : context_(std::move(context)),
      rlwe_(context_->rlwe(), std::move(relinearization), std::move(galois)),
      matching_(matching) {}

Ciphertext Evaluator::add(const Ciphertext& a, const Ciphertext& b) const {
  const auto [x, y] = summands(a, b);
  return {rlwe_.add(x->rlwe, y->rlwe), x->scale, std::max(a.slots, b.slots)};
}

Ciphertext Evaluator::sub(const Ciphertext& a, const Ciphertext& b) const {
  const auto [x, y] = summands(a, b);
  return {rlwe_.sub(x->rlwe, y->rlwe), x->scale, std::max(a.slots, b.slots)};
}

Ciphertext Evaluator::negate(const Ciphertext& a) const {
  return {rlwe_.negate(a.rlwe), a.scale, a.slots};
}

template <typename Values>
Ciphertext Evaluator::add_values(const Ciphertext& a, const Values& values) const {
  return add_plain(a, context_->encoder().encode(values, a.limb_count(), a.scale));
}

template <typename Values>
Ciphertext Evaluator::multiply_values(const Ciphertext& a, const Values& values) const {
  const Operand x = factor(a, factor_level({&a, 1}, {}));
  const std::size_t l = x->limb_count();
  return multiply_plain(*x, context_->encoder().encode(values, l, context_->parameters().scale(l)));
}

Ciphertext Evaluator::add(const Ciphertext& a, std::span<const double> values) const {
  return add_values(a, values);
}

Ciphertext Evaluator::add(const Ciphertext& a, const Slots& values) const {
  return add_values(a, values);
}

Ciphertext Evaluator::multiply(const Ciphertext& a, std::span<const double> values) const {
  return multiply_values(a, values);
}

Ciphertext Evaluator::multiply(const Ciphertext& a, const Slots& values) const {
  return multiply_values(a, values);
}

Ciphertext Evaluator::add_plain(const Ciphertext& a, const Plaintext& b) const {
  internal::check_scales(a.scale, b.scale);
  Ciphertext sum{rlwe_.add_plain(a.rlwe, first_limbs(b.limbs, a.limb_count()), b.bound), a.scale,
                 std::max(a.slots, b.slots)};
  add_error(sum.rlwe, b.error);
  return sum;
}

Ciphertext Evaluator::sub_plain(const Ciphertext& a, const Plaintext& b) const {
  return negate(add_plain(negate(a), b));
}

// With p = scale * z + delta, phase * p - ideal * scale * z = error * scale * z + phase * delta.
Ciphertext Evaluator::multiply_plain(const Ciphertext& a, const Plaintext& b) const {
  check_rescalable(a);
  Ciphertext product{rlwe_.multiply_plain(a.rlwe, first_limbs(b.limbs, a.limb_count()), b.bound),
                     a.scale * b.scale, std::max(a.slots, b.slots)};
  add_error(product.rlwe, a.rlwe.bounds.phase * b.error);
  return rescale(product);
}

Ciphertext Evaluator::multiply(const Ciphertext& a, const Ciphertext& b) const {
  const std::size_t level = factor_level({&a, 1}, {&b, 1});
  const Operand x = factor(a, level), y = factor(b, level);
  check_rescalable(*x);
  return {rlwe_.multiply(x->rlwe, y->rlwe, 1), x->scale * y->scale / last_modulus(*x),
          std::max(a.slots, b.slots)};
}

std::vector<Ciphertext> Evaluator::multiply(std::span<const Ciphertext> a,
                                            std::span<const Ciphertext> b) const {
  if (a.size() != b.size()) {
    throw Error(ErrorCode::mismatch,
                fmt::format("a batch of {} ciphertexts, another of {}", a.size(), b.size()));
  }
  if (a.empty()) return {};
  const std::size_t level = factor_level(a, b);
  std::vector<rlwe::Ciphertext> left, right;
  std::vector<Ciphertext> results;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Operand x = factor(a[i], level), y = factor(b[i], level);
    check_rescalable(*x);
    left.push_back(x->rlwe);
    right.push_back(y->rlwe);
    results.push_back(
        {{}, x->scale * y->scale / last_modulus(*x), std::max(a[i].slots, b[i].slots)});
  }
  std::vector<rlwe::Ciphertext> products = rlwe_.multiply(left, right, 1);
  for (std::size_t i = 0; i < a.size(); ++i) results[i].rlwe = std::move(products[i]);
  return results;
}

Ciphertext Evaluator::multiply_without_relinearization(const Ciphertext& a,
                                                       const Ciphertext& b) const {
  const std::size_t level = factor_level({&a, 1}, {&b, 1});
  const Operand x = factor(a, level), y = factor(b, level);
  return {rlwe_.tensor(x->rlwe, y->rlwe), x->scale * y->scale, std::max(a.slots, b.slots)};
}

Ciphertext Evaluator::relinearize(const Ciphertext& a) const {
  return {rlwe_.relinearize(a.rlwe), a.scale, a.slots};
}

Ciphertext Evaluator::rescale(const Ciphertext& a) const {
  check_rescalable(a);
  return {rlwe_.mod_switch(a.rlwe), a.scale / last_modulus(a), a.slots};
}

Scale Evaluator::last_modulus(const Ciphertext& a) const {
  return Scale::of_integer(context_->parameters().rlwe().q()[a.limb_count() - 1].value());
}

void Evaluator::check_rescalable(const Ciphertext& a) const {
  const std::size_t base = context_->parameters().base_limbs();
  if (a.limb_count() > base) return;
  throw Error(ErrorCode::out_of_range,
              fmt::format("limb_count {} does not exceed the {} base limbs: no level is left",
                          a.limb_count(), base));
}

Ciphertext Evaluator::rotate(const Ciphertext& a, std::int64_t steps) const {
  const std::uint64_t element =
      ring::galois_element_of_rotation(steps, context_->parameters().degree());
  return {rlwe_.automorphism(a.rlwe, element), a.scale, a.slots};
}

std::vector<Ciphertext> Evaluator::rotate(const Ciphertext& a,
                                          std::span<const std::int64_t> steps) const {
  std::vector<Ciphertext> results;
  const auto elements = galois_elements_of_rotations(context_->parameters(), steps);
  for (rlwe::Ciphertext& rotated : rlwe_.automorphisms(a.rlwe, elements))
    results.push_back({std::move(rotated), a.scale, a.slots});
  return results;
}

Ciphertext Evaluator::conjugate(const Ciphertext& a) const {
  const std::uint64_t element =
      ring::galois_element_of_conjugation(context_->parameters().degree());
  return {rlwe_.automorphism(a.rlwe, element), a.scale, a.slots};
}

Ciphertext Evaluator::inner_sum(const Ciphertext& a, std::size_t count) const {
  if (!std::has_single_bit(count) || count > a.slots) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("count {} is not a power of two up to {} slots", count, a.slots));
  }
  Ciphertext sum = a;
  for (std::size_t steps = 1; steps < count; steps *= 2)
    sum = add(sum, rotate(sum, static_cast<std::int64_t>(steps)));
  return sum;
}

std::vector<std::uint64_t> galois_elements_of_rotations(const Parameters& parameters,
                                                        std::span<const std::int64_t> steps) {
  std::vector<std::uint64_t> elements;
  for (const std::int64_t step : steps)
    elements.push_back(ring::galois_element_of_rotation(step, parameters.degree()));
  return elements;
}

}  // namespace heliodor::ckks
