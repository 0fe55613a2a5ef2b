// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exact/bgv_setup.h"

#include <gtest/gtest.h>

#include <utility>

#include "heliodor/rlwe/key_generator.h"

namespace heliodor::exact {

BgvSetup::BgvSetup(bgv::Parameters parameters, std::shared_ptr<const program::Target> target,
                   std::span<const std::uint64_t> galois_elements, rlwe::Matching matching)
    : context(std::make_shared<bgv::Context>(std::move(parameters), std::move(target))),
      encoder(context->rlwe(), context->parameters().t().value()),
      generator(context->rlwe(), base::TestSeed(1)),
      secret(generator.secret_key()),
      encryptor(context, generator.public_key(secret), base::TestSeed(2)),
      decryptor(context, secret),
      evaluator(context, generator.relinearization_keys(secret),
                generator.galois_keys(secret, galois_elements), matching) {}

Slots BgvSetup::random_slots() {
  std::uniform_int_distribution<std::int64_t> draw(0, static_cast<std::int64_t>(t()) - 1);
  Slots slots(slot_count());
  for (std::int64_t& x : slots) x = draw(random);
  return slots;
}

Slots BgvSetup::decrypt(const bgv::Ciphertext& ciphertext) const {
  const std::vector<std::uint64_t> slots = encoder.decode(decryptor.decrypt(ciphertext));
  return {slots.begin(), slots.end()};
}

Slots BgvSetup::sum(const Slots& a, const Slots& b) const {
  Slots c(a.size());
  const auto m = static_cast<std::int64_t>(t());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = (a[i] + b[i]) % m;
  return c;
}

Slots BgvSetup::difference(const Slots& a, const Slots& b) const {
  Slots c(a.size());
  const auto m = static_cast<std::int64_t>(t());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = (a[i] - b[i] + m) % m;
  return c;
}

Slots BgvSetup::product(const Slots& a, const Slots& b) const {
  Slots c(a.size());
  const auto m = static_cast<std::int64_t>(t());  // below 2^31 in these tests
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = a[i] * b[i] % m;
  return c;
}

Slots BgvSetup::rotated(const Slots& a, std::int64_t steps) {
  const auto row = static_cast<std::int64_t>(a.size() / 2);
  Slots c(a.size());
  for (std::int64_t i = 0; i < row; ++i) {
    const auto from = static_cast<std::size_t>(((i + steps) % row + row) % row);
    c[static_cast<std::size_t>(i)] = a[from];
    c[static_cast<std::size_t>(i + row)] = a[from + a.size() / 2];
  }
  return c;
}

void run_random_circuit(BgvSetup& bgv, std::size_t depth) {
  struct Pair {
    Slots slots;
    bgv::Ciphertext ciphertext;
  };
  constexpr std::size_t kWidth = 2;
  std::vector<Pair> level;
  for (std::size_t i = 0; i < kWidth; ++i) {
    const Slots slots = bgv.random_slots();
    level.push_back({slots, bgv.encrypt(slots)});
  }
  const auto draw_sum = [&] {
    Pair x = level[bgv.random() % kWidth];
    const Pair& y = level[bgv.random() % kWidth];
    switch (bgv.random() % 4) {
      case 0:
        return Pair{bgv.sum(x.slots, y.slots), bgv.evaluator.add(x.ciphertext, y.ciphertext)};
      case 1:
        return Pair{bgv.difference(x.slots, y.slots),
                    bgv.evaluator.sub(x.ciphertext, y.ciphertext)};
      case 2:
        return Pair{BgvSetup::rotated(x.slots, 1), bgv.evaluator.rotate_rows(x.ciphertext, 1)};
      default:
        return x;
    }
  };
  for (std::size_t d = 0; d < depth; ++d) {
    std::vector<Pair> next;
    for (std::size_t i = 0; i < kWidth; ++i) {
      const Pair x = draw_sum(), y = draw_sum();
      next.push_back(
          {bgv.product(x.slots, y.slots), bgv.evaluator.multiply(x.ciphertext, y.ciphertext)});
      ASSERT_EQ(bgv.decrypt(next.back().ciphertext), next.back().slots) << "depth " << d + 1;
    }
    level = std::move(next);
  }
}

}  // namespace heliodor::exact
