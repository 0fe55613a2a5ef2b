// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The product of BFV against round(t*x*y/Q) in big integers, on every target.
#include "heliodor/schemes/bfv/multiply.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <utility>

#include "heliodor/schemes/bfv/parameters.h"
#include "tests/exact/oracle.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

constexpr std::uint64_t kDegree = 8;

struct Case {
  std::uint64_t t;
  std::vector<unsigned> q_bits;
};

const Case kCases[] = {
    {2, {30}},
    {17, {47}},
    {65537, {60}},
    {2, {20, 20}},
    {257, {20, 21}},
    {65537, {30, 30, 30}},
    {1000000, {47, 47, 46}},
    {65537, {60, 60, 60, 60, 60}},
    {(std::uint64_t{1} << 60) - 1, {50, 30, 60}},
};

bfv::Parameters parameters_of(const Case& c) {
  rlwe::Parameters::Description description;
  std::map<unsigned, std::size_t> used;
  for (const unsigned bits : c.q_bits)
    description.q.push_back(moduli(bits, kDegree, used[bits] + 1)[used[bits]]), ++used[bits];
  description.gadgets = {{1, 0, description.q.size()}};
  description.security = rlwe::SecurityLevel::none;
  return bfv::Parameters(description, c.t);
}

program::LimbProgram product_program(const bfv::Parameters& parameters, bool square) {
  const ring::RnsBase& q = parameters.rlwe().q();
  const bfv::AuxiliaryBase r{parameters.auxiliary_base(q.size()),
                             static_cast<std::uint32_t>(q.size())};
  const ring::RnsBase all = q.concatenate(r.base);
  program::Builder b({all.moduli().begin(), all.moduli().end()});
  const auto declare = [&](const std::string& name) {
    std::array<rlwe::Limbs, 2> x;
    for (std::size_t part = 0; part < 2; ++part) {
      for (std::uint32_t i = 0; i < q.size(); ++i) {
        x[part].push_back(b.operand(name + std::to_string(part) + "_" + std::to_string(i), i,
                                    ring::Domain::eval));
      }
    }
    return x;
  };
  const auto x = declare("x");
  const auto product =
      bfv::emit_multiply(b, q, r, parameters.t().value(), x, square ? x : declare("y"));
  for (std::size_t part = 0; part < 3; ++part) {
    for (std::size_t i = 0; i < q.size(); ++i)
      b.output("c" + std::to_string(part) + "_" + std::to_string(i), product[part][i]);
  }
  return b.build();
}

using Part = Integers;
using Pair = std::array<Part, 2>;

Integers negacyclic(const Integers& x, const Integers& y) {
  const std::size_t n = x.size();
  Integers z(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i + j < n) {
        z[i + j] += x[i] * y[j];
      } else {
        z[i + j - n] -= x[i] * y[j];
      }
    }
  }
  return z;
}

/// round(t*z/Q); there are no ties, as Q is odd and coprime to t.
Integers scaled(Integers z, std::uint64_t t, const mpz_class& q) {
  for (mpz_class& v : z) {
    v = 2 * v * static_cast<unsigned long>(t) + q;
    mpz_class quotient;
    mpz_fdiv_q(quotient.get_mpz_t(), v.get_mpz_t(), mpz_class(2 * q).get_mpz_t());
    v = quotient;
  }
  return z;
}

std::array<Integers, 3> ideal_product(const Pair& x, const Pair& y, std::uint64_t t,
                                      const mpz_class& q) {
  Integers middle = negacyclic(x[0], y[1]);
  const Integers other = negacyclic(x[1], y[0]);
  for (std::size_t k = 0; k < middle.size(); ++k) middle[k] += other[k];
  return {scaled(negacyclic(x[0], y[0]), t, q), scaled(middle, t, q),
          scaled(negacyclic(x[1], y[1]), t, q)};
}

/// Residues of the product's parts, limb after limb.
std::vector<Limb> residues_of(const std::array<Integers, 3>& parts, const ring::RnsBase& q) {
  std::vector<Limb> limbs;
  for (const Integers& part : parts) {
    for (const ring::Modulus& modulus : q.moduli()) limbs.push_back(residues(modulus, part));
  }
  return limbs;
}

std::vector<Limb> run(const program::Target& target, const bfv::Parameters& parameters,
                      const Pair& x, const Pair* y) {
  std::vector<Limb> inputs, outputs(3 * parameters.rlwe().q().size(), Limb(kDegree));
  for (const Pair* pair : {&x, y}) {
    if (pair == nullptr) continue;
    for (const Part& part : *pair) {
      for (const ring::Modulus& q : parameters.rlwe().q().moduli())
        inputs.push_back(ntt(q, residues(q, part)));
    }
  }
  program::Binding binding;
  for (const Limb& limb : inputs) binding.operands.emplace_back(limb);
  for (Limb& limb : outputs) binding.outputs.emplace_back(limb);
  const auto report = target.plan(product_program(parameters, y == nullptr))->run({&binding, 1});
  EXPECT_FALSE(report.fault);
  return outputs;
}

// The largest absolute value whose lift is sure (multiply.h): K*2^-48*Q below Q/2.
mpz_class surely_lifted(const mpz_class& q, std::size_t limbs) {
  const mpz_class band = ((q * static_cast<unsigned long>(limbs)) >> 48) + 1;
  return limbs == 1 ? mpz_class((q - 1) / 2) : mpz_class((q - 1) / 2 - band);
}

class BfvProductTest : public testing::TestWithParam<Case> {
 protected:
  bfv::Parameters parameters_ = parameters_of(GetParam());
  const ring::RnsBase& q_ = parameters_.rlwe().q();
  mpz_class product_ = product(q_.moduli());
  gmp_randclass random_{gmp_randinit_mt};

  Part random_part(const mpz_class& bound) {
    Part part(kDegree);
    for (mpz_class& v : part) v = random_.get_z_range(2 * bound + 1) - bound;
    return part;
  }
  void expect_ideal(const Pair& x, const Pair& y) {
    const std::uint64_t t = GetParam().t;
    const auto expected = residues_of(ideal_product(x, y, t, product_), q_);
    const auto square = residues_of(ideal_product(x, x, t, product_), q_);
    for (const auto& target : subjects()) {
      EXPECT_EQ(run(*target, parameters_, x, &y), expected) << target->name();
      EXPECT_EQ(run(*target, parameters_, x, nullptr), square) << target->name();
    }
  }
};

TEST_P(BfvProductTest, random_ciphertexts_give_the_rounded_product) {
  const mpz_class most = surely_lifted(product_, q_.size());
  for (int trial = 0; trial < 20; ++trial) {
    expect_ideal({random_part(most), random_part(most)}, {random_part(most), random_part(most)});
  }
}

TEST_P(BfvProductTest, coefficients_at_both_ends_of_their_range_give_the_rounded_product) {
  const mpz_class most = surely_lifted(product_, q_.size());
  const Part top(kDegree, most), bottom(kDegree, -most);
  Part alternating = top;  // with its mirror image every coefficient of the product is extreme
  for (std::size_t k = 1; k < kDegree; k += 2) alternating[k] = -most;
  expect_ideal({top, top}, {top, top});
  expect_ideal({top, bottom}, {bottom, bottom});
  expect_ideal({alternating, top}, {top, alternating});
  Part wrapped = bottom;  // the first coefficient of top * wrapped is N * most^2
  wrapped[0] = most;
  expect_ideal({top, top}, {wrapped, wrapped});
}

TEST_P(BfvProductTest, small_coefficients_give_the_rounded_product) {
  expect_ideal({random_part(1), random_part(1)}, {random_part(3), random_part(0)});
  // Fractions of t*z/Q next to 1/2, but not as near as multiply.h allows a quotient to miss.
  const mpz_class half = product_ / (2 * static_cast<unsigned long>(GetParam().t));
  expect_ideal({Part(kDegree, half - (half >> 40) - 1), Part(kDegree, half + (half >> 40) + 1)},
               {random_part(1), random_part(1)});
}

// Nearer to Q/2 than a quotient tells apart, x or x - Q may be lifted, and t*x/Q, next to a half
// integer for odd t, may be rounded either way: alike on all targets.
TEST_P(BfvProductTest, the_outermost_coefficient_gives_one_of_the_nearest_integers) {
  Part one(kDegree), zero(kDegree), edge(kDegree);
  one[0] = 1, edge[0] = (product_ - 1) / 2;
  const Pair x{edge, zero}, y{one, zero};
  const std::size_t limbs = q_.size();
  const std::vector<Limb> first = run(*subjects().front(), parameters_, x, &y);
  const auto part = [&](std::size_t i) {
    const auto begin = first.begin() + static_cast<std::ptrdiff_t>(i * limbs);
    return centred_integers(q_.moduli(), {begin, begin + static_cast<std::ptrdiff_t>(limbs)});
  };
  Integers c0 = part(0);
  const mpz_class t = static_cast<unsigned long>(GetParam().t);
  const mpz_class below = t * edge[0] / product_;
  EXPECT_TRUE(c0[0] == below || c0[0] == below + 1 || c0[0] == below - t || c0[0] == below + 1 - t)
      << c0[0];
  c0[0] = 0;
  EXPECT_EQ(c0, zero);
  EXPECT_EQ(part(1), zero);
  EXPECT_EQ(part(2), zero);
  for (const auto& target : subjects())
    EXPECT_EQ(run(*target, parameters_, x, &y), first) << target->name();
}

INSTANTIATE_TEST_SUITE_P(Sizes, BfvProductTest, testing::ValuesIn(kCases));

}  // namespace
}  // namespace heliodor::exact
