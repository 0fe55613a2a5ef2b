// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A CKKS cryptosystem with all keys, and slots as plain complex vectors beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/schemes/ckks/encryption.h"
#include "heliodor/schemes/ckks/evaluator.h"

namespace heliodor::exact {

class CkksSetup {
 public:
  /// Keys of relinearization, of conjugation, and of the rotations by `steps`.
  CkksSetup(ckks::Parameters parameters, std::shared_ptr<const program::Target> target,
            std::span<const std::int64_t> steps = {},
            rlwe::Matching matching = rlwe::Matching::automatic);

  /// `count` values, uniform in the disk of radius value_bound.
  ckks::Slots random_slots(std::size_t count);
  ckks::Slots random_slots() { return random_slots(context->parameters().max_slots()); }

  std::mt19937_64 random{1};
  ckks::ContextPtr context;
  rlwe::KeyGenerator generator;
  rlwe::SecretKey secret;
  ckks::Encryptor encryptor;
  ckks::Decryptor decryptor;
  ckks::Evaluator evaluator;
};

// What the operations on slots mean.
ckks::Slots sum(const ckks::Slots& a, const ckks::Slots& b);
ckks::Slots product(const ckks::Slots& a, const ckks::Slots& b);
ckks::Slots rotated(const ckks::Slots& a, std::int64_t steps);

/// The largest |a_j - b_j|; vectors of fewer slots are repeated.
double distance(const ckks::Slots& a, const ckks::Slots& b);

/// Decrypts within the bound that the ciphertext carries. The oracle's own doubles get 2^-40.
void expect_within_bound(const CkksSetup& ckks, const ckks::Ciphertext& actual,
                         const ckks::Slots& expected);

/// x <- x * y + w, on to the last level, with y and w drawn from fresh and earlier ciphertexts of
/// any level, rotated by 1 or not; every x is decrypted and compared. Needs value_bound 1/2.
void run_random_circuit(CkksSetup& ckks);

}  // namespace heliodor::exact
