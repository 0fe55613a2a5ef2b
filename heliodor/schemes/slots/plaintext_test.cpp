// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/slots/plaintext.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "heliodor/base/error.h"

namespace heliodor::slots {
namespace {

constexpr std::uint64_t kLarge = (std::uint64_t{1} << 60) - 1;
constexpr std::uint64_t kModuli[] = {2, 3, 256, 257, 65537, kLarge};

TEST(PlaintextTest, a_value_and_its_centred_residue_encode_alike) {
  for (const std::uint64_t q : kModuli) {
    const PlaintextModulus t(q);
    const std::vector<std::int64_t> values = {0, 1, t.max_centred(), t.min_centred(),
                                              static_cast<std::int64_t>(q - 1)};
    const Plaintext plaintext = encode_coefficients(t, 8, values);
    ASSERT_EQ(plaintext.coefficients.size(), 8U);
    const std::vector<std::uint64_t> residues = to_residues(plaintext);
    for (std::size_t i = 0; i < 8; ++i) {
      const std::int64_t value = i < values.size() ? values[i] : 0;
      EXPECT_EQ(residues[i], value < 0 ? q - static_cast<std::uint64_t>(-value)
                                       : static_cast<std::uint64_t>(value));
      EXPECT_LE(plaintext.coefficients[i], t.max_centred());
      EXPECT_GE(plaintext.coefficients[i], t.min_centred());
    }
    EXPECT_EQ(from_residues(t, residues), plaintext);
  }
}

TEST(PlaintextTest, values_beyond_either_end_are_refused_without_being_told) {
  for (const std::uint64_t q : kModuli) {
    const PlaintextModulus t(q);
    for (const std::int64_t value : {t.min_centred() - 1, static_cast<std::int64_t>(q),
                                     std::int64_t{1} << 62, INT64_MIN, INT64_MAX}) {
      try {
        encode_coefficients(t, 4, std::vector<std::int64_t>{0, value});
        ADD_FAILURE() << value << " modulo " << q;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::out_of_range);
        EXPECT_EQ(std::string(error.what()).substr(0, 12), "1 values are");
      }
    }
  }
}

TEST(PlaintextTest, more_values_than_coefficients_are_refused) {
  const PlaintextModulus t(17);
  EXPECT_NO_THROW(encode_coefficients(t, 4, std::vector<std::int64_t>(4)));
  try {
    encode_coefficients(t, 4, std::vector<std::int64_t>(5));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_range);
  }
}

TEST(PlaintextTest,
     lifted_coefficients_are_congruent_to_the_centred_ones_whichever_modulus_is_larger) {
  const ring::Modulus small(17, 8), large(1073692673, 8);
  for (const std::uint64_t q : kModuli) {
    const PlaintextModulus t(q);
    const std::vector<std::int64_t> values = {
        0, 1, -(q > 2), t.max_centred(), t.min_centred(), t.max_centred() / 3, t.min_centred() / 3};
    const Plaintext plaintext = encode_coefficients(t, 8, values);
    for (const ring::Modulus& modulus : {small, large}) {
      std::vector<std::uint64_t> residues(8);
      lift(plaintext, modulus, residues);
      for (std::size_t i = 0; i < 8; ++i) {
        const auto signed_modulus = static_cast<std::int64_t>(modulus.value());
        const std::int64_t remainder = plaintext.coefficients[i] % signed_modulus;
        EXPECT_EQ(residues[i], static_cast<std::uint64_t>(remainder < 0 ? remainder + signed_modulus
                                                                        : remainder));
      }
    }
  }
}

TEST(PlaintextTest, a_lift_into_a_limb_of_another_length_is_refused) {
  std::vector<std::uint64_t> words(7);
  try {
    lift(encode_coefficients(PlaintextModulus(17), 8, {}), ring::Modulus(17, 8), words);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::mismatch);
  }
}

}  // namespace
}  // namespace heliodor::slots
