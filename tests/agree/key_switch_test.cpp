// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The shapes that plans are tuned for: multiplication with BV relinearization and hybrid key
// switching, at small sizes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/cli/bench_programs.h"
#include "tests/agree/compare.h"
#include "tests/agree/subjects.h"

namespace heliodor::agree {
namespace {

using program::LimbProgram;

std::vector<Subject> all_subjects() {
  std::vector<Subject> list = subjects_with_threads();
  for (Subject& subject : subjects_without_fusions()) list.push_back(std::move(subject));
  return list;
}

/// Batches that fill no pool, a pool of two, and more.
constexpr std::size_t kBatches[] = {1, 2, 5};

void expect_agreement(const LimbProgram& program, const std::vector<Subject>& targets,
                      std::map<std::string, std::size_t>& compared) {
  std::vector<std::unique_ptr<const program::Plan>> plans;
  for (const Subject& subject : targets) {
    plans.push_back(subject.target->refusal(program) ? nullptr : subject.target->plan(program));
  }
  for (const std::size_t batch : kBatches) {
    for (const Fill fill : {Fill::random, Fill::maximal, Fill::edges}) {
      const Trial trial{.seed = program.degree(), .fill = fill, .batch = batch};
      const Expectation expectation(program, trial);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (!plans[i]) continue;
        ++compared[targets[i].label()];
        if (!expectation.compare(*plans[i])) continue;
        FAIL() << targets[i].label() << "\n" << explain(program, *targets[i].target, trial);
      }
    }
  }
}

class KeySwitchTest : public testing::TestWithParam<std::uint64_t> {};

TEST_P(KeySwitchTest, every_target_returns_the_words_of_the_reference) {
  const std::uint64_t degree = GetParam();
  const std::vector<Subject> targets = all_subjects();
  std::map<std::string, std::size_t> compared;
  for (const std::size_t limbs : {3U, 4U, 5U}) {
    expect_agreement(cli::evalmult_bv_program(30, degree, limbs), targets, compared);
    if (HasFatalFailure()) return;
  }
  expect_agreement(cli::keyswitch_hybrid_program(47, degree, 6, 2, 3), targets, compared);
  for (const Subject& subject : targets)
    EXPECT_GT(compared[subject.label()], 0U) << subject.label() << " refuses every program";
}

INSTANTIATE_TEST_SUITE_P(degree, KeySwitchTest, testing::Values(64, 128, 256, 512, 1024),
                         [](const auto& degree) { return std::to_string(degree.param); });

// A 50-bit and a 60-bit chain, which take the other transforms.
TEST(HybridKeySwitchTest, every_target_returns_the_words_of_the_reference_for_larger_primes) {
  const std::vector<Subject> targets = all_subjects();
  std::map<std::string, std::size_t> compared;
  for (const unsigned bits : {48U, 50U, 51U, 60U}) {
    expect_agreement(cli::keyswitch_hybrid_program(bits, 128, 6, 2, 3), targets, compared);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace heliodor::agree
