// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// inspect and convert on files of keys and ciphertexts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "heliodor/cli/internal/command_fixture.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;

const std::string kEcosystem = "tests/vectors/ecosystem/";
const std::string kNative = "tests/vectors/native/";

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

class ConvertTest : public CommandTest {
 protected:
  static nlohmann::json inspected(const std::string& file) {
    const Outcome outcome = heliodor_command({"inspect", file, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
};

TEST_F(ConvertTest, an_openfhe_ciphertext_is_described) {
  const Outcome outcome = heliodor_command({"inspect", kEcosystem + "bgvbv.ct.bin"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("OpenFHE binary, 197597 bytes"));
  EXPECT_THAT(outcome.out, HasSubstr("scheme: BGV"));
  EXPECT_THAT(outcome.out, HasSubstr("security: none"));
  EXPECT_THAT(outcome.out, HasSubstr("ciphertext, parts 2, limbs 3, level 0"));
  const auto json = inspected(kEcosystem + "bgvbv.ct.bin");
  EXPECT_EQ(json["command"], "inspect");
  EXPECT_EQ(json["degree"], 4096);
  EXPECT_EQ(json["moduli_q"].size(), 3U);
  EXPECT_NEAR(json["log2_qp"].get<double>(), 150, 0.01);
  EXPECT_EQ(json["objects"][0]["parts"], 2);
}

TEST_F(ConvertTest, secret_keys_are_written_for_the_owner_alone) {
  const auto mode = [](const std::string& file) {
    return std::filesystem::status(file).permissions() & std::filesystem::perms::others_read;
  };
  const std::string key = write("key.hld", ""), back = write("key.bin", "");
  ASSERT_EQ(heliodor_command({"convert", kEcosystem + "bfv.sk.bin", key}).code, 0);
  ASSERT_EQ(heliodor_command({"convert", key, back}).code, 0);
  EXPECT_EQ(mode(key), std::filesystem::perms::none);
  EXPECT_EQ(mode(back), std::filesystem::perms::none);
  EXPECT_EQ(contents(back), contents(kEcosystem + "bfv.sk.bin"));
}

TEST_F(ConvertTest, hybrid_contexts_say_that_special_primes_are_missing) {
  const auto json = inspected(kEcosystem + "bgvhy.cc.bin");
  EXPECT_EQ(json["key_switching"], "HYBRID");
  EXPECT_THAT(json["remark"].get<std::string>(), HasSubstr("Q alone"));
}

TEST_F(ConvertTest, seal_files_are_described) {
  const auto parameters = inspected(kEcosystem + "seal.parms.bin");
  EXPECT_EQ(parameters["scheme"], "BGV");
  EXPECT_EQ(parameters["moduli_p"].size(), 1U);
  EXPECT_EQ(parameters["security"], "none");
  const auto ciphertext = inspected(kEcosystem + "seal.cts.bin");
  EXPECT_EQ(ciphertext["objects"][0]["seeded"], true);
  EXPECT_EQ(ciphertext["objects"][0]["limbs"], 2);
  const auto keys = inspected(kEcosystem + "seal.rk.bin");
  EXPECT_EQ(keys["objects"][0]["digits"], 2);
}

TEST_F(ConvertTest, containers_are_described_test_seeds_included) {
  const auto json = inspected(kNative + "keys.hld");
  EXPECT_EQ(json["test_seed"], true);
  EXPECT_EQ(json["objects"].size(), 5U);
  EXPECT_EQ(json["objects"][4]["galois_element"], 5);
  EXPECT_EQ(json["objects"][2]["seeded"], false);
  EXPECT_EQ(json["objects"][3]["seeded"], true);
  const Outcome outcome = heliodor_command({"inspect", kNative + "keys.hld"});
  EXPECT_THAT(outcome.out, HasSubstr("test_seed: yes"));
  EXPECT_THAT(outcome.out, HasSubstr("note: golden keys"));
}

TEST_F(ConvertTest, openfhe_files_go_to_a_container_and_back) {
  for (const std::string name : {"bgvbv.ct", "bgvbv.sk", "bfv.ct"}) {
    const std::string file = kEcosystem + name + ".bin";
    const Outcome there = heliodor_command({"convert", file, path("x.hld")});
    ASSERT_EQ(there.code, 0) << there.err;
    EXPECT_THAT(there.out, HasSubstr(" bytes ("));
    ASSERT_EQ(heliodor_command({"convert", path("x.hld"), path("back.bin")}).code, 0);
    EXPECT_TRUE(read("back.bin") == contents(file)) << name;
  }
}

TEST_F(ConvertTest, seal_ciphertexts_need_their_parameters) {
  const std::string file = kEcosystem + "seal.cts.bin";
  const Outcome refused = heliodor_command({"convert", file, path("x.hld")});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("do not say their parameters"));
  const Outcome there =
      heliodor_command({"convert", file, path("x.hld"), "--with", kEcosystem + "seal.parms.bin"});
  ASSERT_EQ(there.code, 0) << there.err;
  EXPECT_EQ(inspected(path("x.hld"))["objects"][0]["limbs"], 2);
}

TEST_F(ConvertTest, a_container_takes_the_owner_of_another_openfhe_file) {
  ASSERT_EQ(heliodor_command({"convert", kEcosystem + "bgvbv.ct.bin", path("x.hld")}).code, 0);
  const Outcome back = heliodor_command(
      {"convert", path("x.hld"), path("y.bin"), "--with", kEcosystem + "bgvbv.sk.bin"});
  ASSERT_EQ(back.code, 0) << back.err;
  EXPECT_TRUE(read("y.bin") == contents(kEcosystem + "bgvbv.ct.bin"));
  const Outcome other = heliodor_command(
      {"convert", path("x.hld"), path("y.bin"), "--with", kEcosystem + "bfv.sk.bin"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("are not the 2 of the OpenFHE context"));
}

TEST_F(ConvertTest, endings_and_damage_are_refused) {
  const std::string file = kEcosystem + "bgvbv.ct.bin";
  EXPECT_THAT(heliodor_command({"convert", file, path("x.txt")}).err, HasSubstr(".hld"));
  EXPECT_THAT(heliodor_command({"convert", kNative + "ciphertexts.hld", path("x.hld")}).err,
              HasSubstr(".bin"));
  EXPECT_THAT(heliodor_command({"inspect", file, "--text"}).err, HasSubstr("programs only"));
  const std::string cut = write("cut.bin", contents(file).substr(0, 100000));
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"inspect", cut}, {"convert", cut, path("x.hld")}}) {
    const Outcome outcome = heliodor_command(command);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("OpenFHE file, byte"));
  }
}

TEST_F(ConvertTest, keys_from_a_test_seed_do_not_leave_the_container) {
  const Outcome outcome = heliodor_command({"convert", kNative + "keys.hld", path("x.bin")});
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("test seed"));
}

}  // namespace
}  // namespace heliodor::cli
