// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heliodor/ring/automorphism.h"
#include "heliodor/ring/sampler.h"
#include "heliodor/rlwe/key_generator.h"
#include "tests/exact/key_equation.h"

namespace heliodor::exact {
namespace {

using ::testing::ElementsAreArray;
using ::testing::StartsWith;

/// 4 limbs of 30 bits, 2 special primes of 40; BV, both primes, one prime at low limb counts.
rlwe::Parameters::Description description(std::uint64_t degree, std::uint64_t error_scale) {
  rlwe::Parameters::Description d;
  d.q = moduli(30, degree, 4);
  d.p = moduli(40, degree, 2);
  d.gadgets = {{2, 2, 4}, {1, 0, 4}, {3, 2, 4}, {1, 1, 3}};
  d.error_scale = error_scale;
  return d;
}

struct Case {
  std::uint64_t degree;
  std::uint64_t error_scale;
};

class KeyEquationTest : public testing::TestWithParam<Case> {
 protected:
  rlwe::ContextPtr context_ = context(description(GetParam().degree, GetParam().error_scale));
  const rlwe::Parameters& parameters_ = context_->parameters();
  rlwe::KeyGenerator generator_{context_, base::TestSeed(7)};
  rlwe::SecretKey s_ = generator_.secret_key();

  Secret moved(std::uint64_t g) const {
    return [this, g](const ring::Modulus& q) { return evaluations(q, s_.coefficients(), g); };
  }
  Secret square() const {
    return [this](const ring::Modulus& q) {
      const Limb s = evaluations(q, s_.coefficients());
      return mul(q, s, s);
    };
  }
};

TEST_P(KeyEquationTest, relinearization_keys_switch_from_the_square) {
  const auto keys = generator_.relinearization_keys(s_).keys;
  ASSERT_EQ(keys.size(), parameters_.gadgets().size());
  for (std::size_t k = 0; k < keys.size(); ++k) {
    EXPECT_EQ(keys[k].gadget, parameters_.gadgets()[k]);
    expect_key_equation(parameters_, keys[k], square(), moved(1));
  }
}

TEST_P(KeyEquationTest, galois_keys_switch_to_the_inverse_automorphism) {
  const std::uint64_t degree = parameters_.degree();
  const std::uint64_t elements[] = {5, 2 * degree - 1, 1, 5};
  const auto keys = generator_.galois_keys(s_, elements).keys;
  EXPECT_EQ(keys.size(), 3U);
  for (const auto& [g, alternatives] : keys) {
    for (const auto& key : alternatives) {
      expect_key_equation(parameters_, key, moved(1),
                          moved(ring::inverse_galois_element(g, degree)));
    }
  }
}

TEST_P(KeyEquationTest, any_source_is_switched_from) {
  rlwe::LimbMatrix source(1, 6, parameters_.degree());
  base::RandomStream random(base::TestSeed(3), "source");
  for (std::size_t i = 0; i < 6; ++i) {
    const auto& q = i < 4 ? parameters_.q()[i] : parameters_.p()[i - 4];
    ring::sample_uniform(q, random, source.limb(0, i));
  }
  const rlwe::Gadget gadget{4, 1, 4};
  const auto key = generator_.evaluation_key(source, s_, gadget);
  const Secret given = [&](const ring::Modulus& q) {
    for (std::size_t i = 0; i < 4; ++i) {
      const auto limb = source.limb(0, i);
      if (parameters_.q()[i] == q) return Limb(limb.begin(), limb.end());
    }
    return Limb();
  };
  expect_key_equation(parameters_, key, given, moved(1));
}

TEST_P(KeyEquationTest, a_public_key_is_an_encryption_of_zero) {
  const auto key = generator_.public_key(s_);
  std::vector<Limb> limbs;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& q = parameters_.q()[i];
    const auto b = key.limbs.limb(0, i);
    limbs.push_back(
        intt(q, add(q, {b.begin(), b.end()}, mul(q, key.limbs.limb(1, i), moved(1)(q)))));
  }
  const Integers error = centred_integers(parameters_.q().moduli(), limbs);
  const mpz_class tau = static_cast<unsigned long>(parameters_.error_scale());
  for (const mpz_class& e : error) ASSERT_EQ(e % tau, 0);
  EXPECT_GT(largest(error), 0);
  EXPECT_LE(largest(error), tau * 26);  // ceil(8 * 3.2)
}

TEST_P(KeyEquationTest, seeds_reproduce_the_uniform_halves) {
  const auto public_key = generator_.public_key(s_);
  ASSERT_TRUE(public_key.seed);
  Limb expected(parameters_.degree());
  for (std::size_t i = 0; i < 4; ++i) {
    ring::reference::uniform(parameters_.q()[i], *public_key.seed, i, expected);
    EXPECT_THAT(public_key.limbs.limb(1, i), ElementsAreArray(expected));
  }
  for (const auto& key : generator_.relinearization_keys(s_).keys) {
    ASSERT_TRUE(key.seed);
    const std::size_t l = key.gadget.max_limb_count;
    for (std::size_t j = 0; j < key.digit_count(); ++j) {
      for (std::size_t i = 0; i < key.limbs.limb_count(); ++i) {
        const auto& q = i < l ? parameters_.q()[i] : parameters_.p()[i - l];
        ring::reference::uniform(q, *key.seed, (std::uint64_t{j} << 32) + i, expected);
        ASSERT_THAT(key.limbs.limb(2 * j + 1, i), ElementsAreArray(expected));
      }
    }
  }
}

TEST_P(KeyEquationTest, no_two_keys_share_a_seed) {
  const auto first = generator_.relinearization_keys(s_).keys;
  const auto second = generator_.relinearization_keys(s_).keys;
  EXPECT_NE(first[0].seed, first[1].seed);
  EXPECT_NE(first[0].seed, second[0].seed);
  EXPECT_NE(first[0].limbs, second[0].limbs);
}

INSTANTIATE_TEST_SUITE_P(degrees, KeyEquationTest,
                         testing::Values(Case{16, 1}, Case{64, 257}, Case{1024, 65537}),
                         [](const auto& given) {
                           return "n" + std::to_string(given.param.degree);
                         });

TEST(KeyGeneratorTest, a_test_seed_gives_the_same_keys_on_every_target) {
  std::vector<rlwe::PublicKey> public_keys;
  std::vector<rlwe::RelinearizationKeys> relinearization_keys;
  for (const char* target : {"reference", "cpu:portable", "cpu"}) {
    rlwe::KeyGenerator generator(context(description(64, 257), target), base::TestSeed(1));
    const auto s = generator.secret_key();
    public_keys.push_back(generator.public_key(s));
    relinearization_keys.push_back(generator.relinearization_keys(s));
  }
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_EQ(public_keys[k].limbs, public_keys[0].limbs);
    for (std::size_t g = 0; g < 4; ++g) {
      EXPECT_EQ(relinearization_keys[k].keys[g].limbs, relinearization_keys[0].keys[g].limbs);
    }
  }
}

TEST(KeyGeneratorTest, other_seeds_give_other_secrets) {
  const auto shared = context(description(64, 257));
  const auto of = [&](std::uint64_t seed) {
    const auto s = rlwe::KeyGenerator(shared, base::TestSeed(seed)).secret_key();
    return std::vector<std::int8_t>(s.coefficients().begin(), s.coefficients().end());
  };
  EXPECT_EQ(of(1), of(1));
  EXPECT_NE(of(1), of(2));
  rlwe::KeyGenerator one(shared, base::Seed::random());
  rlwe::KeyGenerator other(shared, base::Seed::random());
  EXPECT_NE(one.public_key(one.secret_key()).limbs, other.public_key(other.secret_key()).limbs);
}

TEST(KeyGeneratorTest, a_secret_has_the_weight_that_was_asked_for) {
  auto d = description(64, 1);
  for (const std::size_t weight : {1U, 20U, 64U}) {
    d.secret_weight = weight;
    const auto s = rlwe::KeyGenerator(context(d), base::TestSeed(5)).secret_key();
    EXPECT_EQ(std::ranges::count_if(s.coefficients(), [](int c) { return c != 0; }), weight);
  }
}

TEST(KeyGeneratorTest, what_does_not_fit_the_parameters_is_an_error) {
  const auto small = context(description(64, 1));
  rlwe::KeyGenerator generator(small, base::TestSeed(1));
  const auto s = generator.secret_key();
  for (const std::uint64_t g : {0U, 2U, 128U, 129U}) {
    EXPECT_THAT(error_of([&] { generator.galois_keys(s, std::span(&g, 1)); }),
                StartsWith("out_of_range"));
  }
  const rlwe::LimbMatrix source(1, 6, 64);
  for (const rlwe::Gadget gadget : {rlwe::Gadget{2, 0, 4}, {1, 3, 4}, {1, 1, 5}, {0, 1, 4}}) {
    EXPECT_THAT(error_of([&] { generator.evaluation_key(source, s, gadget); }),
                StartsWith("out_of_range"));
  }
  const rlwe::Gadget gadget{1, 1, 4};
  for (const auto& wrong :
       {rlwe::LimbMatrix(1, 4, 64), rlwe::LimbMatrix(2, 6, 64), rlwe::LimbMatrix(1, 6, 32)}) {
    EXPECT_THAT(error_of([&] { generator.evaluation_key(wrong, s, gadget); }),
                StartsWith("mismatch"));
  }
  auto shorter = description(64, 1);
  shorter.p.pop_back();
  shorter.gadgets.clear();
  for (const auto& other : {context(description(32, 1)), context(shorter)}) {
    const auto foreign = rlwe::KeyGenerator(other, base::TestSeed(1)).secret_key();
    EXPECT_THAT(error_of([&] { generator.public_key(foreign); }), StartsWith("mismatch"));
    EXPECT_THAT(error_of([&] { generator.relinearization_keys(foreign); }), StartsWith("mismatch"));
  }
}

}  // namespace
}  // namespace heliodor::exact
