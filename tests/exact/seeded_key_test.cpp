// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that expand the uniform half of a key from its seed against programs that take it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/program/builder.h"
#include "heliodor/ring/sampler.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/rlwe/keyswitch/key_limbs.h"
#include "tests/exact/key_equation.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

using rlwe::KeyForm;
using rlwe::KeySwitchMethod;
using rlwe::KeySwitchShape;
using rlwe::LimbMatrix;

rlwe::ContextPtr make_context() {
  rlwe::Parameters::Description d;
  d.q = moduli(30, 64, 5);
  d.p = moduli(40, 64, 2);
  d.gadgets = {{2, 2, 5}, {1, 0, 4}};
  return context(std::move(d));
}

LimbMatrix switched(const rlwe::Parameters& parameters, const program::Target& target,
                    const KeySwitchShape& shape, const rlwe::EvaluationKey& key,
                    const LimbMatrix& d) {
  const auto plan = target.plan(key_switch_program(parameters, shape, d.limb_count()));
  LimbMatrix result(2, d.limb_count(), d.degree());
  program::Binding binding;
  for (std::size_t i = 0; i < d.limb_count(); ++i) binding.operands.push_back(d.limb(0, i));
  for (std::size_t part = 0; part < 2; ++part) {
    for (std::size_t i = 0; i < d.limb_count(); ++i)
      binding.outputs.push_back(result.limb(part, i));
  }
  program::SharedBinding shared{key_limbs(key, d.limb_count(), shape.key_form), {}};
  if (shape.key_form == KeyForm::seeded) shared.seeds.push_back(*key.seed);
  plan->run({&binding, 1}, shared);
  return result;
}

TEST(SeededKeyTest, a_seeded_program_gives_the_limbs_of_the_stored_one_at_every_limb_count) {
  const rlwe::ContextPtr context = make_context();
  const rlwe::Parameters& parameters = context->parameters();
  rlwe::KeyGenerator generator(context, base::TestSeed(1));
  const auto keys = generator.relinearization_keys(generator.secret_key()).keys;
  base::RandomStream random(base::TestSeed(2), "seeded key test");
  for (const rlwe::EvaluationKey& key : keys) {
    const bool bv = key.gadget.special_count == 0;
    KeySwitchShape stored{bv ? KeySwitchMethod::bv : KeySwitchMethod::hybrid, key.gadget};
    KeySwitchShape seeded = stored;
    seeded.key_form = KeyForm::seeded;
    for (std::size_t l = 1; l <= key.gadget.max_limb_count; ++l) {
      LimbMatrix d(1, l, parameters.degree());
      for (std::size_t i = 0; i < l; ++i) {
        ring::sample_uniform(parameters.q()[i], random, d.limb(0, i));
      }
      EXPECT_EQ(switched(parameters, *fastest(), seeded, key, d),
                switched(parameters, *fastest(), stored, key, d))
          << to_string(seeded) << " at limb_count " << l;
    }
  }
}

TEST(SeededKeyTest, half_of_the_key_is_left_as_input) {
  const rlwe::ContextPtr context = make_context();
  KeySwitchShape shape{KeySwitchMethod::hybrid, {2, 2, 5}};
  const auto key_inputs = [&] {
    std::size_t count = 0;
    const auto program = key_switch_program(context->parameters(), shape, 4);
    for (const auto& input : program.inputs()) count += input.kind == program::InputKind::key;
    return count;
  };
  EXPECT_EQ(key_inputs(), 2U * 2 * 6);
  shape.key_form = KeyForm::seeded;
  EXPECT_EQ(key_inputs(), 2U * 6);
}

TEST(SeededKeyTest, klss_keys_have_no_seed) {
  const rlwe::ContextPtr context = make_context();
  KeySwitchShape shape{KeySwitchMethod::klss, {2, 2, 5}, 3};
  shape.key_form = KeyForm::seeded;
  try {
    key_switch_program(context->parameters(), shape, 4);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_THAT(error.what(), testing::StartsWith("klss/2+2/5/3/seeded"));
  }
}

}  // namespace
}  // namespace heliodor::exact
