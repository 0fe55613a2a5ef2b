// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Other libraries' files through native containers.
#include "heliodor/formats/openfhe/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/formats/container/object_writer.h"
#include "heliodor/formats/openfhe/codec.h"
#include "heliodor/formats/openfhe/convert.h"
#include "heliodor/formats/seal/codec.h"
#include "heliodor/formats/seal/convert.h"
#include "heliodor/formats/seal/exchange.h"
#include "tests/formats/vector_files.h"

namespace heliodor::formats {
namespace {

using testing::HasSubstr;
using vectors::assembled_file;
using vectors::FileBytes;

TEST(ExchangeTest, openfhe_files_return_from_a_container_to_the_bit) {
  auto files = vectors::assembled_files();
  for (const std::string name : {"bgvbv.ct.bin", "bfv.ct.bin", "bfv.sk.bin"}) {
    files.push_back({name, vectors::ecosystem_file(name)});
  }
  for (vectors::NamedFile& file : vectors::large_openfhe_files()) files.push_back(std::move(file));
  std::size_t compared = 0;
  for (const vectors::NamedFile& file : files) {
    SCOPED_TRACE(file.name);
    const openfhe::File parsed = openfhe::parse(file.bytes);
    if (std::holds_alternative<std::shared_ptr<openfhe::Context>>(parsed.object)) continue;
    const auto container = openfhe::to_container(parsed);
    EXPECT_LT(container.size(), file.bytes.size());
    const ObjectReader in(Container::view(container));
    const FileBytes back = openfhe::from_container(in);
    if (file.name.find("rotated") == std::string::npos) {
      EXPECT_TRUE(back == file.bytes);
    } else {
      // OpenFHE wrote the moduli of the rotated part again, we point to them.
      EXPECT_EQ(openfhe::to_container(openfhe::parse(back)), container);
    }
    ++compared;
  }
  EXPECT_GE(compared, 14U + 3);
}

TEST(ExchangeTest, a_context_becomes_parameters) {
  const FileBytes bytes = assembled_file("ckks_cryptocontext");
  const auto container = openfhe::to_container(openfhe::parse(bytes));
  const ObjectReader in(Container::view(container));
  EXPECT_TRUE(in.entries().empty());
  EXPECT_EQ(in.parameters(rlwe::SecurityLevel::none).q().size(), 5U);
  EXPECT_TRUE(in.parameters(rlwe::SecurityLevel::none).p().empty());
}

TEST(ExchangeTest, a_key_gives_a_ciphertext_its_special_primes) {
  const FileBytes key_bytes = assembled_file("ckks_evalmultkey");
  const FileBytes bytes = assembled_file("ckks_ciphertext_a");
  const openfhe::File key_file = openfhe::parse(key_bytes);
  const auto container =
      openfhe::to_container(openfhe::parse(bytes), openfhe::find_eval_key(key_file));
  const auto key_container = openfhe::to_container(key_file);
  const ObjectReader in(Container::view(container));
  const ObjectReader keys(Container::view(key_container));
  const auto parameters = keys.parameters(rlwe::SecurityLevel::none);
  EXPECT_EQ(parameters.p().size(), 2U);
  EXPECT_EQ(in.ciphertext(parameters, 0).limb_count(), 5U);  // the parameters are the same
  EXPECT_EQ(keys.relinearization_keys(parameters).keys.size(), 1U);
}

TEST(ExchangeTest, metadata_says_what_a_scheme_needs) {
  const FileBytes ckks = assembled_file("ckks_ciphertext_product");
  const FileBytes bgv = assembled_file("bgv_ciphertext_a");
  const auto ckks_container = openfhe::to_container(openfhe::parse(ckks));
  const auto bgv_container = openfhe::to_container(openfhe::parse(bgv));
  EXPECT_THAT(ObjectReader(Container::view(ckks_container)).ciphertext_entry(0).metadata,
              HasSubstr(R"("scale":1.2676506002282294e+30,"scheme":"ckks")"));  // 2^100
  EXPECT_THAT(ObjectReader(Container::view(bgv_container)).ciphertext_entry(0).metadata,
              HasSubstr(R"("plaintext_factor":1,"plaintext_modulus":257,"scheme":"bgv")"));
}

// A ciphertext of ours takes owner and counters from a file of OpenFHE's.
TEST(ExchangeTest, a_ciphertext_can_be_like_another) {
  const FileBytes bytes = assembled_file("bgv_ciphertext_relin");
  const FileBytes model_bytes = assembled_file("bgv_ciphertext_a");
  const openfhe::File file = openfhe::parse(bytes);
  const openfhe::File model = openfhe::parse(model_bytes);
  auto d = openfhe::description(openfhe::context_of(file));
  d.security = rlwe::SecurityLevel::none;
  const rlwe::Parameters parameters(d);
  ObjectWriter out(parameters);
  const auto& ciphertext = *std::get<std::shared_ptr<openfhe::Ciphertext>>(file.object);
  out.add(openfhe::to_ciphertext(ciphertext, parameters));
  const auto container = out.finish();
  const ObjectReader in(Container::view(container));
  EXPECT_THROW(openfhe::from_container(in), Error);
  const FileBytes written = openfhe::from_container(in, &model);
  const openfhe::File back = openfhe::parse(written);
  const auto& found = *std::get<std::shared_ptr<openfhe::Ciphertext>>(back.object);
  EXPECT_TRUE(openfhe::to_ciphertext(found, parameters).limbs ==
              openfhe::to_ciphertext(ciphertext, parameters).limbs);
  EXPECT_EQ(found.owner.key_tag, ciphertext.owner.key_tag);
}

void expect_mismatch(const ObjectReader& in, const std::string& mention) {
  try {
    openfhe::from_container(in);
    ADD_FAILURE() << "nothing was thrown: " << mention;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::mismatch);
    EXPECT_THAT(error.what(), HasSubstr(mention));
  }
}

TEST(ExchangeTest, a_container_that_fits_no_openfhe_file_is_refused) {
  expect_mismatch(ObjectReader(Container::open("tests/vectors/native/ciphertexts.hld")),
                  "holds 2 objects");
  expect_mismatch(ObjectReader(Container::open("tests/vectors/native/keys.hld", TestSeeds::accept)),
                  "holds 5 objects");
  const FileBytes bytes = vectors::ecosystem_file("seal.parms.bin");
  const auto container = seal::to_container(seal::parse(bytes));
  expect_mismatch(ObjectReader(Container::view(container)), "holds 0 objects");
}

TEST(ExchangeTest, seal_files_become_containers) {
  const FileBytes parameters_bytes = vectors::ecosystem_file("seal.parms.bin");
  const seal::File parameters_file = seal::parse(parameters_bytes);
  const auto& seal_parameters = std::get<seal::Parameters>(parameters_file.object);
  for (const std::string name : {"seal.ct.bin", "seal.cts.bin", "seal.sk.bin", "seal.rk.bin"}) {
    SCOPED_TRACE(name);
    const FileBytes bytes = vectors::ecosystem_file(name);
    const seal::File file = seal::parse(bytes);
    EXPECT_THROW(seal::to_container(file), Error);
    const auto container = seal::to_container(file, &seal_parameters);
    const ObjectReader in(Container::view(container));
    const auto parameters = in.parameters(rlwe::SecurityLevel::none);
    ASSERT_EQ(in.entries().size(), 1U);
    if (const auto* ciphertext = std::get_if<seal::Ciphertext>(&file.object)) {
      EXPECT_TRUE(in.ciphertext(parameters, 0).limbs ==
                  seal::to_ciphertext(*ciphertext, parameters).limbs);
      EXPECT_THAT(in.ciphertext_entry(0).metadata, HasSubstr(R"("plaintext_modulus":1032193)"));
    } else if (const auto* keys = std::get_if<seal::KSwitchKeys>(&file.object)) {
      EXPECT_TRUE(in.relinearization_keys(parameters).keys[0].limbs ==
                  seal::to_relinearization_keys(*keys, parameters).keys[0].limbs);
    } else {
      EXPECT_EQ(in.secret_key(parameters).coefficients().size(), 4096U);
    }
  }
}

}  // namespace
}  // namespace heliodor::formats
