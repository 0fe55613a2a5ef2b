// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bfv/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/rlwe/noise_growth.h"
#include "heliodor/rlwe/run.h"
#include "heliodor/schemes/bfv/noise.h"
#include "heliodor/schemes/bfv/scaling.h"
#include "heliodor/schemes/slots/evaluations.h"
#include "heliodor/schemes/slots/inner_sum.h"

namespace heliodor::bfv {
namespace {

using rlwe::NoiseBound;

void require_two_parts(const Ciphertext& a) {
  if (a.parts() == 2) return;
  throw Error(ErrorCode::mismatch,
              fmt::format("a product takes ciphertexts of 2 parts, this one has {}", a.parts()));
}

std::string_view name_of(Factors factors) {
  return factors == Factors::equal ? "square" : "multiply";
}

rlwe::Job product_job(Factors factors, const Ciphertext& a, const Ciphertext& b, Ciphertext& c) {
  rlwe::Job job{{&a.limbs}, {&c.limbs}};
  if (factors == Factors::two) job.inputs.push_back(&b.limbs);
  return job;
}

}  // namespace

Evaluator::Evaluator(ContextPtr context, rlwe::RelinearizationKeys relinearization,
                     rlwe::GaloisKeys galois, rlwe::Matching matching)
    : context_(std::move(context)),
      matching_(matching),
      rlwe_(context_->rlwe(), std::move(relinearization), std::move(galois)) {}

const Ciphertext& Evaluator::at(std::size_t limb_count, const Ciphertext& a,
                                Storage& storage) const {
  if (a.limb_count() == limb_count) return a;
  if (matching_ == rlwe::Matching::exact) {
    throw Error(ErrorCode::mismatch,
                fmt::format("operands have {} and {} limbs", a.limb_count(), limb_count));
  }
  return storage.emplace_back(mod_switch_to(a, limb_count));
}

Ciphertext Evaluator::checked(Ciphertext result) const {
  result.bounds.error = result.bounds.phase;
  check_error(context_->parameters(), result);
  return result;
}

Ciphertext Evaluator::settled(Ciphertext product) const {
  if (matching_ == rlwe::Matching::exact) return product;
  while (drops_limb(context_->parameters(), product.limb_count(), product.bounds.error))
    product = mod_switch(product);
  return product;
}

Ciphertext Evaluator::add(const Ciphertext& a, const Ciphertext& b) const {
  Storage storage;
  const std::size_t l = std::min(a.limb_count(), b.limb_count());
  return checked(rlwe_.add(at(l, a, storage), at(l, b, storage)));
}

Ciphertext Evaluator::sub(const Ciphertext& a, const Ciphertext& b) const {
  Storage storage;
  const std::size_t l = std::min(a.limb_count(), b.limb_count());
  return checked(rlwe_.sub(at(l, a, storage), at(l, b, storage)));
}

Ciphertext Evaluator::negate(const Ciphertext& a) const { return checked(rlwe_.negate(a)); }

Ciphertext Evaluator::add_plain(const Ciphertext& a, const slots::Plaintext& message) const {
  const rlwe::SecretLimbs scaled = scale_up(*context_, message, a.limb_count());
  return checked(rlwe_.add_plain(a, scaled, encoding_error(context_->parameters())));
}

Ciphertext Evaluator::sub_plain(const Ciphertext& a, const slots::Plaintext& message) const {
  slots::Plaintext negative = message;
  for (std::int64_t& coefficient : negative.coefficients)
    coefficient = message.t.centred(message.t.residue(-coefficient));
  return add_plain(a, negative);
}

Ciphertext Evaluator::multiply_plain(const Ciphertext& a, const slots::Plaintext& message) const {
  check_plaintext(*context_, message);
  return checked(
      rlwe_.multiply_plain(a, slots::evaluations(*context_->rlwe(), message, a.limb_count()),
                           slots::norm_bound(message)));
}

Ciphertext Evaluator::multiply_scalar(const Ciphertext& a, std::int64_t c) const {
  const Parameters& parameters = context_->parameters();
  const slots::PlaintextModulus& t = parameters.t();
  const std::int64_t remainder = c % static_cast<std::int64_t>(t.value());  // in (-t, t)
  const slots::Plaintext constant = slots::from_residues(t, std::array{t.residue(remainder)});
  std::vector<std::uint64_t> words(a.limb_count());
  for (std::size_t i = 0; i < words.size(); ++i)
    slots::lift(constant, parameters.rlwe().q()[i], std::span(words).subspan(i, 1));
  return checked(rlwe_.multiply_scalar(a, words, slots::norm_bound(constant)));
}

Ciphertext Evaluator::multiply_without_relinearization(const Ciphertext& a,
                                                       const Ciphertext& b) const {
  Storage storage;
  const std::size_t l = std::min(a.limb_count(), b.limb_count());
  const Ciphertext &x = at(l, a, storage), &y = at(l, b, storage);
  require_two_parts(x);
  require_two_parts(y);
  const Parameters& parameters = context_->parameters();
  const NoiseBound error = product_error(parameters, l, x.bounds.error, y.bounds.error);
  Ciphertext c =
      checked({rlwe::LimbMatrix(3, l, parameters.degree(), base::Fill::nothing), {error, error}});
  rlwe::run(context_->rlwe()->plan(fmt::format("bfv/tensor/l{}", l),
                                   [&] { return tensor_program(parameters, Factors::two, l); }),
            product_job(Factors::two, x, y, c));
  return c;
}

Ciphertext Evaluator::relinearize(const Ciphertext& a) const {
  return settled(checked(rlwe_.relinearize(a)));
}

Ciphertext Evaluator::multiply(const Ciphertext& a, const Ciphertext& b) const {
  return std::move(products(Factors::two, {&a, 1}, {&b, 1}).front());
}

std::vector<Ciphertext> Evaluator::multiply(std::span<const Ciphertext> a,
                                            std::span<const Ciphertext> b) const {
  if (a.size() != b.size()) {
    throw Error(ErrorCode::mismatch, fmt::format("{} factors for {} others", a.size(), b.size()));
  }
  return products(Factors::two, a, b);
}

Ciphertext Evaluator::square(const Ciphertext& a) const {
  return std::move(products(Factors::equal, {&a, 1}, {&a, 1}).front());
}

std::vector<Ciphertext> Evaluator::products(Factors factors, std::span<const Ciphertext> a,
                                            std::span<const Ciphertext> b) const {
  if (a.empty()) return {};
  const Parameters& parameters = context_->parameters();
  std::size_t l = parameters.rlwe().q().size();
  for (const std::span<const Ciphertext> side : {a, b}) {
    for (const Ciphertext& x : side) {
      require_two_parts(x);
      l = std::min(l, x.limb_count());
    }
  }
  const rlwe::PlannedSwitch plan = rlwe_.relinearizing(
      fmt::format("bfv/{}", name_of(factors)), l, [&](const rlwe::KeySwitchShape& shape) {
        return multiply_program(parameters, factors, shape, l);
      });
  const NoiseBound switching = rlwe::key_switch_error(parameters.rlwe(), plan.shape.gadget, l);

  Storage storage;
  std::vector<Ciphertext> results;
  results.reserve(a.size());
  std::vector<rlwe::Job> jobs;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Ciphertext& x = at(l, a[i], storage);
    const Ciphertext& y = factors == Factors::equal ? x : at(l, b[i], storage);
    const NoiseBound error =
        product_error(parameters, l, x.bounds.error, y.bounds.error) + switching;
    results.push_back(checked(
        {rlwe::LimbMatrix(2, l, parameters.degree(), base::Fill::nothing), {error, error}}));
    jobs.push_back(product_job(factors, x, y, results.back()));
  }
  rlwe::run(*plan.plan, jobs, *plan.key);
  for (Ciphertext& result : results) result = settled(std::move(result));
  return results;
}

Ciphertext Evaluator::rotate_rows(const Ciphertext& a, std::int64_t steps) const {
  return std::move(rotate_rows(a, {&steps, 1}).front());
}

std::vector<Ciphertext> Evaluator::rotate_rows(const Ciphertext& a,
                                               std::span<const std::int64_t> steps) const {
  std::vector<std::uint64_t> elements;
  for (const std::int64_t step : steps) {
    elements.push_back(ring::galois_element_of_rotation(step, context_->parameters().degree()));
  }
  std::vector<Ciphertext> rotated = rlwe_.automorphisms(a, elements);
  for (Ciphertext& result : rotated) result = checked(std::move(result));
  return rotated;
}

Ciphertext Evaluator::rotate_columns(const Ciphertext& a) const {
  return checked(
      rlwe_.automorphism(a, ring::galois_element_of_conjugation(context_->parameters().degree())));
}

Ciphertext Evaluator::inner_sum(const Ciphertext& a, std::uint64_t count) const {
  Ciphertext sum = a;
  for (const std::uint64_t g : slots::inner_sum_elements(count, context_->parameters().degree())) {
    sum = checked(rlwe_.add(sum, rlwe_.automorphism(sum, g)));
  }
  return sum;
}

Ciphertext Evaluator::mod_switch(const Ciphertext& a) const { return checked(rlwe_.mod_switch(a)); }

Ciphertext Evaluator::mod_switch_to(const Ciphertext& a, std::size_t limb_count) const {
  if (limb_count < 1 || limb_count > a.limb_count()) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("limb_count {} is not in [1, {}]", limb_count, a.limb_count()));
  }
  Ciphertext result = a;
  while (result.limb_count() > limb_count) result = mod_switch(result);
  return result;
}

}  // namespace heliodor::bfv
