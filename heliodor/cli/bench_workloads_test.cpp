// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/bench_workloads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "heliodor/base/error.h"
#include "heliodor/cli/bench_floor.h"
#include "heliodor/cli/bench_measure.h"
#include "heliodor/cli/internal/progress_bar.h"
#include "heliodor/program/verifier.h"
#include "heliodor/targets/cpu/peak_rates.h"

namespace heliodor::cli {
namespace {

using program::LimbOp;

constexpr Workload kAll[] = {Workload::ntt,      Workload::intt,      Workload::dot,
                             Workload::baseconv, Workload::keyswitch, Workload::evalmult};

struct Counted {
  std::size_t transforms = 0, terms = 0, sums = 0, products = 0, scalings = 0;
};

// What the program's instructions say.
Counted count_instructions(const program::LimbProgram& program) {
  Counted counted;
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    const program::Instruction instruction = program.instruction(i);
    switch (instruction.op) {
      case LimbOp::ntt:
      case LimbOp::intt:
        ++counted.transforms;
        break;
      case LimbOp::dot:
        counted.terms += instruction.operands.size() / 2;
        ++counted.sums;
        break;
      case LimbOp::dot_scalar:
        counted.terms += instruction.operands.size();
        ++counted.sums;
        break;
      case LimbOp::mul:
        ++counted.products;
        break;
      case LimbOp::mul_scalar:
        ++counted.scalings;
        break;
      default:
        break;
    }
  }
  return counted;
}

TEST(BenchWorkloadsTest, every_name_leads_to_its_workload_and_back) {
  for (const Workload workload : kAll) EXPECT_EQ(workload_named(to_string(workload)), workload);
  for (const char* name : {"", "NTT", "ntt ", "bootstrap"})
    EXPECT_FALSE(workload_named(name).has_value()) << name;
}

// A product is a sum of one term.
void expect_counts(Workload workload, const WorkloadSize& size) {
  SCOPED_TRACE(testing::Message() << to_string(workload) << " " << size.limbs << "+" << size.special
                                  << ", " << size.digits << " digits");
  const auto n = static_cast<double>(size.degree);
  const program::LimbProgram program = make_program(workload, size);
  EXPECT_TRUE(program::verify(program).empty());
  const Counted counted = count_instructions(program);
  const WorkCount work = count_work(workload, size);
  EXPECT_EQ(work.butterflies, n / 2 * std::log2(n) * static_cast<double>(counted.transforms));
  EXPECT_EQ(work.terms, n * static_cast<double>(counted.terms + counted.products));
  EXPECT_EQ(work.outputs, n * static_cast<double>(counted.sums + counted.products));
  EXPECT_EQ(work.scalings, n * static_cast<double>(counted.scalings));
}

TEST(BenchWorkloadsTest, counts_are_those_of_the_programs) {
  for (const Workload workload : kAll) {
    for (const std::size_t limbs : {2U, 3U, 5U, 6U}) {
      for (const std::size_t special : {1U, 2U}) {
        for (const std::size_t digits : {1U, 3U, 4U}) {
          if (workload == Workload::keyswitch && digits > limbs) continue;
          expect_counts(workload, {16, 30, limbs, special, digits});
        }
      }
    }
  }
}

TEST(BenchWorkloadsTest, sizes_that_make_no_program_are_out_of_range) {
  const auto expect_refused = [](Workload workload, const WorkloadSize& size) {
    try {
      make_program(workload, size);
      ADD_FAILURE() << to_string(workload);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_range);
    }
  };
  expect_refused(Workload::ntt, {1000, 30, 0, 0, 0});
  expect_refused(Workload::ntt, {0, 30, 0, 0, 0});
  expect_refused(Workload::intt, {16, 61, 0, 0, 0});
  expect_refused(Workload::dot, {16, 30, 0, 0, 0});
  expect_refused(Workload::dot, {16, 30, 0, 0, 1025});
  expect_refused(Workload::baseconv, {16, 30, 0, 2, 0});
  expect_refused(Workload::baseconv, {16, 30, 2, 0, 0});
  expect_refused(Workload::keyswitch, {16, 30, 2, 2, 0});
  expect_refused(Workload::keyswitch, {16, 30, 2, 2, 3});
  expect_refused(Workload::keyswitch, {16, 30, 2, 0, 1});
  expect_refused(Workload::evalmult, {16, 30, 0, 0, 0});
}

void nothing(std::size_t /*rounds*/) noexcept {}
std::uint64_t no_word(const std::uint64_t* /*words*/, std::size_t /*count*/) noexcept { return 0; }

constexpr cpu::RateLoops kIfma = {cpu::Multiplier::vector_52, 8, nothing, nothing, no_word};
constexpr cpu::RateLoops kScalar = {cpu::Multiplier::scalar_64, 1, nothing, nothing, no_word};
constexpr cpu::RateLoops kAvx2 = {cpu::Multiplier::vector_32, 4, nothing, nothing, no_word};
constexpr cpu::OperationRates kOperations = {.multiply_ns = 2, .add_ns = 0.5};
constexpr cpu::ReadRates kReads = {.l2_ns = 0.001, .l3_ns = 0.01, .memory_ns = 0.1};
constexpr Traffic kNoTraffic = {0, 0};

std::optional<Floor> floor_without_traffic(const WorkCount& work, unsigned bits,
                                           const cpu::RateLoops& loops) {
  return floor_of(work, bits, kNoTraffic, loops, kOperations, kReads);
}

TEST(BenchFloorTest, ifma_floor_counts_three_per_butterfly_and_reduction_and_two_per_term) {
  const WorkCount work{.butterflies = 800, .terms = 80, .outputs = 8, .scalings = 16};
  for (const unsigned bits : {30U, 50U}) {
    const auto floor = floor_without_traffic(work, bits, kIfma);
    ASSERT_TRUE(floor.has_value());
    EXPECT_EQ(floor->ns, 2 * (3 * 100 + 2 * 10 + 3 * 1 + 3 * 2));
    EXPECT_EQ(floor->by, "multiply");
  }
}

TEST(BenchFloorTest, wide_transforms_are_bound_by_their_operations_and_wide_sums_unknown) {
  const auto transform = floor_without_traffic(
      {.butterflies = 800, .terms = 0, .outputs = 0, .scalings = 0}, 51, kIfma);
  ASSERT_TRUE(transform.has_value());
  EXPECT_EQ(transform->ns, 100 * 16 * 0.5);
  EXPECT_EQ(transform->by, "add");
  EXPECT_FALSE(
      floor_without_traffic({.butterflies = 0, .terms = 8, .outputs = 8, .scalings = 0}, 51, kIfma)
          .has_value());
}

TEST(BenchFloorTest, other_multipliers) {
  const WorkCount work{.butterflies = 10, .terms = 7, .outputs = 1, .scalings = 0};
  EXPECT_EQ(floor_without_traffic(work, 60, kScalar)->ns, 2 * (30 + 7 + 3));
  EXPECT_FALSE(floor_without_traffic(work, 30, kAvx2).has_value());
}

TEST(BenchFloorTest, bandwidth_of_the_memory_that_holds_the_words_may_be_the_floor) {
  const WorkCount work{.butterflies = 0, .terms = 8, .outputs = 0, .scalings = 0};  // 4 ns
  const auto floor = [&](double bytes, double footprint) {
    return *floor_of(work, 30, {bytes, footprint}, kIfma, kOperations, kReads);
  };
  const auto l2 = static_cast<double>(cpu::cache_sizes().l2);
  const auto l3 = static_cast<double>(cpu::cache_sizes().l3);
  EXPECT_EQ(floor(1000, l2).ns, 4);
  EXPECT_EQ(floor(1000, l2).by, "multiply");
  EXPECT_EQ(floor(10000, l2).ns, 10);
  EXPECT_EQ(floor(10000, l2).by, "bandwidth");
  EXPECT_EQ(floor(10000, l3).ns, 100);
  EXPECT_EQ(floor(10000, l3 + 1).ns, 1000);
}

// By hand: butterflies of 16 stages; 14 sources and 28 targets; 144 transforms, 288 products with
// keys and 48 of the tensor product, 24 and 36 sums, of 512 vectors each.
TEST(BenchFloorTest, usual_sizes_have_the_published_counts) {
  const auto multiplies = [](Workload workload) {
    const WorkloadSize size = usual_size(workload);
    return *count_multiplies(count_work(workload, size), size.bits, kIfma);
  };
  EXPECT_EQ(multiplies(Workload::ntt), 3 * 65536 / 2 * 16 / 8);
  EXPECT_EQ(multiplies(Workload::baseconv), (2 * 14 * 28 + 3 * 28) * 8192);
  EXPECT_EQ(multiplies(Workload::evalmult), 1763328);
}

TEST(BenchMeasureTest, median_is_the_middle_of_any_order) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({4, 1, 2, 9}), 3);
}

TEST(BenchMeasureTest, there_is_a_row_for_every_case_in_order) {
  std::vector<BenchCase> cases;
  for (const Workload workload : kAll) cases.push_back({workload, {16, 30, 2, 1, 2}, 3, 2});
  std::ostringstream terminal;
  double now = 0;  // each look at the clock takes a second
  ProgressBar progress(&terminal, "bench", static_cast<double>(2 * cases.size()),
                       [&] { return now++; });
  const BenchResults results = measure(cases, cpu::kernel_table("portable"), 2, 1, 1, progress);
  EXPECT_THAT(terminal.str(), testing::EndsWith("100%  0 s left"));
  ASSERT_EQ(results.rows.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const BenchRow& row = results.rows[i];
    EXPECT_EQ(row.of.workload, cases[i].workload);
    EXPECT_GT(row.ns, 0);
    EXPECT_GT(row.predicted_ns, 0);
    ASSERT_TRUE(row.floor.has_value());
    EXPECT_GT(row.floor->ns, 0);
    EXPECT_EQ(*row.ratio(), row.ns / row.floor->ns);
  }
}

}  // namespace
}  // namespace heliodor::cli
