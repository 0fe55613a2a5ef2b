// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exact/ckks_setup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "heliodor/ring/automorphism.h"

namespace heliodor::exact {
namespace {

rlwe::GaloisKeys galois_keys(rlwe::KeyGenerator& generator, const rlwe::SecretKey& secret,
                             const ckks::Parameters& parameters,
                             std::span<const std::int64_t> steps) {
  auto elements = ckks::galois_elements_of_rotations(parameters, steps);
  elements.push_back(ring::galois_element_of_conjugation(parameters.degree()));
  return generator.galois_keys(secret, elements);
}

}  // namespace

CkksSetup::CkksSetup(ckks::Parameters parameters, std::shared_ptr<const program::Target> target,
                     std::span<const std::int64_t> steps, rlwe::Matching matching)
    : context(ckks::make_context(std::move(parameters), std::move(target))),
      generator(context->rlwe(), base::TestSeed(1)),
      secret(generator.secret_key()),
      encryptor(context, generator.public_key(secret), base::TestSeed(2)),
      decryptor(context, secret),
      evaluator(context, generator.relinearization_keys(secret),
                galois_keys(generator, secret, context->parameters(), steps), matching) {}

ckks::Slots CkksSetup::random_slots(std::size_t count) {
  std::uniform_real_distribution<double> uniform(0, 1);
  ckks::Slots slots;
  for (std::size_t j = 0; j < count; ++j) {
    const double radius = context->parameters().value_bound() * std::sqrt(uniform(random));
    slots.push_back(std::polar(radius, 2 * std::numbers::pi * uniform(random)));
  }
  return slots;
}

ckks::Slots sum(const ckks::Slots& a, const ckks::Slots& b) {
  ckks::Slots c(std::max(a.size(), b.size()));
  for (std::size_t j = 0; j < c.size(); ++j) c[j] = a[j % a.size()] + b[j % b.size()];
  return c;
}

ckks::Slots product(const ckks::Slots& a, const ckks::Slots& b) {
  ckks::Slots c(std::max(a.size(), b.size()));
  for (std::size_t j = 0; j < c.size(); ++j) c[j] = a[j % a.size()] * b[j % b.size()];
  return c;
}

ckks::Slots rotated(const ckks::Slots& a, std::int64_t steps) {
  const auto n = static_cast<std::int64_t>(a.size());
  ckks::Slots c;
  for (std::int64_t j = 0; j < n; ++j)
    c.push_back(a[static_cast<std::size_t>(((j + steps) % n + n) % n)]);
  return c;
}

double distance(const ckks::Slots& a, const ckks::Slots& b) {
  double largest = 0;
  for (std::size_t j = 0; j < std::max(a.size(), b.size()); ++j)
    largest = std::max(largest, std::abs(a[j % a.size()] - b[j % b.size()]));
  return largest;
}

void expect_within_bound(const CkksSetup& ckks, const ckks::Ciphertext& actual,
                         const ckks::Slots& expected) {
  const ckks::Slots decrypted = ckks.decryptor.decrypt(actual);
  ASSERT_EQ(decrypted.size(), actual.slots);
  EXPECT_LE(distance(decrypted, expected), ckks::slot_error_bound(actual) + 0x1p-40);
}

void run_random_circuit(CkksSetup& ckks) {
  struct Pair {
    ckks::Slots slots;
    ckks::Ciphertext ciphertext;
  };
  std::vector<Pair> fresh;
  for (int i = 0; i < 3; ++i) {
    const ckks::Slots slots = ckks.random_slots();
    fresh.push_back({slots, ckks.encryptor.encrypt(slots)});
  }
  const auto draw = [&](const std::vector<Pair>& from) {
    const Pair& x = from[ckks.random() % from.size()];
    if (ckks.random() % 2 == 0) return x;
    return Pair{rotated(x.slots, 1), ckks.evaluator.rotate(x.ciphertext, 1)};
  };
  // |x| <= 1 and |y|, |w| <= 1/2 carry over from step to step, and so does their error.
  std::vector<Pair> results{fresh[0]};
  for (std::size_t d = 0; d < ckks.context->parameters().depth(); ++d) {
    const Pair x = ckks.random() % 4 == 0 ? draw(results) : results.back();
    const Pair y = draw(fresh), w = draw(fresh);
    results.push_back(
        {sum(product(x.slots, y.slots), w.slots),
         ckks.evaluator.add(ckks.evaluator.multiply(x.ciphertext, y.ciphertext), w.ciphertext)});
    expect_within_bound(ckks, results.back().ciphertext, results.back().slots);
  }
}

}  // namespace heliodor::exact
