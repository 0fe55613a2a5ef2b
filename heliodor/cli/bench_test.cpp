// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

nlohmann::ordered_json bench_json(std::vector<std::string> args) {
  args.insert(args.begin(), "bench");
  args.insert(args.end(), {"--quick", "--json"});
  const Outcome outcome = heliodor_command(args);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::ordered_json::parse(outcome.out);
}

std::vector<std::string> keys(const nlohmann::ordered_json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

TEST(BenchTest, ntt_has_a_row_per_direction_size_and_degree) {
  const auto json = bench_json({"ntt", "--degree", "64,128", "--bits", "30,60"});
  EXPECT_THAT(keys(json), ElementsAre("machine", "rows", "test_seed"));
  ASSERT_EQ(json["rows"].size(), 8U);
  EXPECT_THAT(keys(json["rows"][0]),
              ElementsAre("bench", "n", "prime_bits", "direction", "batch", "threads", "ns",
                          "predicted_ms", "floor_ns", "floor_by", "ratio"));
  EXPECT_EQ(json["rows"][0]["direction"], "forward");
  EXPECT_EQ(json["rows"][7]["direction"], "inverse");
  EXPECT_EQ(json["rows"][7]["n"], 128);
  EXPECT_EQ(json["rows"][7]["prime_bits"], 60);
}

TEST(BenchTest, ratio_is_time_by_floor) {
  const auto report = bench_json({"ntt", "--degree", "64", "--bits", "46"});
  for (const auto& row : report["rows"]) {
    EXPECT_DOUBLE_EQ(row["ratio"].get<double>(),
                     row["ns"].get<double>() / row["floor_ns"].get<double>());
  }
}

TEST(BenchTest, rows_carry_the_parameters_of_their_workload) {
  EXPECT_THAT(keys(bench_json({"dot", "--degree", "64"})["rows"][0]),
              ElementsAre("bench", "n", "prime_bits", "digits", "batch", "threads", "ns",
                          "predicted_ms", "floor_ns", "floor_by", "ratio"));
  EXPECT_THAT(keys(bench_json({"baseconv", "--degree", "64", "--kernels", "portable"})["rows"][0]),
              ElementsAre("bench", "n", "prime_bits", "limbs", "special", "batch", "threads", "ms",
                          "predicted_ms", "floor_ms", "floor_by", "ratio", "cycles_per_ifma"));
  const auto row = bench_json({"keyswitch", "--degree", "64", "--bits", "30", "--limbs", "4",
                               "--special", "2", "--digits", "2"})["rows"][0];
  EXPECT_THAT(keys(row), ElementsAre("bench", "n", "prime_bits", "limbs", "special", "digits",
                                     "method", "batch", "threads", "ms", "predicted_ms", "floor_ms",
                                     "floor_by", "ratio"));
  EXPECT_EQ(row["limbs"], 4);
  EXPECT_EQ(row["special"], 2);
  EXPECT_EQ(row["digits"], 2);
  EXPECT_EQ(row["method"], "hybrid");
}

TEST(BenchTest, evalmult_compares_threads_within_a_batch) {
  const auto json = bench_json({"evalmult", "--degree", "64", "--limbs", "2", "--batch", "1,4"});
  ASSERT_EQ(json["rows"].size(), 4U);
  for (const std::size_t row : {0U, 2U}) EXPECT_FALSE(json["rows"][row].contains("speedup"));
  for (const std::size_t row : {1U, 3U}) {
    EXPECT_EQ(json["rows"][row]["threads"], 2);
    EXPECT_DOUBLE_EQ(
        json["rows"][row]["speedup"].get<double>(),
        json["rows"][row - 1]["ms"].get<double>() / json["rows"][row]["ms"].get<double>());
  }
}

TEST(BenchTest, each_kernel_table_can_be_measured) {
  for (const cpu::KernelTable* table : cpu::supported_kernel_tables()) {
    const auto json = bench_json(
        {"ntt", "--degree", "64", "--bits", "30", "--kernels", std::string(table->name)});
    EXPECT_EQ(json["machine"]["kernels"], std::string(table->name));
    EXPECT_GT(json["machine"]["multiply_ns"].get<double>(), 0);
    EXPECT_GT(json["machine"]["memory_gb_per_s"].get<double>(), 0);
  }
}

TEST(BenchTest, people_get_a_table_and_the_rates) {
  const Outcome outcome =
      heliodor_command({"bench", "baseconv", "--degree", "64", "--quick", "--limbs", "2"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("TEST SEED 1"));
  EXPECT_THAT(outcome.out, HasSubstr("baseconv N=64 46 bits, 2 limbs to 28"));
  EXPECT_THAT(outcome.out, HasSubstr("ratio"));
  EXPECT_THAT(outcome.out, HasSubstr("reads in GB/s"));
}

TEST(BenchTest, bad_requests_say_what_is_wrong) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
      {{"bootstrap"}, "'bootstrap' is not a benchmark"},
      {{"intt"}, "'intt' is not a benchmark"},
      {{"ntt", "--degree", "100"}, "100"},
      {{"ntt", "--degree", "x"}, "x"},
      {{"ntt", "--bits", "61"}, "61"},
      {{"ntt", "--batch", "0"}, "batch 0"},
      {{"ntt", "--threads", "0"}, "threads 0"},
      {{"ntt", "--threads", "1025"}, "threads 1025"},
      {{"dot", "--digits", "0"}, "digits 0"},
      {{"keyswitch", "--limbs", "2", "--digits", "3"}, "digits 3"},
      {{"evalmult", "--limbs", "-1"}, "-1"},
  };
  for (auto [args, complaint] : bad) {
    args.insert(args.begin(), "bench");
    const Outcome outcome = heliodor_command(args);
    EXPECT_EQ(outcome.code, 2) << complaint;
    EXPECT_THAT(outcome.err, HasSubstr(complaint));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
  EXPECT_EQ(heliodor_command({"bench", "ntt", "--kernels", "avx1024"}).code, 3);
}

}  // namespace
}  // namespace heliodor::cli
