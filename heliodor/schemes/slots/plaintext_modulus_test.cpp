// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/slots/plaintext_modulus.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/ring/modulus.h"

namespace heliodor::slots {
namespace {

using ring::Uint128;

constexpr std::uint64_t kLargest = (std::uint64_t{1} << 60) - 1;
constexpr std::uint64_t kModuli[] = {2, 3, 4, 255, 256, 65537, 1000000, kLargest - 1, kLargest};

ErrorCode code_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::io;
}

std::vector<std::uint64_t> edges_and_random_words(std::uint64_t t) {
  std::vector<std::uint64_t> words = {0, 1, t / 2, t / 2 + 1, t - 1, t, ~std::uint64_t{0}};
  std::mt19937_64 random(t);
  for (int i = 0; i < 200; ++i) words.push_back(random());
  return words;
}

TEST(PlaintextModulusTest, values_outside_2_to_2_60_are_refused) {
  for (const std::uint64_t t :
       {std::uint64_t{0}, std::uint64_t{1}, kLargest + 1, ~std::uint64_t{0}})
    EXPECT_EQ(code_of([t] { PlaintextModulus{t}; }), ErrorCode::out_of_range) << t;
}

TEST(PlaintextModulusTest, products_and_sums_are_those_of_integers) {
  for (const std::uint64_t q : kModuli) {
    const PlaintextModulus t(q);
    for (const std::uint64_t a : edges_and_random_words(q)) {
      EXPECT_EQ(t.reduce(a), a % q) << a << " mod " << q;
      for (const std::uint64_t b : edges_and_random_words(q)) {
        const std::uint64_t c = b % q;
        ASSERT_EQ(t.multiply(a, t.factor(c)), Uint128{a} * c % q)
            << a << " * " << c << " mod " << q;
        ASSERT_EQ(t.add(a % q, c), (a % q + c) % q) << a << " + " << c << " mod " << q;
      }
    }
  }
}

TEST(PlaintextModulusTest, centred_residues_are_the_smallest_and_the_positive_half_at_a_tie) {
  for (const std::uint64_t q : kModuli) {
    const PlaintextModulus t(q);
    EXPECT_EQ(static_cast<std::uint64_t>(t.max_centred() - t.min_centred()) + 1, q);
    for (const std::uint64_t word : edges_and_random_words(q)) {
      const std::uint64_t a = word % q;
      const auto expected = 2 * Uint128{a} > q
                                ? static_cast<std::int64_t>(a) - static_cast<std::int64_t>(q)
                                : static_cast<std::int64_t>(a);
      EXPECT_EQ(t.centred(a), expected) << a << " mod " << q;
      EXPECT_GE(t.centred(a), t.min_centred());
      EXPECT_LE(t.centred(a), t.max_centred());
      EXPECT_EQ(t.residue(t.centred(a)), a);
      EXPECT_EQ(t.residue(static_cast<std::int64_t>(a)), a);
    }
  }
}

TEST(PlaintextModulusTest, inverses_exist_for_units_alone) {
  for (const std::uint64_t q : kModuli) {
    const PlaintextModulus t(q);
    for (const std::uint64_t a : edges_and_random_words(q)) {
      std::uint64_t x = a, y = q;
      while (y != 0) x = std::exchange(y, x % y);
      if (x == 1) {
        EXPECT_EQ(t.multiply(a, t.factor(t.inverse(a))), 1 % q) << a << " mod " << q;
      } else {
        EXPECT_EQ(code_of([&] { return t.inverse(a); }), ErrorCode::mismatch) << a << " mod " << q;
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::slots
