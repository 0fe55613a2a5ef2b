// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bfv/encryption.h"

#include "heliodor/schemes/bfv/noise.h"
#include "heliodor/schemes/bfv/scaling.h"

namespace heliodor::bfv {

Ciphertext Encryptor::encrypt(const slots::Plaintext& message) {
  return encrypt(message, context_->parameters().rlwe().q().size());
}

Ciphertext Encryptor::encrypt(const slots::Plaintext& message, std::size_t limb_count) {
  const Parameters& parameters = context_->parameters();
  const rlwe::SecretLimbs scaled = scale_up(*context_, message, limb_count);
  // The phase less a multiple of Q/t is the rounding of `scaled` and the error of the encryption.
  Ciphertext result = encryptor_.encrypt(scaled, encoding_error(parameters));
  result.bounds.error = result.bounds.phase;
  check_error(parameters, result);
  return result;
}

Decryptor::Decryptor(ContextPtr context, const rlwe::SecretKey& key)
    : context_(std::move(context)), decryptor_(context_->rlwe(), key) {}

slots::Plaintext Decryptor::decrypt(const Ciphertext& ciphertext) const {
  rlwe::LimbMatrix phase = decryptor_.phase(ciphertext);
  slots::Plaintext message = scale_down(*context_, phase);
  phase.wipe();
  return message;
}

}  // namespace heliodor::bfv
