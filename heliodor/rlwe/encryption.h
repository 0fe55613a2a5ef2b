// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Encryption and decryption of polynomials: schemes encode before and decode after. Constant time
// in message, randomness and secret.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/rlwe/context.h"
#include "heliodor/rlwe/keys.h"

namespace heliodor::rlwe {

/// Encrypts messages given by evaluations modulo q_0 .. q_{limb_count-1} (one part). One thread at
/// a time; a seed serves one Encryptor, as two would draw the same errors.
class Encryptor {
 public:
  /// (b*u + tau*e0 + m, a*u + tau*e1), u ternary. Throws Error{mismatch} for a key of other
  /// parameters; so do all constructors here.
  Encryptor(ContextPtr context, PublicKey key, const base::Seed& seed);
  Encryptor(ContextPtr context, PublicKey key, const base::TestSeed& seed);
  /// (-a*s + tau*e + m, a), a uniform from a fresh public seed. Keeps a reference to the key.
  Encryptor(ContextPtr context, const SecretKey& key, const base::Seed& seed);
  Encryptor(ContextPtr context, const SecretKey& key, const base::TestSeed& seed);
  ~Encryptor();

  /// The bound of the result's phase is message_bound (canonical norm) + its error. Throws
  /// Error{noise_overflow} if that reaches Q/2, Error{mismatch} for another degree or several
  /// parts, Error{out_of_range} for a limb_count outside [1, |Q|].
  Ciphertext encrypt(const LimbMatrix& message, NoiseBound message_bound);
  /// An encryption of 0 at `limb_count` limbs. Errors as encrypt.
  Ciphertext encrypt_zero(std::size_t limb_count);

 private:
  struct State;
  void set_key(PublicKey key);
  void set_key(const SecretKey& key);

  std::unique_ptr<State> state_;
};

class Decryptor {
 public:
  /// Keeps a reference to the key.
  Decryptor(ContextPtr context, const SecretKey& key);

  const Context& context() const noexcept { return *context_; }

  /// c_0 + c_1*s + .. as coefficients, one part of limb_count limbs. Its error tells of the key:
  /// callers wipe it. Throws Error{mismatch} for another degree, Error{out_of_range} for a
  /// limb_count outside [1, |Q|].
  LimbMatrix phase(const Ciphertext& ciphertext) const;

  /// mixed_radix of the phase.
  LimbMatrix mixed_radix_phase(const Ciphertext& ciphertext) const;

 private:
  ContextPtr context_;
  const SecretKey& key_;
};

/// Coefficients modulo q_0 .. q_{l-1} (one part) in centred mixed radix: the integer v in
/// (-Q/2, Q/2) is sum_i d_i * q_0*..*q_{i-1}, |d_i| <= q_i/2; limb i of the result holds d_i modulo
/// q_i. Exact decoding reads it digit by digit, without big integers. Errors as Decryptor::phase.
LimbMatrix mixed_radix(const Context& context, const LimbMatrix& coefficients);

/// log2 of the largest coefficient of (phase - ideal), ideal given by coefficients modulo
/// q_0 .. q_{limb_count-1}. For debugging only: it needs the secret key, and publishing it leaks
/// the key.
double measured_noise_log2_for_debugging(const Decryptor& decryptor, const Parameters& parameters,
                                         const Ciphertext& ciphertext, const LimbMatrix& ideal);

}  // namespace heliodor::rlwe
