// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/demo_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/keyswitch/key_limbs.h"

namespace heliodor::cli {
namespace {

using rlwe::KeySwitchMethod;
using rlwe::KeySwitchShape;

// A prime = 1 modulo 2*degree for slots.
std::uint64_t plaintext_modulus(std::uint64_t degree) { return degree <= 32768 ? 65537 : 786433; }

bgv::Parameters toy_parameters(std::uint64_t degree, std::vector<unsigned> q_bits) {
  const std::uint64_t t = plaintext_modulus(degree);
  const std::size_t digits = q_bits.size();
  rlwe::Parameters::Description description = rlwe::choose_moduli(
      {.degree = degree, .q_bits = std::move(q_bits), .digit_count = digits, .error_scale = t});
  description.security = rlwe::SecurityLevel::none;
  return {std::move(description), t};
}

KeySwitchShape shape_of(const rlwe::Parameters& parameters) {
  return {KeySwitchMethod::hybrid, parameters.gadgets().front()};
}

program::LimbProgram product_program(const rlwe::Parameters& parameters) {
  return rlwe::multiply_program(parameters, shape_of(parameters), parameters.q().size(), 0);
}

// The limbs given, operands and keys each in program order.
class GivenLimbs : public reference::InputSource {
 public:
  GivenLimbs(rlwe::LimbSpans operands, rlwe::LimbSpans keys)
      : operands_(std::move(operands)), keys_(std::move(keys)) {}

  void fill(const program::Input& input, const ring::Modulus& /*q*/, std::size_t /*run*/,
            std::span<std::uint64_t> words) override {
    const bool operand = input.kind == program::InputKind::operand;
    std::ranges::copy(operand ? operands_[next_operand_++] : keys_[next_key_++], words.begin());
  }
  base::PublicSeed seed(const program::Input& /*input*/) override { return {}; }

 private:
  rlwe::LimbSpans operands_, keys_;
  std::size_t next_operand_ = 0, next_key_ = 0;
};

void append_limbs(const rlwe::LimbMatrix& matrix, rlwe::LimbSpans& spans) {
  for (std::size_t part = 0; part < matrix.parts(); ++part) {
    for (std::size_t i = 0; i < matrix.limb_count(); ++i) spans.push_back(matrix.limb(part, i));
  }
}

std::vector<std::int64_t> random_slots(std::size_t count, std::uint64_t t, std::uint64_t seed,
                                       const char* label) {
  base::RandomStream random(base::TestSeed(seed), label);
  std::vector<std::int64_t> slots(count);
  for (std::int64_t& slot : slots) slot = static_cast<std::int64_t>(random.below(t));
  return slots;
}

}  // namespace

bgv::Parameters demo_parameters(std::uint64_t degree, const Targets& targets) {
  if (!std::has_single_bit(degree) || degree < 2 || degree > ring::Modulus::kMaxDegree) {
    throw Error(ErrorCode::out_of_range, fmt::format("degree {} is not a power of two in [2, {}]",
                                                     degree, ring::Modulus::kMaxDegree));
  }
  std::vector<bgv::Parameters> candidates;
  bgv::Parameters secure = bgv::Parameters::for_depth(
      {.t = plaintext_modulus(degree), .depth = 1, .min_degree = degree});
  if (secure.degree() == degree) candidates.push_back(std::move(secure));
  candidates.push_back(toy_parameters(degree, {40, 40, 40, 40}));
  candidates.push_back(toy_parameters(degree, {30, 30, 30, 30, 30}));  // words of 32 bits
  for (const bgv::Parameters& candidate : candidates) {
    const program::LimbProgram program = product_program(candidate.rlwe());
    const auto takes = [&](const auto& target) { return !target->refusal(program).has_value(); };
    if (std::ranges::all_of(targets, takes)) return candidate;
  }
  return candidates.front();
}

DemoProduct::DemoProduct(bgv::Parameters parameters, std::shared_ptr<const program::Target> target,
                         std::uint64_t seed)
    : seed_(seed),
      context_(std::make_shared<bgv::Context>(std::move(parameters), std::move(target))),
      encoder_(context_->rlwe(), this->parameters().t().value()),
      generator_(context_->rlwe(), base::TestSeed(seed)),
      secret_(generator_.secret_key()),
      shape_(shape_of(this->parameters().rlwe())),
      x_(random_slots(encoder_.slot_count(), encoder_.t().value(), seed, "demo x")),
      y_(random_slots(encoder_.slot_count(), encoder_.t().value(), seed, "demo y")),
      program_(product_program(this->parameters().rlwe())),
      inputs_(encrypt_inputs()) {}

reference::RunInputs DemoProduct::encrypt_inputs() {
  bgv::Encryptor encryptor(context_, generator_.public_key(secret_), base::TestSeed(seed_));
  const bgv::Ciphertext x = encryptor.encrypt(encoder_.encode(x_));
  const bgv::Ciphertext y = encryptor.encrypt(encoder_.encode(y_));
  const rlwe::RelinearizationKeys keys = generator_.relinearization_keys(secret_);
  rlwe::LimbSpans operands;
  append_limbs(x.rlwe.limbs, operands);
  append_limbs(y.rlwe.limbs, operands);
  GivenLimbs source(std::move(operands), rlwe::key_limbs(keys.keys.front(), x.limb_count()));
  return {program_, 1, source};
}

std::size_t DemoProduct::digit_count() const noexcept {
  return shape_.gadget.digit_count(parameters().rlwe().q().size());
}

std::vector<std::uint64_t> DemoProduct::decrypt(const reference::RunOutputs& outputs) const {
  const std::size_t l = parameters().rlwe().q().size();
  bgv::Ciphertext product{{rlwe::LimbMatrix(2, l, parameters().degree()), {}}, 1};
  for (std::size_t i = 0; i < 2 * l; ++i)
    std::ranges::copy(outputs.limb(0, i), product.rlwe.limbs.limb(i / l, i % l).begin());
  return encoder_.decode(bgv::Decryptor(context_, secret_).decrypt(product));
}

std::size_t DemoProduct::right_slots(std::span<const std::uint64_t> product) const {
  const std::uint64_t t = encoder_.t().value();
  std::size_t right = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const auto expected = static_cast<std::uint64_t>(x_[i]) * static_cast<std::uint64_t>(y_[i]) % t;
    right += product[i] == expected ? 1 : 0;
  }
  return right;
}

}  // namespace heliodor::cli
