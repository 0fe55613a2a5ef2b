// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Encryption and decryption of BGV plaintexts. Constant time in messages, randomness and secrets.
#pragma once

#include "heliodor/base/random.h"
#include "heliodor/rlwe/encryption.h"
#include "heliodor/schemes/bgv/ciphertext.h"
#include "heliodor/schemes/bgv/context.h"
#include "heliodor/schemes/slots/plaintext.h"

namespace heliodor::bgv {

class Encryptor {
 public:
  /// Under the public key, or under the secret key, to which a reference is kept. A TestSeed makes
  /// repeatable ciphertexts for tests and demonstrations. Throws as rlwe::Encryptor.
  Encryptor(ContextPtr context, rlwe::PublicKey key, const base::Seed& seed);
  Encryptor(ContextPtr context, rlwe::PublicKey key, const base::TestSeed& seed);
  Encryptor(ContextPtr context, const rlwe::SecretKey& key, const base::Seed& seed);
  Encryptor(ContextPtr context, const rlwe::SecretKey& key, const base::TestSeed& seed);

  /// At all limbs. Throws Error{mismatch} for a plaintext of another t or degree.
  Ciphertext encrypt(const slots::Plaintext& plaintext);

 private:
  ContextPtr context_;
  rlwe::Encryptor encryptor_;
};

class Decryptor {
 public:
  /// Keeps a reference to the key.
  Decryptor(ContextPtr context, const rlwe::SecretKey& key);

  /// Exact for every modulus t: the centred phase comes in mixed radix and is summed modulo t.
  slots::Plaintext decrypt(const Ciphertext& ciphertext) const;

 private:
  ContextPtr context_;
  rlwe::Decryptor decryptor_;
};

}  // namespace heliodor::bgv
