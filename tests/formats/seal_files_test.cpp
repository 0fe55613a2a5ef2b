// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// SEAL's files: they parse to their last byte, seeds expand to what decrypts, keys satisfy their
// equation.
#include <gmpxx.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/formats/byte_writer.h"
#include "heliodor/formats/seal/codec.h"
#include "heliodor/formats/seal/convert.h"
#include "heliodor/ring/reference.h"
#include "tests/formats/vector_files.h"

namespace heliodor::formats::seal {
namespace {

using vectors::ecosystem_file;
using vectors::FileBytes;

constexpr std::uint64_t kPlaintextModulus = 1032193;

rlwe::Parameters toy_parameters() {
  const File file = parse(ecosystem_file("seal.parms.bin"));
  auto d = description(std::get<Parameters>(file.object));
  d.security = rlwe::SecurityLevel::none;  // 109 bits at degree 4096: the 2024 table allows 106
  return rlwe::Parameters(std::move(d));
}

rlwe::SecretKey secret_key(const rlwe::Parameters& parameters) {
  const FileBytes bytes = ecosystem_file("seal.sk.bin");
  const File file = parse(bytes);
  return to_secret_key(std::get<Plaintext>(file.object), parameters);
}

TEST(SealFilesTest, parameters_are_those_of_the_set) {
  const FileBytes bytes = ecosystem_file("seal.parms.bin");
  EXPECT_TRUE(is_seal(bytes));
  const File file = parse(bytes);
  EXPECT_EQ(file.version_major, 4U);
  const auto& parameters = std::get<Parameters>(file.object);
  EXPECT_EQ(parameters.scheme, Scheme::bgv);
  EXPECT_EQ(parameters.plain_modulus, kPlaintextModulus);
  const auto ours = toy_parameters();
  EXPECT_EQ(ours.security(), rlwe::SecurityLevel::none);
  EXPECT_EQ(ours.degree(), 4096U);
  EXPECT_EQ(ours.q().size(), 2U);
  EXPECT_EQ(ours.p().size(), 1U);
  EXPECT_EQ(ours.q()[0].bits(), 36U);
  EXPECT_EQ(ours.q()[1].bits(), 36U);
  EXPECT_EQ(ours.p()[0].bits(), 37U);
  EXPECT_EQ(ours.error_scale(), kPlaintextModulus);
}

// The coefficients of sum_k terms[k] modulo q, which must be small: centred.
std::vector<std::int64_t> small_coefficients(const ring::Modulus& q,
                                             const std::vector<std::uint64_t>& evaluations) {
  std::vector<std::uint64_t> coefficients(evaluations.size());
  ring::reference::intt(q, evaluations, coefficients);
  std::vector<std::int64_t> centred;
  for (const std::uint64_t c : coefficients) {
    centred.push_back(c > q.value() / 2
                          ? static_cast<std::int64_t>(c) - static_cast<std::int64_t>(q.value())
                          : static_cast<std::int64_t>(c));
  }
  return centred;
}

// A fresh ciphertext's phase is far below each prime, so every limb alone gives the integers.
void expect_sevens(const std::string& name) {
  SCOPED_TRACE(name);
  const auto parameters = toy_parameters();
  const auto secret = secret_key(parameters);
  const FileBytes bytes = ecosystem_file(name);
  const File file = parse(bytes);
  const auto& ciphertext = std::get<Ciphertext>(file.object);
  EXPECT_EQ(ciphertext.correction_factor, 1U);
  const auto ours = to_ciphertext(ciphertext, parameters);
  ASSERT_EQ(ours.limb_count(), 2U);
  std::vector<std::vector<std::int64_t>> phases;
  for (std::size_t i = 0; i < ours.limb_count(); ++i) {
    const ring::Modulus& q = parameters.q()[i];
    std::vector<std::uint64_t> sum(q.degree());
    for (std::size_t k = 0; k < q.degree(); ++k) {
      sum[k] = q.add(ours.limbs.limb(0, i)[k], q.mul(ours.limbs.limb(1, i)[k], secret.limb(i)[k]));
    }
    phases.push_back(small_coefficients(q, sum));
  }
  EXPECT_EQ(phases[0], phases[1]);
  for (std::size_t k = 0; k < phases[0].size(); ++k) {
    const auto t = static_cast<std::int64_t>(kPlaintextModulus);
    ASSERT_EQ(((phases[0][k] % t) + t) % t, k == 0 ? 7 : 0) << "coefficient " << k;
  }
}

TEST(SealFilesTest, a_stored_ciphertext_decrypts) { expect_sevens("seal.ct.bin"); }

TEST(SealFilesTest, a_seeded_ciphertext_decrypts) { expect_sevens("seal.cts.bin"); }

TEST(SealFilesTest, seeded_relinearization_keys_satisfy_their_equation) {
  const auto parameters = toy_parameters();
  const auto secret = secret_key(parameters);
  const FileBytes bytes = ecosystem_file("seal.rk.bin");
  const File file = parse(bytes);
  const auto keys = to_relinearization_keys(std::get<KSwitchKeys>(file.object), parameters);
  ASSERT_EQ(keys.keys.size(), 1U);
  const rlwe::EvaluationKey& key = keys.keys[0];
  EXPECT_EQ(key.gadget, (rlwe::Gadget{1, 1, 2}));
  ASSERT_EQ(key.digit_count(), 2U);
  const std::uint64_t special = parameters.p()[0].value();
  for (std::size_t j = 0; j < key.digit_count(); ++j) {
    std::vector<std::vector<std::int64_t>> errors;
    for (std::size_t i = 0; i < 3; ++i) {
      const ring::Modulus& q = i < 2 ? parameters.q()[i] : parameters.p()[0];
      const std::uint64_t gadget = i == j ? q.reduce(special) : 0;
      std::vector<std::uint64_t> error(q.degree());
      for (std::size_t k = 0; k < q.degree(); ++k) {
        const std::uint64_t s = secret.limb(i)[k];
        const auto b = key.limbs.limb(2 * j, i)[k];
        const auto a = key.limbs.limb(2 * j + 1, i)[k];
        error[k] = q.sub(q.add(b, q.mul(a, s)), q.mul(gadget, q.mul(s, s)));
      }
      errors.push_back(small_coefficients(q, error));
    }
    EXPECT_EQ(errors[0], errors[1]);
    EXPECT_EQ(errors[0], errors[2]);
    for (const std::int64_t e : errors[0]) {
      ASSERT_EQ(e % static_cast<std::int64_t>(kPlaintextModulus), 0);
      ASSERT_LE(std::abs(e), 30 * static_cast<std::int64_t>(kPlaintextModulus));
    }
  }
}

// The file as SEAL would have compressed it: the body packed, the header's byte and size changed.
FileBytes compressed(const FileBytes& file, std::uint8_t mode, const FileBytes& packed) {
  ByteWriter out;
  out.put_bytes(Bytes(file).first(16));
  out.put_bytes(packed);
  FileBytes bytes = out.release();
  bytes[5] = mode;
  const std::uint64_t size = bytes.size();
  std::memcpy(bytes.data() + 8, &size, sizeof size);
  return bytes;
}

FileBytes with_zlib(const FileBytes& file) {
  FileBytes packed(compressBound(file.size()));
  uLongf size = packed.size();
  EXPECT_EQ(compress(packed.data(), &size, file.data() + 16, file.size() - 16), Z_OK);
  packed.resize(size);
  return compressed(file, 1, packed);
}

FileBytes with_zstd(const FileBytes& file) {
  FileBytes packed(ZSTD_compressBound(file.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), file.data() + 16, file.size() - 16, 3));
  return compressed(file, 2, packed);
}

TEST(SealFilesTest, compressed_files_hold_the_same_words) {
  const FileBytes plain = ecosystem_file("seal.ct.bin");
  const File expected = parse(plain);
  const auto& words = std::get<Ciphertext>(expected.object).values;
  for (const FileBytes& packed : {with_zlib(plain), with_zstd(plain)}) {
    EXPECT_LT(packed.size(), plain.size());
    const File file = parse(packed);
    const auto& found = std::get<Ciphertext>(file.object).values;
    EXPECT_TRUE(std::ranges::equal(found.bytes(), words.bytes()));
  }
}

template <typename Action>
void expect_malformed(Action action, const std::string& mention) {
  try {
    action();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::malformed_file);
    EXPECT_NE(std::string(error.what()).find(mention), std::string::npos) << error.what();
  }
}

TEST(SealFilesTest, a_body_that_grows_too_much_is_refused) {
  FileBytes zeros(1 << 22);
  for (const FileBytes& packed : {with_zlib(zeros), with_zstd(zeros)}) {
    FileBytes bomb = packed;
    const FileBytes header = ecosystem_file("seal.ct.bin");
    std::copy_n(header.begin(), 5, bomb.begin());
    expect_malformed([&] { parse(bomb); }, "the body does not decompress");
  }
}

TEST(SealFilesTest, a_cut_or_grown_stream_is_refused) {
  const FileBytes plain = ecosystem_file("seal.parms.bin");
  for (const FileBytes& whole : {with_zlib(plain), with_zstd(plain)}) {
    for (const int change : {-1, 1}) {
      FileBytes bytes = whole;
      bytes.resize(bytes.size() + static_cast<std::size_t>(change));
      const std::uint64_t size = bytes.size();
      std::memcpy(bytes.data() + 8, &size, sizeof size);
      expect_malformed([&] { parse(bytes); }, change < 0 ? "it is cut" : "follow its end");
    }
  }
}

TEST(SealFilesTest, words_that_are_no_residues_are_refused) {
  const auto parameters = toy_parameters();
  FileBytes bytes = ecosystem_file("seal.ct.bin");
  const std::size_t first_word = 16 + 73 + 16 + 8;
  const std::uint64_t q = parameters.q()[0].value();
  std::memcpy(bytes.data() + first_word, &q, sizeof q);
  const File file = parse(bytes);
  expect_malformed([&] { to_ciphertext(std::get<Ciphertext>(file.object), parameters); },
                   "not below the modulus");
}

TEST(SealFilesTest, a_secret_that_differs_between_primes_is_refused) {
  const auto parameters = toy_parameters();
  FileBytes bytes = ecosystem_file("seal.sk.bin");
  const std::size_t first_word = 16 + 48 + 16 + 8;
  bytes[first_word + 8 * 4096] ^= 1;  // a word modulo the second prime
  const File file = parse(bytes);
  expect_malformed([&] { to_secret_key(std::get<Plaintext>(file.object), parameters); },
                   "differs from modulus to modulus");
  bytes[first_word] ^= 1;
  expect_malformed([&] { to_secret_key(std::get<Plaintext>(file.object), parameters); },
                   "not ternary");
}

}  // namespace
}  // namespace heliodor::formats::seal
