// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Encryption and decryption of slots. A decrypted vector carries the noise, and with it information
// on the secret key (Li and Micciancio, EUROCRYPT 2021): give it only to who may hold the key.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "heliodor/rlwe/encryption.h"
#include "heliodor/schemes/ckks/context.h"

namespace heliodor::ckks {

class Encryptor {
 public:
  /// With a public or a secret key and a base::Seed or base::TestSeed, as rlwe::Encryptor.
  template <typename Key, typename AnySeed>
  Encryptor(ContextPtr context, Key&& key, const AnySeed& seed)
      : context_(std::move(context)), encryptor_(context_->rlwe(), std::forward<Key>(key), seed) {}

  /// At the top, with its scale. Error{out_of_range} as Encoder::encode, and for values above the
  /// parameters' value_bound: it is what the ciphertext's bounds tell of them.
  Ciphertext encrypt(const Slots& values);
  Ciphertext encrypt(std::span<const double> values);
  /// Of any scale and limb_count; its values are bounded likewise.
  Ciphertext encrypt(const Plaintext& plaintext);

 private:
  ContextPtr context_;
  rlwe::Encryptor encryptor_;
};

class Decryptor {
 public:
  /// Keeps a reference to the key.
  Decryptor(ContextPtr context, const rlwe::SecretKey& key)
      : context_(std::move(context)), decryptor_(context_->rlwe(), key) {}

  /// ciphertext.slots values, each within slot_error_bound() of the exact result.
  Slots decrypt(const Ciphertext& ciphertext) const;
  std::vector<double> decrypt_coefficients(const Ciphertext& ciphertext) const;

 private:
  ContextPtr context_;
  rlwe::Decryptor decryptor_;
};

/// A bound on the error of every decrypted slot: the noise's, divided by the scale, and that of
/// decoding.
double slot_error_bound(const Ciphertext& ciphertext);
double slot_error_bound(const rlwe::Bounds& bounds, const Scale& scale, std::size_t slots,
                        std::size_t limb_count);

/// The same ciphertext with bounds that the caller vouches for: no slot of the exact result, nor of
/// what it decrypts to, exceeds `value_bound` in absolute value. Bounds multiply with every
/// level, values that are known to stay in their range do not: a long chain goes on where its
/// bounds would end in Error{noise_overflow}. If the promise is wrong, results may be wrong without
/// notice.
Ciphertext assume_bound(Ciphertext ciphertext, double value_bound);

}  // namespace heliodor::ckks
