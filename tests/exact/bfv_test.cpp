// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "heliodor/ring/automorphism.h"
#include "heliodor/schemes/bfv/noise.h"
#include "heliodor/schemes/bfv/scaling.h"
#include "heliodor/schemes/slots/inner_sum.h"
#include "tests/exact/bfv_setup.h"
#include "tests/exact/oracle.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

using bfv::Ciphertext;
using rlwe::Matching;
using Slots = BfvSetup::Slots;

constexpr std::int64_t kT = 65537;

bfv::Parameters toy(std::size_t depth) {
  return bfv::Parameters::for_depth(
      {.t = kT, .depth = depth, .summands = 2, .security = rlwe::SecurityLevel::none});
}

BfvSetup setup(std::size_t depth, Matching matching = Matching::automatic, std::uint64_t seed = 1) {
  bfv::Parameters parameters = toy(depth);
  auto elements = slots::inner_sum_elements(parameters.degree(), parameters.degree());
  elements.push_back(ring::galois_element_of_rotation(-3, parameters.degree()));
  return {std::move(parameters), fastest(), elements, matching, seed};
}

std::string code_of(const std::function<void()>& call) {
  const std::string error = error_of(call);
  return error.substr(0, error.find(':'));
}

TEST(BfvTest, sums_differences_and_products_of_slots) {
  BfvSetup bfv = setup(1);
  const Slots a = bfv.random_slots(), b = bfv.random_slots();
  const Ciphertext x = bfv.encrypt(a), y = bfv.encrypt(b);
  EXPECT_EQ(bfv.decrypt(x), a);
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.add(x, y)), bfv.sum(a, b));
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.sub(x, y)), bfv.difference(a, b));
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.negate(x)), bfv.difference(Slots(a.size()), a));
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.multiply(x, y)), bfv.product(a, b));
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.square(x)), bfv.product(a, a));
  const Ciphertext three = bfv.evaluator.multiply_without_relinearization(x, y);
  EXPECT_EQ(three.parts(), 3U);
  EXPECT_EQ(bfv.decrypt(three), bfv.product(a, b));
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.relinearize(three)), bfv.product(a, b));
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.add(three, x)), bfv.sum(bfv.product(a, b), a));
}

TEST(BfvTest, products_in_one_program_have_the_limbs_and_bounds_of_their_two_steps) {
  BfvSetup bfv = setup(2, Matching::exact);
  const Ciphertext x = bfv.encrypt(bfv.random_slots()), y = bfv.encrypt(bfv.random_slots());
  const Ciphertext product = bfv.evaluator.multiply(x, y);
  const Ciphertext three = bfv.evaluator.multiply_without_relinearization(x, y);
  const Ciphertext two = bfv.evaluator.relinearize(three);
  EXPECT_EQ(product.limbs, two.limbs);
  EXPECT_EQ(product.bounds.error, two.bounds.error);
  EXPECT_LT(three.bounds.error, product.bounds.error);
}

TEST(BfvTest, a_square_has_the_limbs_of_the_product_with_itself) {
  BfvSetup bfv = setup(1);
  const Ciphertext x = bfv.encrypt(bfv.random_slots());
  EXPECT_EQ(bfv.evaluator.square(x).limbs, bfv.evaluator.multiply(x, x).limbs);
}

TEST(BfvTest, plaintext_and_scalar_operands) {
  BfvSetup bfv = setup(2);
  const Slots a = bfv.random_slots(), b = bfv.random_slots();
  const slots::Plaintext plain = bfv.encoder.encode(b);
  for (const bool switched : {false, true}) {
    Ciphertext x = bfv.encrypt(a);
    if (switched) x = bfv.evaluator.mod_switch(x);
    EXPECT_EQ(bfv.decrypt(bfv.evaluator.add_plain(x, plain)), bfv.sum(a, b));
    EXPECT_EQ(bfv.decrypt(bfv.evaluator.sub_plain(x, plain)), bfv.difference(a, b));
    EXPECT_EQ(bfv.decrypt(bfv.evaluator.multiply_plain(x, plain)), bfv.product(a, b));
    for (const std::int64_t c : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1},
                                 std::int64_t{32768}, std::int64_t{-70000}, INT64_MIN, INT64_MAX}) {
      const std::int64_t residue = (c % kT + kT) % kT;
      EXPECT_EQ(bfv.decrypt(bfv.evaluator.multiply_scalar(x, c)),
                bfv.product(a, Slots(a.size(), residue)))
          << c;
    }
  }
}

TEST(BfvTest, rotations_move_both_rows_and_hoisted_ones_are_the_same_ciphertexts) {
  BfvSetup bfv = setup(1);
  const Slots a = bfv.random_slots();
  const Ciphertext x = bfv.encrypt(a);
  const std::int64_t steps[] = {1, 4, -3};
  const std::vector<Ciphertext> hoisted = bfv.evaluator.rotate_rows(x, steps);
  for (std::size_t i = 0; i < std::size(steps); ++i) {
    EXPECT_EQ(bfv.decrypt(hoisted[i]), BfvSetup::rotated(a, steps[i]));
    EXPECT_EQ(bfv.evaluator.rotate_rows(x, steps[i]).limbs, hoisted[i].limbs);
  }
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.rotate_columns(x)), BfvSetup::swapped(a));
}

TEST(BfvTest, inner_sums_add_up_neighbours_and_in_the_end_everything) {
  BfvSetup bfv = setup(1);
  const Slots a = bfv.random_slots();
  const Ciphertext x = bfv.encrypt(a);
  Slots of_four(a.size());
  for (int k = 0; k < 4; ++k) of_four = bfv.sum(of_four, BfvSetup::rotated(a, k));
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.inner_sum(x, 4)), of_four);
  std::int64_t all = 0;
  for (const std::int64_t slot : a) all = (all + slot) % kT;
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.inner_sum(x, a.size())), Slots(a.size(), all));
}

TEST(BfvTest, mod_switch_keeps_the_message_down_to_what_its_limbs_hold) {
  BfvSetup bfv = setup(2);
  const Slots a = bfv.random_slots();
  Ciphertext x = bfv.encrypt(a);
  const std::size_t limbs = x.limb_count();
  ASSERT_GT(limbs, 2U);
  EXPECT_EQ(bfv.evaluator.mod_switch_to(x, limbs).limbs, x.limbs);
  const Ciphertext two = bfv.evaluator.mod_switch_to(x, 2);
  EXPECT_EQ(two.limb_count(), 2U);
  EXPECT_EQ(bfv.decrypt(two), a);
  EXPECT_EQ(code_of([&] { bfv.evaluator.mod_switch_to(x, limbs + 1); }), "out_of_range");
  EXPECT_EQ(code_of([&] { bfv.evaluator.mod_switch_to(x, 0); }), "out_of_range");
  const Ciphertext low = bfv.encryptor.encrypt(bfv.encoder.encode(a), 2);
  EXPECT_EQ(low.limb_count(), 2U);
  EXPECT_EQ(bfv.decrypt(low), a);
}

TEST(BfvTest, automatic_matching_brings_operands_to_the_lower_limb_count) {
  BfvSetup bfv = setup(2);
  const Slots a = bfv.random_slots(), b = bfv.random_slots();
  const Ciphertext x = bfv.encrypt(a), y = bfv.evaluator.mod_switch(bfv.encrypt(b));
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.add(x, y)), bfv.sum(a, b));
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.sub(y, x)), bfv.difference(b, a));
  EXPECT_EQ(bfv.decrypt(bfv.evaluator.multiply(x, y)), bfv.product(a, b));
  const Ciphertext three = bfv.evaluator.multiply_without_relinearization(y, x);
  EXPECT_EQ(three.limb_count(), y.limb_count());
  EXPECT_EQ(bfv.decrypt(three), bfv.product(a, b));
}

TEST(BfvTest, exact_matching_refuses_different_limb_counts_and_drops_nothing) {
  BfvSetup bfv = setup(2, Matching::exact);
  const Slots a = bfv.random_slots();
  const Ciphertext x = bfv.encrypt(a), y = bfv.evaluator.mod_switch(x);
  EXPECT_EQ(bfv.evaluator.multiply(x, x).limb_count(), x.limb_count());
  for (const auto& operation : std::vector<std::function<void()>>{
           [&] { bfv.evaluator.add(x, y); }, [&] { bfv.evaluator.sub(x, y); },
           [&] { bfv.evaluator.multiply(x, y); },
           [&] { bfv.evaluator.multiply_without_relinearization(y, x); }}) {
    EXPECT_EQ(code_of(operation), "mismatch");
  }
}

TEST(BfvTest, batches_return_the_ciphertexts_of_single_products) {
  BfvSetup bfv = setup(1);
  std::vector<Ciphertext> x, y;
  for (int i = 0; i < 3; ++i) {
    x.push_back(bfv.encrypt(bfv.random_slots()));
    y.push_back(bfv.encrypt(bfv.random_slots()));
  }
  const std::vector<Ciphertext> products = bfv.evaluator.multiply(x, y);
  ASSERT_EQ(products.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(products[i].limbs, bfv.evaluator.multiply(x[i], y[i]).limbs);
    EXPECT_EQ(products[i].bounds.error, bfv.evaluator.multiply(x[i], y[i]).bounds.error);
  }
  EXPECT_TRUE(bfv.evaluator.multiply(std::vector<Ciphertext>{}, std::vector<Ciphertext>{}).empty());
  y.pop_back();
  EXPECT_EQ(code_of([&] { bfv.evaluator.multiply(x, y); }), "mismatch");
}

TEST(BfvTest, every_method_of_key_switching_decrypts_alike) {
  for (const auto method : {rlwe::KeySwitchMethod::hybrid, rlwe::KeySwitchMethod::klss}) {
    BfvSetup bfv = setup(1);
    bfv.evaluator.planner().force(method);
    const Slots a = bfv.random_slots(), b = bfv.random_slots();
    const Ciphertext c = bfv.evaluator.multiply(bfv.encrypt(a), bfv.encrypt(b));
    EXPECT_EQ(bfv.decrypt(c), bfv.product(a, b));
  }
}

TEST(BfvTest, measured_errors_stay_below_the_bounds_they_carry) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    BfvSetup bfv = setup(2, Matching::automatic, seed);
    const auto expect_bounded = [&](const Ciphertext& c, double slack_bits) {
      // sub_plain rounds once more: half a coefficient.
      const double measured = bfv.measured_error_log2(c);
      EXPECT_LE(measured, c.bounds.error.log2());
      EXPECT_GE(measured, c.bounds.error.log2() - slack_bits);  // of the size the formula says
      EXPECT_EQ(c.bounds.phase, c.bounds.error);
    };
    const Ciphertext x = bfv.encrypt(bfv.random_slots()), y = bfv.encrypt(bfv.random_slots());
    expect_bounded(x, 25);
    expect_bounded(bfv.evaluator.add(x, y), 25);
    expect_bounded(bfv.evaluator.rotate_rows(x, 1), 25);
    const Ciphertext three = bfv.evaluator.multiply_without_relinearization(x, y);
    expect_bounded(three, 45);
    const Ciphertext product = bfv.evaluator.multiply(x, y);
    expect_bounded(product, 45);
    expect_bounded(bfv.evaluator.multiply(product, x), 65);
    expect_bounded(bfv.evaluator.mod_switch(x), 25);
    expect_bounded(bfv.evaluator.multiply_plain(x, bfv.encoder.encode(bfv.random_slots())), 45);
  }
}

TEST(BfvTest, circuits_decrypt_right_to_the_full_depth_at_128_bits) {
  const bfv::Parameters parameters =
      bfv::Parameters::for_depth({.t = kT, .depth = 2, .summands = 2, .min_degree = 8192});
  ASSERT_EQ(parameters.degree(), 8192U);
  EXPECT_GE(parameters.rlwe().security(), rlwe::SecurityLevel::bits128);
  const std::array elements = {ring::galois_element_of_rotation(1, 8192)};
  BfvSetup bfv(parameters, fastest(), elements);
  for (int i = 0; i < 3; ++i) run_random_circuit(bfv, 2);
}

TEST(BfvTest, a_product_that_could_decrypt_wrongly_is_refused_before_it_is_made) {
  BfvSetup bfv = setup(1);
  Ciphertext x = bfv.encrypt(bfv.random_slots());
  std::size_t depth = 0;
  std::string error = "no error";
  for (; error == "no error" && depth < 10; ++depth) {
    error = error_of([&] { x = bfv.evaluator.square(x); });
    const rlwe::NoiseBound limit = error_limit(bfv.context->parameters(), x.limb_count());
    EXPECT_LT(x.bounds.error, limit);
  }
  EXPECT_EQ(error.substr(0, error.find(':')), "noise_overflow");
  EXPECT_GE(depth, 2U);
  x.bounds.error = x.bounds.phase = error_limit(bfv.context->parameters(), x.limb_count());
  EXPECT_EQ(code_of([&] { bfv.evaluator.add(x, x); }), "noise_overflow");
  EXPECT_EQ(code_of([&] { bfv.evaluator.negate(x); }), "noise_overflow");
}

TEST(BfvTest, missing_keys_and_foreign_operands_are_refused) {
  BfvSetup bfv = setup(1);
  const Ciphertext x = bfv.encrypt(bfv.random_slots());
  const bfv::Evaluator without_keys(bfv.context);
  EXPECT_EQ(code_of([&] { without_keys.multiply(x, x); }), "missing_key");
  EXPECT_EQ(code_of([&] { without_keys.rotate_rows(x, 1); }), "missing_key");
  EXPECT_EQ(code_of([&] { bfv.evaluator.rotate_rows(x, 7); }), "missing_key");
  const Ciphertext three = bfv.evaluator.multiply_without_relinearization(x, x);
  EXPECT_EQ(code_of([&] { bfv.evaluator.multiply(x, three); }), "mismatch");
  EXPECT_EQ(code_of([&] { bfv.evaluator.multiply_without_relinearization(three, x); }), "mismatch");
  EXPECT_EQ(code_of([&] { bfv.evaluator.relinearize(x); }), "mismatch");
  EXPECT_EQ(code_of([&] { bfv.evaluator.inner_sum(x, 3); }), "out_of_range");

  const std::uint64_t degree = bfv.context->parameters().degree();
  const auto other_t = slots::encode_coefficients(slots::PlaintextModulus(257), degree, {});
  const auto shorter = slots::encode_coefficients(slots::PlaintextModulus(kT), degree / 2, {});
  for (const slots::Plaintext& foreign : {other_t, shorter}) {
    EXPECT_EQ(code_of([&] { bfv.encryptor.encrypt(foreign); }), "mismatch");
    EXPECT_EQ(code_of([&] { bfv.evaluator.add_plain(x, foreign); }), "mismatch");
    EXPECT_EQ(code_of([&] { bfv.evaluator.multiply_plain(x, foreign); }), "mismatch");
  }
}

}  // namespace
}  // namespace heliodor::exact
