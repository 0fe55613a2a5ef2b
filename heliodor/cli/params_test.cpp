// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever the command answers must hold for the library that computes with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "heliodor/cli/internal/choose_parameters.h"
#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/formats/container/object_writer.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/schemes/bfv/encryption.h"
#include "heliodor/schemes/bfv/evaluator.h"
#include "heliodor/schemes/bfv/noise.h"
#include "heliodor/schemes/bgv/encryption.h"
#include "heliodor/schemes/bgv/evaluator.h"
#include "heliodor/schemes/ckks/encryption.h"
#include "heliodor/schemes/ckks/evaluator.h"
#include "heliodor/schemes/slots/slot_encoder.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

nlohmann::json params_json(std::vector<std::string> args) {
  args.insert(args.begin(), "params");
  args.emplace_back("--json");
  const Outcome outcome = heliodor_command(args);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out);
}

void expect_refusal(std::vector<std::string> args, const std::string& reason) {
  args.insert(args.begin(), "params");
  const Outcome outcome = heliodor_command(args);
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr(reason));
}

double log2_of(const nlohmann::json& moduli) {
  double sum = 0;
  for (const auto& q : moduli) sum += std::log2(q["value"].get<double>());
  return sum;
}

TEST(ParamsTest, depth_8_modulo_65537_at_128_bits_is_answered_and_explained) {
  const Outcome outcome = heliodor_command({"params", "--depth", "8", "--t", "65537"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("N = 32768: 16384 holds 430 bits, the fewest "
                                                  "limbs take [0-9]+\n"));
  for (const char* line :
       {"\nQ: ", "\nP: ", "\ndigit_size = ", "\nmethod: ", "\nsecurity: 192 bits, log2\\(QP\\) = ",
        "of at most 597 ", "\nslots: 32768 ", "\nnoise: ", "\nrelinearization or Galois key "}) {
    EXPECT_THAT(outcome.out, testing::ContainsRegex(line));
  }
  // Half the degree indeed needs more than it holds.
  const auto half = params_json({"--depth", "8", "--degree", "16384", "--security", "none"});
  EXPECT_GT(half["log2_qp"].get<double>(), 430);
}

TEST(ParamsTest, a_degree_that_more_limbs_make_secure_is_not_refused) {
  const auto json = params_json({"--depth", "8", "--t", "2", "--degree", "16384"});
  EXPECT_LE(json["log2_qp"].get<double>(), 430);
  const auto fewest =
      params_json({"--depth", "8", "--t", "2", "--degree", "16384", "--security", "none"});
  EXPECT_LT(fewest["moduli_q"].size(), json["moduli_q"].size());
}

TEST(ParamsTest, every_scheme_has_its_levels_and_stays_below_the_limit) {
  const std::vector<std::vector<std::string>> requests = {
      {"--scheme", "bgv", "--depth", "3"},
      {"--scheme", "bgv", "--depth", "2", "--t", "257", "--security", "256"},
      {"--scheme", "bfv", "--depth", "2", "--security", "192"},
      {"--scheme", "bfv", "--depth", "2", "--summands", "1000"},
      {"--scheme", "ckks", "--depth", "4"},
      {"--scheme", "ckks", "--depth", "2", "--scale-bits", "40", "--integer-bits", "5"}};
  for (const auto& request : requests) {
    const auto json = params_json(request);
    const auto depth = json["depth"].get<std::size_t>();
    ASSERT_EQ(json["levels"].size(), depth + 1);
    for (std::size_t i = 0; i <= depth; ++i) {
      EXPECT_EQ(json["levels"][i]["products"], i);
      EXPECT_GT(json["levels"][i]["budget_bits"].get<double>(), 0);
    }
    EXPECT_EQ(json["levels"][0]["limbs"], json["moduli_q"].size());
    const double log_qp = log2_of(json["moduli_q"]) + log2_of(json["moduli_p"]);
    EXPECT_NEAR(json["log2_qp"].get<double>(), log_qp, 1e-9);
    EXPECT_LE(log_qp, json["log2_qp_limit"].get<double>());
    EXPECT_NE(json["security"], "none");
    EXPECT_GE(json["reasons"].size(), 8U);
  }
}

// What evaluators compute with the same parameters never has less budget.
template <typename Context, typename Encryptor, typename Evaluator, typename Limit>
void expect_budgets_hold(const ChosenParameters& chosen, const Context& context,
                         const Limit& budget_of) {
  rlwe::KeyGenerator keys(context->rlwe(), base::TestSeed(1));
  const rlwe::SecretKey secret = keys.secret_key();
  Encryptor encryptor(context, keys.public_key(secret), base::TestSeed(2));
  const Evaluator evaluator(context, keys.relinearization_keys(secret));
  slots::SlotEncoder encoder(context->rlwe(), *chosen.t);
  auto power = encryptor.encrypt(encoder.encode(std::vector<std::int64_t>{2, -3}));
  for (const LevelRow& row : chosen.levels) {
    if (row.products > 0) power = evaluator.multiply(power, power);
    EXPECT_GE(budget_of(power), row.budget - 1e-6) << row.products;
  }
}

TEST(ParamsTest, budgets_of_bgv_hold_for_computed_products) {
  const ChosenParameters chosen =
      choose_parameters({.scheme = "bgv", .depth = 3, .security = rlwe::SecurityLevel::none});
  const auto context = std::make_shared<const bgv::Context>(
      bgv::Parameters(chosen.parameters.description(), *chosen.t), registry::make_target("cpu"));
  expect_budgets_hold<bgv::ContextPtr, bgv::Encryptor, bgv::Evaluator>(
      chosen, context, [&](const bgv::Ciphertext& c) {
        return chosen.parameters.phase_limit(c.limb_count()).log2() - c.rlwe.bounds.phase.log2();
      });
}

TEST(ParamsTest, budgets_of_bfv_hold_for_computed_products) {
  const ChosenParameters chosen =
      choose_parameters({.scheme = "bfv", .depth = 3, .security = rlwe::SecurityLevel::none});
  const auto context = std::make_shared<const bfv::Context>(
      bfv::Parameters(chosen.parameters.description(), *chosen.t), registry::make_target("cpu"));
  expect_budgets_hold<bfv::ContextPtr, bfv::Encryptor, bfv::Evaluator>(
      chosen, context, [&](const bfv::Ciphertext& c) {
        return bfv::error_limit(context->parameters(), c.limb_count()).log2() -
               c.bounds.error.log2();
      });
}

TEST(ParamsTest, precision_of_ckks_holds_for_computed_products) {
  const ChosenParameters chosen =
      choose_parameters({.scheme = "ckks", .depth = 3, .security = rlwe::SecurityLevel::none});
  const auto context = ckks::make_context(
      ckks::Parameters::for_depth({.depth = 3, .security = rlwe::SecurityLevel::none}),
      registry::make_target("cpu"));
  ASSERT_TRUE(std::ranges::equal(context->parameters().rlwe().q().moduli(),
                                 chosen.parameters.q().moduli()));
  rlwe::KeyGenerator keys(context->rlwe(), base::TestSeed(1));
  const rlwe::SecretKey secret = keys.secret_key();
  ckks::Encryptor encryptor(context, keys.public_key(secret), base::TestSeed(2));
  const ckks::Evaluator evaluator(context, keys.relinearization_keys(secret));
  auto power = encryptor.encrypt(ckks::Slots(context->parameters().max_slots(), 1.0));
  for (const LevelRow& row : chosen.levels) {
    if (row.products > 0) power = evaluator.square(power);
    const double bits = -std::log2(slot_error_bound(power));
    EXPECT_GE(bits, *row.precision - 1e-6) << row.products;
    EXPECT_LE(bits, *row.precision + 0.5) << row.products;
    EXPECT_EQ(power.limb_count(), row.limb_count);
  }
}

TEST(ParamsTest, precision_chooses_the_smallest_scale_that_leaves_it) {
  const auto chosen = params_json({"--scheme", "ckks", "--depth", "2", "--precision", "8"});
  const auto bits = chosen["scale_bits"].get<unsigned>();
  EXPECT_GE(chosen["levels"].back()["precision_bits"].get<double>(), 8);
  const auto smaller =
      params_json({"--scheme", "ckks", "--depth", "2", "--scale-bits", std::to_string(bits - 1)});
  EXPECT_LT(smaller["levels"].back()["precision_bits"].get<double>(), 8);
}

TEST(ParamsTest, sizes_are_those_of_memory_and_files) {
  const ChosenParameters chosen = choose_parameters({.depth = 1});
  const auto context =
      std::make_shared<const rlwe::Context>(chosen.parameters, registry::make_target("cpu"));
  rlwe::KeyGenerator keys(context, base::TestSeed(1));
  const rlwe::SecretKey secret = keys.secret_key();
  const rlwe::PublicKey public_key = keys.public_key(secret);
  const rlwe::RelinearizationKeys relinearization = keys.relinearization_keys(secret);
  rlwe::Encryptor encryptor(context, secret, base::TestSeed(2));
  const rlwe::Ciphertext ciphertext = encryptor.encrypt_zero(chosen.parameters.q().size());
  const auto words = [](const rlwe::LimbMatrix& limbs) {
    return limbs.parts() * limbs.limb_count() * limbs.degree() * 8;
  };
  std::uint64_t key_bytes = 0;
  for (const rlwe::EvaluationKey& key : relinearization.keys) key_bytes += words(key.limbs);
  EXPECT_EQ(chosen.sizes[0].in_memory, words(ciphertext.limbs));
  EXPECT_EQ(chosen.sizes[1].in_memory, words(public_key.limbs));
  EXPECT_EQ(chosen.sizes[2].in_memory, key_bytes);

  formats::ObjectWriter ciphertexts(chosen.parameters), public_keys(chosen.parameters),
      evaluation_keys(chosen.parameters);
  ciphertexts.add(ciphertext);
  public_keys.add(public_key);
  evaluation_keys.add(relinearization);
  const formats::ObjectWriter* writers[] = {&ciphertexts, &public_keys, &evaluation_keys};
  const formats::ObjectWriter empty(chosen.parameters);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t added = writers[i]->finish().size() - empty.finish().size();
    EXPECT_GE(added, chosen.sizes[i].in_file) << chosen.sizes[i].object;
    EXPECT_LT(added, chosen.sizes[i].in_file + 4096) << chosen.sizes[i].object;
  }
}

TEST(ParamsTest, bv_has_no_special_primes_and_still_carries_the_depth) {
  for (const char* scheme : {"bgv", "bfv", "ckks"}) {
    const auto json = params_json({"--scheme", scheme, "--depth", "2", "--method", "bv"});
    EXPECT_THAT(json["moduli_p"], IsEmpty());
    EXPECT_EQ(json["gadgets"].size(), 1U);
    EXPECT_EQ(json["gadgets"][0]["digit_size"], 1);
    EXPECT_GT(json["levels"].back()["budget_bits"].get<double>(), 0);
    EXPECT_NE(json["security"], "none");
  }
}

TEST(ParamsTest, slots_need_a_prime_of_the_right_form) {
  EXPECT_EQ(params_json({"--depth", "1"})["slots"], 8192);
  EXPECT_EQ(params_json({"--depth", "1", "--t", "65539"})["slots"], 0);
  EXPECT_EQ(params_json({"--depth", "1", "--t", "256"})["slots"], 0);
  EXPECT_EQ(params_json({"--scheme", "ckks", "--depth", "1", "--degree", "16384"})["slots"], 8192);
}

TEST(ParamsTest, without_security_it_says_so) {
  const Outcome outcome =
      heliodor_command({"params", "--depth", "1", "--security", "none", "--degree", "1024"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("security: NONE"));
  EXPECT_THAT(outcome.out, HasSubstr("N = 1024: as asked"));
}

TEST(ParamsTest, what_cannot_be_met_is_refused_with_the_reason) {
  expect_refusal({"--scheme", "bfv", "--depth", "30", "--t", "1000000007", "--security", "256"},
                 "exceeds what degree 131072 carries");
  expect_refusal({"--scheme", "ckks", "--depth", "100"}, "131072");
  expect_refusal({"--depth", "4", "--degree", "8192"}, "does not reach 128 bits: the limit is 214");
  expect_refusal({"--scheme", "ckks", "--depth", "4", "--degree", "4096"}, "the limit is 106");
  expect_refusal({"--scheme", "ckks", "--depth", "3", "--precision", "40"},
                 "precision 40 exceeds the ");
  expect_refusal({"--depth", "2", "--degree", "3000"}, "degree 3000 is not a power of two");
  expect_refusal({"--depth", "1", "--t", "1"}, "1");
}

TEST(ParamsTest, options_of_another_scheme_are_refused) {
  expect_refusal({"--scheme", "tfhe"}, "scheme 'tfhe'");
  expect_refusal({"--scheme", "ckks", "--t", "257"}, "--t has no meaning for ckks");
  expect_refusal({"--scheme", "ckks", "--summands", "2"}, "--summands has no meaning");
  expect_refusal({"--scale-bits", "40"}, "--scale-bits has no meaning for bgv");
  expect_refusal({"--precision", "8"}, "--precision has no meaning");
  expect_refusal({"--integer-bits", "8"}, "--integer-bits has no meaning");
  expect_refusal({"--scheme", "ckks", "--precision", "8", "--scale-bits", "40"}, "--scale-bits");
  expect_refusal({"--method", "magic"}, "method 'magic'");
  expect_refusal({"--security", "100"}, "security '100'");
  expect_refusal({"--depth", "-1"}, "--depth");
}

}  // namespace
}  // namespace heliodor::cli
