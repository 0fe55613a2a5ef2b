// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each operation checks shapes, bounds its result, and runs the program of its name
// (evaluator_programs.h) through the context's plans.
#include "heliodor/rlwe/evaluator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/noise_growth.h"
#include "heliodor/rlwe/run.h"

namespace heliodor::rlwe {
namespace {

void require_parts(std::string_view operation, const Ciphertext& a, std::size_t parts) {
  if (a.parts() == parts) return;
  throw Error(ErrorCode::mismatch, fmt::format("{} takes a ciphertext of {} parts, this one has {}",
                                               operation, parts, a.parts()));
}

void require_same_limbs(std::string_view operation, const Ciphertext& a, std::size_t limb_count) {
  if (a.limb_count() == limb_count) return;
  throw Error(ErrorCode::mismatch, fmt::format("{} takes equal limb counts, these are {} and {}",
                                               operation, a.limb_count(), limb_count));
}

void require_message(std::string_view operation, const Ciphertext& a, const LimbMatrix& message) {
  if (message.parts() != 1) {
    throw Error(ErrorCode::mismatch, fmt::format("{} takes a message of 1 part, this one has {}",
                                                 operation, message.parts()));
  }
  require_same_limbs(operation, a, message.limb_count());
}

}  // namespace

struct Evaluator::State {
  ContextPtr context;
  RelinearizationKeys relinearization;
  GaloisKeys galois;
  KeySwitcher switcher;

  State(ContextPtr context_in, RelinearizationKeys relinearization_in, GaloisKeys galois_in)
      : context(std::move(context_in)),
        relinearization(std::move(relinearization_in)),
        galois(std::move(galois_in)),
        switcher(context) {}

  const Parameters& parameters() const { return context->parameters(); }

  Bounds checked(std::string_view operation, const Bounds& bounds, std::size_t limb_count) const;
  Ciphertext make(std::size_t parts, std::size_t limb_count, const Bounds& bounds) const;
  Ciphertext linear(LinearOperation operation, const Ciphertext& a, const LimbMatrix& b,
                    const Bounds& b_bounds) const;
  Bounds product(const Ciphertext& a, const Ciphertext& b) const;
  Bounds switched(std::string_view operation, const Bounds& bounds, const KeySwitchShape& shape,
                  std::size_t limb_count) const;
  Bounds rounded(const Bounds& bounds, std::size_t parts, std::size_t limb_count) const;
  std::vector<Ciphertext> apply_automorphisms(const Ciphertext& a,
                                              std::span<const std::uint64_t> elements);
};

Bounds Evaluator::State::checked(std::string_view operation, const Bounds& bounds,
                                 std::size_t limb_count) const {
  const NoiseBound limit = parameters().phase_limit(limb_count);
  if (bounds.phase < limit) return bounds;
  throw Error(ErrorCode::noise_overflow,
              fmt::format("the phase after {} may be 2^{:.2f}, not below Q/2 = 2^{:.2f}", operation,
                          bounds.phase.log2(), limit.log2()));
}

Ciphertext Evaluator::State::make(std::size_t parts, std::size_t limb_count,
                                  const Bounds& bounds) const {
  return {LimbMatrix(parts, limb_count, parameters().degree(), base::Fill::nothing), bounds};
}

Ciphertext Evaluator::State::linear(LinearOperation operation, const Ciphertext& a,
                                    const LimbMatrix& b, const Bounds& b_bounds) const {
  const std::string_view name = operation == LinearOperation::add ? "add" : "sub";
  const std::size_t l = a.limb_count();
  require_same_limbs(name, a, b.limb_count());
  Ciphertext c =
      make(std::max(a.parts(), b.parts()), l, checked(name, sum_bounds(a.bounds, b_bounds), l));
  const Job job{{&a.limbs, &b}, {&c.limbs}};
  run(context->plan(
          fmt::format("{}/{}+{}/l{}", name, a.parts(), b.parts(), l),
          [&] { return linear_program(parameters(), operation, a.parts(), b.parts(), l); }),
      job);
  return c;
}

Bounds Evaluator::State::product(const Ciphertext& a, const Ciphertext& b) const {
  require_parts("tensor", a, 2);
  require_parts("tensor", b, 2);
  require_same_limbs("tensor", a, b.limb_count());
  return checked("tensor", product_bounds(a.bounds, b.bounds), a.limb_count());
}

Bounds Evaluator::State::switched(std::string_view operation, const Bounds& bounds,
                                  const KeySwitchShape& shape, std::size_t limb_count) const {
  const NoiseBound error = key_switch_error(parameters(), shape.gadget, limb_count);
  return checked(operation, with_error(bounds, error), limb_count);
}

Bounds Evaluator::State::rounded(const Bounds& bounds, std::size_t parts,
                                 std::size_t limb_count) const {
  if (limb_count < 2) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("limb_count {} is below 2: none to drop", limb_count));
  }
  const std::uint64_t last = parameters().q()[limb_count - 1].value();
  return checked("mod_switch",
                 with_error(quotient_bounds(bounds, last), mod_switch_error(parameters(), parts)),
                 limb_count - 1);
}

Evaluator::Evaluator(ContextPtr context, RelinearizationKeys relinearization, GaloisKeys galois)
    : state_(std::make_unique<State>(std::move(context), std::move(relinearization),
                                     std::move(galois))) {}

Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

const Context& Evaluator::context() const noexcept { return *state_->context; }

KeySwitchPlanner& Evaluator::planner() noexcept { return state_->switcher.planner(); }

Ciphertext Evaluator::add(const Ciphertext& a, const Ciphertext& b) const {
  return state_->linear(LinearOperation::add, a, b.limbs, b.bounds);
}

Ciphertext Evaluator::sub(const Ciphertext& a, const Ciphertext& b) const {
  return state_->linear(LinearOperation::sub, a, b.limbs, b.bounds);
}

Ciphertext Evaluator::negate(const Ciphertext& a) const {
  const std::size_t l = a.limb_count();
  Ciphertext c = state_->make(a.parts(), l, state_->checked("negate", a.bounds, l));
  const Job job{{&a.limbs}, {&c.limbs}};
  run(context().plan(fmt::format("negate/{}/l{}", a.parts(), l),
                     [&] { return negate_program(state_->parameters(), a.parts(), l); }),
      job);
  return c;
}

Ciphertext Evaluator::add_plain(const Ciphertext& a, const LimbMatrix& message,
                                NoiseBound bound) const {
  require_message("add_plain", a, message);
  return state_->linear(LinearOperation::add, a, message, {bound, {}});
}

Ciphertext Evaluator::multiply_plain(const Ciphertext& a, const LimbMatrix& message,
                                     NoiseBound bound) const {
  require_message("multiply_plain", a, message);
  const std::size_t l = a.limb_count();
  const Bounds bounds = product_bounds(a.bounds, {bound, {}});
  Ciphertext c = state_->make(a.parts(), l, state_->checked("multiply_plain", bounds, l));
  const Job job{{&a.limbs, &message}, {&c.limbs}};
  run(context().plan(fmt::format("multiply_plain/{}/l{}", a.parts(), l),
                     [&] { return multiply_plain_program(state_->parameters(), a.parts(), l); }),
      job);
  return c;
}

// A constant's evaluations are all equal to it; its canonical norm is its absolute value.
Ciphertext Evaluator::multiply_scalar(const Ciphertext& a, std::span<const std::uint64_t> c,
                                      NoiseBound bound) const {
  require_same_limbs("multiply_scalar", a, c.size());
  LimbMatrix message(1, c.size(), a.limbs.degree());
  for (std::size_t i = 0; i < c.size(); ++i) std::ranges::fill(message.limb(0, i), c[i]);
  return multiply_plain(a, message, bound);
}

Ciphertext Evaluator::tensor(const Ciphertext& a, const Ciphertext& b) const {
  const std::size_t l = a.limb_count();
  Ciphertext c = state_->make(3, l, state_->product(a, b));
  const Job job{{&a.limbs, &b.limbs}, {&c.limbs}};
  run(context().plan(fmt::format("tensor/l{}", l),
                     [&] { return tensor_program(state_->parameters(), l); }),
      job);
  return c;
}

PlannedSwitch Evaluator::relinearizing(const std::string& operation, std::size_t limb_count,
                                       const KeySwitcher::Emit& emit) const {
  const EvaluationKeys* const keys[] = {&state_->relinearization.keys};
  return state_->switcher.plan(operation, limb_count, keys, emit);
}

Ciphertext Evaluator::relinearize(const Ciphertext& a) const {
  require_parts("relinearize", a, 3);
  const std::size_t l = a.limb_count();
  const PlannedSwitch planned = relinearizing("relinearize", l, [&](const KeySwitchShape& shape) {
    return relinearize_program(state_->parameters(), shape, l);
  });
  Ciphertext c = state_->make(2, l, state_->switched("relinearize", a.bounds, planned.shape, l));
  run(*planned.plan, Job{{&a.limbs}, {&c.limbs}}, *planned.key);
  return c;
}

Ciphertext Evaluator::multiply(const Ciphertext& a, const Ciphertext& b, std::size_t drop) const {
  return std::move(multiply({&a, 1}, {&b, 1}, drop).front());
}

std::vector<Ciphertext> Evaluator::multiply(std::span<const Ciphertext> a,
                                            std::span<const Ciphertext> b, std::size_t drop) const {
  if (a.size() != b.size()) {
    throw Error(
        ErrorCode::mismatch,
        fmt::format("multiply takes equal batches, these have {} and {}", a.size(), b.size()));
  }
  if (drop > 1) throw Error(ErrorCode::out_of_range, fmt::format("drop {} exceeds 1", drop));
  if (a.empty()) return {};
  const std::size_t l = a.front().limb_count();
  for (const Ciphertext& x : a) require_same_limbs("multiply", x, l);
  std::vector<Bounds> bounds;
  for (std::size_t i = 0; i < a.size(); ++i) bounds.push_back(state_->product(a[i], b[i]));
  const PlannedSwitch planned =
      relinearizing(fmt::format("multiply/drop{}", drop), l, [&](const KeySwitchShape& shape) {
        return multiply_program(state_->parameters(), shape, l, drop);
      });
  std::vector<Ciphertext> c;
  for (Bounds& bound : bounds) {
    bound = state_->switched("multiply", bound, planned.shape, l);
    if (drop == 1) bound = state_->rounded(bound, 2, l);
    c.push_back(state_->make(2, l - drop, bound));
  }
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < a.size(); ++i)
    jobs.push_back({{&a[i].limbs, &b[i].limbs}, {&c[i].limbs}});
  run(*planned.plan, jobs, *planned.key);
  return c;
}

Ciphertext Evaluator::automorphism(const Ciphertext& a, std::uint64_t galois_element) const {
  return std::move(automorphisms(a, {&galois_element, 1}).front());
}

std::vector<Ciphertext> Evaluator::automorphisms(
    const Ciphertext& a, std::span<const std::uint64_t> galois_elements) const {
  require_parts("automorphism", a, 2);
  std::vector<std::uint64_t> elements;
  std::ranges::copy_if(galois_elements, std::back_inserter(elements),
                       [](std::uint64_t g) { return g != 1; });
  std::vector<Ciphertext> moved = state_->apply_automorphisms(a, elements);
  std::vector<Ciphertext> result;
  auto next = moved.begin();
  for (const std::uint64_t g : galois_elements) {
    if (g == 1) {
      result.push_back(a);
    } else {
      result.push_back(std::move(*next++));
    }
  }
  return result;
}

std::vector<Ciphertext> Evaluator::State::apply_automorphisms(
    const Ciphertext& a, std::span<const std::uint64_t> elements) {
  if (elements.empty()) return {};
  const std::size_t l = a.limb_count();
  std::vector<const EvaluationKeys*> keys;
  for (const std::uint64_t g : elements) {
    const auto found = galois.keys.find(g);
    if (found == galois.keys.end()) {
      throw Error(ErrorCode::missing_key,
                  fmt::format("galois element {} has no key among {}", g, galois.keys.size()));
    }
    keys.push_back(&found->second);
  }
  const PlannedSwitch planned =
      switcher.plan(fmt::format("automorphisms/{}", fmt::join(elements, ",")), l, keys,
                    [&](const KeySwitchShape& shape) {
                      return automorphisms_program(parameters(), shape, l, elements);
                    });
  const Bounds bounds = switched("automorphism", a.bounds, planned.shape, l);
  std::vector<Ciphertext> result;
  for (std::size_t k = 0; k < elements.size(); ++k) result.push_back(make(2, l, bounds));
  Job job{{&a.limbs}, {}};
  for (Ciphertext& c : result) job.outputs.push_back(&c.limbs);
  run(*planned.plan, job, *planned.key);
  return result;
}

Ciphertext Evaluator::mod_switch(const Ciphertext& a) const {
  const std::size_t l = a.limb_count();
  const Bounds bounds = state_->rounded(a.bounds, a.parts(), l);
  Ciphertext c = state_->make(a.parts(), l - 1, bounds);
  const Job job{{&a.limbs}, {&c.limbs}};
  run(context().plan(fmt::format("mod_switch/{}/l{}", a.parts(), l),
                     [&] { return mod_switch_program(state_->parameters(), a.parts(), l); }),
      job);
  return c;
}

Ciphertext Evaluator::truncate(const Ciphertext& a, std::size_t limb_count) const {
  if (limb_count > a.limb_count()) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("limb_count {} exceeds {}", limb_count, a.limb_count()));
  }
  Ciphertext c =
      state_->make(a.parts(), limb_count, state_->checked("truncate", a.bounds, limb_count));
  for (std::size_t part = 0; part < a.parts(); ++part) {
    for (std::size_t i = 0; i < limb_count; ++i)
      std::ranges::copy(a.limbs.limb(part, i), c.limbs.limb(part, i).begin());
  }
  return c;
}

}  // namespace heliodor::rlwe
