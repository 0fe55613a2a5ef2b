// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/parameters.h"

#include <gmock/gmock.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>

#include "heliodor/rlwe/internal/test_moduli.h"

namespace heliodor::rlwe {
namespace {

using internal::error_of;
using internal::moduli;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Parameters::Description toy() {
  Parameters::Description d;
  d.q = moduli(30, 64, 4);
  d.p = moduli(40, 64, 2);
  d.gadgets = {{2, 2, 4}, {1, 0, 4}};
  d.security = SecurityLevel::none;
  return d;
}

std::string error_with(void (*change)(Parameters::Description&)) {
  return error_of([&] {
    auto d = toy();
    change(d);
    Parameters{d};
  });
}

TEST(ParametersTest, what_was_described_is_kept) {
  auto d = toy();
  d.error_scale = 257;
  d.sigma = 4;
  d.secret_weight = 64;
  d.lift = DigitLift::exact;
  const Parameters parameters(d);
  EXPECT_EQ(parameters.degree(), 64U);
  EXPECT_EQ(parameters.q().size(), 4U);
  EXPECT_EQ(parameters.p().size(), 2U);
  EXPECT_EQ(parameters.gadgets().size(), 2U);
  EXPECT_EQ(parameters.error_scale(), 257U);
  EXPECT_EQ(parameters.sigma(), 4);
  EXPECT_EQ(parameters.secret_weight(), 64U);
  EXPECT_EQ(parameters.lift(), DigitLift::exact);
  EXPECT_EQ(parameters.security(), SecurityLevel::none);
}

TEST(ParametersTest, logarithms_are_those_of_the_products) {
  const Parameters parameters(toy());
  mpz_class q = 1;
  for (const auto& modulus : parameters.q().moduli())
    q *= static_cast<unsigned long>(modulus.value());
  mpz_class qp = q;
  for (const auto& modulus : parameters.p()) qp *= static_cast<unsigned long>(modulus.value());
  EXPECT_NEAR(parameters.log_q(), std::log2(q.get_d()), 1e-10);
  EXPECT_NEAR(parameters.log_qp(), std::log2(qp.get_d()), 1e-10);
  const mpz_class half = q / 2;
  EXPECT_LT(parameters.phase_limit(4).log2(), std::log2(half.get_d()));
  EXPECT_NEAR(parameters.phase_limit(4).log2(), std::log2(half.get_d()), 1e-6);
  EXPECT_NEAR(parameters.phase_limit(1).log2(), 29, 1e-4);
  EXPECT_THAT(error_of([&] { parameters.phase_limit(0); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_of([&] { parameters.phase_limit(5); }), StartsWith("out_of_range"));
}

TEST(ParametersTest, moduli_have_one_degree_and_are_distinct) {
  EXPECT_THAT(error_with([](auto& d) { d.q.clear(); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_with([](auto& d) { d.q[1] = moduli(30, 32, 1)[0]; }), StartsWith("mismatch"));
  EXPECT_THAT(error_with([](auto& d) { d.p[1] = moduli(40, 32, 1)[0]; }), StartsWith("mismatch"));
  EXPECT_THAT(error_with([](auto& d) { d.q[1] = d.q[0]; }), StartsWith("mismatch"));
  EXPECT_THAT(error_with([](auto& d) { d.p[1] = d.p[0]; }), StartsWith("mismatch"));
  EXPECT_THAT(error_with([](auto& d) { d.p[1] = d.q[3]; }), StartsWith("mismatch"));
}

TEST(ParametersTest, gadgets_stay_within_the_moduli) {
  const auto error_of_gadget = [](const Gadget& gadget) {
    return error_of([&] {
      auto d = toy();
      d.gadgets.push_back(gadget);
      Parameters{d};
    });
  };
  EXPECT_EQ(error_of_gadget({1, 1, 1}), "no error");
  EXPECT_EQ(error_of_gadget({4, 2, 4}), "no error");
  for (const Gadget gadget : {Gadget{0, 1, 4}, {5, 1, 4}, {1, 3, 4}, {1, 1, 5}, {1, 1, 0}}) {
    EXPECT_THAT(error_of_gadget(gadget), StartsWith("out_of_range"));
  }
  EXPECT_EQ(error_of_gadget({2, 0, 4}), "out_of_range: digit_size 2 is not in [1, 1]");
}

TEST(ParametersTest, the_error_scale_is_a_unit_modulo_everything) {
  EXPECT_THAT(error_with([](auto& d) { d.error_scale = 0; }), StartsWith("out_of_range"));
  EXPECT_THAT(error_with([](auto& d) { d.error_scale = d.q[2].value(); }),
              StartsWith("out_of_range"));
  EXPECT_THAT(error_with([](auto& d) { d.error_scale = 3 * d.q[2].value(); }),
              StartsWith("out_of_range"));
  EXPECT_THAT(error_with([](auto& d) { d.error_scale = d.p[1].value(); }),
              StartsWith("out_of_range"));
  EXPECT_EQ(error_with([](auto& d) { d.error_scale = d.q[2].value() + 1; }), "no error");
}

TEST(ParametersTest, weight_and_sigma_have_bounds) {
  EXPECT_THAT(error_with([](auto& d) { d.secret_weight = 65; }), StartsWith("out_of_range"));
  EXPECT_THAT(error_with([](auto& d) { d.secret_weight = 0; }), StartsWith("out_of_range"));
  EXPECT_THAT(error_with([](auto& d) { d.sigma = 0.4; }), StartsWith("out_of_range"));
  EXPECT_THAT(error_with([](auto& d) { d.sigma = 15.1; }), StartsWith("out_of_range"));
  EXPECT_THAT(error_with([](auto& d) { d.sigma = NAN; }), StartsWith("out_of_range"));
}

/// N = 4096, whose limits are 56, 73 and 106 bits.
Parameters::Description of_bits(std::size_t q_limbs, std::size_t p_limbs) {
  Parameters::Description d;
  d.q = moduli(30, 4096, q_limbs);
  d.p = moduli(25, 4096, p_limbs);
  return d;
}

TEST(ParametersTest, the_verdict_counts_special_primes) {
  EXPECT_EQ(Parameters(of_bits(1, 1)).security(), SecurityLevel::bits256);
  EXPECT_EQ(Parameters(of_bits(2, 0)).security(), SecurityLevel::bits192);
  EXPECT_EQ(Parameters(of_bits(2, 1)).security(), SecurityLevel::bits128);
  auto d = of_bits(2, 2);
  d.security = SecurityLevel::none;
  EXPECT_EQ(Parameters(d).security(), SecurityLevel::none);
}

TEST(ParametersTest, too_little_security_is_an_error_unless_none_is_asked_for) {
  try {
    Parameters{of_bits(2, 2)};
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::insecure);
    EXPECT_THAT(error.what(), HasSubstr("log2(QP) = 109.99"));
    EXPECT_THAT(error.what(), HasSubstr("the limit is 106"));
    EXPECT_THAT(error.what(), HasSubstr("security = none"));
  }
  auto d = of_bits(2, 1);
  d.security = SecurityLevel::bits192;
  EXPECT_THAT(error_of([&] { Parameters{d}; }), StartsWith("insecure"));
  d.security = SecurityLevel::none;
  EXPECT_EQ(Parameters(d).security(), SecurityLevel::bits128);
}

TEST(ParametersTest, what_the_table_does_not_cover_is_insecure) {
  auto d = of_bits(1, 0);
  d.secret_weight = 192;
  EXPECT_THAT(error_of([&] { Parameters{d}; }), HasSubstr("weight 192"));
  d = of_bits(1, 0);
  d.sigma = 3.18;
  EXPECT_THAT(error_of([&] { Parameters{d}; }), HasSubstr("sigma 3.18"));
  d.sigma = 3.19;
  EXPECT_EQ(Parameters(d).security(), SecurityLevel::bits256);
  Parameters::Description small = toy();
  small.security = SecurityLevel::bits128;
  EXPECT_THAT(error_of([&] { Parameters{small}; }), HasSubstr("no entry"));
}

TEST(SmallestDegreeTest, it_is_the_first_whose_limit_holds) {
  EXPECT_EQ(smallest_degree(SecurityLevel::bits128, 26), 1024U);
  EXPECT_EQ(smallest_degree(SecurityLevel::bits128, 26.1), 2048U);
  EXPECT_EQ(smallest_degree(SecurityLevel::bits192, 20), 2048U);
  EXPECT_EQ(smallest_degree(SecurityLevel::bits128, 438), 32768U);
  EXPECT_EQ(smallest_degree(SecurityLevel::bits256, 1866), 131072U);
  EXPECT_EQ(smallest_degree(SecurityLevel::none, 1e6), 1024U);
  EXPECT_THAT(error_of([] { smallest_degree(SecurityLevel::bits128, 3524); }),
              testing::AllOf(StartsWith("out_of_range"), HasSubstr("3523"), HasSubstr("131072")));
}

}  // namespace
}  // namespace heliodor::rlwe
