// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Keys and ciphertexts that OpenFHE made, in our types: their equations hold and they decrypt.

#include "tests/exact/openfhe_keys.h"

#include <gtest/gtest.h>

#include "heliodor/ring/automorphism.h"
#include "heliodor/rlwe/encryption.h"
#include "tests/exact/key_equation.h"

namespace heliodor::exact {
namespace {

using vectors::OpenfheCase;

/// One of OpenFHE's cases, with a context on the fastest CPU table.
struct Given {
  explicit Given(const char* name)
      : data(OpenfheCase::kept(name)),
        shared(context(parameters_of(data).description())),
        parameters(shared->parameters()),
        s(parameters, data.small("sk_coeff").values),
        decryptor(shared, s) {}

  /// The phase modulo t, which is the message.
  std::vector<std::uint64_t> decrypt(const rlwe::Ciphertext& ciphertext) const {
    const rlwe::LimbMatrix phase = decryptor.phase(ciphertext);
    std::vector<Limb> limbs;
    for (std::size_t i = 0; i < phase.limb_count(); ++i) {
      limbs.emplace_back(phase.limb(0, i).begin(), phase.limb(0, i).end());
    }
    std::vector<std::uint64_t> result;
    for (const mpz_class& v : centred_integers(parameters.q().moduli(), limbs)) {
      result.push_back(mpz_fdiv_ui(v.get_mpz_t(), parameters.error_scale()));
    }
    return result;
  }

  /// s(X^g), or its square.
  Secret secret(std::uint64_t g, bool squared = false) const {
    return [this, g, squared](const ring::Modulus& q) {
      const Limb limb = evaluations(q, s.coefficients(), g);
      return squared ? mul(q, limb, limb) : limb;
    };
  }

  OpenfheCase data;
  rlwe::ContextPtr shared;
  const rlwe::Parameters& parameters;
  rlwe::SecretKey s;
  rlwe::Decryptor decryptor;
};

TEST(OpenfheKeysTest, a_secret_key_from_coefficients_has_the_limbs_of_openfhe) {
  const Given given("bgv_bv_n1024_l4");
  const auto limbs = given.data.words("sk");
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(std::ranges::equal(given.s.limb(i), limbs.row({i}))) << "limb " << i;
  }
}

TEST(OpenfheKeysTest, a_public_key_of_openfhe_encrypts_for_its_secret_key) {
  const Given given("bgv_bv_n1024_l4");
  const auto pk0 = given.data.words("pk0");
  const auto pk1 = given.data.words("pk1");
  const auto plain = given.data.words("plain_a");
  rlwe::PublicKey key{{2, 4, 1024}, std::nullopt};
  rlwe::LimbMatrix message(1, 4, 1024);
  for (std::size_t i = 0; i < 4; ++i) {
    std::ranges::copy(pk0.row({i}), key.limbs.limb(0, i).begin());
    std::ranges::copy(pk1.row({i}), key.limbs.limb(1, i).begin());
    std::ranges::copy(ntt(given.parameters.q()[i], plain.row({2})), message.limb(0, i).begin());
  }
  rlwe::Encryptor encryptor(given.shared, key, base::TestSeed(1));
  const auto ciphertext = encryptor.encrypt(message, rlwe::NoiseBound::of(257 * 1024));
  EXPECT_TRUE(std::ranges::equal(given.decrypt(ciphertext), plain.row({2})));
}

TEST(OpenfheKeysTest, ciphertexts_of_openfhe_decrypt_with_two_and_three_parts) {
  const Given given("bgv_bv_n1024_l4");
  const auto plain_a = given.data.words("plain_a");
  const auto plain_ab = given.data.words("plain_ab");
  for (std::size_t pair = 0; pair < 3; ++pair) {
    const auto a = given.decrypt(ciphertext(given.data, {"a0", "a1"}, pair));
    const auto product = given.decrypt(ciphertext(given.data, {"c0", "c1", "c2"}, pair));
    const auto relinearized = given.decrypt(ciphertext(given.data, {"relin_c0", "relin_c1"}, pair));
    EXPECT_TRUE(std::ranges::equal(a, plain_a.row({pair})));
    EXPECT_TRUE(std::ranges::equal(product, plain_ab.row({pair})));
    EXPECT_TRUE(std::ranges::equal(relinearized, plain_ab.row({pair})));
  }
}

TEST(OpenfheKeysTest, evaluation_keys_of_openfhe_satisfy_our_equation) {
  for (const char* name : {"bgv_bv_n1024_l4", "bgv_hybrid_n1024_l4", "ckks_hybrid_n2048_l5"}) {
    const Given given(name);
    expect_key_equation(given.parameters, evaluation_key(given.data, "evalmult_key"),
                        given.secret(1, true), given.secret(1));
  }
  const Given given("ckks_hybrid_n2048_l5");
  const std::uint64_t g = given.data.json().at("rotation").at("automorphism");
  expect_key_equation(given.parameters, evaluation_key(given.data, "rot_key"), given.secret(1),
                      given.secret(ring::inverse_galois_element(g, 2048)));
}

}  // namespace
}  // namespace heliodor::exact
