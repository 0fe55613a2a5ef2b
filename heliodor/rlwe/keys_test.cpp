// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>

#include "heliodor/ring/reference.h"
#include "heliodor/ring/sampler.h"
#include "heliodor/rlwe/internal/test_moduli.h"

namespace heliodor::rlwe {
namespace {

using internal::error_of;
using ::testing::ElementsAreArray;
using ::testing::StartsWith;

Parameters parameters(std::uint64_t degree) {
  Parameters::Description d;
  d.q = internal::moduli(30, degree, 2);
  d.q.push_back(internal::moduli(60, degree, 1)[0]);
  d.p = internal::moduli(47, degree, 2);
  d.security = SecurityLevel::none;
  return Parameters(d);
}

TEST(SecretKeyTest, limbs_are_the_evaluations_of_the_coefficients) {
  for (const std::uint64_t degree : {2U, 4U, 64U, 1024U}) {
    const Parameters given = parameters(degree);
    std::vector<std::int8_t> coefficients(degree);
    base::RandomStream random(base::TestSeed(degree), "secret");
    ring::sample_ternary(random, coefficients);
    coefficients[0] = -1;
    const SecretKey s(given, coefficients);
    EXPECT_THAT(s.coefficients(), ElementsAreArray(coefficients));
    ASSERT_EQ(s.limb_count(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
      const ring::Modulus& q = i < 3 ? given.q()[i] : given.p()[i - 3];
      std::vector<std::uint64_t> residues, expected(degree);
      for (const int c : coefficients) {
        residues.push_back(c < 0 ? q.value() - 1 : static_cast<std::uint64_t>(c));
      }
      ring::reference::ntt(q, residues, expected);
      EXPECT_THAT(s.limb(i), ElementsAreArray(expected)) << "degree " << degree << ", limb " << i;
    }
  }
}

TEST(SecretKeyTest, coefficients_beyond_ternary_are_refused) {
  const Parameters given = parameters(64);
  for (const int wrong : {2, -2, 127, -128}) {
    for (const std::size_t place : {0U, 63U}) {
      std::vector<std::int8_t> coefficients(64);
      coefficients[place] = static_cast<std::int8_t>(wrong);
      EXPECT_THAT(error_of([&] { SecretKey(given, coefficients); }), StartsWith("out_of_range"));
    }
  }
}

TEST(SecretKeyTest, there_are_as_many_coefficients_as_the_degree) {
  const Parameters given = parameters(64);
  for (const std::size_t count : {0U, 63U, 65U, 128U}) {
    const std::vector<std::int8_t> coefficients(count);
    EXPECT_THAT(error_of([&] { SecretKey(given, coefficients); }), StartsWith("mismatch"));
  }
}

TEST(SecretKeyTest, a_secret_key_is_moved_and_never_copied) {
  static_assert(!std::is_copy_constructible_v<SecretKey>);
  static_assert(!std::is_copy_assignable_v<SecretKey>);
  static_assert(std::is_nothrow_move_constructible_v<SecretKey>);
  static_assert(std::is_nothrow_move_assignable_v<SecretKey>);
}

}  // namespace
}  // namespace heliodor::rlwe
