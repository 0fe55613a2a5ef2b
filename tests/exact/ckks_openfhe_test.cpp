// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Decoding of OpenFHE's CKKS ciphertexts against OpenFHE's own, in doubles.

#include <gtest/gtest.h>

#include <cmath>

#include "heliodor/schemes/ckks/encryption.h"
#include "tests/exact/ckks_setup.h"
#include "tests/exact/openfhe_keys.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

using ckks::Scale;
using ckks::Slots;

class CkksOpenfheTest : public ::testing::Test {
 protected:
  Slots slots(const char* name) const {
    const auto reals = given_.reals(name);
    Slots result;
    for (std::size_t j = 0; j < reals.shape[0]; ++j)
      result.emplace_back(reals.row({j})[0], reals.row({j})[1]);
    return result;
  }

  Slots decrypt(const char* name, const Scale& scale) const {
    const auto context = ckks::make_context(
        ckks::Parameters(parameters_of(given_).description(), Scale::power_of_two(50)), fastest());
    const rlwe::SecretKey secret(context->parameters().rlwe(), given_.small("sk_coeff").values);
    const ckks::Decryptor decryptor(context, secret);
    return decryptor.decrypt({ciphertext(given_, name), scale, context->parameters().max_slots()});
  }

  // Both decode with doubles, OpenFHE from the integer rounded once, and a transform like ours.
  double tolerance(const Slots& slots, std::size_t limb_count) const {
    return 2 * ckks::Encoder::decoding_error(slots.size(), limb_count) * distance(slots, {0.0});
  }

  void expect_decoded(const char* name, const char* decoded, const Scale& scale,
                      std::size_t limb_count) const {
    const Slots expected = slots(decoded);
    EXPECT_LE(distance(decrypt(name, scale), expected), tolerance(expected, limb_count));
  }

  vectors::OpenfheCase given_ = vectors::OpenfheCase::kept("ckks_hybrid_n2048_l5");
};

TEST_F(CkksOpenfheTest, ciphertexts_decode_as_openfhe_decodes_them) {
  const Scale scale = Scale::power_of_two(50);
  expect_decoded("rotated", "decrypted_rotated", scale, 5);
  expect_decoded("product", "decrypted_product", scale * scale, 5);
  // OpenFHE takes 2^50 for the rescaled product, whose exact scale is 2^100 / q_4.
  expect_decoded("rescaled", "decrypted_rescaled", scale, 4);
  EXPECT_LT(tolerance(slots("decrypted_rotated"), 5), 0x1p-39);
}

TEST_F(CkksOpenfheTest, the_exact_scale_brings_the_rescaled_product_nearer_to_the_message) {
  const Slots message = slots("message"), expected = product(message, rotated(message, 3));
  const Scale scale = Scale::power_of_two(50);
  const Scale exact = scale * scale / Scale::of_integer(given_.q().back().value());
  // Noise is below 2^-30 by far: |e*u + e0 + e1*s| < 2^20 with overwhelming probability.
  EXPECT_LT(distance(decrypt("a", scale), message), 0x1p-28);
  EXPECT_LT(distance(decrypt("rescaled", exact), expected), 0x1p-28);
}

}  // namespace
}  // namespace heliodor::exact
