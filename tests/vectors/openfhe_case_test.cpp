// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/vectors/openfhe_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "heliodor/base/error.h"
#include "heliodor/base/temporary_folder.h"
#include "heliodor/ring/reference.h"

namespace heliodor::vectors {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr std::array kKept = {"bfv_n2048_l3", "bgv_bv_n1024_l4", "bgv_hybrid_n1024_l4",
                              "ckks_hybrid_n2048_l5", "extra_bgv_modswitch_n1024"};

std::string sha256(const std::vector<std::uint8_t>& bytes) {
  std::array<std::uint8_t, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(), bytes.data(), bytes.size());
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> text{};
  return sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
}

template <typename F>
void expect_error(ErrorCode code, F&& f) {
  try {
    f();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
  }
}

TEST(OpenfheCaseTest, every_kept_file_has_its_size_and_hash) {
  for (const char* name : kKept) {
    const auto given = OpenfheCase::kept(name);
    for (const auto& entry : given.json().at("files")) {
      const auto bytes = given.bytes(entry.at("path"));
      EXPECT_EQ(bytes.size(), entry.at("bytes").get<std::size_t>()) << name << " " << entry["name"];
      EXPECT_EQ(sha256(bytes), entry.at("sha256").get<std::string>()) << name << entry["name"];
    }
  }
}

TEST(OpenfheCaseTest, words_are_residues_in_the_order_of_the_axes) {
  const auto given = OpenfheCase::kept("ckks_hybrid_n2048_l5");
  const auto key = given.words("evalmult_key_b");
  EXPECT_THAT(key.shape, ElementsAre(3, 7, 2048));
  auto moduli = given.q();
  for (const auto& p : given.p()) moduli.push_back(p);
  ASSERT_EQ(moduli.size(), 7U);
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 7; ++i) {
      const auto limb = key.row({j, i});
      ASSERT_EQ(limb.size(), 2048U);
      for (const std::uint64_t word : limb) ASSERT_LT(word, moduli[i].value());
    }
  }
  EXPECT_EQ(key.row({1, 2}).data(), key.values.data() + (1 * 7 + 2) * 2048);
}

TEST(OpenfheCaseTest, secret_coefficients_and_limbs_are_one_polynomial) {
  const auto given = OpenfheCase::kept("bgv_bv_n1024_l4");
  const auto coefficients = given.small("sk_coeff");
  const auto limbs = given.words("sk");
  const auto q = given.q();
  for (std::size_t i = 0; i < q.size(); ++i) {
    std::vector<std::uint64_t> residues, evaluations(1024);
    for (const int c : coefficients.values) {
      residues.push_back(c < 0 ? q[i].value() - 1 : static_cast<std::uint64_t>(c));
    }
    ring::reference::ntt(q[i], residues, evaluations);
    EXPECT_THAT(limbs.row({i}), ElementsAreArray(evaluations));
  }
}

TEST(OpenfheCaseTest, reals_are_read_as_doubles) {
  const auto message = OpenfheCase::kept("ckks_hybrid_n2048_l5").reals("message");
  EXPECT_THAT(message.shape, ElementsAre(1024, 2));
  for (const double x : message.values) EXPECT_LE(std::abs(x), 1.0);
}

TEST(OpenfheCaseTest, plaintext_moduli_are_those_of_the_schemes) {
  EXPECT_EQ(OpenfheCase::kept("bgv_bv_n1024_l4").plaintext_modulus(), 257U);
  EXPECT_EQ(OpenfheCase::kept("ckks_hybrid_n2048_l5").plaintext_modulus(), 0U);
}

TEST(OpenfheCaseTest, what_is_not_there_is_an_error) {
  expect_error(ErrorCode::io, [] { OpenfheCase::kept("no_such_case"); });
  const auto given = OpenfheCase::kept("bgv_bv_n1024_l4");
  expect_error(ErrorCode::out_of_range, [&] { given.words("no_such_file"); });
  expect_error(ErrorCode::mismatch, [&] { given.small("a0"); });
  EXPECT_THROW(given.words("a0").row({0, 4}), std::out_of_range);
  EXPECT_THROW(given.words("a0").row({0, 0, 0, 0}), std::out_of_range);
}

TEST(OpenfheCaseTest, a_cut_file_is_malformed) {
  const base::TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  const auto given = OpenfheCase::kept("extra_bgv_modswitch_n1024");
  std::ofstream(folder / "case.json") << given.json();
  std::ofstream(folder / "sk_coeff.i8") << "short";
  expect_error(ErrorCode::malformed_file, [&] { OpenfheCase(folder).small("sk_coeff"); });
  std::ofstream(folder / "case.json") << "{";
  expect_error(ErrorCode::malformed_file, [&] { OpenfheCase{folder}; });
}

}  // namespace
}  // namespace heliodor::vectors
