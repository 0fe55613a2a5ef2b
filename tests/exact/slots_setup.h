// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A cryptosystem of slots modulo t with all keys, and the same slots as plain vectors beside it.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/rlwe/matching.h"
#include "heliodor/schemes/slots/slot_encoder.h"
#include "tests/exact/slot_arithmetic.h"

namespace heliodor::exact {

/// Scheme names the types of one scheme: Parameters, Context, Ciphertext, Encryptor, Decryptor,
/// Evaluator.
template <typename Scheme>
class SlotsSetup : public SlotArithmetic {
 public:
  using Ciphertext = typename Scheme::Ciphertext;

  SlotsSetup(typename Scheme::Parameters parameters, std::shared_ptr<const program::Target> target,
             std::span<const std::uint64_t> galois_elements,
             rlwe::Matching matching = rlwe::Matching::automatic, std::uint64_t seed = 1)
      : SlotArithmetic(parameters.t().value()),
        random(seed),
        context(
            std::make_shared<typename Scheme::Context>(std::move(parameters), std::move(target))),
        encoder(context->rlwe(), context->parameters().t().value()),
        generator(context->rlwe(), base::TestSeed(seed)),
        secret(generator.secret_key()),
        encryptor(context, generator.public_key(secret), base::TestSeed(seed + 1)),
        decryptor(context, secret),
        evaluator(context, generator.relinearization_keys(secret),
                  generator.galois_keys(secret, galois_elements), matching) {}

  Slots random_slots() {
    std::uniform_int_distribution<std::int64_t> draw(0, t() - 1);
    Slots slots(encoder.slot_count());
    for (std::int64_t& x : slots) x = draw(random);
    return slots;
  }
  Ciphertext encrypt(const Slots& slots) { return encryptor.encrypt(encoder.encode(slots)); }
  /// In [0, t).
  Slots decrypt(const Ciphertext& ciphertext) const {
    const std::vector<std::uint64_t> slots = encoder.decode(decryptor.decrypt(ciphertext));
    return {slots.begin(), slots.end()};
  }

  std::mt19937_64 random;
  std::shared_ptr<const typename Scheme::Context> context;
  slots::SlotEncoder encoder;
  rlwe::KeyGenerator generator;
  rlwe::SecretKey secret;
  typename Scheme::Encryptor encryptor;
  typename Scheme::Decryptor decryptor;
  typename Scheme::Evaluator evaluator;
};

/// Multiplies random sums of rotated ciphertexts, level by level, until `depth` multiplications are
/// done; every product is decrypted and compared. Uses rotations by 1.
template <typename Setup>
void run_random_circuit(Setup& setup, std::size_t depth) {
  struct Pair {
    Slots slots;
    typename Setup::Ciphertext ciphertext;
  };
  constexpr std::size_t kWidth = 2;
  std::vector<Pair> level;
  for (std::size_t i = 0; i < kWidth; ++i) {
    const Slots slots = setup.random_slots();
    level.push_back({slots, setup.encrypt(slots)});
  }
  const auto draw_sum = [&] {
    Pair x = level[setup.random() % kWidth];
    const Pair& y = level[setup.random() % kWidth];
    switch (setup.random() % 4) {
      case 0:
        return Pair{setup.sum(x.slots, y.slots), setup.evaluator.add(x.ciphertext, y.ciphertext)};
      case 1:
        return Pair{setup.difference(x.slots, y.slots),
                    setup.evaluator.sub(x.ciphertext, y.ciphertext)};
      case 2:
        return Pair{Setup::rotated(x.slots, 1), setup.evaluator.rotate_rows(x.ciphertext, 1)};
      default:
        return x;
    }
  };
  for (std::size_t d = 0; d < depth; ++d) {
    std::vector<Pair> next;
    for (std::size_t i = 0; i < kWidth; ++i) {
      const Pair x = draw_sum(), y = draw_sum();
      next.push_back(
          {setup.product(x.slots, y.slots), setup.evaluator.multiply(x.ciphertext, y.ciphertext)});
      ASSERT_EQ(setup.decrypt(next.back().ciphertext), next.back().slots) << "depth " << d + 1;
    }
    level = std::move(next);
  }
}

}  // namespace heliodor::exact
