// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// OpenFHE's files: written again they are the same bytes; the limbs in them are those that the raw
// arrays hold; they decrypt.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/formats/openfhe/codec.h"
#include "heliodor/formats/openfhe/convert.h"
#include "heliodor/ring/reference.h"
#include "tests/formats/vector_files.h"

namespace heliodor::formats::openfhe {
namespace {

using vectors::assembled_file;
using vectors::ecosystem_file;
using vectors::FileBytes;
using vectors::NamedFile;
using vectors::OpenfheCase;

rlwe::Parameters toy_parameters(const File& file, const EvalKey* key = nullptr) {
  auto d = description(context_of(file), key);
  d.security = rlwe::SecurityLevel::none;
  return rlwe::Parameters(std::move(d));
}

template <typename T>
const T& object(const File& file) {
  return *std::get<std::shared_ptr<T>>(file.object);
}

void expect_written_identically(const std::vector<NamedFile>& files) {
  for (const NamedFile& file : files) {
    SCOPED_TRACE(file.name);
    EXPECT_TRUE(is_openfhe(file.bytes));
    EXPECT_EQ(write(parse(file.bytes)), file.bytes);
  }
}

TEST(OpenfheFilesTest, kept_files_are_written_identically) {
  auto files = vectors::assembled_files();
  for (const std::string prefix : {"bgv", "bfv", "ckks"}) {
    for (NamedFile& file : vectors::ecosystem_files(prefix)) files.push_back(std::move(file));
  }
  EXPECT_EQ(files.size(), 16U + 8);
  expect_written_identically(files);
}

TEST(OpenfheFilesTest, large_files_are_written_identically) {
  const auto files = vectors::large_openfhe_files();
  if (files.empty()) GTEST_SKIP() << OpenfheCase::missing("serialized_full");
  EXPECT_GE(files.size(), 15U + 17);
  expect_written_identically(files);
}

// Limb i of a part equals rows (.., i) of an array.
void expect_limbs(const rlwe::LimbMatrix& limbs, std::size_t part,
                  const vectors::Array<std::uint64_t>& expected,
                  std::initializer_list<std::size_t> index) {
  const auto rows = expected.row(index);
  const std::size_t degree = limbs.degree();
  ASSERT_EQ(rows.size(), limbs.limb_count() * degree);
  for (std::size_t i = 0; i < limbs.limb_count(); ++i) {
    const auto limb = limbs.limb(part, i);
    ASSERT_TRUE(std::ranges::equal(limb, rows.subspan(i * degree, degree))) << "limb " << i;
  }
}

void expect_ciphertext(const std::string& name, const OpenfheCase& given,
                       const std::vector<std::pair<std::string, std::size_t>>& parts,
                       std::initializer_list<std::size_t> prefix) {
  SCOPED_TRACE(name);
  const FileBytes bytes = assembled_file(name);
  const File file = parse(bytes);
  const auto ciphertext = to_ciphertext(object<Ciphertext>(file), toy_parameters(file));
  ASSERT_EQ(ciphertext.parts(), parts.size());
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const auto& [array, axis] = parts[part];
    if (prefix.size() == 0) {
      expect_limbs(ciphertext.limbs, part, given.words(array), {axis});
    } else {
      expect_limbs(ciphertext.limbs, part, given.words(array), prefix);
    }
  }
}

TEST(OpenfheFilesTest, bgv_ciphertexts_have_the_limbs_of_the_arrays) {
  const auto given = OpenfheCase::kept("bgv_bv_n1024_l4");
  expect_ciphertext("bgv_ciphertext_a", given, {{"a0", 0}, {"a1", 0}}, {0});
  expect_ciphertext("bgv_ciphertext_b", given, {{"b0", 0}, {"b1", 0}}, {0});
  expect_ciphertext("bgv_ciphertext_norelin", given, {{"c0", 0}, {"c1", 0}, {"c2", 0}}, {0});
  expect_ciphertext("bgv_ciphertext_relin", given, {{"relin_c0", 0}, {"relin_c1", 0}}, {0});
}

TEST(OpenfheFilesTest, ckks_ciphertexts_have_the_limbs_of_the_arrays) {
  const auto given = OpenfheCase::kept("ckks_hybrid_n2048_l5");
  for (const std::string array : {"a", "product", "rescaled", "rotated"}) {
    expect_ciphertext("ckks_ciphertext_" + array, given, {{array, 0}, {array, 1}}, {});
  }
}

TEST(OpenfheFilesTest, parameters_have_the_moduli_and_roots_of_the_case) {
  const FileBytes bytes = assembled_file("ckks_evalmultkey");
  const File file = parse(bytes);
  const auto d = description(context_of(file), find_eval_key(file));
  const auto given = OpenfheCase::kept("ckks_hybrid_n2048_l5");
  EXPECT_EQ(d.q, given.q());
  EXPECT_EQ(d.p, given.p());
  EXPECT_EQ(d.gadgets, (std::vector<rlwe::Gadget>{{2, 2, 5}}));
  EXPECT_EQ(d.error_scale, 1U);
  EXPECT_THROW(rlwe::Parameters{d}, Error);  // 380 bits at degree 2048 are not secure
}

// Digit j, parts b and a, against arrays of axes digit, tower, slot.
void expect_key(const std::string& name, const EvalKey& key, const rlwe::Parameters& parameters,
                const OpenfheCase& given, const std::string& a, const std::string& b) {
  SCOPED_TRACE(name);
  const auto ours = to_evaluation_key(key, parameters);
  EXPECT_FALSE(ours.seed);
  const auto expected_a = given.words(a);
  ASSERT_EQ(ours.digit_count(), expected_a.shape.front());
  for (std::size_t j = 0; j < ours.digit_count(); ++j) {
    expect_limbs(ours.limbs, 2 * j, given.words(b), {j});
    expect_limbs(ours.limbs, 2 * j + 1, expected_a, {j});
  }
}

TEST(OpenfheFilesTest, evaluation_keys_have_the_limbs_of_the_arrays) {
  struct Row {
    std::string file, folder, a, b;
  };
  for (const Row& row :
       {Row{"bgv_evalmultkey", "bgv_bv_n1024_l4", "evalmult_key_a", "evalmult_key_b"},
        Row{"ckks_evalmultkey", "ckks_hybrid_n2048_l5", "evalmult_key_a", "evalmult_key_b"},
        Row{"ckks_rotationkey", "ckks_hybrid_n2048_l5", "rot_key_a", "rot_key_b"}}) {
    const FileBytes bytes = assembled_file(row.file);
    const File file = parse(bytes);
    const EvalKey& key = *find_eval_key(file);
    expect_key(row.file, key, toy_parameters(file, &key), OpenfheCase::kept(row.folder), row.a,
               row.b);
  }
}

TEST(OpenfheFilesTest, rotation_keys_are_found_by_their_galois_element) {
  const FileBytes bytes = assembled_file("ckks_rotationkey");
  const File file = parse(bytes);
  const auto& keys = std::get<AutomorphismKeys>(file.object);
  ASSERT_EQ(keys.size(), 1U);
  ASSERT_EQ(keys[0].second->size(), 1U);
  EXPECT_EQ(keys[0].second->front().first, 125U);  // 5^3: rotation by 3
}

TEST(OpenfheFilesTest, public_and_secret_keys_have_the_limbs_of_the_arrays) {
  const auto given = OpenfheCase::kept("bgv_bv_n1024_l4");
  const FileBytes public_bytes = assembled_file("bgv_publickey");
  const File public_file = parse(public_bytes);
  const auto key = to_public_key(object<PublicKey>(public_file), toy_parameters(public_file));
  expect_limbs(key.limbs, 0, given.words("pk0"), {});
  expect_limbs(key.limbs, 1, given.words("pk1"), {});

  for (const std::string name : {"bgv_bv_n1024_l4", "ckks_hybrid_n2048_l5"}) {
    SCOPED_TRACE(name);
    const FileBytes bytes = assembled_file(name.substr(0, name.find('_')) + "_secretkey");
    const File file = parse(bytes);
    const auto secret = to_secret_key(object<SecretKey>(file), toy_parameters(file));
    const auto expected = OpenfheCase::kept(name).small("sk_coeff").values;
    EXPECT_TRUE(std::ranges::equal(secret.coefficients(), expected));
  }
}

TEST(OpenfheFilesTest, a_key_under_another_root_is_refused) {
  const FileBytes bytes = assembled_file("ckks_evalmultkey");
  const File file = parse(bytes);
  const EvalKey& key = *find_eval_key(file);
  const auto parameters = toy_parameters(file, &key);
  // The key's towers have parameters of their own, shared by all its polynomials.
  NativeParams& tower = *key.a[0].towers[1].params;
  const ring::Modulus& q = parameters.q()[1];
  ASSERT_EQ(tower.root, q.psi());
  tower.root = q.pow(q.psi(), 3);
  try {
    to_evaluation_key(key, parameters);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::malformed_file);
  }
}

// What was read and becomes OpenFHE's again has the bytes of the file it came from.
TEST(OpenfheFilesTest, limbs_go_back_into_the_same_file) {
  for (const std::string name :
       {"bgv_ciphertext_a", "bgv_ciphertext_norelin", "ckks_ciphertext_a",
        "ckks_ciphertext_rescaled", "bgv_publickey", "bgv_secretkey", "ckks_secretkey",
        "bgv_evalmultkey", "ckks_evalmultkey", "ckks_rotationkey"}) {
    SCOPED_TRACE(name);
    const FileBytes bytes = assembled_file(name);
    const File file = parse(bytes);
    const auto parameters = toy_parameters(file, find_eval_key(file));
    // The limbs that the result views live until it is written.
    rlwe::Ciphertext ciphertext;
    rlwe::PublicKey public_key;
    std::optional<rlwe::SecretKey> secret_key;
    rlwe::EvaluationKey evaluation_key{};
    File back = file;
    if (name.find("ciphertext") != std::string::npos) {
      ciphertext = to_ciphertext(object<Ciphertext>(file), parameters);
      back.object = std::make_shared<Ciphertext>(
          from_ciphertext(ciphertext, parameters, object<Ciphertext>(file)));
    } else if (name == "bgv_publickey") {
      public_key = to_public_key(object<PublicKey>(file), parameters);
      back.object = std::make_shared<PublicKey>(
          from_public_key(public_key, parameters, object<PublicKey>(file).owner));
    } else if (name.find("secretkey") != std::string::npos) {
      secret_key = to_secret_key(object<SecretKey>(file), parameters);
      back.object = std::make_shared<SecretKey>(
          from_secret_key(*secret_key, parameters, object<SecretKey>(file).owner));
    } else {
      const EvalKey& key = *find_eval_key(file);
      evaluation_key = to_evaluation_key(key, parameters);
      const auto made =
          std::make_shared<EvalKey>(from_evaluation_key(evaluation_key, parameters, key.owner));
      if (auto* map = std::get_if<EvalMultKeys>(&back.object)) {
        map->front().second.front() = made;
      } else {
        auto& automorphisms = std::get<AutomorphismKeys>(back.object);
        automorphisms[0].second = std::make_shared<AutomorphismMap>(*automorphisms[0].second);
        automorphisms[0].second->front().second = made;
      }
    }
    EXPECT_EQ(write(back), bytes);
  }
}

// c0 + c1*s as centred integers, coefficient by coefficient.
std::vector<mpz_class> phase(const rlwe::Ciphertext& ciphertext, const rlwe::SecretKey& secret,
                             const rlwe::Parameters& parameters) {
  mpz_class product = 1;
  for (const auto& q : parameters.q().moduli()) product *= mpz_class(std::to_string(q.value()));
  std::vector<mpz_class> result(parameters.degree());
  for (std::size_t i = 0; i < parameters.q().size(); ++i) {
    const ring::Modulus& q = parameters.q()[i];
    std::vector<std::uint64_t> evaluations(q.degree());
    std::vector<std::uint64_t> coefficients(q.degree());
    for (std::size_t k = 0; k < q.degree(); ++k) {
      evaluations[k] = q.add(ciphertext.limbs.limb(0, i)[k],
                             q.mul(ciphertext.limbs.limb(1, i)[k], secret.limb(i)[k]));
    }
    ring::reference::intt(q, evaluations, coefficients);
    const mpz_class modulus(std::to_string(q.value()));
    const mpz_class cofactor = product / modulus;
    mpz_class inverse;
    mpz_invert(inverse.get_mpz_t(), cofactor.get_mpz_t(), modulus.get_mpz_t());
    for (std::size_t k = 0; k < q.degree(); ++k) {
      result[k] += mpz_class(std::to_string(coefficients[k])) * inverse % modulus * cofactor;
    }
  }
  for (mpz_class& v : result) {
    v %= product;
    if (2 * v > product) v -= product;
  }
  return result;
}

// Slot j of the first row is the value at psi^(5^j), psi the smallest root modulo t.
std::array<std::uint64_t, 6> first_slots(const std::vector<mpz_class>& message, std::uint64_t t) {
  const std::uint64_t degree = message.size();
  const ring::Modulus modulus(t, degree);
  std::array<std::uint64_t, 6> slots{};
  std::uint64_t exponent = 1;
  for (std::uint64_t& slot : slots) {
    const std::uint64_t x = modulus.pow(modulus.psi(), exponent);
    for (std::size_t k = message.size(); k-- > 0;) {
      mpz_class residue;
      mpz_mod_ui(residue.get_mpz_t(), message[k].get_mpz_t(), t);
      slot = modulus.add(modulus.mul(slot, x), residue.get_ui());
    }
    exponent = exponent * 5 % (2 * degree);
  }
  return slots;
}

TEST(OpenfheFilesTest, ciphertexts_decrypt_with_the_stored_secret_key) {
  constexpr std::uint64_t kPlaintextModulus = 65537;
  constexpr std::array<std::uint64_t, 6> kSlots{1, 2, 3, 4, 0, 0};
  for (const std::string set : {"bgvbv", "bfv"}) {
    SCOPED_TRACE(set);
    const FileBytes secret_bytes = ecosystem_file(set + ".sk.bin");
    const FileBytes bytes = ecosystem_file(set + ".ct.bin");
    const File secret_file = parse(secret_bytes);
    const File file = parse(bytes);
    const auto parameters = toy_parameters(file);
    const auto secret = to_secret_key(object<SecretKey>(secret_file), parameters);
    const auto ciphertext = to_ciphertext(object<Ciphertext>(file), parameters);
    EXPECT_EQ(object<Ciphertext>(file).owner.key_tag, object<SecretKey>(secret_file).owner.key_tag);
    auto message = phase(ciphertext, secret, parameters);
    if (set == "bfv") {
      mpz_class product = 1;
      for (const auto& q : parameters.q().moduli()) product *= mpz_class(std::to_string(q.value()));
      for (mpz_class& v : message) {
        const mpz_class scaled = 2 * kPlaintextModulus * v + product;
        mpz_fdiv_q(v.get_mpz_t(), scaled.get_mpz_t(), mpz_class(2 * product).get_mpz_t());
      }
    } else {
      EXPECT_EQ(object<Ciphertext>(file).scaling_factor_int, 1U);
    }
    EXPECT_EQ(first_slots(message, kPlaintextModulus), kSlots);
  }
}

TEST(OpenfheFilesTest, either_class_version_is_read_and_kept) {
  File file = parse(vectors::ecosystem_file("bgvbv.cc.bin"));
  for (std::uint32_t& version : file.versions) version ^= 1;
  const auto flipped = write(file);
  EXPECT_NE(flipped, vectors::ecosystem_file("bgvbv.cc.bin"));
  EXPECT_EQ(write(parse(flipped)), flipped);
}

}  // namespace
}  // namespace heliodor::formats::openfhe
