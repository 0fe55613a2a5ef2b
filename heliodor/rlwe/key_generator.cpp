// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/key_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/base/wipe.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/ring/sampler.h"
#include "heliodor/rlwe/internal/client_programs.h"
#include "heliodor/rlwe/internal/run_data.h"
#include "heliodor/rlwe/internal/small_polynomials.h"
#include "heliodor/rlwe/keyswitch/program_ring.h"

namespace heliodor::rlwe {
namespace {

using internal::RunData;

/// Limbs of Q and P of a secret: of s, s^2 or s(X^g).
void check_limbs(const Parameters& parameters, std::size_t parts, std::size_t limb_count,
                 std::uint64_t degree) {
  const std::size_t expected = parameters.q().size() + parameters.p().size();
  if (parts != 1 || limb_count != expected || degree != parameters.degree()) {
    throw Error(ErrorCode::mismatch,
                fmt::format("a secret of {} x {} limbs of degree {}, the parameters have 1 x {} of "
                            "degree {}",
                            parts, limb_count, degree, expected, parameters.degree()));
  }
}

SecretLimbs copy_of(const SecretKey& s) {
  SecretLimbs limbs(1, s.limb_count(), s.coefficients().size());
  for (std::size_t i = 0; i < s.limb_count(); ++i) {
    std::ranges::copy(s.limb(i), limbs.limb(0, i).begin());
  }
  return limbs;
}

}  // namespace

struct KeyGenerator::State {
  template <typename AnySeed>
  State(const ContextPtr& shared, const AnySeed& seed)
      : context(shared->parameters(), {shared, &shared->target()}),
        gaussian(context.parameters().sigma()),
        secret(seed, "secret key"),
        error(seed, "error"),
        uniform(seed, "uniform seed") {}

  const Parameters& parameters() const { return context.parameters(); }

  void check(const SecretKey& s) const {
    check_limbs(parameters(), 1, s.limb_count(), s.coefficients().size());
  }

  /// Runs a program that maps the limbs of a secret to as many.
  SecretLimbs map(const std::string& name, const SecretLimbs& s,
                  const std::function<program::LimbProgram()>& emit) const {
    SecretLimbs result(1, s.limb_count(), s.degree());
    RunData data;
    data.key(s, 0, s.limb_count());
    data.output(result, 0, 1);
    internal::run(context.plan(name, emit), data);
    return result;
  }

  EvaluationKey key(const LimbMatrix& source, const SecretLimbs& s, const Gadget& gadget);

  EvaluationKeys alternatives(const LimbMatrix& source, const SecretLimbs& s) {
    EvaluationKeys keys;
    for (const Gadget& gadget : parameters().gadgets()) keys.push_back(key(source, s, gadget));
    return keys;
  }

  // Its plans die with the generator: they are large, and their scratch memory holds secrets.
  Context context;
  ring::GaussianSampler gaussian;
  base::RandomStream secret, error, uniform;
};

EvaluationKey KeyGenerator::State::key(const LimbMatrix& source, const SecretLimbs& s,
                                       const Gadget& gadget) {
  const std::size_t l = gadget.max_limb_count;
  const std::size_t q_size = parameters().q().size();
  const std::size_t digits = gadget.digit_count(l);
  const auto moduli = ProgramRing(parameters(), l, gadget.special_count).moduli();
  EvaluationKey result{
      gadget, {2 * digits, moduli.size(), parameters().degree()}, uniform.public_seed()};
  for (std::size_t j = 0; j < digits; ++j) {
    const std::string name =
        fmt::format("evaluation_key/{}.{}.{}/{}", gadget.digit_size, gadget.special_count, l, j);
    const auto& plan = context.plan(
        name, [&] { return internal::evaluation_key_program(parameters(), gadget, j); });
    const SecretLimbs e = internal::sample_error(gaussian, error, moduli);
    RunData data;
    data.operand(e);
    data.key(s, 0, l);
    for (std::size_t i = 0; i < gadget.special_count; ++i) {
      data.shared.limbs.push_back(s.limb(0, q_size + i));
    }
    for (std::size_t i = j * gadget.digit_size; i < std::min((j + 1) * gadget.digit_size, l); ++i) {
      data.shared.limbs.push_back(source.limb(0, i));
    }
    data.shared.seeds.push_back(*result.seed);
    data.output(result.limbs, 2 * j, 2);
    internal::run(plan, data);
  }
  return result;
}

KeyGenerator::KeyGenerator(ContextPtr context, const base::Seed& seed)
    : state_(std::make_unique<State>(context, seed)) {}

KeyGenerator::KeyGenerator(ContextPtr context, const base::TestSeed& seed)
    : state_(std::make_unique<State>(context, seed)) {}

KeyGenerator::~KeyGenerator() = default;

SecretKey KeyGenerator::secret_key() {
  const Parameters& parameters = state_->parameters();
  base::SecretVector<std::int8_t> s(parameters.degree());
  if (const auto weight = parameters.secret_weight()) {
    ring::sample_ternary_fixed_weight(state_->secret, *weight, s);
  } else {
    ring::sample_ternary(state_->secret, s);
  }
  return {parameters, s};
}

PublicKey KeyGenerator::public_key(const SecretKey& s) {
  state_->check(s);
  const Parameters& parameters = state_->parameters();
  const std::size_t limbs = parameters.q().size();
  PublicKey result{{2, limbs, parameters.degree()}, state_->uniform.public_seed()};
  const auto& plan =
      state_->context.plan("public_key", [&] { return internal::public_key_program(parameters); });
  const SecretLimbs e =
      internal::sample_error(state_->gaussian, state_->error, parameters.q().moduli());
  RunData data;
  data.operand(e);
  data.key(s, limbs);
  data.shared.seeds.push_back(*result.seed);
  data.output(result.limbs, 0, 2);
  internal::run(plan, data);
  return result;
}

RelinearizationKeys KeyGenerator::relinearization_keys(const SecretKey& s) {
  state_->check(s);
  const SecretLimbs limbs = copy_of(s);
  const SecretLimbs square =
      state_->map("square", limbs, [&] { return internal::square_program(state_->parameters()); });
  return {state_->alternatives(square, limbs)};
}

GaloisKeys KeyGenerator::galois_keys(const SecretKey& s,
                                     std::span<const std::uint64_t> galois_elements) {
  state_->check(s);
  const Parameters& parameters = state_->parameters();
  const SecretLimbs limbs = copy_of(s);
  GaloisKeys result;
  for (const std::uint64_t g : galois_elements) {
    const std::uint64_t inverse = ring::inverse_galois_element(g, parameters.degree());
    if (result.keys.contains(g)) continue;
    const SecretLimbs target = state_->map(fmt::format("automorphism/{}", inverse), limbs, [&] {
      return internal::automorphism_program(parameters, inverse);
    });
    result.keys.emplace(g, state_->alternatives(limbs, target));
  }
  return result;
}

EvaluationKey KeyGenerator::evaluation_key(const LimbMatrix& source, const SecretKey& s,
                                           const Gadget& gadget) {
  state_->check(s);
  check_limbs(state_->parameters(), source.parts(), source.limb_count(), source.degree());
  state_->parameters().check(gadget);
  return state_->key(source, copy_of(s), gadget);
}

}  // namespace heliodor::rlwe
