// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exact/bfv_setup.h"

#include <gtest/gtest.h>

#include <utility>

namespace heliodor::exact {

using Slots = BfvSetup::Slots;

BfvSetup::BfvSetup(bfv::Parameters parameters, std::shared_ptr<const program::Target> target,
                   std::span<const std::uint64_t> galois_elements, rlwe::Matching matching,
                   std::uint64_t seed)
    : random(seed),
      context(std::make_shared<bfv::Context>(std::move(parameters), std::move(target))),
      encoder(context->rlwe(), context->parameters().t().value()),
      generator(context->rlwe(), base::TestSeed(seed)),
      secret(generator.secret_key()),
      encryptor(context, generator.public_key(secret), base::TestSeed(seed + 1)),
      decryptor(context, secret),
      phases(context->rlwe(), secret),
      evaluator(context, generator.relinearization_keys(secret),
                generator.galois_keys(secret, galois_elements), matching) {}

Slots BfvSetup::random_slots() {
  std::uniform_int_distribution<std::int64_t> draw(0, t() - 1);
  Slots slots(encoder.slot_count());
  for (std::int64_t& x : slots) x = draw(random);
  return slots;
}

Slots BfvSetup::decrypt(const bfv::Ciphertext& ciphertext) const {
  const std::vector<std::uint64_t> slots = encoder.decode(decryptor.decrypt(ciphertext));
  return {slots.begin(), slots.end()};
}

Slots BfvSetup::sum(const Slots& a, const Slots& b) const {
  Slots c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = (a[i] + b[i]) % t();
  return c;
}

Slots BfvSetup::difference(const Slots& a, const Slots& b) const {
  Slots c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = (a[i] - b[i] + t()) % t();
  return c;
}

Slots BfvSetup::product(const Slots& a, const Slots& b) const {
  Slots c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = a[i] * b[i] % t();
  return c;
}

Slots BfvSetup::rotated(const Slots& a, std::int64_t steps) {
  const auto row = static_cast<std::int64_t>(a.size() / 2);
  Slots c(a.size());
  for (std::int64_t i = 0; i < row; ++i) {
    const std::int64_t from = ((i + steps) % row + row) % row;
    c[static_cast<std::size_t>(i)] = a[static_cast<std::size_t>(from)];
    c[static_cast<std::size_t>(row + i)] = a[static_cast<std::size_t>(row + from)];
  }
  return c;
}

Slots BfvSetup::swapped(const Slots& a) {
  const auto middle = a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2);
  Slots c(middle, a.end());
  c.insert(c.end(), a.begin(), middle);
  return c;
}

double BfvSetup::measured_error_log2(const bfv::Ciphertext& ciphertext) const {
  const bfv::Ciphertext of_zero = evaluator.sub_plain(ciphertext, decryptor.decrypt(ciphertext));
  return rlwe::measured_noise_log2_for_debugging(
      phases, context->parameters().rlwe(), of_zero,
      rlwe::LimbMatrix(1, ciphertext.limb_count(), context->parameters().degree()));
}

void run_random_circuit(BfvSetup& bfv, std::size_t depth) {
  struct Pair {
    Slots slots;
    bfv::Ciphertext ciphertext;
  };
  constexpr std::size_t kWidth = 2;
  std::vector<Pair> level;
  for (std::size_t i = 0; i < kWidth; ++i) {
    const Slots slots = bfv.random_slots();
    level.push_back({slots, bfv.encrypt(slots)});
  }
  const auto draw_sum = [&] {
    Pair x = level[bfv.random() % kWidth];
    const Pair& y = level[bfv.random() % kWidth];
    switch (bfv.random() % 4) {
      case 0:
        return Pair{bfv.sum(x.slots, y.slots), bfv.evaluator.add(x.ciphertext, y.ciphertext)};
      case 1:
        return Pair{bfv.difference(x.slots, y.slots),
                    bfv.evaluator.sub(x.ciphertext, y.ciphertext)};
      case 2:
        return Pair{BfvSetup::rotated(x.slots, 1), bfv.evaluator.rotate_rows(x.ciphertext, 1)};
      default:
        return x;
    }
  };
  for (std::size_t d = 0; d < depth; ++d) {
    std::vector<Pair> next;
    for (std::size_t i = 0; i < kWidth; ++i) {
      const Pair x = draw_sum(), y = draw_sum();
      next.push_back(
          {bfv.product(x.slots, y.slots), bfv.evaluator.multiply(x.ciphertext, y.ciphertext)});
      ASSERT_EQ(bfv.decrypt(next.back().ciphertext), next.back().slots) << "depth " << d + 1;
    }
    level = std::move(next);
  }
}

}  // namespace heliodor::exact
