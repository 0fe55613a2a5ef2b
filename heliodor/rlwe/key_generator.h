// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// KeyGenerator: secret, public and evaluation keys from a seed. Release keys take a base::Seed; a
// base::TestSeed gives reproducible keys for tests and demonstrations.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "heliodor/base/random.h"
#include "heliodor/rlwe/context.h"
#include "heliodor/rlwe/keys.h"

namespace heliodor::rlwe {

/// One thread at a time; a seed serves one KeyGenerator, as two would draw the same secrets. Throws
/// Error{mismatch} for secrets that do not have the limbs of the parameters.
class KeyGenerator {
 public:
  KeyGenerator(ContextPtr context, const base::Seed& seed);
  KeyGenerator(ContextPtr context, const base::TestSeed& seed);
  ~KeyGenerator();

  SecretKey secret_key();
  PublicKey public_key(const SecretKey& s);
  /// One key for each gadget of the parameters.
  RelinearizationKeys relinearization_keys(const SecretKey& s);
  /// Error{out_of_range} for an element that is even or not below 2N.
  GaloisKeys galois_keys(const SecretKey& s, std::span<const std::uint64_t> galois_elements);
  /// From any s', given by evaluations modulo Q then P (|Q| + |P| limbs, one part), to s.
  /// Error{out_of_range} for a gadget that the parameters have no moduli for.
  EvaluationKey evaluation_key(const LimbMatrix& source, const SecretKey& s, const Gadget& gadget);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heliodor::rlwe
