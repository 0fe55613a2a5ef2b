// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/encryption.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "heliodor/ring/sampler.h"
#include "heliodor/rlwe/key_generator.h"
#include "tests/exact/oracle.h"

namespace heliodor::exact {
namespace {

using ::testing::StartsWith;

rlwe::Parameters::Description description(std::uint64_t degree, unsigned bits, std::size_t limbs,
                                          std::uint64_t error_scale) {
  rlwe::Parameters::Description d;
  d.q = moduli(bits, degree, limbs);
  d.error_scale = error_scale;
  return d;
}

std::vector<Limb> rows(const rlwe::LimbMatrix& x, std::size_t part = 0) {
  std::vector<Limb> result;
  for (std::size_t i = 0; i < x.limb_count(); ++i) {
    const auto limb = x.limb(part, i);
    result.emplace_back(limb.begin(), limb.end());
  }
  return result;
}

/// Coefficients in [-bound, bound], every one of the ends used.
Integers random_integers(std::uint64_t degree, const mpz_class& bound, std::uint64_t seed) {
  gmp_randclass random(gmp_randinit_mt);
  random.seed(static_cast<unsigned long>(seed));
  Integers values(degree);
  for (mpz_class& v : values) v = random.get_z_range(2 * bound + 1) - bound;
  values.front() = bound;
  values.back() = -bound;
  return values;
}

rlwe::LimbMatrix matrix(std::span<const ring::Modulus> moduli, const Integers& values,
                        ring::Domain domain) {
  rlwe::LimbMatrix result(1, moduli.size(), values.size());
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    const Limb coefficients = residues(moduli[i], values);
    std::ranges::copy(domain == ring::Domain::eval ? ntt(moduli[i], coefficients) : coefficients,
                      result.limb(0, i).begin());
  }
  return result;
}

struct Case {
  std::uint64_t degree;
  unsigned bits;
  std::size_t limbs;
  std::uint64_t error_scale;
};

class EncryptionTest : public testing::TestWithParam<Case> {
 protected:
  rlwe::ContextPtr context_ = context(
      description(GetParam().degree, GetParam().bits, GetParam().limbs, GetParam().error_scale));
  const rlwe::Parameters& parameters_ = context_->parameters();
  rlwe::KeyGenerator generator_{context_, base::TestSeed(11)};
  rlwe::SecretKey s_ = generator_.secret_key();
  rlwe::Decryptor decryptor_{context_, s_};

  /// The phase is the message plus a multiple of tau, as small as the bounds and the measurement
  /// say.
  void expect_right(rlwe::Encryptor& encryptor, std::size_t limb_count, std::uint64_t seed) {
    const auto q = parameters_.q().moduli().first(limb_count);
    const Integers message = random_integers(parameters_.degree(), 1000, seed);
    const auto bound = rlwe::NoiseBound::of(1000.0 * static_cast<double>(parameters_.degree()));
    const auto ciphertext = encryptor.encrypt(matrix(q, message, ring::Domain::eval), bound);
    ASSERT_EQ(ciphertext.parts(), 2U);
    ASSERT_EQ(ciphertext.limb_count(), limb_count);
    const Integers phase = centred_integers(q, rows(decryptor_.phase(ciphertext)));
    Integers error(phase.size());
    for (std::size_t k = 0; k < phase.size(); ++k) {
      error[k] = phase[k] - message[k];
      ASSERT_EQ(error[k] % static_cast<unsigned long>(parameters_.error_scale()), 0);
    }
    const double log2_error = std::log2(largest(error).get_d());
    EXPECT_GT(log2_error, 0);
    EXPECT_LE(log2_error, ciphertext.bounds.error.log2());
    EXPECT_LE(std::log2(largest(phase).get_d()), ciphertext.bounds.phase.log2());
    EXPECT_TRUE(ciphertext.bounds.phase == bound + ciphertext.bounds.error);
    EXPECT_NEAR(rlwe::measured_noise_log2_for_debugging(decryptor_, parameters_, ciphertext,
                                                        matrix(q, message, ring::Domain::coeff)),
                log2_error, 1e-9);
  }
};

TEST_P(EncryptionTest, a_public_key_encrypts_what_the_secret_key_decrypts) {
  rlwe::Encryptor encryptor(context_, generator_.public_key(s_), base::TestSeed(12));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    expect_right(encryptor, GetParam().limbs - seed % (GetParam().limbs - 1), seed);
  }
}

TEST_P(EncryptionTest, a_secret_key_encrypts_with_less_error) {
  rlwe::Encryptor secret(context_, s_, base::TestSeed(12));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    expect_right(secret, GetParam().limbs - seed % (GetParam().limbs - 1), seed);
  }
  rlwe::Encryptor with_public(context_, generator_.public_key(s_), base::TestSeed(12));
  EXPECT_TRUE(secret.encrypt_zero(GetParam().limbs).bounds.error <
              with_public.encrypt_zero(GetParam().limbs).bounds.error);
}

// The largest errors that the bounds allow for are rare: here they are computed.
TEST_P(EncryptionTest, the_error_bound_is_the_sum_of_its_terms) {
  const double n = static_cast<double>(GetParam().degree);
  const double tau = static_cast<double>(GetParam().error_scale);
  const double tail = std::sqrt(n * std::log(2) * (144 + std::log2(n))) / std::cos(M_PI / 32);
  const double e = ring::GaussianSampler(3.2).sub_gaussian_parameter() * tail;
  const double ternary = std::min(std::sqrt(2.0 / 3) * tail, 1 / std::sin(M_PI / (2 * n)));
  rlwe::Encryptor secret(context_, s_, base::TestSeed(12));
  EXPECT_NEAR(secret.encrypt_zero(GetParam().limbs).bounds.error.log2(), std::log2(tau * e), 1e-6);
  rlwe::Encryptor with_public(context_, generator_.public_key(s_), base::TestSeed(12));
  EXPECT_NEAR(with_public.encrypt_zero(GetParam().limbs).bounds.error.log2(),
              std::log2(tau * (e * ternary + e + ternary * e)), 1e-6);
}

TEST_P(EncryptionTest, mixed_radix_digits_are_those_of_the_integer) {
  for (std::size_t l = 1; l <= GetParam().limbs; ++l) {
    const auto q = parameters_.q().moduli().first(l);
    const mpz_class half = (product(q) - 1) / 2;
    const Integers values = random_integers(parameters_.degree(), half, l);
    const auto digits = rlwe::mixed_radix(*context_, matrix(q, values, ring::Domain::coeff));
    for (std::size_t k = 0; k < values.size(); ++k) {
      mpz_class sum = 0;
      mpz_class weight = 1;
      for (std::size_t i = 0; i < l; ++i) {
        const std::uint64_t d = digits.limb(0, i)[k];
        const mpz_class modulus = static_cast<unsigned long>(q[i].value());
        mpz_class digit = static_cast<unsigned long>(d);
        if (2 * digit > modulus) digit -= modulus;
        sum += digit * weight;
        weight *= modulus;
      }
      ASSERT_EQ(sum, values[k]) << "limbs " << l << ", coefficient " << k;
    }
  }
}

TEST_P(EncryptionTest, the_phase_has_any_number_of_parts) {
  base::RandomStream random(base::TestSeed(4), "parts");
  for (std::size_t parts = 1; parts <= 4; ++parts) {
    rlwe::Ciphertext ciphertext{{parts, GetParam().limbs, GetParam().degree}, {}};
    std::vector<Limb> expected;
    for (std::size_t i = 0; i < GetParam().limbs; ++i) {
      const auto& q = parameters_.q()[i];
      const Limb s = evaluations(q, s_.coefficients());
      Limb power(s.size(), 1);
      Limb sum(s.size(), 0);
      for (std::size_t part = 0; part < parts; ++part) {
        ring::sample_uniform(q, random, ciphertext.limbs.limb(part, i));
        sum = add(q, sum, mul(q, ciphertext.limbs.limb(part, i), power));
        power = mul(q, power, s);
      }
      expected.push_back(intt(q, sum));
    }
    EXPECT_EQ(rows(decryptor_.phase(ciphertext)), expected);
    const auto digits = decryptor_.mixed_radix_phase(ciphertext);
    EXPECT_EQ(digits, rlwe::mixed_radix(*context_, decryptor_.phase(ciphertext)));
  }
}

// All three small polynomials count: without e1 a ciphertext would decrypt as well, and hide
// nothing.
TEST_P(EncryptionTest, a_ciphertext_is_its_equation_in_the_drawn_randomness) {
  const std::uint64_t degree = GetParam().degree;
  const auto key = generator_.public_key(s_);
  rlwe::Encryptor encryptor(context_, key, base::TestSeed(12));
  const Integers message = random_integers(degree, 1000, 1);
  const auto q = parameters_.q().moduli();
  const auto ciphertext = encryptor.encrypt(matrix(q, message, ring::Domain::eval), {});

  base::RandomStream errors(base::TestSeed(12), "encryption error");
  base::RandomStream ternary(base::TestSeed(12), "encryption ternary");
  std::vector<std::int8_t> e0(degree), e1(degree), u(degree);
  const ring::GaussianSampler gaussian(parameters_.sigma());
  gaussian.sample(errors, e0);
  gaussian.sample(errors, e1);
  ring::sample_ternary(ternary, u);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const Limb tau(degree, parameters_.error_scale() % q[i].value());
    const Limb small = evaluations(q[i], u);
    Limb c0 =
        add(q[i], mul(q[i], key.limbs.limb(0, i), small), mul(q[i], evaluations(q[i], e0), tau));
    c0 = add(q[i], c0, ntt(q[i], residues(q[i], message)));
    const Limb c1 =
        add(q[i], mul(q[i], key.limbs.limb(1, i), small), mul(q[i], evaluations(q[i], e1), tau));
    EXPECT_EQ(rows(ciphertext.limbs, 0)[i], c0);
    EXPECT_EQ(rows(ciphertext.limbs, 1)[i], c1);
  }
}

TEST_P(EncryptionTest, two_encryptions_differ_in_both_parts) {
  rlwe::Encryptor with_public(context_, generator_.public_key(s_), base::TestSeed(12));
  rlwe::Encryptor secret(context_, s_, base::TestSeed(12));
  for (rlwe::Encryptor* encryptor : {&with_public, &secret}) {
    const auto one = encryptor->encrypt_zero(GetParam().limbs);
    const auto other = encryptor->encrypt_zero(GetParam().limbs);
    EXPECT_NE(rows(one.limbs, 0), rows(other.limbs, 0));
    EXPECT_NE(rows(one.limbs, 1), rows(other.limbs, 1));
  }
}

INSTANTIATE_TEST_SUITE_P(parameters, EncryptionTest,
                         testing::Values(Case{16, 47, 3, 1}, Case{64, 30, 6, 257},
                                         Case{256, 60, 4, 65537}, Case{1024, 40, 5, 12289}),
                         [](const auto& given) {
                           return "n" + std::to_string(given.param.degree);
                         });

TEST(EncryptorTest, a_test_seed_gives_the_same_ciphertexts_on_every_target) {
  std::vector<rlwe::LimbMatrix> results;
  for (const char* target : {"reference", "cpu:portable", "cpu"}) {
    const auto shared = context(description(64, 40, 3, 257), target);
    rlwe::KeyGenerator generator(shared, base::TestSeed(1));
    const auto s = generator.secret_key();
    rlwe::Encryptor with_public(shared, generator.public_key(s), base::TestSeed(2));
    rlwe::Encryptor secret(shared, s, base::TestSeed(2));
    results.push_back(with_public.encrypt_zero(3).limbs);
    results.push_back(secret.encrypt_zero(2).limbs);
  }
  for (std::size_t k = 2; k < results.size(); ++k) EXPECT_EQ(results[k], results[k % 2]);
}

TEST(EncryptorTest, keys_and_ciphertexts_of_one_seed_share_no_randomness) {
  const auto shared = context(description(64, 40, 3, 1));
  rlwe::KeyGenerator generator(shared, base::TestSeed(1));
  const auto s = generator.secret_key();
  const auto key = generator.public_key(s);
  rlwe::Encryptor secret(shared, s, base::TestSeed(1));
  EXPECT_NE(rows(secret.encrypt_zero(3).limbs, 1), rows(key.limbs, 1));
}

TEST(EncryptorTest, a_message_that_reaches_half_of_q_is_refused) {
  const auto shared = context(description(64, 40, 3, 257));
  rlwe::KeyGenerator generator(shared, base::TestSeed(1));
  const auto s = generator.secret_key();
  rlwe::Encryptor encryptor(shared, s, base::TestSeed(1));
  const rlwe::LimbMatrix message(1, 2, 64);
  const double half = shared->parameters().phase_limit(2).log2();
  EXPECT_EQ(error_of([&] { encryptor.encrypt(message, rlwe::NoiseBound::of_log2(half - 0.01)); }),
            "no error");
  EXPECT_THAT(error_of([&] { encryptor.encrypt(message, rlwe::NoiseBound::of_log2(half)); }),
              StartsWith("noise_overflow"));
  try {
    encryptor.encrypt(message, rlwe::NoiseBound::of_log2(100));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::noise_overflow);
  }
}

TEST(EncryptorTest, shapes_that_do_not_fit_are_errors) {
  const auto shared = context(description(64, 40, 3, 257));
  rlwe::KeyGenerator generator(shared, base::TestSeed(1));
  const auto s = generator.secret_key();
  const auto key = generator.public_key(s);
  rlwe::Encryptor encryptor(shared, key, base::TestSeed(1));
  const rlwe::Decryptor decryptor(shared, s);
  EXPECT_THAT(error_of([&] { encryptor.encrypt_zero(4); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_of([&] { encryptor.encrypt_zero(0); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_of([&] { encryptor.encrypt({2, 3, 64}, {}); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { encryptor.encrypt({1, 3, 32}, {}); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { decryptor.phase({{2, 4, 64}, {}}); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_of([&] { decryptor.phase({}); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_of([&] { decryptor.phase({{2, 3, 32}, {}}); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { rlwe::mixed_radix(*shared, {2, 3, 64}); }), StartsWith("mismatch"));

  const auto other = context(description(64, 40, 2, 257));
  EXPECT_THAT(error_of([&] { rlwe::Encryptor(other, key, base::TestSeed(1)); }),
              StartsWith("out_of_range"));
  const auto longer = context(description(64, 40, 4, 257));
  EXPECT_THAT(error_of([&] { rlwe::Encryptor(longer, key, base::TestSeed(1)); }),
              StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { rlwe::Encryptor(other, s, base::TestSeed(1)); }),
              StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { rlwe::Decryptor(other, s); }), StartsWith("mismatch"));
}

}  // namespace
}  // namespace heliodor::exact
