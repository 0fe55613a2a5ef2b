// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/ckks/encryption.h"

#include <fmt/format.h>

#include <cmath>

#include "heliodor/base/error.h"

namespace heliodor::ckks {

Ciphertext Encryptor::encrypt(const Slots& values) {
  const std::size_t top = context_->parameters().limb_count();
  return encrypt(context_->encoder().encode(values, top, context_->parameters().scale(top)));
}

Ciphertext Encryptor::encrypt(std::span<const double> values) {
  const std::size_t top = context_->parameters().limb_count();
  return encrypt(context_->encoder().encode(values, top, context_->parameters().scale(top)));
}

Ciphertext Encryptor::encrypt(const Plaintext& plaintext) {
  const double value_bound = context_->parameters().value_bound();
  // With room for the rounding of bounds.
  const rlwe::NoiseBound bound = rlwe::NoiseBound::of(value_bound * (1 + 0x1p-30)) *
                                     rlwe::NoiseBound::of(plaintext.scale.value()) +
                                 plaintext.error;
  if (bound < plaintext.bound) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("values of up to 2^{:.3f} exceed value_bound {}",
                            plaintext.bound.log2() - plaintext.scale.log2(), value_bound));
  }
  Ciphertext result{encryptor_.encrypt(plaintext.limbs, bound), plaintext.scale, plaintext.slots};
  result.rlwe.bounds.error = result.rlwe.bounds.error + plaintext.error;
  return result;
}

Slots Decryptor::decrypt(const Ciphertext& ciphertext) const {
  return context_->encoder().decode(decryptor_.mixed_radix_phase(ciphertext.rlwe), ciphertext.scale,
                                    ciphertext.slots);
}

std::vector<double> Decryptor::decrypt_coefficients(const Ciphertext& ciphertext) const {
  return context_->encoder().decode_coefficients(decryptor_.mixed_radix_phase(ciphertext.rlwe),
                                                 ciphertext.scale);
}

double slot_error_bound(const Ciphertext& ciphertext) {
  return slot_error_bound(ciphertext.rlwe.bounds, ciphertext.scale, ciphertext.slots,
                          ciphertext.limb_count());
}

double slot_error_bound(const rlwe::Bounds& bounds, const Scale& scale, std::size_t slots,
                        std::size_t limb_count) {
  const double log2_of_scale = scale.log2();
  // 2^-40 covers the rounding of these logarithms, below 2^12.
  return (std::exp2(bounds.error.log2() - log2_of_scale) +
          std::exp2(bounds.phase.log2() - log2_of_scale) *
              Encoder::decoding_error(slots, limb_count)) *
         (1 + 0x1p-38);
}

Ciphertext assume_bound(Ciphertext ciphertext, double value_bound) {
  rlwe::Bounds& bounds = ciphertext.rlwe.bounds;
  const auto lower = [](rlwe::NoiseBound a, rlwe::NoiseBound b) { return a < b ? a : b; };
  const rlwe::NoiseBound phase =
      rlwe::NoiseBound::of(value_bound) * rlwe::NoiseBound::of_log2(ciphertext.scale.log2());
  bounds.phase = lower(bounds.phase, phase);
  bounds.error = lower(bounds.error, phase + phase);
  return ciphertext;
}

}  // namespace heliodor::ckks
