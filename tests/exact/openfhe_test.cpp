// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "heliodor/rlwe/evaluator.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "tests/exact/openfhe_checks.h"
#include "tests/exact/openfhe_keys.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

using rlwe::Ciphertext;
using rlwe::KeySwitchMethod;
using rlwe::LimbMatrix;
using vectors::OpenfheCase;

TEST(OpenfheTest, bv_digits_and_products_are_openfhes) {
  const auto given = OpenfheCase::kept("bgv_bv_n1024_l4");
  for (const TargetPtr& target : subjects()) {
    check_digits(given, target, KeySwitchMethod::bv);
    check_products(given, target, KeySwitchMethod::bv);
  }
}

TEST(OpenfheTest, hybrid_digits_and_inner_products_are_openfhes) {
  const auto given = OpenfheCase::kept("bgv_hybrid_n1024_l4");
  for (const TargetPtr& target : subjects()) {
    check_digits(given, target, KeySwitchMethod::hybrid);
    check_inner_products(given, target);
  }
}

TEST(OpenfheTest, hybrid_and_klss_products_and_rotations_are_openfhes) {
  const auto given = OpenfheCase::kept("bgv_hybrid_n1024_l4");
  for (const TargetPtr& target : subjects()) {
    for (const auto method : {KeySwitchMethod::hybrid, KeySwitchMethod::klss}) {
      check_products(given, target, method);
      check_rotations_and_mod_switch(given, target, method);
    }
  }
}

// The moduli have up to 60 bits, P two primes: the fast lift is not the residue itself.
TEST(OpenfheTest, ckks_rotation_product_and_rescale_are_openfhes) {
  const auto given = OpenfheCase::kept("ckks_hybrid_n2048_l5");
  const std::uint64_t g = given.json().at("rotation").at("automorphism");
  for (const TargetPtr& target : subjects()) {
    for (const auto method : {KeySwitchMethod::hybrid, KeySwitchMethod::klss}) {
      SCOPED_TRACE(target->name() + " " + std::string(to_string(method)));
      rlwe::RelinearizationKeys relinearization;
      relinearization.keys.push_back(evaluation_key(given, "evalmult_key"));
      rlwe::GaloisKeys galois;
      galois.keys[g].push_back(evaluation_key(given, "rot_key"));
      rlwe::Evaluator evaluator(std::make_shared<const rlwe::Context>(parameters_of(given), target),
                                std::move(relinearization), std::move(galois));
      evaluator.planner().force(method);
      const Ciphertext a = ciphertext(given, "a");
      const Ciphertext rotated = evaluator.automorphism(a, g);
      EXPECT_EQ(rotated.limbs, ciphertext(given, "rotated").limbs);
      const Ciphertext product = evaluator.multiply(a, rotated);
      EXPECT_EQ(product.limbs, ciphertext(given, "product").limbs);
      EXPECT_EQ(evaluator.mod_switch(product).limbs, ciphertext(given, "rescaled").limbs);
      EXPECT_EQ(evaluator.multiply(a, rotated, 1).limbs, ciphertext(given, "rescaled").limbs);
    }
  }
}

LimbMatrix switched(const rlwe::Parameters& parameters, const program::Target& target,
                    const LimbMatrix& a) {
  const auto plan = target.plan(mod_switch_program(parameters, a.parts(), a.limb_count()));
  LimbMatrix result(a.parts(), a.limb_count() - 1, a.degree());
  program::Binding binding;
  for (std::size_t part = 0; part < a.parts(); ++part) {
    for (std::size_t i = 0; i < a.limb_count(); ++i) binding.operands.push_back(a.limb(part, i));
    for (std::size_t i = 0; i < result.limb_count(); ++i)
      binding.outputs.push_back(result.limb(part, i));
  }
  plan->run({&binding, 1});
  return result;
}

// No modulus is 1 modulo t here. The program is run without Evaluator, which would refuse the last
// step: rounding may reach N*t/2 * (1 + N) = 2^32, above the one modulus of 29 bits that is left.
TEST(OpenfheTest, bgv_mod_switch_is_openfhes_for_any_moduli) {
  const auto given = OpenfheCase::kept("extra_bgv_modswitch_n1024");
  const rlwe::Parameters parameters = parameters_of(given);
  for (const TargetPtr& target : subjects()) {
    SCOPED_TRACE(target->name());
    const LimbMatrix once = switched(parameters, *target, ciphertext(given, "ct_0").limbs);
    EXPECT_EQ(once, ciphertext(given, "ct_1").limbs);
    EXPECT_EQ(switched(parameters, *target, once), ciphertext(given, "ct_2").limbs);
  }
}

}  // namespace
}  // namespace heliodor::exact
