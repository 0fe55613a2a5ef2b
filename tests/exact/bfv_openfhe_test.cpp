// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// BFV against OpenFHE: products limb for limb, decryptions, slots.
#include <gtest/gtest.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <string>

#include "heliodor/rlwe/transform.h"
#include "heliodor/schemes/bfv/encryption.h"
#include "heliodor/schemes/bfv/evaluator.h"
#include "heliodor/schemes/bfv/noise.h"
#include "heliodor/schemes/slots/slot_encoder.h"
#include "tests/exact/openfhe_keys.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

using bfv::Ciphertext;
using vectors::OpenfheCase;

std::string hex_sha256_of_words32(const rlwe::LimbMatrix& x) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t part = 0; part < x.parts(); ++part) {
    for (std::size_t i = 0; i < x.limb_count(); ++i) {
      for (const std::uint64_t word : x.limb(part, i)) {
        for (unsigned shift = 0; shift < 32; shift += 8)
          bytes.push_back(static_cast<std::uint8_t>(word >> shift));
      }
    }
  }
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(), bytes.data(), bytes.size());
  std::string hex(2 * hash.size() + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
  hex.pop_back();
  return hex;
}

class BfvOpenfheTest : public testing::Test {
 protected:
  bfv::ContextPtr context_on(std::shared_ptr<const program::Target> target) const {
    rlwe::Parameters::Description description = parameters_of(given_).description();
    description.error_scale = 1;
    return std::make_shared<const bfv::Context>(
        bfv::Parameters(description, given_.plaintext_modulus()), std::move(target));
  }
  /// With the error of a fresh ciphertext, which these are.
  Ciphertext input(const bfv::Context& context, const std::string& name) const {
    Ciphertext c = ciphertext(given_, name);
    const rlwe::NoiseBound fresh = bfv::fresh_error(context.parameters());
    c.bounds = {fresh, fresh};
    return c;
  }
  bfv::Evaluator evaluator(const bfv::ContextPtr& context) const {
    return bfv::Evaluator(context, {{evaluation_key(given_, "evalmult_key")}}, {},
                          rlwe::Matching::exact);
  }
  std::vector<std::uint64_t> words(const std::string& name) const {
    return given_.words(name).values;
  }

  OpenfheCase given_ = OpenfheCase::kept("bfv_n2048_l3");
};

TEST_F(BfvOpenfheTest, hps_products_are_equal_in_every_coefficient) {
  const auto expected = given_.words("norelin_hps");
  for (const auto& target : subjects()) {
    const bfv::ContextPtr context = context_on(target);
    const Ciphertext product = evaluator(context).multiply_without_relinearization(
        input(*context, "a"), input(*context, "b"));
    const rlwe::LimbMatrix coefficients = rlwe::to_coefficients(*context->rlwe(), product.limbs);
    for (std::size_t part = 0; part < 3; ++part) {
      for (std::size_t i = 0; i < 3; ++i) {
        const auto row = expected.row({part, i});
        EXPECT_TRUE(std::ranges::equal(coefficients.limb(part, i), row))
            << target->name() << " part " << part << " limb " << i;
      }
    }
  }
}

TEST_F(BfvOpenfheTest, relinearized_hps_products_are_equal_in_every_limb) {
  const std::string expected = given_.json().at("relin_sha256").at("hps");
  for (const auto& target : subjects()) {
    const bfv::ContextPtr context = context_on(target);
    const bfv::Evaluator bfv = evaluator(context);
    const Ciphertext a = input(*context, "a"), b = input(*context, "b");
    const Ciphertext product = bfv.multiply(a, b);
    EXPECT_EQ(hex_sha256_of_words32(product.limbs), expected) << target->name();
    const Ciphertext in_two_steps = bfv.relinearize(bfv.multiply_without_relinearization(a, b));
    EXPECT_EQ(in_two_steps.limbs, product.limbs) << target->name();
  }
}

TEST_F(BfvOpenfheTest, relinearized_hps_products_are_the_words_of_the_large_case) {
  const auto all = OpenfheCase::find("bfv_n2048_l3_relin_all");
  if (!all) GTEST_SKIP() << OpenfheCase::missing("bfv_n2048_l3_relin_all");
  const bfv::ContextPtr context = context_on(fastest());
  const Ciphertext product =
      evaluator(context).multiply(input(*context, "a"), input(*context, "b"));
  const auto expected = all->words("relin_hps");
  for (std::size_t part = 0; part < 2; ++part) {
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_TRUE(std::ranges::equal(product.limbs.limb(part, i), expected.row({part, i})));
  }
}

TEST_F(BfvOpenfheTest, ciphertexts_decrypt_to_openfhes_messages_and_slots) {
  for (const auto& target : subjects()) {
    const bfv::ContextPtr context = context_on(target);
    const rlwe::SecretKey secret(context->parameters().rlwe(), given_.small("sk_coeff").values);
    const bfv::Decryptor decryptor(context, secret);
    const slots::SlotEncoder encoder(context->rlwe(), given_.plaintext_modulus());
    const auto decrypted = [&](const std::string& name) {
      return decryptor.decrypt(ciphertext(given_, name));
    };
    EXPECT_EQ(slots::to_residues(decrypted("a")), words("plain_a")) << target->name();
    EXPECT_EQ(slots::to_residues(decrypted("b")), words("plain_b")) << target->name();
    EXPECT_EQ(encoder.decode(decrypted("a")), words("slots_a")) << target->name();

    const slots::Plaintext product = decrypted("relin_hpspoverqleveled");
    EXPECT_EQ(slots::to_residues(product), words("plain_ab")) << target->name();
    EXPECT_EQ(encoder.decode(product), words("slots_ab")) << target->name();
    for (const char* name : {"norelin_hps", "norelin_behz", "norelin_hpspoverq"}) {
      const Ciphertext in_coefficients = ciphertext(given_, name);
      const Ciphertext three{rlwe::to_evaluations(*context->rlwe(), in_coefficients.limbs), {}};
      EXPECT_EQ(slots::to_residues(decryptor.decrypt(three)), words("plain_ab"))
          << target->name() << " " << name;
    }

    const std::vector<std::uint64_t> slots_a = words("slots_a");
    EXPECT_EQ(slots::to_residues(
                  encoder.encode(std::vector<std::int64_t>(slots_a.begin(), slots_a.end()))),
              words("plain_a"))
        << target->name();
  }
}

}  // namespace
}  // namespace heliodor::exact
