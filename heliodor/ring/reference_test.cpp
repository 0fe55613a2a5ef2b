// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Oracles: integers of GMP for single words, polynomials of FLINT for transforms and products,
// libsodium for the key stream. Instructions that cross moduli are in reference_convert_test.cpp.

#include "heliodor/ring/reference.h"

#include <flint/nmod_poly.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "heliodor/ring/internal/oracle.h"
#include "heliodor/ring/sampler.h"

namespace heliodor::ring {
namespace {

using oracle::error_of;
using oracle::Limb;
using oracle::modulo;
using oracle::random_limb;
using reference::In;

mpz_class big(std::uint64_t word) { return static_cast<unsigned long>(word); }

/// One modulus of each size from 5 to 60 bits, the largest, for a degree of 4.
std::vector<Modulus> moduli_of_all_sizes() {
  std::vector<Modulus> result;
  for (unsigned bits = 5; bits <= Modulus::kMaxBits; ++bits) {
    result.push_back(oracle::moduli(bits, 4, 1)[0]);
  }
  return result;
}

/// A polynomial over Z/q of FLINT, made from a limb.
class Polynomial {
 public:
  Polynomial(const Modulus& q, const Limb& coefficients) : degree_(q.degree()) {
    nmod_poly_init(poly_, q.value());
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      nmod_poly_set_coeff_ui(poly_, static_cast<slong>(i), coefficients[i]);
    }
  }
  ~Polynomial() { nmod_poly_clear(poly_); }
  Polynomial(const Polynomial&) = delete;
  Polynomial& operator=(const Polynomial&) = delete;

  void multiply(const Polynomial& other) { nmod_poly_mul(poly_, poly_, other.poly_); }

  /// The coefficients modulo X^N + 1.
  Limb reduced() const {
    nmod_poly_t ring;
    nmod_poly_t rest;
    nmod_poly_init(ring, poly_->mod.n);
    nmod_poly_init(rest, poly_->mod.n);
    nmod_poly_set_coeff_ui(ring, static_cast<slong>(degree_), 1);
    nmod_poly_set_coeff_ui(ring, 0, 1);
    nmod_poly_rem(rest, poly_, ring);
    Limb result(degree_);
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = nmod_poly_get_coeff_ui(rest, static_cast<slong>(i));
    }
    nmod_poly_clear(ring);
    nmod_poly_clear(rest);
    return result;
  }

  std::uint64_t at(std::uint64_t point) const { return nmod_poly_evaluate_nmod(poly_, point); }

 private:
  nmod_poly_t poly_;
  std::uint64_t degree_;
};

Limb transformed(const Modulus& q, const Limb& coefficients) {
  Limb result(q.degree());
  reference::ntt(q, coefficients, result);
  return result;
}

Limb inverse_transformed(const Modulus& q, const Limb& evaluations) {
  Limb result(q.degree());
  reference::intt(q, evaluations, result);
  return result;
}

TEST(ReferenceTest, word_instructions_equal_gmp_for_all_sizes) {
  base::RandomStream random(base::TestSeed(1), "words");
  for (const Modulus& q : moduli_of_all_sizes()) {
    const std::uint64_t last = q.value() - 1;
    const std::vector<std::pair<Limb, Limb>> cases{
        {{0, 0, last, last}, {0, last, 0, last}},
        {{1, last / 2, last / 2 + 1, 1}, {last, last / 2 + 1, last / 2 + 1, last / 2}},
        {random_limb(q, random), random_limb(q, random)}};
    for (const auto& [a, b] : cases) {
      Limb sum(4), difference(4), negative(4), product(4), sum_c(4), product_c(4);
      reference::add(q, a, b, sum);
      reference::sub(q, a, b, difference);
      reference::neg(q, a, negative);
      reference::mul(q, a, b, product);
      reference::add_scalar(q, a, b[3], sum_c);
      reference::mul_scalar(q, a, b[3], product_c);
      for (std::size_t i = 0; i < 4; ++i) {
        ASSERT_EQ(sum[i], modulo(big(a[i]) + big(b[i]), q.value()));
        ASSERT_EQ(difference[i], modulo(big(a[i]) - big(b[i]), q.value()));
        ASSERT_EQ(negative[i], modulo(-big(a[i]), q.value()));
        ASSERT_EQ(product[i], modulo(big(a[i]) * big(b[i]), q.value()));
        ASSERT_EQ(sum_c[i], modulo(big(a[i]) + big(b[3]), q.value()));
        ASSERT_EQ(product_c[i], modulo(big(a[i]) * big(b[3]), q.value()));
      }
    }
  }
}

TEST(ReferenceTest, dot_equals_the_sum_of_gmp_products) {
  base::RandomStream random(base::TestSeed(2), "dot");
  for (const Modulus& q : moduli_of_all_sizes()) {
    for (const std::size_t count : {1u, 2u, 40u}) {
      std::vector<Limb> a(count, Limb(4, q.value() - 1));
      std::vector<Limb> b = a;
      for (std::size_t k = 1; k < count; ++k) {
        a[k] = random_limb(q, random);
        b[k] = random_limb(q, random);
      }
      Limb result(4);
      reference::dot(q, std::vector<In>(a.begin(), a.end()), std::vector<In>(b.begin(), b.end()),
                     result);
      for (std::size_t i = 0; i < 4; ++i) {
        mpz_class sum = 0;
        for (std::size_t k = 0; k < count; ++k) sum += big(a[k][i]) * big(b[k][i]);
        ASSERT_EQ(result[i], modulo(sum, q.value()));
      }
    }
  }
}

TEST(ReferenceTest, ntt_slot_i_is_the_value_at_psi_to_2_bitrev_i_plus_1) {
  base::RandomStream random(base::TestSeed(3), "ntt");
  for (std::uint64_t degree = 2; degree <= 256; degree *= 2) {
    const auto log_degree = static_cast<ulong>(FLINT_BIT_COUNT(degree) - 1);
    for (const unsigned bits : {20u, 60u}) {
      const Modulus q = oracle::moduli(bits, degree, 1)[0];
      const Limb a = random_limb(q, random);
      const Limb slots = transformed(q, a);
      const Polynomial polynomial(q, a);
      for (std::uint64_t i = 0; i < degree; ++i) {
        const auto exponent = static_cast<slong>(2 * n_revbin(i, log_degree) + 1);
        ASSERT_EQ(slots[i], polynomial.at(n_powmod2(q.psi(), exponent, q.value())));
      }
    }
  }
}

TEST(ReferenceTest, ntt_with_a_root_from_outside_evaluates_at_its_powers) {
  const Modulus smallest(97, 16);
  const Modulus other(97, 16, smallest.pow(smallest.psi(), 5));
  Limb x(16);
  x[1] = 1;
  EXPECT_EQ(transformed(other, x)[0], other.psi());
  EXPECT_EQ(inverse_transformed(other, transformed(other, x)), x);
}

TEST(ReferenceTest, intt_undoes_ntt_in_both_orders_at_every_degree) {
  base::RandomStream random(base::TestSeed(4), "intt");
  for (std::uint64_t degree = 2; degree <= Modulus::kMaxDegree; degree *= 4) {
    const Modulus q = oracle::moduli(60, degree, 1)[0];
    const Limb a = random_limb(q, random);
    ASSERT_EQ(inverse_transformed(q, transformed(q, a)), a) << degree;
    ASSERT_EQ(transformed(q, inverse_transformed(q, a)), a) << degree;
  }
}

TEST(ReferenceTest, product_through_the_transform_equals_flint_polynomials) {
  base::RandomStream random(base::TestSeed(5), "products");
  for (const std::uint64_t degree : {2u, 16u, 256u, 8192u}) {
    for (const unsigned bits : {20u, 30u, 45u, 60u}) {
      const Modulus q = oracle::moduli(bits, degree, 1)[0];
      const Limb a = random_limb(q, random);
      const Limb b = random_limb(q, random);
      Limb product(degree);
      reference::mul(q, transformed(q, a), transformed(q, b), product);
      Polynomial expected(q, a);
      expected.multiply(Polynomial(q, b));
      ASSERT_EQ(inverse_transformed(q, product), expected.reduced()) << degree << " " << bits;
    }
  }
}

TEST(ReferenceTest, ntt_of_a_secret_key_equals_that_of_openfhe) {
  const std::string folder = "heliodor/ring/testdata/";
  std::ifstream coefficients(folder + "openfhe_secret_key_coeff.i8", std::ios::binary);
  std::ifstream evaluations(folder + "openfhe_secret_key_eval.u32le", std::ios::binary);
  const std::vector<char> coeff_bytes{std::istreambuf_iterator<char>(coefficients), {}};
  const std::vector<char> eval_bytes{std::istreambuf_iterator<char>(evaluations), {}};
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> openfhe_moduli_and_roots{
      {1071093761, 1119470}, {1064251393, 6429017}, {1061093377, 753787}, {1059514369, 298236}};
  ASSERT_EQ(coeff_bytes.size(), 1024u) << "run from the root of the repository";
  ASSERT_EQ(eval_bytes.size(), 4u * 4u * 1024u);

  std::size_t offset = 0;
  for (const auto& [value, root] : openfhe_moduli_and_roots) {
    const Modulus q(value, 1024);
    EXPECT_EQ(q.psi(), root);
    Limb key(1024);
    spread(q, std::vector<std::int8_t>(coeff_bytes.begin(), coeff_bytes.end()), key);
    Limb expected(1024);
    for (std::uint64_t& word : expected) {
      for (unsigned byte = 0; byte < 4; ++byte) {
        word |= std::uint64_t{static_cast<unsigned char>(eval_bytes[offset++])} << (8 * byte);
      }
    }
    ASSERT_EQ(transformed(q, key), expected);
  }
}

TEST(ReferenceTest, permute_substitutes_a_power_of_x_in_both_domains) {
  base::RandomStream random(base::TestSeed(6), "permute");
  for (const std::uint64_t degree : {2u, 4u, 32u, 64u}) {
    const Modulus q = oracle::moduli(30, degree, 1)[0];
    const Limb a = random_limb(q, random);
    for (std::uint64_t g = 1; g < 2 * degree; g += 2) {
      Limb terms(degree * g + 1);  // a(X^g) before reduction
      for (std::uint64_t i = 0; i < degree; ++i) terms[i * g] = a[i];
      const Limb expected = Polynomial(q, terms).reduced();
      Limb coeff(degree);
      reference::permute(q, g, Domain::coeff, a, coeff);
      ASSERT_EQ(coeff, expected) << "g = " << g << ", N = " << degree;
      Limb eval(degree);
      reference::permute(q, g, Domain::eval, transformed(q, a), eval);
      ASSERT_EQ(eval, transformed(q, expected)) << "g = " << g << ", N = " << degree;
    }
  }
}

TEST(ReferenceTest, uniform_is_the_accepted_part_of_the_sodium_key_stream) {
  base::PublicSeed seed;
  for (std::size_t i = 0; i < seed.bytes.size(); ++i)
    seed.bytes[i] = static_cast<std::uint8_t>(7 * i + 1);
  for (const unsigned bits : {5u, 30u, 59u, 60u}) {
    // A small prime of its size rejects nearly half of the words.
    const std::uint64_t degree = bits == 5 ? 8 : 1024;
    const Modulus q = bits == 5 ? Modulus(17, 8) : oracle::moduli(bits, degree, 1)[0];
    for (const std::uint64_t stream : {std::uint64_t{0}, std::uint64_t{1}, 0x0123456789abcdefu}) {
      std::vector<unsigned char> bytes(8 * 4 * degree);
      std::array<unsigned char, crypto_stream_chacha20_NONCEBYTES> nonce{};
      for (unsigned i = 0; i < 8; ++i) nonce[i] = static_cast<unsigned char>(stream >> (8 * i));
      crypto_stream_chacha20(bytes.data(), bytes.size(), nonce.data(), seed.bytes.data());
      Limb expected;
      for (std::size_t at = 0; at < bytes.size() && expected.size() < degree; at += 8) {
        std::uint64_t word = 0;
        for (unsigned i = 8; i-- > 0;) word = word << 8 | bytes[at + i];
        word %= std::uint64_t{1} << q.bits();
        if (word < q.value()) expected.push_back(word);
      }
      ASSERT_EQ(expected.size(), degree);
      Limb result(degree);
      reference::uniform(q, seed, stream, result);
      ASSERT_EQ(result, expected);
    }
  }
}

TEST(ReferenceTest, limbs_of_another_size_are_refused) {
  const Modulus q(97, 4);
  const Limb good(4);
  const Limb shorter(3);
  Limb result(4);
  Limb longer(5);
  EXPECT_EQ(error_of([&] { reference::add(q, shorter, good, result); }),
            "mismatch: a has size 3, not 4");
  EXPECT_EQ(error_of([&] { reference::sub(q, good, shorter, result); }),
            "mismatch: b has size 3, not 4");
  EXPECT_EQ(error_of([&] { reference::neg(q, good, longer); }),
            "mismatch: result has size 5, not 4");
  EXPECT_EQ(error_of([&] { reference::mul(q, good, good, longer); }),
            "mismatch: result has size 5, not 4");
  EXPECT_EQ(error_of([&] { reference::add_scalar(q, shorter, 1, result); }),
            "mismatch: a has size 3, not 4");
  EXPECT_EQ(error_of([&] { reference::mul_scalar(q, shorter, 1, result); }),
            "mismatch: a has size 3, not 4");
  EXPECT_EQ(error_of([&] { reference::ntt(q, shorter, result); }),
            "mismatch: coefficients has size 3, not 4");
  EXPECT_EQ(error_of([&] { reference::intt(q, good, longer); }),
            "mismatch: coefficients has size 5, not 4");
  EXPECT_EQ(error_of([&] { reference::permute(q, 3, Domain::eval, shorter, result); }),
            "mismatch: a has size 3, not 4");
  EXPECT_EQ(error_of([&] { reference::uniform(q, {}, 0, longer); }),
            "mismatch: result has size 5, not 4");
  const std::vector<In> two{good, good};
  const std::vector<In> one{good};
  EXPECT_EQ(error_of([&] { reference::dot(q, two, one, result); }),
            "mismatch: b has size 1, not 2");
  EXPECT_EQ(error_of([&] { reference::dot(q, {}, {}, result); }),
            "out_of_range: a has size 0, below 1");
}

TEST(ReferenceTest, even_and_large_galois_elements_are_refused) {
  const Modulus q(97, 4);
  const Limb a(4);
  Limb result(4);
  for (const Domain domain : {Domain::coeff, Domain::eval}) {
    EXPECT_EQ(error_of([&] { reference::permute(q, 2, domain, a, result); }),
              "out_of_range: Galois element 2 is not an odd number below 2*degree = 8");
    EXPECT_EQ(error_of([&] { reference::permute(q, 9, domain, a, result); }),
              "out_of_range: Galois element 9 is not an odd number below 2*degree = 8");
  }
}

TEST(ReferenceTest, words_not_below_the_modulus_are_refused_in_checked_builds) {
#ifndef HELIODOR_CHECKED
  GTEST_SKIP() << "range checks are off in this build";
#endif
  const Modulus q(97, 4);
  const Limb good(4);
  const Limb bad{0, 0, 97, 0};
  Limb result(4);
  const auto code = [](const auto& f) { return error_of(f).substr(0, 15); };
  EXPECT_EQ(code([&] { reference::add(q, bad, good, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::add(q, good, bad, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::sub(q, bad, good, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::sub(q, good, bad, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::neg(q, bad, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::mul(q, bad, good, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::mul(q, good, bad, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::add_scalar(q, good, 97, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::mul_scalar(q, good, 97, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::ntt(q, bad, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::intt(q, bad, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::permute(q, 3, Domain::coeff, bad, result); }), "range_violation");
  const std::vector<In> goods{good};
  const std::vector<In> bads{bad};
  EXPECT_EQ(code([&] { reference::dot(q, bads, goods, result); }), "range_violation");
  EXPECT_EQ(code([&] { reference::dot(q, goods, bads, result); }), "range_violation");
}

}  // namespace
}  // namespace heliodor::ring
