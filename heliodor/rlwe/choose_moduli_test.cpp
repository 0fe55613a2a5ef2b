// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <set>

#include "heliodor/rlwe/internal/test_moduli.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::rlwe {
namespace {

using internal::error_of;
using ::testing::ElementsAre;
using ::testing::StartsWith;

mpz_class product(std::span<const ring::Modulus> moduli) {
  mpz_class result = 1;
  for (const auto& q : moduli) result *= static_cast<unsigned long>(q.value());
  return result;
}

/// Every digit of every gadget, at every limb_count it serves, is at most its special primes.
void expect_covered(const Parameters::Description& d) {
  const std::span<const ring::Modulus> q(d.q);
  for (const Gadget& gadget : d.gadgets) {
    const mpz_class p = product(std::span(d.p).first(gadget.special_count));
    for (std::size_t l = 1; l <= gadget.max_limb_count; ++l) {
      for (std::size_t first = 0; first < l; first += gadget.digit_size) {
        EXPECT_LE(product(q.subspan(first, std::min(gadget.digit_size, l - first))), p);
      }
    }
  }
}

void expect_right(const ModuliRequest& request) {
  Parameters::Description d = choose_moduli(request);
  ASSERT_EQ(d.q.size(), request.q_bits.size());
  std::set<std::uint64_t> seen;
  for (std::size_t i = 0; i < d.q.size(); ++i) {
    EXPECT_EQ(d.q[i].bits(), request.q_bits[i]) << "limb " << i;
    EXPECT_EQ(d.q[i].degree(), request.degree);
    EXPECT_TRUE(seen.insert(d.q[i].value()).second);
  }
  for (const auto& p : d.p) {
    EXPECT_LE(p.bits(), 47U);
    EXPECT_TRUE(seen.insert(p.value()).second);
  }
  EXPECT_EQ(d.gadgets.front().max_limb_count, d.q.size());
  EXPECT_EQ(d.gadgets.front().special_count, d.p.size());
  EXPECT_LE(d.gadgets.front().digit_count(d.q.size()), request.digit_count);
  EXPECT_LE(d.gadgets.size(), 3U);
  expect_covered(d);
  d.security = SecurityLevel::none;
  EXPECT_EQ(error_of([&] { Parameters{d}; }), "no error");
}

TEST(ChooseModuliTest, chains_of_all_shapes_are_covered) {
  expect_right({.degree = 1024, .q_bits = {30}});
  expect_right({.degree = 1024, .q_bits = {60}});
  expect_right({.degree = 1024, .q_bits = {60, 40, 40, 40, 60}});
  expect_right({.degree = 1024, .q_bits = {47, 34, 34, 34, 34, 34, 34}, .digit_count = 2});
  expect_right({.degree = 1024, .q_bits = std::vector<unsigned>(27, 47)});
  expect_right({.degree = 1024, .q_bits = std::vector<unsigned>(12, 30), .digit_count = 12});
  expect_right({.degree = 1024, .q_bits = std::vector<unsigned>(7, 48), .digit_count = 1});
  expect_right({.degree = 1024, .q_bits = std::vector<unsigned>(5, 40), .digit_count = 100});
  expect_right({.degree = 32768, .q_bits = std::vector<unsigned>(16, 43), .digit_count = 4});
}

TEST(ChooseModuliTest, special_primes_are_as_few_as_cover_a_digit) {
  const auto d = choose_moduli({.degree = 1024, .q_bits = std::vector<unsigned>(27, 47)});
  EXPECT_EQ(d.p.size(), 9U);
  EXPECT_EQ(choose_moduli({.degree = 1024, .q_bits = {30, 30, 30}}).p.size(), 1U);
  EXPECT_EQ(choose_moduli({.degree = 1024, .q_bits = {30, 30, 30}}).p[0].bits(), 30U);
  EXPECT_EQ(choose_moduli({.degree = 1024, .q_bits = {60, 60}, .digit_count = 2}).p.size(), 2U);
}

TEST(ChooseModuliTest, low_limb_counts_have_gadgets_with_half_and_a_quarter_of_p) {
  const auto d = choose_moduli({.degree = 1024, .q_bits = std::vector<unsigned>(27, 47)});
  // Transforms of a switch: digit_count * (l + k) + 2k + 2l. With 9 and 5 special primes: l = 11
  // takes 80 and 80, l = 10 takes 76 and 60. With 9, 5 and 3: l = 7 takes 48, 48 and 50, l = 6
  // takes 45, 44 and 36.
  EXPECT_THAT(d.gadgets, ElementsAre(Gadget{9, 9, 27}, Gadget{5, 5, 10}, Gadget{3, 3, 6}));
}

TEST(ChooseModuliTest, one_special_prime_has_no_smaller_share) {
  const auto d =
      choose_moduli({.degree = 1024, .q_bits = std::vector<unsigned>(12, 30), .digit_count = 12});
  EXPECT_THAT(d.gadgets, ElementsAre(Gadget{1, 1, 12}));
}

TEST(ChooseModuliTest, factors_of_the_error_scale_are_avoided) {
  const ModuliRequest plain{.degree = 1024, .q_bits = {30, 30, 30}};
  const auto before = choose_moduli(plain);
  ModuliRequest request = plain;
  request.error_scale = before.q[1].value();
  const auto after = choose_moduli(request);
  EXPECT_EQ(after.error_scale, request.error_scale);
  for (const auto* moduli : {&after.q, &after.p}) {
    for (const auto& q : *moduli) EXPECT_NE(q.value(), request.error_scale);
  }
  expect_right(request);
}

TEST(ChooseModuliTest, the_same_request_gives_the_same_moduli) {
  const ModuliRequest request{.degree = 2048, .q_bits = {47, 40, 40, 40}};
  EXPECT_EQ(choose_moduli(request).q, choose_moduli(request).q);
  EXPECT_EQ(choose_moduli(request).p, choose_moduli(request).p);
}

TEST(ChooseModuliTest, requests_that_cannot_be_met_are_errors) {
  const auto error = [](ModuliRequest request) {
    return error_of([&] { choose_moduli(request); });
  };
  EXPECT_THAT(error({.degree = 1024, .q_bits = {}}), StartsWith("out_of_range"));
  EXPECT_THAT(error({.degree = 1024, .q_bits = {19}}), StartsWith("out_of_range"));
  EXPECT_THAT(error({.degree = 1024, .q_bits = {61}}), StartsWith("out_of_range"));
  EXPECT_THAT(error({.degree = 1024, .q_bits = {30}, .digit_count = 0}),
              StartsWith("out_of_range"));
  EXPECT_THAT(error({.degree = 1024, .q_bits = {30}, .error_scale = 0}),
              StartsWith("out_of_range"));
  EXPECT_THAT(error({.degree = 1000, .q_bits = {30}}), StartsWith("out_of_range"));
  EXPECT_THAT(error({.degree = 65536, .q_bits = std::vector<unsigned>(20, 20)}),
              StartsWith("out_of_range"));
}

}  // namespace
}  // namespace heliodor::rlwe
