// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/formats/container/object_reader.h"
#include "heliodor/formats/container/object_writer.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/rlwe/noise_growth.h"
#include "heliodor/schemes/bfv/encryption.h"
#include "heliodor/schemes/bfv/noise.h"
#include "heliodor/schemes/bgv/encryption.h"
#include "heliodor/schemes/slots/slot_encoder.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kT = 65537;
constexpr const char* kMetadata =
    R"({"scheme": "bgv", "plaintext_modulus": 65537, "plaintext_factor": 1})";

// Toy parameters: everything here runs in milliseconds.
class MultiplyFilesTest : public CommandTest {
 protected:
  MultiplyFilesTest()
      : context_(std::make_shared<bgv::Context>(
            bgv::Parameters::for_depth(
                {.t = kT, .depth = 1, .security = rlwe::SecurityLevel::none}),
            registry::make_target("cpu"))),
        encoder_(context_->rlwe(), kT),
        generator_(context_->rlwe(), base::TestSeed(1)),
        secret_(generator_.secret_key()),
        encryptor_(context_, secret_, base::TestSeed(2)) {
    formats::ObjectWriter out(context_->parameters().rlwe());
    out.add(generator_.relinearization_keys(secret_));
    key_ = write("key.hld", text(out));
  }

  // Ciphertext i holds `first + i` in every slot.
  std::string ciphertexts(const std::string& name, std::int64_t first, std::size_t count) {
    formats::ObjectWriter out(context_->parameters().rlwe());
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<std::int64_t> slots(encoder_.slot_count(),
                                            first + static_cast<std::int64_t>(i));
      out.add(encryptor_.encrypt(encoder_.encode(slots)).rlwe, kMetadata);
    }
    return write(name, text(out));
  }

  std::vector<std::uint64_t> decrypt(const std::string& path, std::size_t i) const {
    const formats::ObjectReader in(formats::Container::open(path));
    const auto parameters = in.parameters(rlwe::SecurityLevel::none);
    const bgv::Ciphertext product{in.ciphertext(parameters, i), 1};
    return encoder_.decode(bgv::Decryptor(context_, secret_).decrypt(product));
  }

  static std::string text(const formats::ObjectWriter& out) {
    const auto bytes = out.finish();
    return {bytes.begin(), bytes.end()};
  }

  bgv::ContextPtr context_;
  slots::SlotEncoder encoder_;
  rlwe::KeyGenerator generator_;
  rlwe::SecretKey secret_;
  bgv::Encryptor encryptor_;
  std::string key_;
};

TEST_F(MultiplyFilesTest, products_of_two_files_decrypt_right) {
  const std::string a = ciphertexts("a.hld", 5, 3), b = ciphertexts("b.hld", -2, 3);
  const std::string out = write("out.hld", "");
  const Outcome outcome =
      heliodor_command({"run", "evalmult", "--in", a, "--in", b, "--key", key_, "--out", out,
                        "--security", "none", "--verify", "reference", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["products"], 3);
  EXPECT_EQ(json["security"], "none");
  EXPECT_EQ(json["targets"].back()["equal"], "yes");
  const std::uint64_t products[] = {kT - 10, kT - 6, 0};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_THAT(decrypt(out, i), testing::Each(products[i]));
}

TEST_F(MultiplyFilesTest, every_target_that_holds_the_words_writes_the_same_file) {
  const std::string a = ciphertexts("a.hld", 7, 1), b = ciphertexts("b.hld", 9, 1);
  std::vector<std::string> files;
  for (const auto& target : registry::present_targets()) {
    const std::string out = write("out.hld", "");
    const Outcome outcome =
        heliodor_command({"run", "evalmult", "--in", a, "--in", b, "--key", key_, "--out", out,
                          "--security", "none", "--target", target->name()});
    if (outcome.code == 3) {
      EXPECT_THAT(outcome.err, testing::ContainsRegex("q0 has [0-9]+ bits, words hold 32"));
      continue;
    }
    ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    files.push_back(read(out));
  }
  EXPECT_GT(files.size(), 2U);
  EXPECT_THAT(files, testing::Each(files.front()));
}

TEST_F(MultiplyFilesTest, parameters_below_128_bits_must_be_allowed_by_name) {
  const std::string a = ciphertexts("a.hld", 1, 1);
  const Outcome outcome =
      heliodor_command({"run", "evalmult", "--in", a, "--in", a, "--key", key_});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("does not reach 128 bits"));
}

TEST_F(MultiplyFilesTest, products_that_bounds_do_not_allow_and_odd_metadata_are_refused) {
  const auto outcome_of = [&](const rlwe::Ciphertext& ciphertext, const char* metadata) {
    formats::ObjectWriter out(context_->parameters().rlwe());
    out.add(ciphertext, metadata);
    const std::string file = write("file.hld", text(out));
    return heliodor_command(
        {"run", "evalmult", "--in", file, "--in", file, "--key", key_, "--security", "none"});
  };
  rlwe::Ciphertext ciphertext =
      encryptor_.encrypt(encoder_.encode(std::vector<std::int64_t>{1})).rlwe;
  EXPECT_EQ(outcome_of(ciphertext, kMetadata).code, 0);
  for (const char* metadata :
       {R"({"scheme": 5})", R"({"scheme": "bgv", "plaintext_factor": "one"})",
        R"({"scheme": "ckks", "scale": [], "openfhe": 1})"}) {
    const std::string out = write("out.hld", "");
    formats::ObjectWriter writer(context_->parameters().rlwe());
    writer.add(ciphertext, metadata);
    const std::string file = write("file.hld", text(writer));
    const Outcome outcome = heliodor_command({"run", "evalmult", "--in", file, "--in", file,
                                              "--key", key_, "--security", "none", "--out", out});
    EXPECT_EQ(outcome.code, 2) << metadata;
    EXPECT_THAT(outcome.err, HasSubstr("metadata of a ciphertext"));
  }
  const std::size_t limbs = ciphertext.limb_count();
  ciphertext.bounds.phase =
      rlwe::NoiseBound::of_log2(context_->parameters().rlwe().phase_limit(limbs).log2() / 2 + 1);
  const Outcome outcome = outcome_of(ciphertext, kMetadata);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the phase of a product may be"));
}

TEST_F(MultiplyFilesTest, bad_input_is_named) {
  const std::string a = ciphertexts("a.hld", 1, 1), two = ciphertexts("two.hld", 1, 2);
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"run", "evalmult"};
    args.insert(args.end(), more.begin(), more.end());
    return heliodor_command(args);
  };
  const auto expect = [&](std::vector<std::string> more, const std::string& message,
                          const char* security = "none") {
    more.insert(more.end(), {"--security", security});
    const Outcome outcome = run(std::move(more));
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  };
  expect({"--in", a, "--key", key_}, "1 files do not make pairs");
  expect({"--in", a, "--in", two, "--key", key_}, "holds 1 ciphertexts");
  expect({"--in", a, "--in", a}, "needs --key");
  expect({"--in", a, "--in", a, "--key", a}, "relinearization");
  expect({"--in", a, "--in", key_, "--key", key_}, "holds 0");
  expect({"--in", a, "--in", a, "--key", key_}, "security '100'", "100");
  expect({"--in", a, "--in", write("text", "hello"), "--key", key_}, "text: ");
}

// The same of BFV, whose product is another program with other bounds.
class MultiplyBfvFilesTest : public CommandTest {
 protected:
  MultiplyBfvFilesTest()
      : context_(std::make_shared<bfv::Context>(
            bfv::Parameters::for_depth(
                {.t = kT, .depth = 1, .security = rlwe::SecurityLevel::none}),
            registry::make_target("cpu"))),
        encoder_(context_->rlwe(), kT),
        generator_(context_->rlwe(), base::TestSeed(1)),
        secret_(generator_.secret_key()),
        encryptor_(context_, secret_, base::TestSeed(2)) {
    formats::ObjectWriter out(context_->parameters().rlwe());
    out.add(generator_.relinearization_keys(secret_));
    key_ = write("key.hld", text(out));
  }

  bfv::Ciphertext encrypt(std::int64_t value) {
    return encryptor_.encrypt(
        encoder_.encode(std::vector<std::int64_t>(encoder_.slot_count(), value)));
  }

  std::string file(const std::string& name, const bfv::Ciphertext& ciphertext,
                   const char* metadata = R"({"scheme": "bfv", "plaintext_modulus": 65537})") {
    formats::ObjectWriter out(context_->parameters().rlwe());
    out.add(ciphertext, metadata);
    return write(name, text(out));
  }

  Outcome product_of(const std::string& a, const std::string& b) {
    return heliodor_command({"run", "evalmult", "--in", a, "--in", b, "--key", key_, "--out",
                             path("out.hld"), "--security", "none", "--verify", "reference",
                             "--json"});
  }

  static std::string text(const formats::ObjectWriter& out) {
    const auto bytes = out.finish();
    return {bytes.begin(), bytes.end()};
  }

  bfv::ContextPtr context_;
  slots::SlotEncoder encoder_;
  rlwe::KeyGenerator generator_;
  rlwe::SecretKey secret_;
  bfv::Encryptor encryptor_;
  std::string key_;
};

TEST_F(MultiplyBfvFilesTest, products_decrypt_right_and_keep_bounds_and_metadata) {
  const Outcome outcome = product_of(file("a.hld", encrypt(-300)), file("b.hld", encrypt(400)));
  ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["scheme"], "bfv");
  EXPECT_EQ(json["targets"].back()["equal"], "yes");
  const formats::ObjectReader in(formats::Container::open(path("out.hld")));
  const auto parameters = in.parameters(rlwe::SecurityLevel::none);
  const bfv::Ciphertext product = in.ciphertext(parameters, 0);
  const std::uint64_t expected = (std::uint64_t{kT} * 2 - 300 * 400 % kT) % kT;
  EXPECT_THAT(encoder_.decode(bfv::Decryptor(context_, secret_).decrypt(product)),
              testing::Each(expected));
  EXPECT_TRUE(product.bounds.error < error_limit(context_->parameters(), product.limb_count()));
  EXPECT_EQ(product.bounds.error, product.bounds.phase);
  const auto metadata = nlohmann::json::parse(in.ciphertext_entry(0).metadata);
  EXPECT_EQ(metadata["scheme"], "bfv");
  EXPECT_EQ(metadata["plaintext_modulus"], kT);
}

TEST_F(MultiplyBfvFilesTest, the_error_of_the_product_is_bounded_as_its_evaluator_bounds_it) {
  const bfv::Ciphertext a = encrypt(1);
  ASSERT_EQ(product_of(file("a.hld", a), file("a.hld", a)).code, 0);
  const formats::ObjectReader in(formats::Container::open(path("out.hld")));
  const auto parameters = in.parameters(rlwe::SecurityLevel::none);
  const rlwe::NoiseBound tensor =
      product_error(context_->parameters(), a.limb_count(), a.bounds.error, a.bounds.error);
  const rlwe::NoiseBound switching =
      key_switch_error(parameters, parameters.gadgets().front(), a.limb_count());
  EXPECT_EQ(in.ciphertext(parameters, 0).bounds.error, tensor + switching);
}

TEST_F(MultiplyBfvFilesTest, products_that_bounds_do_not_allow_are_refused) {
  bfv::Ciphertext noisy = encrypt(1);
  const auto limit = error_limit(context_->parameters(), noisy.limb_count());
  noisy.bounds.error = noisy.bounds.phase = limit / 2;
  const std::string a = file("a.hld", noisy);
  const Outcome outcome = product_of(a, a);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the error of a product may be"));
  EXPECT_THAT(outcome.err, HasSubstr("not below Q/(2t)"));
}

TEST_F(MultiplyBfvFilesTest, files_without_bounds_are_multiplied_with_none) {
  bfv::Ciphertext foreign = encrypt(3);
  foreign.bounds.error = foreign.bounds.phase = rlwe::NoiseBound::of_log2(INFINITY);
  const std::string a = file("a.hld", foreign);
  ASSERT_EQ(product_of(a, a).code, 0);
  const formats::ObjectReader in(formats::Container::open(path("out.hld")));
  const bfv::Ciphertext product = in.ciphertext(in.parameters(rlwe::SecurityLevel::none), 0);
  EXPECT_EQ(product.bounds.error.log2(), INFINITY);
  EXPECT_THAT(encoder_.decode(bfv::Decryptor(context_, secret_).decrypt(product)),
              testing::Each(9U));
}

TEST_F(MultiplyBfvFilesTest, the_plaintext_modulus_must_be_given_and_be_one) {
  const bfv::Ciphertext a = encrypt(1);
  const std::string usual = file("a.hld", a);
  const std::string without = file("b.hld", a, R"({"scheme": "bfv"})");
  const std::string other = file("c.hld", a, R"({"scheme": "bfv", "plaintext_modulus": 257})");
  const std::string scheme = file("d.hld", a, R"({"scheme": "tfhe", "plaintext_modulus": 65537})");
  const std::pair<Outcome, const char*> refused[] = {
      {product_of(without, without), "metadata of a ciphertext"},
      {product_of(usual, other), "bfv modulo 65537 and bfv modulo 257"},
      {product_of(usual, without), "bfv modulo 65537 and bfv"}};
  for (const auto& [outcome, reason] : refused) {
    EXPECT_EQ(outcome.code, 2) << reason;
    EXPECT_THAT(outcome.err, HasSubstr(reason));
  }
  const Outcome unknown = product_of(scheme, scheme);
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.err, HasSubstr("\"tfhe\": only bgv, bfv and ckks"));
}

TEST_F(MultiplyBfvFilesTest, counters_of_openfhe_go_up_by_one) {
  const char* metadata =
      R"({"scheme": "bfv", "plaintext_modulus": 65537, "openfhe": {"noise_scale_degree": 2}})";
  const std::string a = file("a.hld", encrypt(1), metadata);
  ASSERT_EQ(product_of(a, a).code, 0);
  const formats::ObjectReader in(formats::Container::open(path("out.hld")));
  const auto counters = nlohmann::json::parse(in.ciphertext_entry(0).metadata)["openfhe"];
  EXPECT_EQ(counters["noise_scale_degree"], 3);
}

}  // namespace
}  // namespace heliodor::cli
