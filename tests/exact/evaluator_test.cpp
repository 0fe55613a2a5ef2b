// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Operations on ciphertexts against the same operations on their phases, big-integer polynomials.
#include "heliodor/rlwe/evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>

#include "heliodor/rlwe/encryption.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/rlwe/noise_growth.h"
#include "tests/exact/oracle.h"

namespace heliodor::exact {
namespace {

using rlwe::Ciphertext;
using rlwe::DigitLift;
using rlwe::Gadget;
using rlwe::KeySwitchMethod;
using rlwe::NoiseBound;
using ::testing::StartsWith;

constexpr std::uint64_t kDegree = 32;
constexpr std::size_t kLimbs = 6;
constexpr std::array<std::uint64_t, 3> kElements = {5, 2 * kDegree - 1, 25};

struct Method {
  KeySwitchMethod method;
  Gadget gadget;
};
constexpr Method kMethods[] = {{KeySwitchMethod::bv, {1, 0, kLimbs}},
                               {KeySwitchMethod::hybrid, {1, 1, kLimbs}},
                               {KeySwitchMethod::hybrid, {4, 3, kLimbs}},
                               {KeySwitchMethod::klss, {1, 1, kLimbs}},
                               {KeySwitchMethod::klss, {4, 3, kLimbs}}};

rlwe::Parameters::Description description(std::vector<Gadget> gadgets, std::uint64_t error_scale,
                                          DigitLift lift) {
  rlwe::Parameters::Description d;
  const std::vector<ring::Modulus> all = moduli(45, kDegree, kLimbs + 3);
  d.p.assign(all.begin(), all.begin() + 3);
  d.q.assign(all.begin() + 3, all.end());
  d.gadgets = std::move(gadgets);
  d.error_scale = error_scale;
  d.lift = lift;
  return d;
}

Integers product(const Integers& a, const Integers& b) {
  Integers c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t k = (i + j) % a.size();
      c[k] += i + j < a.size() ? mpz_class(a[i] * b[j]) : mpz_class(-a[i] * b[j]);
    }
  }
  return c;
}

Integers combine(const Integers& a, const mpz_class& factor, const Integers& b) {
  Integers c;
  for (std::size_t i = 0; i < a.size(); ++i) c.push_back(a[i] + factor * b[i]);
  return c;
}

// a(X^g)
Integers permuted(const Integers& a, std::uint64_t g) {
  Integers c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t k = i * g % (2 * a.size());
    c[k % a.size()] = k < a.size() ? a[i] : mpz_class(-a[i]);
  }
  return c;
}

double log2_of(const mpz_class& value) {
  signed long exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, value.get_mpz_t());
  return value == 0 ? -INFINITY : std::log2(mantissa) + static_cast<double>(exponent);
}

void expect_at_most(const Integers& values, NoiseBound bound) {
  EXPECT_LE(log2_of(largest(values)), bound.log2());
}

void expect_multiples(const Integers& values, std::uint64_t tau) {
  for (const mpz_class& v : values) EXPECT_EQ(mpz_fdiv_ui(v.get_mpz_t(), tau), 0U);
}

class World {
 public:
  World(std::vector<Gadget> gadgets, std::uint64_t error_scale, DigitLift lift)
      : context_(context(description(std::move(gadgets), error_scale, lift))) {}
  World(const Method& method, std::uint64_t error_scale, DigitLift lift)
      : World(std::vector{method.gadget}, error_scale, lift) {
    evaluator.planner().force(method.method);
  }

  const rlwe::Parameters& parameters() const { return context_->parameters(); }
  std::uint64_t tau() const { return parameters().error_scale(); }

  Ciphertext encrypt(const Integers& message, std::size_t limb_count = kLimbs) {
    const double bound = largest(message).get_d() * kDegree;
    return encryptor.encrypt(plain(message, limb_count), NoiseBound::of(bound));
  }

  rlwe::LimbMatrix plain(const Integers& message, std::size_t limb_count = kLimbs) const {
    rlwe::LimbMatrix result(1, limb_count, kDegree);
    for (std::size_t i = 0; i < limb_count; ++i) {
      const ring::Modulus& q = parameters().q()[i];
      std::ranges::copy(ntt(q, residues(q, message)), result.limb(0, i).begin());
    }
    return result;
  }

  Integers phase(const Ciphertext& c) const {
    const rlwe::LimbMatrix limbs = decryptor.phase(c);
    std::vector<Limb> rows;
    for (std::size_t i = 0; i < limbs.limb_count(); ++i) {
      const auto limb = limbs.limb(0, i);
      rows.emplace_back(limb.begin(), limb.end());
    }
    const auto q = parameters().q().moduli().first(c.limb_count());
    const Integers result = centred_integers(q, rows);
    expect_at_most(result, c.bounds.phase);
    return result;
  }

  rlwe::ContextPtr context_;
  rlwe::KeyGenerator generator{context_, base::TestSeed(3)};
  rlwe::SecretKey s = generator.secret_key();
  rlwe::Encryptor encryptor{context_, generator.public_key(s), base::TestSeed(4)};
  rlwe::Decryptor decryptor{context_, s};
  rlwe::Evaluator evaluator{context_, generator.relinearization_keys(s),
                            generator.galois_keys(s, kElements)};
};

Integers message(unsigned seed) {
  Integers values;
  for (unsigned i = 0; i < kDegree; ++i)
    values.push_back(static_cast<int>((i * seed + 7) % 23) - 11);
  return values;
}

template <typename Check>
void for_all_methods(const Check& check) {
  for (const Method& method : kMethods) {
    for (const std::uint64_t tau : {1U, 257U}) {
      for (const DigitLift lift : {DigitLift::fast, DigitLift::exact}) {
        SCOPED_TRACE(testing::Message()
                     << to_string(method.method) << " " << method.gadget.digit_size << "+"
                     << method.gadget.special_count << ", tau " << tau << ", lift "
                     << static_cast<int>(lift));
        World world(method, tau, lift);
        check(world, method);
      }
    }
  }
}

// One key switch of BV fills a limb with error, so that one limb alone does not do.
TEST(EvaluatorTest, products_have_the_phase_of_the_product_and_an_error_below_the_bound) {
  for_all_methods([](World& world, const Method& method) {
    for (std::size_t l = kLimbs; l >= 2; --l) {
      SCOPED_TRACE(l);
      const Integers m_a = message(3), m_b = message(5), m = product(m_a, m_b);
      const Ciphertext a = world.encrypt(m_a, l), b = world.encrypt(m_b, l);
      const Integers expected = product(world.phase(a), world.phase(b));
      const Ciphertext three = world.evaluator.tensor(a, b);
      EXPECT_EQ(world.phase(three), expected);
      const Ciphertext two = world.evaluator.multiply(a, b);
      EXPECT_EQ(two.limbs, world.evaluator.relinearize(three).limbs);
      const Integers phase = world.phase(two), error = combine(phase, -1, expected);
      expect_at_most(error, key_switch_error(world.parameters(), method.gadget, l));
      expect_multiples(error, world.tau());
      EXPECT_GT(largest(error), 0);
      expect_at_most(combine(phase, -1, m), two.bounds.error);
    }
  });
}

TEST(EvaluatorTest, automorphisms_permute_the_phase_with_an_error_below_the_bound) {
  for_all_methods([](World& world, const Method& method) {
    const Ciphertext a = world.encrypt(message(3));
    const Integers phase = world.phase(a);
    for (const std::uint64_t g : kElements) {
      const Ciphertext moved = world.evaluator.automorphism(a, g);
      const Integers error = combine(world.phase(moved), -1, permuted(phase, g));
      expect_at_most(error, key_switch_error(world.parameters(), method.gadget, kLimbs));
      expect_multiples(error, world.tau());
      EXPECT_GT(largest(error), 0);
    }
  });
}

TEST(EvaluatorTest, hoisted_automorphisms_have_the_limbs_of_single_ones) {
  for_all_methods([](World& world, const Method& /*method*/) {
    const Ciphertext a = world.encrypt(message(3), kLimbs - 1);
    const std::uint64_t elements[] = {25, 1, 5, 2 * kDegree - 1, 5};
    const std::vector<Ciphertext> hoisted = world.evaluator.automorphisms(a, elements);
    ASSERT_EQ(hoisted.size(), std::size(elements));
    for (std::size_t i = 0; i < hoisted.size(); ++i)
      EXPECT_EQ(hoisted[i].limbs, world.evaluator.automorphism(a, elements[i]).limbs);
    EXPECT_EQ(hoisted[1].limbs, a.limbs);
  });
}

TEST(EvaluatorTest, batches_and_merged_drops_have_the_limbs_of_single_operations) {
  for_all_methods([](World& world, const Method& /*method*/) {
    std::vector<Ciphertext> a, b;
    for (unsigned i = 0; i < 3; ++i) {
      a.push_back(world.encrypt(message(2 * i + 1)));
      b.push_back(world.encrypt(message(2 * i + 2)));
    }
    for (const std::size_t drop : {0U, 1U}) {
      const std::vector<Ciphertext> batch = world.evaluator.multiply(a, b, drop);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const Ciphertext single = world.evaluator.multiply(a[i], b[i]);
        EXPECT_EQ(batch[i].limbs,
                  drop == 0 ? single.limbs : world.evaluator.mod_switch(single).limbs);
      }
    }
  });
}

TEST(EvaluatorTest, mod_switch_divides_the_phase_and_keeps_it_modulo_tau) {
  for (const std::uint64_t tau : {1U, 257U}) {
    World world(kMethods[2], tau, DigitLift::fast);
    const Ciphertext two = world.encrypt(message(3)), three = world.evaluator.tensor(two, two);
    for (const Ciphertext& a : {two, three}) {
      const Ciphertext switched = world.evaluator.mod_switch(a);
      EXPECT_EQ(switched.limb_count(), kLimbs - 1);
      const auto q = static_cast<unsigned long>(world.parameters().q()[kLimbs - 1].value());
      Integers scaled;
      for (const mpz_class& v : world.phase(switched)) scaled.push_back(v * q);
      const Integers rounding = combine(scaled, -1, world.phase(a));
      expect_multiples(rounding, tau);
      expect_at_most(rounding, mod_switch_error(world.parameters(), a.parts()) *
                                   NoiseBound::of(static_cast<double>(q)));
      EXPECT_GT(largest(rounding), 0);
    }
  }
}

TEST(EvaluatorTest, sums_and_plain_operations_act_on_the_phase_exactly) {
  World world(kMethods[2], 257, DigitLift::fast);
  const rlwe::Evaluator& evaluator = world.evaluator;
  const Ciphertext two = world.encrypt(message(3)), other = world.encrypt(message(4));
  const Ciphertext three = evaluator.tensor(two, other);
  const std::array<const Ciphertext*, 2> all = {&two, &three};
  const Integers m = message(5);
  const rlwe::LimbMatrix plain = world.plain(m);
  const auto bound = NoiseBound::of(11.0 * kDegree);
  for (const Ciphertext* a : all) {
    const Integers phase = world.phase(*a);
    for (const Ciphertext* b : all) {
      EXPECT_EQ(world.phase(evaluator.add(*a, *b)), combine(phase, 1, world.phase(*b)));
      EXPECT_EQ(world.phase(evaluator.sub(*a, *b)), combine(phase, -1, world.phase(*b)));
    }
    EXPECT_EQ(world.phase(evaluator.negate(*a)), combine(phase, -2, phase));
    EXPECT_EQ(world.phase(evaluator.add_plain(*a, plain, bound)), combine(phase, 1, m));
    EXPECT_EQ(world.phase(evaluator.multiply_plain(*a, plain, bound)), product(phase, m));
    std::vector<std::uint64_t> minus_three;
    for (const ring::Modulus& q : world.parameters().q().moduli())
      minus_three.push_back(q.value() - 3);
    EXPECT_EQ(world.phase(evaluator.multiply_scalar(*a, minus_three, NoiseBound::of(3))),
              combine(phase, -4, phase));
    EXPECT_EQ(world.phase(evaluator.truncate(*a, 4)), phase);
  }
}

// Both threads ask for the same derived key.
TEST(EvaluatorTest, klss_keys_are_derived_once_for_all_threads) {
  World world(kMethods[3], 1, DigitLift::fast);
  const Ciphertext a = world.encrypt(message(3));
  Ciphertext first, second;
  std::thread other([&] { second = world.evaluator.multiply(a, a); });
  first = world.evaluator.multiply(a, a);
  other.join();
  EXPECT_EQ(first.limbs, second.limbs);
  EXPECT_EQ(first.limbs, world.evaluator.multiply(a, a).limbs);
}

// The second gadget reaches 3 limbs; without a key of the first, more are out of reach.
TEST(EvaluatorTest, keys_of_any_gadget_serve_where_they_reach) {
  World world({{4, 3, kLimbs}, {1, 1, 3}}, 1, DigitLift::fast);
  rlwe::RelinearizationKeys keys = world.generator.relinearization_keys(world.s);
  ASSERT_EQ(keys.keys.size(), 2U);
  keys.keys.erase(keys.keys.begin());
  const rlwe::Evaluator evaluator(world.context_, std::move(keys));
  for (const std::size_t l : {3U, 2U}) {
    const Ciphertext a = world.encrypt(message(3), l);
    const Ciphertext square = evaluator.multiply(a, a);
    const Integers error =
        combine(world.phase(square), -1, product(world.phase(a), world.phase(a)));
    expect_at_most(error, key_switch_error(world.parameters(), {1, 1, 3}, l));
  }
  const Ciphertext a = world.encrypt(message(3), 4);
  EXPECT_THAT(error_of([&] { evaluator.multiply(a, a); }), StartsWith("missing_key"));
}

TEST(EvaluatorTest, a_phase_that_could_reach_half_of_q_is_refused) {
  World world(kMethods[0], 257, DigitLift::fast);
  const Ciphertext small = world.encrypt(message(3), 1);
  EXPECT_THAT(error_of([&] { world.evaluator.automorphism(small, 5); }),
              StartsWith("noise_overflow: the phase after automorphism may be 2^"));
  Ciphertext a = world.encrypt(message(3));
  unsigned depth = 0;
  std::string error = "no error";
  for (; error == "no error" && depth < 10; ++depth)
    error = error_of([&] { a = world.evaluator.multiply(a, a); });
  EXPECT_THAT(error, StartsWith("noise_overflow"));
  EXPECT_GT(depth, 1U);
  world.phase(a);  // of the last product that was not refused: below its bound
  EXPECT_THAT(error_of([&] { world.evaluator.truncate(a, 1); }), StartsWith("noise_overflow"));
}

TEST(EvaluatorTest, operands_that_do_not_fit_are_errors) {
  World world(kMethods[2], 1, DigitLift::fast);
  const rlwe::Evaluator& e = world.evaluator;
  const Ciphertext a = world.encrypt(message(3)), low = world.encrypt(message(3), 2);
  const Ciphertext three = e.tensor(a, a), one = world.encrypt(message(3), 1);
  const rlwe::LimbMatrix plain = world.plain(message(3), 2);
  EXPECT_THAT(error_of([&] { e.add(a, low); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { e.sub(a, low); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { e.multiply(a, low); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { e.tensor(a, three); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { e.relinearize(a); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { e.automorphism(three, 5); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { e.add_plain(a, plain, NoiseBound::of(1)); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { e.multiply_plain(a, three.limbs, NoiseBound::of(1)); }),
              StartsWith("mismatch"));
  const std::uint64_t scalar[] = {1, 1};
  EXPECT_THAT(error_of([&] { e.multiply_scalar(a, scalar, NoiseBound::of(1)); }),
              StartsWith("mismatch"));
  const Ciphertext pair[] = {a, low};
  EXPECT_THAT(error_of([&] { e.multiply(pair, {pair, 1}); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { e.multiply(pair, pair); }), StartsWith("mismatch"));
  EXPECT_THAT(error_of([&] { e.multiply(a, a, 2); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_of([&] { e.mod_switch(one); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_of([&] { e.truncate(low, 3); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_of([&] { e.truncate(low, 0); }), StartsWith("out_of_range"));
  EXPECT_TRUE(e.multiply(std::span<const Ciphertext>{}, {}).empty());
}

TEST(EvaluatorTest, missing_keys_are_errors_and_the_identity_needs_none) {
  World world(kMethods[2], 1, DigitLift::fast);
  const Ciphertext a = world.encrypt(message(3));
  EXPECT_THAT(error_of([&] { world.evaluator.automorphism(a, 3); }),
              StartsWith("missing_key: galois element 3"));
  const rlwe::Evaluator without(world.context_);
  EXPECT_THAT(error_of([&] { without.multiply(a, a); }), StartsWith("missing_key"));
  EXPECT_THAT(error_of([&] { without.relinearize(without.tensor(a, a)); }),
              StartsWith("missing_key"));
  EXPECT_THAT(error_of([&] { without.automorphism(a, 5); }), StartsWith("missing_key"));
  EXPECT_EQ(without.automorphism(a, 1).limbs, a.limbs);
}

}  // namespace
}  // namespace heliodor::exact
