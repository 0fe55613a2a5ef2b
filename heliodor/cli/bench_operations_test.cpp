// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/bench_operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/cli/internal/progress_bar.h"
#include "heliodor/targets/cpu/cpu_target.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;

std::vector<OperationRow> measure_small() {
  ProgressBar silent(nullptr, "", 1);
  return measure_operations({{Scheme::ckks, 256, 6, 40, 3, {6, 2}},
                             {Scheme::bgv, 128, 3, 30, 3, {3}},
                             {Scheme::bfv, 128, 4, 40, 2, {4}}},
                            std::make_shared<cpu::CpuTarget>(cpu::chosen_kernel_table(), 1), 1, 1,
                            silent);
}

TEST(BenchOperationsTest, every_set_has_its_operations_at_its_limb_counts) {
  std::vector<std::string> found;
  for (const OperationRow& row : measure_small()) {
    found.push_back(row.scheme + " " + row.operation + " " + std::to_string(row.limbs));
    EXPECT_GT(row.ms, 0);
  }
  EXPECT_THAT(found,
              testing::ElementsAre("ckks relinearize 6", "ckks rotate 6", "ckks multiply_rescale 6",
                                   "ckks relinearize 2", "ckks rotate 2", "ckks multiply_rescale 2",
                                   "bgv multiply 3", "bfv multiply 4"));
}

TEST(BenchOperationsTest, rows_describe_the_moduli_and_the_switch) {
  const std::vector<OperationRow> rows = measure_small();
  EXPECT_EQ(rows[0].degree, 256U);
  EXPECT_NEAR(rows[0].log_q, 240, 0.1);
  EXPECT_NEAR(rows[3].log_q, 80, 0.1);
  const OperationRow& bv = rows[6];
  EXPECT_EQ(bv.method, rlwe::KeySwitchMethod::bv);
  EXPECT_EQ(bv.digits, 3U);
  EXPECT_EQ(bv.log_p, 0);
  const OperationRow& bfv = rows[7];
  EXPECT_NE(bfv.method, rlwe::KeySwitchMethod::bv);
  EXPECT_NEAR(bfv.log_p, 40.0 * static_cast<double>(4 / bfv.digits), 1);
}

TEST(BenchOperationsTest, json_and_table_hold_every_row) {
  const cpu::CpuTarget target(cpu::chosen_kernel_table(), 1);
  OperationRow row{"ckks", "rotate", 1024, 94.5, 47, 2, 1, rlwe::KeySwitchMethod::hybrid, 1.25};
  const auto json = to_json({row}, target);
  EXPECT_EQ(json["machine"]["target"], target.name());
  EXPECT_EQ(json["rows"].dump(),
            R"([{"scheme":"ckks","op":"rotate","n":1024,"log_q":94.5,"log_p":47.0,"limbs":2,)"
            R"("digits":1,"method":"hybrid","ms":1.25}])");
  std::ostringstream out;
  print({row}, out);
  EXPECT_THAT(out.str(), HasSubstr("ckks rotate"));
  EXPECT_THAT(out.str(), HasSubstr("1.25 ms"));
}

TEST(BenchOperationsTest, the_usual_sets_are_those_that_peers_were_measured_with) {
  const auto sets = usual_operation_sets();
  const auto has = [&](Scheme scheme, std::uint64_t degree, double log_q) {
    return std::ranges::any_of(sets, [&](const OperationSet& set) {
      return set.scheme == scheme && set.degree == degree &&
             std::abs(static_cast<double>(set.limbs * set.bits) - log_q) <= 4;
    });
  };
  EXPECT_TRUE(has(Scheme::ckks, 65536, 1272));
  EXPECT_TRUE(has(Scheme::bgv, 4096, 360));
  EXPECT_TRUE(has(Scheme::bfv, 32768, 600));
}

TEST(BenchOperationsTest, sizes_are_refused) {
  const Outcome outcome = heliodor_command({"bench", "ops", "--limbs", "3"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("ops takes no sizes"));
}

}  // namespace
}  // namespace heliodor::cli
