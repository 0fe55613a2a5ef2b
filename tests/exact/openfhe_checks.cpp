// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exact/openfhe_checks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/rlwe/evaluator.h"
#include "heliodor/rlwe/keyswitch/hybrid.h"
#include "heliodor/rlwe/keyswitch/key_limbs.h"
#include "tests/exact/openfhe_keys.h"

namespace heliodor::exact {
namespace {

using rlwe::Ciphertext;
using rlwe::KeySwitchMethod;
using rlwe::LimbMatrix;
using vectors::OpenfheCase;

rlwe::Evaluator make_evaluator(const OpenfheCase& given, const TargetPtr& target,
                               KeySwitchMethod method) {
  const auto context = std::make_shared<const rlwe::Context>(parameters_of(given), target);
  rlwe::RelinearizationKeys relinearization;
  relinearization.keys.push_back(evaluation_key(given, "evalmult_key"));
  rlwe::GaloisKeys galois;
  if (given.json().contains("rotation")) {
    const std::uint64_t g = given.json()["rotation"].at("automorphism");
    galois.keys[g].push_back(evaluation_key(given, "rot_key"));
  }
  rlwe::Evaluator evaluator(context, std::move(relinearization), std::move(galois));
  evaluator.planner().force(method);
  return evaluator;
}

rlwe::KeySwitchShape shape_of(const OpenfheCase& given, KeySwitchMethod method) {
  return {method, parameters_of(given).gadgets().front()};
}

// Runs a program of c2 of pair 0 and, if it takes one, the relinearization key.
LimbMatrix run_on_c2(const OpenfheCase& given, const program::Target& target,
                     program::Builder& builder, const rlwe::LimbSpans& keys, std::size_t parts) {
  const auto plan = target.plan(builder.build());
  const Ciphertext c2 = ciphertext(given, {"c2"}, 0);
  LimbMatrix result(parts, plan->program().outputs().size() / parts, given.degree());
  program::Binding binding;
  for (std::size_t i = 0; i < c2.limb_count(); ++i) binding.operands.push_back(c2.limbs.limb(0, i));
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = 0; i < result.limb_count(); ++i)
      binding.outputs.push_back(result.limb(part, i));
  }
  plan->run({&binding, 1}, {keys, {}});
  return result;
}

void expect_rows(const vectors::Array<std::uint64_t>& expected, const LimbMatrix& found,
                 std::size_t offset) {
  for (std::size_t part = 0; part < expected.shape[0]; ++part) {
    for (std::size_t i = 0; i < expected.shape[1]; ++i) {
      EXPECT_TRUE(std::ranges::equal(expected.row({part, i}), found.limb(part, offset + i)))
          << "part " << part << ", limb " << offset + i;
    }
  }
}

// `name` whole, or its limbs of Q and of P in two arrays.
void expect_array(const OpenfheCase& given, const std::string& name, const LimbMatrix& found) {
  if (given.p().empty()) return expect_rows(given.words(name), found, 0);
  const std::size_t q_limbs = given.q().size();
  expect_rows(given.words(name + "_q"), found, 0);
  expect_rows(given.words(name + "_p"), found, q_limbs);
  EXPECT_EQ(found.limb_count(), q_limbs + given.p().size());
}

rlwe::Limbs declare_c2(program::Builder& b, const rlwe::ProgramRing& ring) {
  rlwe::Limbs d;
  for (std::size_t i = 0; i < ring.limb_count(); ++i)
    d.push_back(b.operand(fmt::format("d{}", i), ring.q_index(i), ring::Domain::eval));
  return d;
}

}  // namespace

void check_products(const OpenfheCase& given, const TargetPtr& target, KeySwitchMethod method) {
  SCOPED_TRACE(fmt::format("{} {}", target->name(), to_string(method)));
  const rlwe::Evaluator evaluator = make_evaluator(given, target, method);
  const std::size_t pairs = given.words("a0").shape[0];
  ASSERT_GT(pairs, 1U);
  std::vector<Ciphertext> a, b;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    SCOPED_TRACE(pair);
    a.push_back(ciphertext(given, {"a0", "a1"}, pair));
    b.push_back(ciphertext(given, {"b0", "b1"}, pair));
    const Ciphertext product = evaluator.tensor(a.back(), b.back());
    EXPECT_EQ(product.limbs, ciphertext(given, {"c0", "c1", "c2"}, pair).limbs);
    EXPECT_EQ(evaluator.relinearize(product).limbs,
              ciphertext(given, {"relin_c0", "relin_c1"}, pair).limbs);
  }
  const std::vector<Ciphertext> products = evaluator.multiply(a, b);
  ASSERT_EQ(products.size(), pairs);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    EXPECT_EQ(products[pair].limbs, ciphertext(given, {"relin_c0", "relin_c1"}, pair).limbs)
        << "pair " << pair;
  }
}

void check_digits(const OpenfheCase& given, const TargetPtr& target, KeySwitchMethod method) {
  SCOPED_TRACE(target->name());
  const rlwe::KeySwitchShape shape = shape_of(given, method);
  const rlwe::ProgramRing ring = key_switch_ring(parameters_of(given), shape, given.q().size());
  program::Builder b(ring.moduli(), "digits");
  const rlwe::Digits digits = emit_digits(b, ring, shape, declare_c2(b, ring));
  for (std::size_t j = 0; j < digits.digits.size(); ++j) {
    for (std::size_t i = 0; i < ring.qp_size(); ++i) {
      b.output(fmt::format("digit{}.{}", j, i), digits.digits[j][i]);
    }
  }
  expect_array(given, "digits", run_on_c2(given, *target, b, {}, digits.digits.size()));
}

void check_inner_products(const OpenfheCase& given, const TargetPtr& target) {
  SCOPED_TRACE(target->name());
  const rlwe::KeySwitchShape shape = shape_of(given, KeySwitchMethod::hybrid);
  const rlwe::ProgramRing ring = key_switch_ring(parameters_of(given), shape, given.q().size());
  program::Builder b(ring.moduli(), "inner products");
  const rlwe::Digits digits = emit_digits(b, ring, shape, declare_c2(b, ring));
  const auto products = emit_hybrid_products(b, ring, digits, declare_key(b, ring, shape, "key"));
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t i = 0; i < ring.qp_size(); ++i)
      b.output(fmt::format("e{}.{}", c, i), products[c][i]);
  }
  const rlwe::EvaluationKey key = evaluation_key(given, "evalmult_key");
  expect_array(given, "ext", run_on_c2(given, *target, b, key_limbs(key, ring.limb_count()), 2));
}

void check_rotations_and_mod_switch(const OpenfheCase& given, const TargetPtr& target,
                                    KeySwitchMethod method) {
  SCOPED_TRACE(fmt::format("{} {}", target->name(), to_string(method)));
  const rlwe::Evaluator evaluator = make_evaluator(given, target, method);
  const std::uint64_t g = given.json().at("rotation").at("automorphism");
  const Ciphertext a = ciphertext(given, {"a0", "a1"}, 0), b = ciphertext(given, {"b0", "b1"}, 0);
  EXPECT_EQ(evaluator.automorphism(a, g).limbs, ciphertext(given, "rotated").limbs);
  const Ciphertext reduced = ciphertext(given, "mod_reduced");
  EXPECT_EQ(evaluator.mod_switch(evaluator.multiply(a, b)).limbs, reduced.limbs);
  EXPECT_EQ(evaluator.multiply(a, b, 1).limbs, reduced.limbs);
  EXPECT_EQ(evaluator.automorphism(reduced, g).limbs,
            ciphertext(given, "mod_reduced_rotated").limbs);
}

}  // namespace heliodor::exact
