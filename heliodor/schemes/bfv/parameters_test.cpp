// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bfv/parameters.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/ring/primes.h"
#include "heliodor/schemes/bfv/noise.h"

namespace heliodor::bfv {
namespace {

std::vector<ring::Modulus> moduli(unsigned bits, std::uint64_t degree, std::size_t count) {
  std::vector<ring::Modulus> result;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, count))
    result.emplace_back(q, degree);
  return result;
}

rlwe::Parameters::Description description(unsigned bits, std::uint64_t degree, std::size_t limbs) {
  rlwe::Parameters::Description d;
  d.q = moduli(bits, degree, limbs);
  d.gadgets = {{1, 0, limbs}};
  d.security = rlwe::SecurityLevel::none;
  return d;
}

mpz_class product(std::span<const ring::Modulus> moduli) {
  mpz_class result = 1;
  for (const ring::Modulus& q : moduli) result *= static_cast<unsigned long>(q.value());
  return result;
}

ErrorCode code_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::io;
}

TEST(BfvParametersTest, auxiliary_base_holds_every_product_and_no_prime_more) {
  for (const std::uint64_t t :
       {std::uint64_t{2}, std::uint64_t{65537}, (std::uint64_t{1} << 60) - 1}) {
    for (const unsigned bits : {20U, 30U, 40U, 47U, 60U}) {
      const Parameters parameters(description(bits, 64, 6), t);
      std::set<std::uint64_t> q_values;
      for (const ring::Modulus& q : parameters.rlwe().q().moduli()) q_values.insert(q.value());
      for (std::size_t l = 1; l <= 6; ++l) {
        const ring::RnsBase r = parameters.auxiliary_base(l);
        // Slack: 2^-30 of the bound in either direction.
        const mpz_class needed =
            product(parameters.rlwe().q().moduli().first(l)) * 64 * static_cast<unsigned long>(t);
        EXPECT_GE(product(r.moduli()), needed + (needed >> 30));
        EXPECT_LT(product(r.moduli().first(r.size() - 1)), needed + (needed >> 28));
        for (const ring::Modulus& prime : r.moduli()) {
          EXPECT_FALSE(q_values.contains(prime.value()));
          EXPECT_LE(prime.bits(), std::clamp(bits, 30U, 47U));
        }
      }
    }
  }
}

TEST(BfvParametersTest, auxiliary_primes_are_not_special_primes) {
  rlwe::Parameters::Description d = description(47, 64, 2);
  const std::vector<ring::Modulus> all = moduli(47, 64, 5);
  d.p = {all[3], all[4]};
  const Parameters parameters(d, 65537);
  const ring::RnsBase auxiliary = parameters.auxiliary_base(2);
  for (const ring::Modulus& prime : auxiliary.moduli()) {
    for (const ring::Modulus& p : d.p) EXPECT_NE(prime.value(), p.value());
  }
}

TEST(BfvParametersTest, what_bfv_cannot_use_is_refused) {
  EXPECT_EQ(code_of([] { Parameters(description(30, 64, 2), 1); }), ErrorCode::out_of_range);
  EXPECT_EQ(code_of([] { Parameters(description(30, 64, 2), std::uint64_t{1} << 60); }),
            ErrorCode::out_of_range);
  const std::uint64_t q = moduli(30, 64, 2).back().value();
  EXPECT_EQ(code_of([q] { Parameters(description(30, 64, 2), q); }), ErrorCode::mismatch);
  EXPECT_EQ(code_of([q] { Parameters(description(30, 64, 2), 3 * q); }), ErrorCode::mismatch);
  rlwe::Parameters::Description scaled = description(30, 64, 2);
  scaled.error_scale = 65537;
  EXPECT_EQ(code_of([&] { Parameters(scaled, 65537); }), ErrorCode::out_of_range);
  rlwe::Parameters::Description secure = description(30, 64, 2);
  secure.security = rlwe::SecurityLevel::bits128;
  EXPECT_EQ(code_of([&] { Parameters(secure, 65537); }), ErrorCode::insecure);
}

TEST(BfvParametersTest, a_depth_gets_the_smallest_secure_degree_and_moduli_coprime_to_t) {
  std::uint64_t last_degree = 0;
  for (std::size_t depth = 0; depth <= 5; ++depth) {
    const Parameters parameters = Parameters::for_depth({.t = 65537, .depth = depth});
    EXPECT_EQ(supported_depth(parameters, 1, depth), depth);
    EXPECT_GE(parameters.rlwe().security(), rlwe::SecurityLevel::bits128);
    EXPECT_GE(parameters.degree(), last_degree);
    last_degree = parameters.degree();
    for (const ring::Modulus& q : parameters.rlwe().q().moduli()) EXPECT_LE(q.bits(), 47U);
    EXPECT_EQ(parameters.rlwe().error_scale(), 1U);
  }
  // t is the prime that would be taken first.
  const std::uint64_t t = ring::generate_primes(47, 4096, 1).front();
  const Parameters parameters = Parameters::for_depth({.t = t, .depth = 1});
  for (const ring::Modulus& q : parameters.rlwe().q().moduli()) EXPECT_NE(q.value(), t);
}

TEST(BfvParametersTest, one_bit_less_of_q_does_not_carry_the_depth) {
  const Requirements requirements{.t = 65537, .depth = 2, .min_degree = 8192};
  const Parameters parameters = Parameters::for_depth(requirements);
  rlwe::ModuliRequest request{.degree = 8192, .q_bits = {}, .digit_count = 3};
  for (const ring::Modulus& q : parameters.rlwe().q().moduli()) request.q_bits.push_back(q.bits());
  --*std::ranges::max_element(request.q_bits);
  rlwe::Parameters::Description smaller = rlwe::choose_moduli(request);
  smaller.security = rlwe::SecurityLevel::none;
  EXPECT_LT(supported_depth(Parameters(smaller, 65537), 1, 2), 2U);
}

TEST(BfvParametersTest, more_summands_and_a_floor_of_the_degree_are_respected) {
  const Parameters one = Parameters::for_depth({.t = 257, .depth = 2});
  const Parameters many = Parameters::for_depth({.t = 257, .depth = 2, .summands = 64});
  EXPECT_GT(many.rlwe().log_q(), one.rlwe().log_q());
  EXPECT_EQ(supported_depth(many, 64, 2), 2U);
  EXPECT_EQ(Parameters::for_depth({.t = 257, .depth = 0, .min_degree = 9000}).degree(), 16384U);
}

TEST(BfvParametersTest, depth_0_still_carries_an_encryption) {
  const std::uint64_t t = (std::uint64_t{1} << 59) + 1;
  const Parameters parameters = Parameters::for_depth({.t = t, .depth = 0});
  EXPECT_LT(fresh_error(parameters), error_limit(parameters, parameters.rlwe().q().size()));
}

TEST(BfvParametersTest, depths_beyond_every_degree_are_refused) {
  EXPECT_EQ(code_of([] { Parameters::for_depth({.t = 65537, .depth = 200}); }),
            ErrorCode::out_of_range);
}

}  // namespace
}  // namespace heliodor::bfv
