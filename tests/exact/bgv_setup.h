// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A BGV cryptosystem with all keys, and slots as plain vectors modulo t beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/schemes/bgv/encryption.h"
#include "heliodor/schemes/bgv/evaluator.h"
#include "heliodor/schemes/slots/slot_encoder.h"

namespace heliodor::exact {

using Slots = std::vector<std::int64_t>;

class BgvSetup {
 public:
  BgvSetup(bgv::Parameters parameters, std::shared_ptr<const program::Target> target,
           std::span<const std::uint64_t> galois_elements,
           rlwe::Matching matching = rlwe::Matching::automatic);

  std::uint64_t t() const { return context->parameters().t().value(); }
  std::size_t slot_count() const { return encoder.slot_count(); }

  Slots random_slots();  ///< uniform modulo t
  bgv::Ciphertext encrypt(const Slots& slots) { return encryptor.encrypt(encoder.encode(slots)); }
  /// In [0, t).
  Slots decrypt(const bgv::Ciphertext& ciphertext) const;

  // What the operations on slots mean, modulo t.
  Slots sum(const Slots& a, const Slots& b) const;
  Slots difference(const Slots& a, const Slots& b) const;
  Slots product(const Slots& a, const Slots& b) const;
  static Slots rotated(const Slots& a, std::int64_t steps);  ///< both rows, to the left

  std::mt19937_64 random{1};
  bgv::ContextPtr context;
  slots::SlotEncoder encoder;
  rlwe::KeyGenerator generator;
  rlwe::SecretKey secret;
  bgv::Encryptor encryptor;
  bgv::Decryptor decryptor;
  bgv::Evaluator evaluator;
};

/// Multiplies random sums of rotated ciphertexts, level by level, until `depth` multiplications are
/// done; every product is decrypted and compared. Uses rotations by 1.
void run_random_circuit(BgvSetup& bgv, std::size_t depth);

}  // namespace heliodor::exact
