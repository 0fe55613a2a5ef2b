// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/ntt_butterfly.h"

#include <gtest/gtest.h>

#include <random>

#include "heliodor/targets/machine/pe/mod_mul_barrett.h"

namespace heliodor::machine::pe {
namespace {

constexpr std::uint32_t kPrime = 1073692673;

NttButterflyOperands operands(bool inverse, std::uint32_t a, std::uint32_t b, std::uint32_t w) {
  return {inverse, a, b, w, kPrime, mod_mul_barrett_reciprocal(kPrime)};
}

TEST(NttButterflyTest, forward_form_equals_division) {
  std::mt19937_64 random(0x62666c79);
  for (int i = 0; i < 10'000; ++i) {
    const auto a = static_cast<std::uint32_t>(random() % kPrime);
    const auto b = static_cast<std::uint32_t>(random() % kPrime);
    const auto w = static_cast<std::uint32_t>(random() % kPrime);
    const std::uint64_t product = std::uint64_t{w} * b % kPrime;
    const NttButterflyResult result = ntt_butterfly(operands(false, a, b, w));
    ASSERT_EQ(result.u, (a + product) % kPrime);
    ASSERT_EQ(result.v, (a + kPrime - product) % kPrime);
  }
}

TEST(NttButterflyTest, inverse_form_undoes_forward_form_when_the_factors_multiply_to_minus_one) {
  // w^4096 = -1, so w^4095 is -1 over w.
  const std::uint64_t w = 236231;
  std::uint64_t opposite = 1;
  for (int i = 0; i < 4095; ++i) {
    opposite = opposite * w % kPrime;
  }
  std::mt19937_64 random(0x756e646f);
  for (int i = 0; i < 10'000; ++i) {
    const auto a = static_cast<std::uint32_t>(random() % kPrime);
    const auto b = static_cast<std::uint32_t>(random() % kPrime);
    const NttButterflyResult image = ntt_butterfly(operands(false, a, b, 236231));
    const NttButterflyResult back =
        ntt_butterfly(operands(true, image.u, image.v, static_cast<std::uint32_t>(opposite)));
    ASSERT_EQ(back, (NttButterflyResult{a, b}));
  }
}

TEST(NttButterflyTest, operands_outside_the_preconditions_are_not_accepted) {
  EXPECT_TRUE(ntt_butterfly_accepts(operands(true, kPrime - 1, kPrime - 1, kPrime - 1)));
  EXPECT_FALSE(ntt_butterfly_accepts(operands(false, kPrime, 0, 0)));
  EXPECT_FALSE(ntt_butterfly_accepts(operands(false, 0, kPrime, 0)));
  EXPECT_FALSE(ntt_butterfly_accepts(operands(false, 0, 0, kPrime)));
  const std::uint32_t even = kPrime - 1;
  EXPECT_FALSE(ntt_butterfly_accepts({false, 0, 0, 0, even, mod_mul_barrett_reciprocal(even)}));
}

}  // namespace
}  // namespace heliodor::machine::pe
