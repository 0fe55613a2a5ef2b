// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/slots/slot_encoder.h"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/base/wipe.h"
#include "heliodor/program/builder.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/rlwe/run.h"

namespace heliodor::slots {
namespace {

// Evaluation i is the value at omega^(2*bitrev(i)+1) (ring/reference.h), so the value at omega^e,
// e odd, is evaluation bitrev((e-1)/2).
std::vector<std::uint32_t> evaluations_of_slots(std::uint64_t degree) {
  const auto bits = static_cast<unsigned>(std::countr_zero(degree));
  const std::size_t columns = degree / 2;
  std::vector<std::uint32_t> evaluations(degree);
  std::uint64_t exponent = 1;  // 5^j mod 2N
  for (std::size_t j = 0; j < columns; ++j) {
    const std::uint64_t opposite = 2 * degree - exponent;
    evaluations[j] = ring::bit_reverse(static_cast<std::uint32_t>(exponent / 2), bits);
    evaluations[columns + j] = ring::bit_reverse(static_cast<std::uint32_t>(opposite / 2), bits);
    exponent = exponent * 5 % (2 * degree);
  }
  return evaluations;
}

}  // namespace

SlotEncoder::SlotEncoder(rlwe::ContextPtr context, std::uint64_t t)
    : context_(std::move(context)),
      t_(t),
      modulus_(t, context_->parameters().degree()),
      evaluation_of_slot_(evaluations_of_slots(modulus_.degree())) {}

Plaintext SlotEncoder::encode(std::span<const std::int64_t> values) const {
  Plaintext slots = encode_coefficients(t_, slot_count(), values);  // checks ranges
  rlwe::SecretLimbs evaluations(1, 1, slot_count());
  for (std::size_t j = 0; j < slot_count(); ++j)
    evaluations.limb(0, 0)[evaluation_of_slot_[j]] = t_.residue(slots.coefficients[j]);
  base::wipe(std::span(slots.coefficients));
  return from_residues(t_, transform(Direction::encode, evaluations).limb(0, 0));
}

std::vector<std::uint64_t> SlotEncoder::decode(const Plaintext& plaintext) const {
  if (!(plaintext.t == t_) || plaintext.coefficients.size() != slot_count()) {
    throw Error(
        ErrorCode::mismatch,
        fmt::format("plaintext of degree {} modulo {} for an encoder of degree {} modulo {}",
                    plaintext.coefficients.size(), plaintext.t.value(), slot_count(), t_.value()));
  }
  rlwe::SecretLimbs coefficients(1, 1, slot_count());
  for (std::size_t k = 0; k < slot_count(); ++k)
    coefficients.limb(0, 0)[k] = t_.residue(plaintext.coefficients[k]);
  const rlwe::SecretLimbs evaluations = transform(Direction::decode, coefficients);
  std::vector<std::uint64_t> slots(slot_count());
  for (std::size_t j = 0; j < slot_count(); ++j)
    slots[j] = evaluations.limb(0, 0)[evaluation_of_slot_[j]];
  return slots;
}

std::vector<std::int64_t> SlotEncoder::decode_centred(const Plaintext& plaintext) const {
  return from_residues(t_, decode(plaintext)).coefficients;
}

rlwe::SecretLimbs SlotEncoder::transform(Direction direction, const rlwe::SecretLimbs& x) const {
  const bool encodes = direction == Direction::encode;
  const std::string name =
      fmt::format("slots/{}/t{}", encodes ? "encode" : "decode", modulus_.value());
  const program::Plan& plan = context_->plan(name, [&] {
    program::Builder b({modulus_}, name);
    const program::ValueId in =
        b.operand("x", 0, encodes ? ring::Domain::eval : ring::Domain::coeff);
    b.output("y", encodes ? b.intt(in) : b.ntt(in));
    return b.build();
  });
  rlwe::SecretLimbs y(1, 1, slot_count());
  rlwe::run(plan, {{&x}, {&y}});
  return y;
}

}  // namespace heliodor::slots
