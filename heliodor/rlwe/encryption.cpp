// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/encryption.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/ring/sampler.h"
#include "heliodor/rlwe/internal/client_programs.h"
#include "heliodor/rlwe/internal/run_data.h"
#include "heliodor/rlwe/internal/small_polynomials.h"
#include "heliodor/rlwe/noise_growth.h"

namespace heliodor::rlwe {
namespace {

using internal::RunData;

void check_shape(const char* what, const LimbMatrix& x, const Parameters& parameters) {
  if (x.limb_count() < 1 || x.limb_count() > parameters.q().size()) {
    throw Error(ErrorCode::out_of_range, fmt::format("limb_count {} of {} is not in [1, {}]",
                                                     x.limb_count(), what, parameters.q().size()));
  }
  if (x.degree() != parameters.degree()) {
    throw Error(ErrorCode::mismatch, fmt::format("{} has degree {}, the parameters have {}", what,
                                                 x.degree(), parameters.degree()));
  }
}

void check_parts(const char* what, std::size_t parts, std::size_t expected) {
  if (parts != expected) {
    throw Error(ErrorCode::mismatch, fmt::format("{} has {} parts, not {}", what, parts, expected));
  }
}

void check_key(const SecretKey& key, const Parameters& parameters) {
  const std::size_t limbs = parameters.q().size() + parameters.p().size();
  if (key.limb_count() != limbs || key.coefficients().size() != parameters.degree()) {
    throw Error(
        ErrorCode::mismatch,
        fmt::format("a secret key of {} limbs of degree {}, the parameters have {} of "
                    "degree {}",
                    key.limb_count(), key.coefficients().size(), limbs, parameters.degree()));
  }
}

void check_phase(NoiseBound phase, const Parameters& parameters, std::size_t limb_count) {
  const NoiseBound limit = parameters.phase_limit(limb_count);
  if (!(phase < limit)) {
    throw Error(ErrorCode::noise_overflow,
                fmt::format("a phase of up to 2^{:.2f} reaches Q/2 = 2^{:.2f} of {} limbs",
                            phase.log2(), limit.log2(), limb_count));
  }
}

}  // namespace

struct Encryptor::State {
  template <typename AnySeed>
  State(ContextPtr the_context, const AnySeed& seed, bool with_public_key)
      : context(std::move(the_context)),
        gaussian(context->parameters().sigma()),
        ternary(seed, "encryption ternary"),
        error(seed, "encryption error"),
        uniform(seed, "encryption uniform seed"),
        fresh(encryption_error(context->parameters(), with_public_key)) {}

  const Parameters& parameters() const { return context->parameters(); }

  std::span<const ring::Modulus> moduli(std::size_t limb_count) const {
    return parameters().q().moduli().first(limb_count);
  }

  void encrypt_with_public(const LimbMatrix& message, LimbMatrix& result);
  void encrypt_with_secret(const LimbMatrix& message, LimbMatrix& result);

  ContextPtr context;
  ring::GaussianSampler gaussian;
  base::RandomStream ternary, error, uniform;
  NoiseBound fresh;
  PublicKey public_key;
  const SecretKey* secret_key = nullptr;
};

void Encryptor::State::encrypt_with_public(const LimbMatrix& message, LimbMatrix& result) {
  const std::size_t l = message.limb_count();
  const auto& plan = context->plan(fmt::format("encrypt/l{}", l),
                                   [&] { return internal::encrypt_program(parameters(), l); });
  const SecretLimbs e0 = internal::sample_error(gaussian, error, moduli(l));
  const SecretLimbs e1 = internal::sample_error(gaussian, error, moduli(l));
  const SecretLimbs u = internal::sample_ternary(ternary, moduli(l));
  RunData data;
  data.operand(message);
  data.operand(e0);
  data.operand(e1);
  data.operand(u);
  data.key(public_key.limbs, 0, l);
  data.key(public_key.limbs, 1, l);
  data.output(result, 0, 2);
  internal::run(plan, data);
}

void Encryptor::State::encrypt_with_secret(const LimbMatrix& message, LimbMatrix& result) {
  const std::size_t l = message.limb_count();
  const auto& plan = context->plan(fmt::format("encrypt_with_secret/l{}", l), [&] {
    return internal::encrypt_with_secret_program(parameters(), l);
  });
  const SecretLimbs e = internal::sample_error(gaussian, error, moduli(l));
  RunData data;
  data.operand(message);
  data.operand(e);
  data.key(*secret_key, l);
  data.shared.seeds.push_back(uniform.public_seed());
  data.output(result, 0, 2);
  internal::run(plan, data);
}

Encryptor::Encryptor(ContextPtr context, PublicKey key, const base::Seed& seed)
    : state_(std::make_unique<State>(std::move(context), seed, true)) {
  set_key(std::move(key));
}

Encryptor::Encryptor(ContextPtr context, PublicKey key, const base::TestSeed& seed)
    : state_(std::make_unique<State>(std::move(context), seed, true)) {
  set_key(std::move(key));
}

Encryptor::Encryptor(ContextPtr context, const SecretKey& key, const base::Seed& seed)
    : state_(std::make_unique<State>(std::move(context), seed, false)) {
  set_key(key);
}

Encryptor::Encryptor(ContextPtr context, const SecretKey& key, const base::TestSeed& seed)
    : state_(std::make_unique<State>(std::move(context), seed, false)) {
  set_key(key);
}

Encryptor::~Encryptor() = default;

void Encryptor::set_key(PublicKey key) {
  check_parts("a public key", key.limbs.parts(), 2);
  check_shape("a public key", key.limbs, state_->parameters());
  if (key.limbs.limb_count() != state_->parameters().q().size()) {
    throw Error(ErrorCode::mismatch,
                fmt::format("a public key has {} limbs, the parameters {}", key.limbs.limb_count(),
                            state_->parameters().q().size()));
  }
  state_->public_key = std::move(key);
}

void Encryptor::set_key(const SecretKey& key) {
  check_key(key, state_->parameters());
  state_->secret_key = &key;
}

Ciphertext Encryptor::encrypt(const LimbMatrix& message, NoiseBound message_bound) {
  const Parameters& parameters = state_->parameters();
  check_parts("a message", message.parts(), 1);
  check_shape("a message", message, parameters);
  const Bounds bounds{message_bound + state_->fresh, state_->fresh};
  check_phase(bounds.phase, parameters, message.limb_count());
  Ciphertext result{{2, message.limb_count(), parameters.degree()}, bounds};
  if (state_->secret_key != nullptr) {
    state_->encrypt_with_secret(message, result.limbs);
  } else {
    state_->encrypt_with_public(message, result.limbs);
  }
  return result;
}

Ciphertext Encryptor::encrypt_zero(std::size_t limb_count) {
  return encrypt(LimbMatrix(1, limb_count, state_->parameters().degree()), {});
}

Decryptor::Decryptor(ContextPtr context, const SecretKey& key)
    : context_(std::move(context)), key_(key) {
  check_key(key, context_->parameters());
}

LimbMatrix Decryptor::phase(const Ciphertext& ciphertext) const {
  const Parameters& parameters = context_->parameters();
  const std::size_t parts = ciphertext.parts();
  const std::size_t l = ciphertext.limb_count();
  check_shape("a ciphertext", ciphertext.limbs, parameters);
  const auto& plan = context_->plan(fmt::format("phase/{}/l{}", parts, l),
                                    [&] { return internal::phase_program(parameters, parts, l); });
  LimbMatrix result(1, l, parameters.degree());
  RunData data;
  data.operand(ciphertext.limbs);
  if (parts > 1) data.key(key_, l);
  data.output(result, 0, 1);
  internal::run(plan, data);
  return result;
}

LimbMatrix Decryptor::mixed_radix_phase(const Ciphertext& ciphertext) const {
  LimbMatrix coefficients = phase(ciphertext);
  LimbMatrix digits = mixed_radix(*context_, coefficients);
  coefficients.wipe();
  return digits;
}

LimbMatrix mixed_radix(const Context& context, const LimbMatrix& coefficients) {
  const std::size_t l = coefficients.limb_count();
  check_parts("a polynomial", coefficients.parts(), 1);
  check_shape("a polynomial", coefficients, context.parameters());
  const auto& plan = context.plan(fmt::format("mixed_radix/l{}", l), [&] {
    return internal::mixed_radix_program(context.parameters(), l);
  });
  LimbMatrix digits(1, l, coefficients.degree());
  RunData data;
  data.operand(coefficients);
  data.output(digits, 0, 1);
  internal::run(plan, data);
  return digits;
}

double measured_noise_log2_for_debugging(const Decryptor& decryptor, const Parameters& parameters,
                                         const Ciphertext& ciphertext, const LimbMatrix& ideal) {
  const ring::RnsBase& q = parameters.q();
  LimbMatrix noise = decryptor.phase(ciphertext);
  check_parts("an ideal phase", ideal.parts(), 1);
  if (ideal.limb_count() != noise.limb_count() || ideal.degree() != noise.degree()) {
    throw Error(
        ErrorCode::mismatch,
        fmt::format("an ideal phase of {} limbs of degree {}, the ciphertext has {} of {}",
                    ideal.limb_count(), ideal.degree(), noise.limb_count(), noise.degree()));
  }
  for (std::size_t i = 0; i < noise.limb_count(); ++i) {
    for (std::size_t k = 0; k < noise.degree(); ++k) {
      noise.limb(0, i)[k] = q[i].sub(noise.limb(0, i)[k], ideal.limb(0, i)[k]);
    }
  }
  const LimbMatrix digits = mixed_radix(decryptor.context(), noise);
  long double largest = 0;
  for (std::size_t k = 0; k < digits.degree(); ++k) {
    long double value = 0;
    for (std::size_t i = digits.limb_count(); i-- > 0;) {
      const std::uint64_t d = digits.limb(0, i)[k];
      const auto modulus = static_cast<long double>(q[i].value());
      const auto digit = static_cast<long double>(d);
      value = value * modulus + (d > q[i].value() / 2 ? digit - modulus : digit);
    }
    largest = std::max(largest, std::abs(value));
  }
  return static_cast<double>(std::log2(largest));
}

}  // namespace heliodor::rlwe
