// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluator: the operations on ciphertexts that all schemes share. Schemes wrap it and keep track
// of scale or plaintext factor. Every operation checks its bounds: Error{noise_overflow} before a
// phase could exceed Q/2.
//
// Operands of one call have the same limb_count (Error{mismatch}); schemes match levels.
//
// Bounds follow noise_growth.h. A result's `error` is on its phase less what the same operation
// makes of the operands' ideals: their sum, product, image under X -> X^g, or quotient by the
// dropped modulus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/context.h"
#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/keyswitch/key_switcher.h"

namespace heliodor::rlwe {

/// Safe to use from many threads. On a simulated machine that stops, operations throw
/// Error{unsupported} with its reason.
class Evaluator {
 public:
  /// Keys may be missing: operations that need one throw Error{missing_key}. Keys are kept; those
  /// of klss are derived from them at first use.
  explicit Evaluator(ContextPtr context, RelinearizationKeys relinearization = {},
                     GaloisKeys galois = {});
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  const Context& context() const noexcept;
  KeySwitchPlanner& planner() noexcept;

  /// Parts may differ: missing ones are 0.
  Ciphertext add(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext sub(const Ciphertext& a, const Ciphertext& b) const;
  Ciphertext negate(const Ciphertext& a) const;
  /// `message`: evaluations, one part of a.limb_count() limbs.
  Ciphertext add_plain(const Ciphertext& a, const LimbMatrix& message, NoiseBound bound) const;
  Ciphertext multiply_plain(const Ciphertext& a, const LimbMatrix& message, NoiseBound bound) const;
  /// By the integer with residues c[i] modulo q_i, of absolute value at most `bound`.
  Ciphertext multiply_scalar(const Ciphertext& a, std::span<const std::uint64_t> c,
                             NoiseBound bound) const;

  /// Two parts each -> three: (a0 b0, a0 b1 + a1 b0, a1 b1).
  Ciphertext tensor(const Ciphertext& a, const Ciphertext& b) const;
  /// Three parts -> two.
  Ciphertext relinearize(const Ciphertext& a) const;
  /// tensor and relinearize in one program; then drop `drop` limbs (0 or 1) in the same program.
  Ciphertext multiply(const Ciphertext& a, const Ciphertext& b, std::size_t drop = 0) const;
  /// The same of many pairs, streaming the key once. Error{mismatch} for different sizes or limb
  /// counts.
  std::vector<Ciphertext> multiply(std::span<const Ciphertext> a, std::span<const Ciphertext> b,
                                   std::size_t drop = 0) const;

  /// For schemes whose product is a program of their own: `emit` writes it for a shape, with the
  /// key as declare_key does (KeySwitcher::plan).
  PlannedSwitch relinearizing(const std::string& operation, std::size_t limb_count,
                              const KeySwitcher::Emit& emit) const;

  /// X -> X^g of a two-part ciphertext. Needs no key for g = 1.
  Ciphertext automorphism(const Ciphertext& a, std::uint64_t galois_element) const;
  /// Several of one ciphertext: digits are made once (hoisting). The same limbs as one by one if
  /// the method of key switching is the same.
  std::vector<Ciphertext> automorphisms(const Ciphertext& a,
                                        std::span<const std::uint64_t> galois_elements) const;

  /// Drops the last limb with rounding (emit_mod_switch). At least 2 limbs.
  Ciphertext mod_switch(const Ciphertext& a) const;
  /// Forgets limbs without division: the same phase modulo a smaller Q.
  Ciphertext truncate(const Ciphertext& a, std::size_t limb_count) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heliodor::rlwe
