// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A BFV cryptosystem with all keys, and slots as plain vectors modulo t beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/schemes/bfv/encryption.h"
#include "heliodor/schemes/bfv/evaluator.h"
#include "heliodor/schemes/slots/slot_encoder.h"

namespace heliodor::exact {

class BfvSetup {
 public:
  using Slots = std::vector<std::int64_t>;

  BfvSetup(bfv::Parameters parameters, std::shared_ptr<const program::Target> target,
           std::span<const std::uint64_t> galois_elements,
           rlwe::Matching matching = rlwe::Matching::automatic, std::uint64_t seed = 1);

  std::int64_t t() const { return static_cast<std::int64_t>(context->parameters().t().value()); }

  Slots random_slots();  ///< uniform modulo t
  bfv::Ciphertext encrypt(const Slots& slots) { return encryptor.encrypt(encoder.encode(slots)); }
  /// In [0, t).
  Slots decrypt(const bfv::Ciphertext& ciphertext) const;

  // What the operations on slots mean, modulo t < 2^31.
  Slots sum(const Slots& a, const Slots& b) const;
  Slots difference(const Slots& a, const Slots& b) const;
  Slots product(const Slots& a, const Slots& b) const;
  static Slots rotated(const Slots& a, std::int64_t steps);  ///< both rows, to the left
  static Slots swapped(const Slots& a);                      ///< the rows

  /// log2 of the largest coefficient by which the phase misses the nearest multiples of Q/t; the
  /// message must be right.
  double measured_error_log2(const bfv::Ciphertext& ciphertext) const;

  std::mt19937_64 random;
  bfv::ContextPtr context;
  slots::SlotEncoder encoder;
  rlwe::KeyGenerator generator;
  rlwe::SecretKey secret;
  bfv::Encryptor encryptor;
  bfv::Decryptor decryptor;
  rlwe::Decryptor phases;
  bfv::Evaluator evaluator;
};

/// Multiplies random sums of rotated ciphertexts, level by level, until `depth` multiplications are
/// done; every product is decrypted and compared. Uses rotations by 1.
void run_random_circuit(BfvSetup& bfv, std::size_t depth);

}  // namespace heliodor::exact
