// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// CKKS from end to end on the fastest target. The oracle is complex arithmetic on the slots; what
// is decrypted must lie within the bound that its ciphertext carries.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "heliodor/base/error.h"
#include "tests/exact/ckks_setup.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

using ckks::Ciphertext;
using ckks::Scale;
using ckks::Slots;
using ::testing::HasSubstr;

constexpr std::int64_t kSteps[] = {1, 2, 4, 8, -3};

ckks::Parameters small_parameters(double value_bound = 1) {
  return ckks::Parameters::for_depth({.depth = 3,
                                      .scale_bits = 45,
                                      .integer_bits = 8,
                                      .value_bound = value_bound,
                                      .security = rlwe::SecurityLevel::none,
                                      .degree = 1024});
}

class CkksTest : public ::testing::Test {
 protected:
  CkksTest()
      : ckks_(small_parameters(), fastest(), kSteps), parameters_(ckks_.context->parameters()) {}

  CkksSetup ckks_;
  const ckks::Parameters& parameters_;
  const std::size_t top_ = parameters_.limb_count();
};

template <typename Action>
Error error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorCode::io, ""};
}

TEST_F(CkksTest, encodings_decode_within_the_stated_error) {
  for (const std::size_t count : {1UL, 2UL, 3UL, 100UL, parameters_.max_slots()}) {
    for (const Scale& scale : {Scale::power_of_two(20), Scale(12345.5), Scale::power_of_two(45),
                               Scale::power_of_two(62), Scale::power_of_two(100)}) {
      const Slots slots = ckks_.random_slots(count);
      const ckks::Plaintext plaintext = ckks_.context->encoder().encode(slots, top_, scale);
      // An encryption without noise.
      rlwe::Ciphertext trivial{plaintext.limbs, {plaintext.bound, plaintext.error}};
      const Ciphertext ciphertext{std::move(trivial), scale, plaintext.slots};
      Slots padded = slots;
      padded.resize(plaintext.slots);
      EXPECT_LE(distance(ckks_.decryptor.decrypt(ciphertext), padded),
                ckks::slot_error_bound(ciphertext))
          << count << " slots, scale " << scale.to_string();
    }
  }
}

TEST_F(CkksTest, coefficients_decode_within_half_a_unit_of_the_scale) {
  const Scale scale = Scale::power_of_two(30);
  const std::vector<double> values{0.5, -1.25, 3.0000001, 1e-3};
  const auto plaintext = ckks_.context->encoder().encode_coefficients(values, top_, scale);
  const Ciphertext ciphertext{{plaintext.limbs, {plaintext.bound, plaintext.error}}, scale, 1};
  const std::vector<double> back = ckks_.decryptor.decrypt_coefficients(ciphertext);
  ASSERT_EQ(back.size(), parameters_.degree());
  for (std::size_t k = 0; k < back.size(); ++k)
    EXPECT_LE(std::abs(back[k] - (k < values.size() ? values[k] : 0)), 0x1.0001p-31);
}

TEST_F(CkksTest, a_real_constant_has_the_polynomial_that_as_complex_one_has) {
  const double real = -0.7;
  const std::complex<double> complex = real;
  const auto& encoder = ckks_.context->encoder();
  EXPECT_EQ(encoder.encode(std::span(&real, 1), top_, Scale::power_of_two(45)).limbs,
            encoder.encode(std::span(&complex, 1), top_, Scale::power_of_two(45)).limbs);
}

TEST_F(CkksTest, encryptions_decrypt_within_their_bounds) {
  for (const std::size_t count : {1UL, 5UL, parameters_.max_slots()}) {
    const Slots slots = ckks_.random_slots(count);
    const Ciphertext x = ckks_.encryptor.encrypt(slots);
    Slots padded = slots;
    padded.resize(x.slots);
    expect_within_bound(ckks_, x, padded);
    EXPECT_EQ(x.scale, parameters_.scale(top_));
  }
  ckks::Encryptor with_secret(ckks_.context, ckks_.secret, base::TestSeed(3));
  const Slots slots = ckks_.random_slots();
  expect_within_bound(ckks_, with_secret.encrypt(slots), slots);
}

// A worst-case bound hides lost bits: the coefficients of e*u + e0 + e1*s have standard deviation
// 3.2 * sqrt(4N/3 + 1) < 120 here, so that a slot, a sum of N of them, stays below 8 * 32 * 120.
TEST_F(CkksTest, fresh_noise_has_its_usual_size) {
  const Slots slots = ckks_.random_slots();
  const double error = distance(ckks_.decryptor.decrypt(ckks_.encryptor.encrypt(slots)), slots);
  EXPECT_LT(error, 8 * 32 * 120 / parameters_.scale(top_).value());
  EXPECT_GT(error, 0);
}

TEST_F(CkksTest, sums_differences_and_negations_act_slot_by_slot) {
  const Slots a = ckks_.random_slots(), b = ckks_.random_slots(4);
  const Ciphertext x = ckks_.encryptor.encrypt(a), y = ckks_.encryptor.encrypt(b);
  expect_within_bound(ckks_, ckks_.evaluator.add(x, y), sum(a, b));
  expect_within_bound(ckks_, ckks_.evaluator.sub(x, y), sum(a, product(b, {-1})));
  expect_within_bound(ckks_, ckks_.evaluator.negate(y), product(b, {-1}));
}

TEST_F(CkksTest, products_act_slot_by_slot_and_keep_the_scale_of_their_level) {
  const Slots a = ckks_.random_slots(), b = ckks_.random_slots(), i{{0, 1}};
  const Ciphertext x = ckks_.encryptor.encrypt(a), y = ckks_.encryptor.encrypt(b);
  const Ciphertext xy = ckks_.evaluator.multiply(x, y);
  EXPECT_EQ(xy.limb_count(), top_ - 1);
  EXPECT_EQ(xy.scale, parameters_.scale(top_ - 1));
  expect_within_bound(ckks_, xy, product(a, b));
  expect_within_bound(ckks_, ckks_.evaluator.square(xy), product(product(a, b), product(a, b)));

  const Ciphertext xi = ckks_.evaluator.multiply(x, i);
  EXPECT_EQ(xi.scale, parameters_.scale(top_ - 1));
  expect_within_bound(ckks_, xi, product(a, i));
  expect_within_bound(ckks_, ckks_.evaluator.multiply(x, b), product(a, b));
  expect_within_bound(ckks_, ckks_.evaluator.multiply(x, -0.25), product(a, {-0.25}));
  const Ciphertext lower = ckks_.evaluator.multiply(xy, b);
  EXPECT_EQ(lower.scale, parameters_.scale(top_ - 2));
  expect_within_bound(ckks_, lower, product(product(a, b), b));
}

TEST_F(CkksTest, batches_multiply_at_their_lowest_level) {
  std::vector<Slots> a{ckks_.random_slots(), ckks_.random_slots(3)};
  a[1].resize(4);
  const std::vector<Ciphertext> x{ckks_.encryptor.encrypt(a[0]),
                                  ckks_.evaluator.square(ckks_.encryptor.encrypt(a[1]))};
  const std::vector<Ciphertext> y{x[1], x[0]};
  const Slots expected = product(a[0], product(a[1], a[1]));
  for (const Ciphertext& xy : ckks_.evaluator.multiply(x, y)) {
    EXPECT_EQ(xy.scale, parameters_.scale(top_ - 2));
    EXPECT_EQ(xy.slots, parameters_.max_slots());
    expect_within_bound(ckks_, xy, expected);
  }
  EXPECT_TRUE(ckks_.evaluator.multiply(std::span<const Ciphertext>(), {}).empty());
  EXPECT_EQ(error_of([&] { ckks_.evaluator.multiply(x, std::span(y).first(1)); }).code(),
            ErrorCode::mismatch);
}

TEST_F(CkksTest, plaintext_sums_take_the_scale_of_the_ciphertext) {
  const Slots a = ckks_.random_slots(), b = ckks_.random_slots(8);
  const Ciphertext x = ckks_.evaluator.square(ckks_.encryptor.encrypt(a));
  expect_within_bound(ckks_, ckks_.evaluator.add(x, b), sum(product(a, a), b));
  expect_within_bound(ckks_, ckks_.evaluator.add(x, 0.5), sum(product(a, a), {0.5}));
  // Plaintexts of more limbs serve lower levels too.
  const auto plaintext = ckks_.context->encoder().encode(b, top_, x.scale);
  expect_within_bound(ckks_, ckks_.evaluator.sub_plain(x, plaintext),
                      sum(product(a, a), product(b, {-1})));
}

TEST_F(CkksTest, the_steps_of_a_product_give_the_same_scale_as_the_product) {
  const Slots a = ckks_.random_slots(), b = ckks_.random_slots();
  const Ciphertext x = ckks_.encryptor.encrypt(a), y = ckks_.encryptor.encrypt(b);
  const Ciphertext three = ckks_.evaluator.multiply_without_relinearization(x, y);
  EXPECT_EQ(three.scale, x.scale * y.scale);
  expect_within_bound(ckks_, three, product(a, b));
  const Ciphertext two = ckks_.evaluator.relinearize(three);
  expect_within_bound(ckks_, two, product(a, b));
  const Ciphertext rescaled = ckks_.evaluator.rescale(two);
  EXPECT_EQ(rescaled.scale, ckks_.evaluator.multiply(x, y).scale);
  expect_within_bound(ckks_, rescaled, product(a, b));
  expect_within_bound(ckks_, ckks_.evaluator.relinearize(ckks_.evaluator.rescale(three)),
                      product(a, b));
}

TEST_F(CkksTest, rotations_move_slots_to_the_left) {
  const Slots a = ckks_.random_slots(), few = ckks_.random_slots(4);
  const Ciphertext x = ckks_.encryptor.encrypt(a), y = ckks_.encryptor.encrypt(few);
  const std::vector<Ciphertext> hoisted = ckks_.evaluator.rotate(x, kSteps);
  for (std::size_t i = 0; i < std::size(kSteps); ++i) {
    const Ciphertext single = ckks_.evaluator.rotate(x, kSteps[i]);
    expect_within_bound(ckks_, single, rotated(a, kSteps[i]));
    expect_within_bound(ckks_, hoisted[i], rotated(a, kSteps[i]));
    expect_within_bound(ckks_, ckks_.evaluator.rotate(y, kSteps[i]), rotated(few, kSteps[i]));
  }
}

TEST_F(CkksTest, conjugation_conjugates) {
  const Slots a = ckks_.random_slots();
  Slots conjugates;
  for (const std::complex<double>& z : a) conjugates.push_back(std::conj(z));
  expect_within_bound(ckks_, ckks_.evaluator.conjugate(ckks_.encryptor.encrypt(a)), conjugates);
}

TEST_F(CkksTest, inner_sums_add_neighbours) {
  const Slots a = ckks_.random_slots(16);
  const Ciphertext x = ckks_.encryptor.encrypt(a);
  Slots expected;
  for (std::size_t j = 0; j < a.size(); ++j) {
    std::complex<double> four = 0;
    for (std::size_t k = 0; k < 4; ++k) four += a[(j + k) % a.size()];
    expected.push_back(four);
  }
  expect_within_bound(ckks_, ckks_.evaluator.inner_sum(x, 4), expected);
  std::complex<double> all = 0;
  for (const std::complex<double>& z : a) all += z;
  expect_within_bound(ckks_, ckks_.evaluator.inner_sum(x), Slots(16, all));
  for (const std::size_t count : {0UL, 3UL, 32UL}) {
    EXPECT_EQ(error_of([&] { ckks_.evaluator.inner_sum(x, count); }).code(),
              ErrorCode::out_of_range);
  }
}

TEST_F(CkksTest, operands_of_any_level_match_by_themselves) {
  const Slots a = ckks_.random_slots(), b = ckks_.random_slots();
  const Ciphertext x = ckks_.encryptor.encrypt(a), y = ckks_.encryptor.encrypt(b);
  const Ciphertext deep = ckks_.evaluator.square(ckks_.evaluator.square(y));
  const Slots fourth = product(product(b, b), product(b, b));
  const Ciphertext added = ckks_.evaluator.add(x, deep);
  EXPECT_EQ(added.scale, parameters_.scale(top_ - 2));
  expect_within_bound(ckks_, added, sum(a, fourth));
  const Ciphertext multiplied = ckks_.evaluator.multiply(deep, x);
  EXPECT_EQ(multiplied.scale, parameters_.scale(top_ - 3));
  expect_within_bound(ckks_, multiplied, product(a, fourth));
  // Down from the top, and down from a product that was not rescaled, with its precision.
  const Ciphertext raw =
      ckks_.evaluator.relinearize(ckks_.evaluator.multiply_without_relinearization(x, y));
  for (std::size_t l = parameters_.base_limbs(); l < top_; ++l) {
    expect_within_bound(ckks_, ckks_.evaluator.to_level(x, l), a);
    const Ciphertext lowered = ckks_.evaluator.to_level(raw, l);
    EXPECT_EQ(lowered.scale, parameters_.scale(l));
    expect_within_bound(ckks_, lowered, product(a, b));
    EXPECT_LT(distance(ckks_.decryptor.decrypt(lowered), product(a, b)), 0x1p-25);
  }
  const Ciphertext mixed = ckks_.evaluator.add(raw, x);
  EXPECT_EQ(mixed.scale, parameters_.scale(top_ - 1));
  expect_within_bound(ckks_, mixed, sum(product(a, b), a));
  expect_within_bound(ckks_, ckks_.evaluator.multiply(raw, 0.5), product(product(a, b), {0.5}));
}

// Without noise, a level costs the rounding of N coefficients by 1/2 and that of the multiplier.
TEST_F(CkksTest, matching_moves_slots_by_no_more_than_its_rounding) {
  const Slots a = ckks_.random_slots();
  const Scale scale(0x1.123456789p45);
  const auto plaintext = ckks_.context->encoder().encode(a, top_, scale);
  Ciphertext x{
      {rlwe::LimbMatrix(2, top_, parameters_.degree()), {plaintext.bound, plaintext.error}},
      scale,
      plaintext.slots};
  for (std::size_t i = 0; i < top_; ++i)
    std::ranges::copy(plaintext.limbs.limb(0, i), x.rlwe.limbs.limb(0, i).begin());
  const double rounding = static_cast<double>(parameters_.degree()) / 2;
  for (std::size_t l = parameters_.base_limbs(); l < top_; ++l) {
    const Slots lowered = ckks_.decryptor.decrypt(ckks_.evaluator.to_level(x, l));
    EXPECT_LE(distance(lowered, a), 2.001 * rounding / parameters_.scale(l).value() + 0x1p-44);
  }
}

TEST_F(CkksTest, any_scale_of_the_user_is_brought_to_the_next_level) {
  const Slots a = ckks_.random_slots(), b = ckks_.random_slots();
  const auto& encoder = ckks_.context->encoder();
  const Ciphertext x = ckks_.encryptor.encrypt(encoder.encode(a, top_, Scale(0x1.8p39)));
  const Ciphertext y = ckks_.encryptor.encrypt(b);
  const Ciphertext added = ckks_.evaluator.add(x, y);
  EXPECT_EQ(added.scale, parameters_.scale(top_ - 1));
  expect_within_bound(ckks_, added, sum(a, b));
  // Equal ones stay as they are.
  EXPECT_EQ(ckks_.evaluator.add(x, x).scale, x.scale);
  expect_within_bound(ckks_, ckks_.evaluator.add(x, x), sum(a, a));
}

TEST_F(CkksTest, exact_matching_refuses_what_differs) {
  CkksSetup exact(small_parameters(), fastest(), {}, rlwe::Matching::exact);
  const Ciphertext x = exact.encryptor.encrypt(exact.random_slots());
  const Ciphertext squared = exact.evaluator.square(x);
  const Error limbs = error_of([&] { exact.evaluator.add(x, squared); });
  EXPECT_EQ(limbs.code(), ErrorCode::mismatch);
  EXPECT_THAT(limbs.what(), HasSubstr("limb_count 5 differs from 4"));
  EXPECT_EQ(error_of([&] { exact.evaluator.multiply(x, squared); }).code(), ErrorCode::mismatch);

  const Ciphertext raw = exact.evaluator.multiply_without_relinearization(x, x);
  const Error scales = error_of([&] { exact.evaluator.sub(x, raw); });
  EXPECT_EQ(scales.code(), ErrorCode::mismatch);
  EXPECT_THAT(scales.what(), HasSubstr("2^45 differs from 2^90.000000 = 2^90"));
  const auto plaintext = exact.context->encoder().encode(Slots{1.0}, 5, Scale::power_of_two(44));
  EXPECT_EQ(error_of([&] { exact.evaluator.add_plain(x, plaintext); }).code(), ErrorCode::mismatch);
  EXPECT_EQ(exact.evaluator.add(x, x).limb_count(), 5U);
}

TEST_F(CkksTest, nothing_is_multiplied_below_the_base) {
  Ciphertext x = ckks_.encryptor.encrypt(Slots{0.5});
  for (std::size_t d = 0; d < parameters_.depth(); ++d) x = ckks_.evaluator.square(x);
  EXPECT_EQ(x.limb_count(), parameters_.base_limbs());
  expect_within_bound(ckks_, x, {std::pow(0.5, 8)});
  const Error error = error_of([&] { ckks_.evaluator.square(x); });
  EXPECT_EQ(error.code(), ErrorCode::out_of_range);
  EXPECT_THAT(error.what(), HasSubstr("limb_count 2 does not exceed the 2 base limbs"));
  EXPECT_EQ(error_of([&] { ckks_.evaluator.rescale(x); }).code(), ErrorCode::out_of_range);
  EXPECT_EQ(error_of([&] { ckks_.evaluator.to_level(x, 1); }).code(), ErrorCode::out_of_range);
}

TEST_F(CkksTest, phases_that_could_wrap_are_refused) {
  Ciphertext x = ckks_.encryptor.encrypt(ckks_.random_slots());
  x = ckks_.evaluator.to_level(x, parameters_.base_limbs());
  const auto grow = [&] {
    for (int i = 0; i < 20; ++i) x = ckks_.evaluator.add(x, x);
  };
  EXPECT_EQ(error_of(grow).code(), ErrorCode::noise_overflow);
}

TEST_F(CkksTest, values_beyond_their_bound_are_refused) {
  EXPECT_EQ(error_of([&] { ckks_.encryptor.encrypt(Slots{1.01}); }).code(),
            ErrorCode::out_of_range);
  EXPECT_EQ(error_of([&] { ckks_.encryptor.encrypt(Slots{}); }).code(), ErrorCode::out_of_range);
  EXPECT_EQ(error_of([&] { ckks_.encryptor.encrypt(Slots(parameters_.max_slots() + 1)); }).code(),
            ErrorCode::out_of_range);
  EXPECT_EQ(error_of([&] { ckks_.encryptor.encrypt(Slots{std::nan("")}); }).code(),
            ErrorCode::out_of_range);
  const auto& encoder = ckks_.context->encoder();
  EXPECT_EQ(error_of([&] { encoder.encode(Slots{1e30}, 1, Scale::power_of_two(45)); }).code(),
            ErrorCode::out_of_range);
  EXPECT_EQ(error_of([&] { encoder.encode(Slots{1.0}, 6, Scale()); }).code(),
            ErrorCode::out_of_range);
  EXPECT_EQ(error_of([&] { encoder.encode(Slots{1.0}, 1, Scale::power_of_two(2000)); }).code(),
            ErrorCode::out_of_range);
}

TEST_F(CkksTest, bounds_of_ciphertexts_tell_nothing_of_their_values) {
  const Ciphertext zero = ckks_.encryptor.encrypt(Slots{0.0}),
                   one = ckks_.encryptor.encrypt(Slots{1.0});
  EXPECT_EQ(zero.rlwe.bounds.phase.log2(), one.rlwe.bounds.phase.log2());
}

// Eleven squarings at a scale of 30 bits: the bound on the error outgrows the values.
TEST(CkksCircuitTest, long_chains_go_on_where_the_caller_vouches_for_their_values) {
  CkksSetup ckks(ckks::Parameters::for_depth({.depth = 11,
                                              .scale_bits = 30,
                                              .integer_bits = 1,
                                              .security = rlwe::SecurityLevel::none,
                                              .degree = 1024}),
                 fastest());
  const Slots slots{1.0, -0.9, {0, 1}};
  const Ciphertext x = ckks.encryptor.encrypt(slots);
  const auto squared = [&](Ciphertext y, const auto& settle) {
    for (std::size_t d = 0; d < ckks.context->parameters().depth(); ++d)
      y = settle(ckks.evaluator.square(y));
    return y;
  };
  EXPECT_EQ(error_of([&] { squared(x, [](const Ciphertext& y) { return y; }); }).code(),
            ErrorCode::noise_overflow);
  const Ciphertext y =
      squared(x, [](const Ciphertext& z) { return ckks::assume_bound(z, 1 + 0x1p-6); });
  expect_within_bound(ckks, y, {1.0, std::pow(0.9, 2048), 1.0, 0.0});
  // Noise of some 2^14 at every level, doubled by each.
  EXPECT_LT(distance(ckks.decryptor.decrypt(y), {1.0, std::pow(0.9, 2048), 1.0, 0.0}), 0x1p-8);
  EXPECT_LE(ckks::slot_error_bound(y), 2.1);
}

TEST(CkksCircuitTest, random_circuits_of_full_depth_decode_within_their_bounds) {
  constexpr std::int64_t one[] = {1};
  CkksSetup ckks(
      ckks::Parameters::for_depth(
          {.depth = 2, .scale_bits = 42, .integer_bits = 3, .value_bound = 0.5, .degree = 8192}),
      fastest(), one);
  for (int circuit = 0; circuit < 3; ++circuit) run_random_circuit(ckks);
}

}  // namespace
}  // namespace heliodor::exact
