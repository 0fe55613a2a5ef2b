// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Conversions and divisions against big integers.
#include "heliodor/rlwe/keyswitch/base_conversion.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <tuple>
#include <utility>

#include "tests/exact/oracle.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

using rlwe::DigitLift;
using rlwe::Limbs;
using rlwe::ProgramRing;

constexpr std::uint64_t kDegree = 64;
constexpr std::uint64_t kTau = 257;

rlwe::Parameters make_parameters(std::size_t limbs, std::size_t special, std::uint64_t tau,
                                 DigitLift lift) {
  rlwe::Parameters::Description d;
  const std::vector<ring::Modulus> all = moduli(36, kDegree, limbs + special);
  d.q.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(limbs));
  d.p.assign(all.begin() + static_cast<std::ptrdiff_t>(limbs), all.end());
  d.error_scale = tau;
  d.lift = lift;
  d.security = rlwe::SecurityLevel::none;
  return rlwe::Parameters(std::move(d));
}

// Uniform integers modulo the base, with 0, -1 and both ends of the centred range among them; not
// the very ends, where the fixed-point quotient may take either representative.
Integers some_integers(const mpz_class& modulus) {
  gmp_randclass random(gmp_randinit_mt);
  random.seed(5UL);
  Integers values(kDegree);
  for (mpz_class& v : values) v = random.get_z_range(modulus);
  values[0] = 0;
  values[1] = modulus / 2 - modulus / (mpz_class(1) << 40);
  values[2] = modulus / 2 + modulus / (mpz_class(1) << 40) + 1;
  values[3] = modulus - 1;
  return values;
}

// Runs what `emit` makes of limbs of x on every target; all must give the residues of `expected`
// modulo the program's moduli that results name.
void expect_results(const std::vector<ring::Modulus>& moduli,
                    std::span<const ring::Modulus> x_moduli, const Integers& x, ring::Domain domain,
                    const std::function<Limbs(program::Builder&, const Limbs&)>& emit,
                    const Integers& expected) {
  program::Builder b(moduli, "conversion");
  Limbs operands;
  std::vector<Limb> data;
  for (std::size_t i = 0; i < x_moduli.size(); ++i) {
    operands.push_back(b.operand(fmt::format("x{}", i), static_cast<std::uint32_t>(i), domain));
    const Limb limb = residues(x_moduli[i], x);
    data.push_back(domain == ring::Domain::eval ? ntt(x_moduli[i], limb) : limb);
  }
  const Limbs results = emit(b, operands);
  std::vector<Limb> wanted;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const program::ValueType type = b.type(results[i]);
    const Limb limb = residues(moduli[type.modulus], expected);
    wanted.push_back(type.domain == ring::Domain::eval ? ntt(moduli[type.modulus], limb) : limb);
    b.output(fmt::format("y{}", i), results[i]);
  }
  const program::LimbProgram program = b.build();
  for (const auto& target : subjects()) {
    std::vector<Limb> found(results.size(), Limb(kDegree));
    const auto plan = target->plan(program);
    program::Binding binding{{data.begin(), data.end()}, {found.begin(), found.end()}};
    plan->run({&binding, 1});
    EXPECT_TRUE(found == wanted) << target->name();
  }
}

// The integer that a lift of x modulo the base stands for, from the residues y_i.
mpz_class fast_lift(std::span<const ring::Modulus> base, const mpz_class& x) {
  const mpz_class q = product(base);
  mpz_class sum = 0;
  for (const ring::Modulus& modulus : base) {
    const mpz_class b = static_cast<unsigned long>(modulus.value()), cofactor = q / b;
    mpz_class inverse, y;
    mpz_invert(inverse.get_mpz_t(), cofactor.get_mpz_t(), b.get_mpz_t());
    mpz_mod(y.get_mpz_t(), mpz_class(x * inverse).get_mpz_t(), b.get_mpz_t());
    sum += y * cofactor;
  }
  return sum;
}

mpz_class lift_of(std::span<const ring::Modulus> base, const mpz_class& x, DigitLift lift,
                  std::uint64_t divisor) {
  const mpz_class q = product(base);
  mpz_class inverse, divided;
  mpz_invert(inverse.get_mpz_t(), mpz_class(static_cast<unsigned long>(divisor)).get_mpz_t(),
             q.get_mpz_t());
  mpz_mod(divided.get_mpz_t(), mpz_class(x * inverse).get_mpz_t(), q.get_mpz_t());
  if (lift == DigitLift::fast) return fast_lift(base, divided);
  return 2 * divided > q ? mpz_class(divided - q) : divided;
}

class LiftTest : public testing::TestWithParam<std::tuple<std::size_t, DigitLift, std::uint64_t>> {
};

// Base of one to four moduli, to two others and to the base's own.
TEST_P(LiftTest, conversions_reduce_the_integer_that_the_lift_names) {
  const std::size_t size = std::get<0>(GetParam());
  const DigitLift lift = std::get<1>(GetParam());
  const std::uint64_t divisor = std::get<2>(GetParam());
  const std::vector<ring::Modulus> all = moduli(36, kDegree, size + 2);
  const auto base = std::span(all).first(size);
  const Integers x = some_integers(product(base));
  Integers expected;
  for (const mpz_class& v : x) expected.push_back(3 * lift_of(base, v, lift, divisor));
  expect_results(
      all, base, x, ring::Domain::coeff,
      [&](program::Builder& b, const Limbs& limbs) {
        const rlwe::Convertible integer =
            prepare_conversion(b, ring::RnsBase({base.begin(), base.end()}), limbs, lift, divisor);
        Limbs results;
        for (std::uint32_t target = 0; target < all.size(); ++target)
          results.push_back(convert(b, integer, target, 3));
        return results;
      },
      expected);
}

INSTANTIATE_TEST_SUITE_P(Lifts, LiftTest,
                         testing::Combine(testing::Values(1, 2, 4),
                                          testing::Values(DigitLift::fast, DigitLift::exact),
                                          testing::Values(1, kTau)));

class DivisionTest
    : public testing::TestWithParam<std::tuple<std::size_t, DigitLift, std::uint64_t>> {};

TEST_P(DivisionTest, mod_down_divides_by_p_after_a_multiple_of_tau_that_makes_it_divisible) {
  const std::size_t special = std::get<0>(GetParam());
  const DigitLift lift = std::get<1>(GetParam());
  const std::uint64_t tau = std::get<2>(GetParam());
  const rlwe::Parameters parameters = make_parameters(3, special, tau, lift);
  const ProgramRing ring(parameters, 3, special);
  const std::vector<ring::Modulus> all = ring.moduli();
  const mpz_class p = product(parameters.p());
  const Integers x = some_integers(product(all));
  Integers expected;
  for (const mpz_class& v : x) {
    const mpz_class delta = static_cast<unsigned long>(tau) * lift_of(parameters.p(), v, lift, tau);
    ASSERT_EQ((v - delta) % p, 0);
    expected.push_back((v - delta) / p);
  }
  expect_results(
      all, all, x, ring::Domain::eval,
      [&](program::Builder& b, const Limbs& limbs) { return emit_mod_down(b, ring, limbs); },
      expected);
}

INSTANTIATE_TEST_SUITE_P(ModDown, DivisionTest,
                         testing::Combine(testing::Values(1, 2, 3),
                                          testing::Values(DigitLift::fast, DigitLift::exact),
                                          testing::Values(1, kTau)));

TEST(ModSwitchTest, drops_the_last_limb_with_the_nearest_multiple_of_tau) {
  for (const std::uint64_t tau : {std::uint64_t{1}, kTau}) {
    const rlwe::Parameters parameters = make_parameters(4, 0, tau, DigitLift::fast);
    const ProgramRing ring(parameters, 4);
    const std::vector<ring::Modulus> all = ring.moduli();
    const auto last = std::span(all).last(1);
    const mpz_class q = product(last);
    const Integers x = some_integers(product(all));
    Integers expected;
    for (const mpz_class& v : x) {
      const mpz_class delta =
          static_cast<unsigned long>(tau) * lift_of(last, v, DigitLift::exact, tau);
      ASSERT_EQ((v - delta) % q, 0);
      ASSERT_LE(2 * abs(delta), static_cast<unsigned long>(tau) * q);
      expected.push_back((v - delta) / q);
    }
    expect_results(
        all, all, x, ring::Domain::eval,
        [&](program::Builder& b, const Limbs& limbs) { return emit_mod_switch(b, ring, limbs); },
        expected);
  }
}

TEST(ModSwitchTest, a_single_limb_cannot_be_dropped) {
  const rlwe::Parameters parameters = make_parameters(1, 0, 1, DigitLift::fast);
  const ProgramRing ring(parameters, 1);
  program::Builder b(ring.moduli(), "none");
  const Limbs x = {b.operand("x", 0, ring::Domain::eval)};
  EXPECT_EQ(error_of([&] { emit_mod_switch(b, ring, x); }).substr(0, 12), "out_of_range");
}

}  // namespace
}  // namespace heliodor::exact
