// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/schemes/bgv/noise.h"
#include "heliodor/schemes/slots/inner_sum.h"
#include "heliodor/targets/registry/registry.h"
#include "tests/exact/bgv_setup.h"
#include "tests/exact/openfhe_keys.h"
#include "tests/vectors/openfhe_case.h"

namespace heliodor::exact {
namespace {

using bgv::Ciphertext;
using rlwe::Matching;

constexpr std::uint64_t kT = 65537;
constexpr std::int64_t kModulus = kT;

bgv::Parameters toy(std::size_t depth) {
  return bgv::Parameters::for_depth(
      {.t = kT, .depth = depth, .summands = 2, .security = rlwe::SecurityLevel::none});
}

// Moduli that are not 1 modulo t, so that plaintext factors change.
BgvSetup setup_with_factors() {
  rlwe::Parameters::Description description = rlwe::choose_moduli(
      {.degree = 1024, .q_bits = {45, 45, 45, 45, 45}, .digit_count = 2, .error_scale = kT});
  description.security = rlwe::SecurityLevel::none;
  return {bgv::Parameters(std::move(description), kT), registry::make_target("cpu"), {}};
}

std::vector<std::uint64_t> all_elements(std::uint64_t degree) {
  std::vector<std::uint64_t> elements = slots::inner_sum_elements(degree, degree);
  elements.push_back(ring::galois_element_of_rotation(-3, degree));
  return elements;
}

BgvSetup setup(std::size_t depth, Matching matching = Matching::automatic) {
  bgv::Parameters parameters = toy(depth);
  const auto elements = all_elements(parameters.degree());
  return {std::move(parameters), registry::make_target("cpu"), elements, matching};
}

ErrorCode code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::io;
}

TEST(BgvTest, sums_differences_and_products_of_slots) {
  BgvSetup bgv = setup(1);
  const Slots a = bgv.random_slots(), b = bgv.random_slots();
  const Ciphertext x = bgv.encrypt(a), y = bgv.encrypt(b);
  EXPECT_EQ(bgv.decrypt(x), a);
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.add(x, y)), bgv.sum(a, b));
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.sub(x, y)), bgv.difference(a, b));
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.negate(x)), bgv.difference(Slots(a.size()), a));
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.multiply(x, y)), bgv.product(a, b));
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.square(x)), bgv.product(a, a));
  const Ciphertext three = bgv.evaluator.multiply_without_relinearization(x, y);
  EXPECT_EQ(three.parts(), 3U);
  EXPECT_EQ(bgv.decrypt(three), bgv.product(a, b));
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.relinearize(three)), bgv.product(a, b));
}

TEST(BgvTest, plaintext_and_scalar_operands) {
  BgvSetup bgv = setup_with_factors();
  const Slots a = bgv.random_slots(), b = bgv.random_slots();
  const auto plain = bgv.encoder.encode(b);
  for (const bool switched : {false, true}) {  // with a plaintext factor of 1 and another
    Ciphertext x = bgv.encrypt(a);
    if (switched) x = bgv.evaluator.mod_switch(x);
    EXPECT_EQ(x.plaintext_factor == 1, !switched);
    EXPECT_EQ(bgv.decrypt(bgv.evaluator.add_plain(x, plain)), bgv.sum(a, b));
    EXPECT_EQ(bgv.decrypt(bgv.evaluator.sub_plain(x, plain)), bgv.difference(a, b));
    EXPECT_EQ(bgv.decrypt(bgv.evaluator.multiply_plain(x, plain)), bgv.product(a, b));
    for (const std::int64_t c : {0L, 1L, -1L, 5L, -70000L, 65536L}) {
      const std::int64_t residue = (c % kModulus + kModulus) % kModulus;
      EXPECT_EQ(bgv.decrypt(bgv.evaluator.multiply_scalar(x, c)),
                bgv.product(a, Slots(a.size(), residue)))
          << c;
    }
  }
}

TEST(BgvTest, rotations_move_both_rows_and_hoisted_ones_are_the_same_ciphertexts) {
  BgvSetup bgv = setup(1);
  const Slots a = bgv.random_slots();
  const Ciphertext x = bgv.encrypt(a);
  const std::int64_t steps[] = {1, 4, -3};
  const std::vector<Ciphertext> hoisted = bgv.evaluator.rotate_rows(x, steps);
  for (std::size_t i = 0; i < std::size(steps); ++i) {
    EXPECT_EQ(bgv.decrypt(hoisted[i]), BgvSetup::rotated(a, steps[i]));
    EXPECT_EQ(bgv.evaluator.rotate_rows(x, steps[i]).rlwe.limbs, hoisted[i].rlwe.limbs);
  }
  Slots swapped(a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2), a.end());
  swapped.insert(swapped.end(), a.begin(), a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2));
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.rotate_columns(x)), swapped);
}

TEST(BgvTest, inner_sum_puts_the_sum_of_all_slots_everywhere) {
  BgvSetup bgv = setup(1);
  const Slots a = bgv.random_slots();
  std::int64_t sum = 0;
  for (const std::int64_t x : a) sum = (sum + x) % kModulus;
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.inner_sum(bgv.encrypt(a), a.size())), Slots(a.size(), sum));
}

TEST(BgvTest, automatic_matching_brings_levels_and_factors_together) {
  BgvSetup bgv = setup(3);
  const Slots a = bgv.random_slots(), b = bgv.random_slots(), c = bgv.random_slots();
  const Ciphertext x = bgv.evaluator.square(bgv.evaluator.multiply(bgv.encrypt(a), bgv.encrypt(b)));
  const Ciphertext y = bgv.encrypt(c);
  ASSERT_LT(x.limb_count(), y.limb_count());
  const Slots ab = bgv.product(a, b), square = bgv.product(ab, ab);
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.add(x, y)), bgv.sum(square, c));
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.sub(y, x)), bgv.difference(c, square));
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.multiply(y, x)), bgv.product(square, c));
}

TEST(BgvTest, sums_bring_plaintext_factors_together) {
  BgvSetup bgv = setup_with_factors();
  const Slots b = bgv.random_slots();
  const Ciphertext y = bgv.evaluator.mod_switch(bgv.encrypt(b));
  const Ciphertext z = bgv.evaluator.multiply(y, y);
  const Ciphertext w = bgv.evaluator.mod_switch_to(y, z.limb_count());
  ASSERT_NE(z.plaintext_factor, w.plaintext_factor);
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.add(z, w)), bgv.sum(bgv.product(b, b), b));
  EXPECT_EQ(bgv.decrypt(bgv.evaluator.sub(w, z)), bgv.difference(b, bgv.product(b, b)));
}

TEST(BgvTest, balancing_multipliers_are_small_and_equate_factors) {
  std::mt19937_64 random(3);
  for (const std::uint64_t t : {65537U, 12289U, 257U, 3U}) {
    const slots::PlaintextModulus modulus(t);
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t f1 = 1 + random() % (t - 1), f2 = 1 + random() % (t - 1);
      const auto [e1, e2] = bgv::balancing_multipliers(modulus, f1, f2);
      const auto left = static_cast<std::int64_t>(f1) * e1,
                 right = static_cast<std::int64_t>(f2) * e2;
      ASSERT_EQ((left - right) % static_cast<std::int64_t>(t), 0) << f1 << " " << f2 << " " << t;
      ASSERT_NE(e1, 0);
      ASSERT_LE(e1 * e1, static_cast<std::int64_t>(t));
      ASSERT_LE(e2 * e2, static_cast<std::int64_t>(t));
    }
  }
  // A composite t, where the small pair may share a factor with it.
  const slots::PlaintextModulus modulus(1000);
  for (std::uint64_t f1 = 1; f1 < 1000; ++f1) {
    if (f1 % 2 == 0 || f1 % 5 == 0) continue;
    const auto [e1, e2] = bgv::balancing_multipliers(modulus, f1, 7);
    ASSERT_EQ((static_cast<std::int64_t>(f1) * e1 - 7 * e2) % 1000, 0);
    ASSERT_EQ(std::gcd(e1, std::int64_t{1000}), 1);
    ASSERT_EQ(std::gcd(e2, std::int64_t{1000}), 1);
  }
}

TEST(BgvTest, exact_matching_refuses_different_limb_counts_and_drops_nothing) {
  BgvSetup bgv = setup(3, Matching::exact);
  const Slots a = bgv.random_slots();
  const Ciphertext x = bgv.encrypt(a);
  EXPECT_EQ(bgv.evaluator.multiply(x, x).limb_count(), x.limb_count());
  const Ciphertext y = bgv.evaluator.mod_switch(x);
  EXPECT_EQ(code_of([&] { bgv.evaluator.add(x, y); }), ErrorCode::mismatch);
  EXPECT_EQ(code_of([&] { bgv.evaluator.multiply(x, y); }), ErrorCode::mismatch);
}

TEST(BgvTest, batch_returns_the_ciphertexts_of_single_products) {
  BgvSetup bgv = setup(2);
  std::vector<Ciphertext> x, y;
  for (int i = 0; i < 5; ++i) {
    x.push_back(bgv.encrypt(bgv.random_slots()));
    y.push_back(bgv.encrypt(bgv.random_slots()));
  }
  const std::vector<Ciphertext> batch = bgv.evaluator.multiply(x, y);
  ASSERT_EQ(batch.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    const Ciphertext single = bgv.evaluator.multiply(x[i], y[i]);
    EXPECT_EQ(batch[i].rlwe.limbs, single.rlwe.limbs);
    EXPECT_EQ(batch[i].plaintext_factor, single.plaintext_factor);
  }
}

TEST(BgvTest, operations_throw_before_a_result_could_fail_to_decrypt) {
  BgvSetup bgv = setup(1);
  Ciphertext x = bgv.encrypt(bgv.random_slots());
  Slots expected = bgv.decrypt(x);
  EXPECT_EQ(code_of([&] {
              for (int i = 0; i < 100; ++i) {
                x = bgv.evaluator.square(x);
                expected = bgv.product(expected, expected);
                ASSERT_EQ(bgv.decrypt(x), expected) << "square " << i;
              }
            }),
            ErrorCode::noise_overflow);
}

TEST(BgvTest, random_circuits_decrypt_to_full_depth) {
  for (const std::size_t depth : {1U, 2U, 4U}) {
    BgvSetup bgv = setup(depth);
    for (int i = 0; i < 5; ++i) run_random_circuit(bgv, depth);
  }
}

TEST(BgvTest, random_circuits_decrypt_to_full_depth_of_secure_parameters) {
  bgv::Parameters parameters =
      bgv::Parameters::for_depth({.t = kT, .depth = 2, .summands = 2, .min_degree = 8192});
  EXPECT_GE(parameters.rlwe().security(), rlwe::SecurityLevel::bits128);
  const auto elements = all_elements(parameters.degree());
  BgvSetup bgv(std::move(parameters), registry::make_target("cpu"), elements);
  for (int i = 0; i < 3; ++i) run_random_circuit(bgv, 2);
}

TEST(BgvTest, ciphertexts_of_openfhe_decrypt_to_its_plaintexts) {
  const auto given = vectors::OpenfheCase::kept("bgv_bv_n1024_l4");
  const bgv::Parameters parameters(parameters_of(given).description(), given.plaintext_modulus());
  const auto context = std::make_shared<bgv::Context>(parameters, registry::make_target("cpu"));
  const auto coefficients = given.small("sk_coeff");
  const rlwe::SecretKey secret(parameters.rlwe(), coefficients.values);
  const bgv::Decryptor decryptor(context, secret);
  const auto plain = given.words("plain_ab");
  for (std::size_t pair = 0; pair < plain.shape[0]; ++pair) {
    const auto message = decryptor.decrypt({ciphertext(given, {"relin_c0", "relin_c1"}, pair), 1});
    EXPECT_THAT(slots::to_residues(message), testing::ElementsAreArray(plain.row({pair})));
  }
}

TEST(BgvTest, plaintext_factors_follow_openfhe_through_modulus_switches) {
  const auto given = vectors::OpenfheCase::kept("extra_bgv_modswitch_n1024");
  const bgv::Parameters parameters({.q = given.q(),
                                    .p = {},
                                    .gadgets = {{1, 0, given.q().size()}},
                                    .secret_weight = {},
                                    .security = rlwe::SecurityLevel::none},
                                   given.plaintext_modulus());
  const auto context = std::make_shared<bgv::Context>(parameters, registry::make_target("cpu"));
  const auto coefficients = given.small("sk_coeff");
  const rlwe::SecretKey secret(parameters.rlwe(), coefficients.values);
  const bgv::Decryptor decryptor(context, secret);
  const auto plain = given.words("plain");
  const std::uint64_t factors[] = {10465, 1, 9550};
  for (std::size_t i = 0; i < 3; ++i) {
    const Ciphertext x{ciphertext(given, fmt::format("ct_{}", i)), factors[i]};
    EXPECT_THAT(slots::to_residues(decryptor.decrypt(x)), testing::ElementsAreArray(plain.values));
  }

  const bgv::Evaluator evaluator(context);
  Ciphertext x{ciphertext(given, "ct_0"), factors[0]};
  x = evaluator.mod_switch(x);
  EXPECT_EQ(x.plaintext_factor, factors[1]);
  // The last limb of OpenFHE's case is too short for the worst case of a rounding error.
  EXPECT_EQ(code_of([&] { evaluator.mod_switch(x); }), ErrorCode::noise_overflow);
}

TEST(BgvParametersTest, without_multiplications_fresh_ciphertexts_still_fit) {
  // t * |e*u + e0 + s*e1| is up to 2^40 * 2 * 1063 * 271 for N = 1024: that needs a second limb.
  const auto parameters = bgv::Parameters::for_depth(
      {.t = std::uint64_t{1} << 40, .depth = 0, .security = rlwe::SecurityLevel::none});
  EXPECT_GT(parameters.rlwe().log_q(), 40 + 19.1 + 1);
  EXPECT_EQ(bgv::supported_depth(parameters, 1, 0), 0U);
}

TEST(BgvParametersTest, more_limbs_of_fewer_bits_are_taken_where_the_fewest_are_not_secure) {
  bgv::Requirements requirements{.t = 2, .depth = 8, .min_degree = 16384};
  const auto secure = bgv::Parameters::for_depth(requirements);
  EXPECT_EQ(secure.degree(), 16384U);
  EXPECT_GE(secure.rlwe().security(), rlwe::SecurityLevel::bits128);
  EXPECT_EQ(bgv::supported_depth(secure, 1, 8), 8U);
  requirements.security = rlwe::SecurityLevel::none;
  const auto fewest = bgv::Parameters::for_depth(requirements);
  EXPECT_LT(fewest.rlwe().q().size(), secure.rlwe().q().size());
  EXPECT_EQ(fewest.rlwe().security(), rlwe::SecurityLevel::none);
}

TEST(BgvParametersTest, deeper_circuits_take_more_limbs_and_impossible_ones_are_refused) {
  const auto limbs = [](std::size_t depth) { return toy(depth).rlwe().q().size(); };
  EXPECT_LT(limbs(1), limbs(3));
  EXPECT_LT(limbs(3), limbs(6));
  EXPECT_EQ(code_of([] { bgv::Parameters::for_depth({.t = kT, .depth = 500}); }),
            ErrorCode::out_of_range);
  EXPECT_EQ(code_of([] { bgv::Parameters::for_depth({.t = 1, .depth = 1}); }),
            ErrorCode::out_of_range);
}

}  // namespace
}  // namespace heliodor::exact
