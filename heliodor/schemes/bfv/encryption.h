// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Encryption and decryption of BFV. A ciphertext is an rlwe::Ciphertext and nothing else: its scale
// Q/t follows from limb_count. Constant time in messages, randomness and secret.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

#include "heliodor/rlwe/encryption.h"
#include "heliodor/schemes/bfv/context.h"
#include "heliodor/schemes/slots/plaintext.h"

namespace heliodor::bfv {

using Ciphertext = rlwe::Ciphertext;

class Encryptor {
 public:
  /// Of a public or a secret key and a seed, as rlwe::Encryptor.
  template <typename Key, typename AnySeed>
  requires std::constructible_from<rlwe::Encryptor, rlwe::ContextPtr, Key, const AnySeed&>
  Encryptor(ContextPtr context, Key&& key, const AnySeed& seed)
      : context_(std::move(context)), encryptor_(context_->rlwe(), std::forward<Key>(key), seed) {}

  /// With all limbs of Q. Throws Error{mismatch} for a plaintext of another t or degree.
  Ciphertext encrypt(const slots::Plaintext& message);
  /// With the first limb_count of them; Error{out_of_range} unless in [1, |Q|].
  Ciphertext encrypt(const slots::Plaintext& message, std::size_t limb_count);

 private:
  ContextPtr context_;
  rlwe::Encryptor encryptor_;
};

class Decryptor {
 public:
  /// Keeps a reference to the key.
  Decryptor(ContextPtr context, const rlwe::SecretKey& key);

  /// Of one to three parts. Right as long as the error stays below error_limit (noise.h), which
  /// every operation of Evaluator ensures.
  slots::Plaintext decrypt(const Ciphertext& ciphertext) const;

 private:
  ContextPtr context_;
  rlwe::Decryptor decryptor_;
};

}  // namespace heliodor::bfv
