// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every target present returns the words of the reference, for random programs.
//
// HELIODOR_AGREE_SEED and HELIODOR_AGREE_COUNT choose the seeds: count of them, from the first on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "tests/agree/compare.h"
#include "tests/agree/random_program.h"
#include "tests/agree/subjects.h"

namespace heliodor::agree {
namespace {

constexpr std::uint64_t kDefaultSeed = 1;
constexpr std::uint64_t kDefaultCount = 320;
constexpr std::uint64_t kShards = 4;  // CTest runs them side by side

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  if (text == nullptr) return otherwise;
  const std::string_view view(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  if (error != std::errc() || end != view.data() + view.size()) {
    ADD_FAILURE() << name << "=" << view << " is not a number";
  }
  return value;
}

std::string rerun(std::uint64_t seed) {
  return fmt::format("rerun with HELIODOR_AGREE_SEED={} HELIODOR_AGREE_COUNT=1", seed);
}

class RandomProgramsTest : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomProgramsTest, every_target_returns_the_words_of_the_reference) {
  const std::uint64_t first = from_environment("HELIODOR_AGREE_SEED", kDefaultSeed);
  const std::uint64_t count = from_environment("HELIODOR_AGREE_COUNT", kDefaultCount);
  const auto targets = subjects_with_threads();
  std::map<std::string, std::uint64_t> runs;
  std::string last_refusal;
  std::uint64_t programs = 0;

  for (std::uint64_t seed = first + GetParam(); seed < first + count; seed += kShards) {
    ++programs;
    const auto program = random_program(seed);
    std::map<std::string, std::unique_ptr<const program::Plan>> plans;
    for (const Subject& subject : targets) {
      if (const auto reason = subject.target->refusal(program)) {
        last_refusal = subject.label() + ": " + *reason;
        continue;
      }
      plans[subject.label()] = subject.target->plan(program);
      ++runs[subject.label()];
    }
    for (const Fill fill : kAllFills) {
      const Trial trial{.seed = seed, .fill = fill, .batch = 1 + seed % 3};
      const Expectation expectation(program, trial);
      for (const Subject& subject : targets) {
        const auto plan = plans.find(subject.label());
        if (plan == plans.end() || !expectation.compare(*plan->second)) continue;
        FAIL() << subject.label() << "\n"
               << explain(program, *subject.target, trial) << rerun(seed);
      }
    }
  }
  if (programs < kDefaultCount / kShards) return;  // a rerun of few seeds may meet only refusals
  for (const Subject& subject : targets) {
    const std::uint64_t compared = runs[subject.label()];
    RecordProperty("programs on " + subject.label(), std::to_string(compared));
    EXPECT_GT(compared, programs / 4)
        << subject.label() << " refuses most programs; " << last_refusal;
  }
}

INSTANTIATE_TEST_SUITE_P(shard, RandomProgramsTest, testing::Range<std::uint64_t>(0, kShards));

// A target kind that is absent everywhere would make agreement an empty word.
TEST(PresentTargetsTest, a_cpu_and_a_machine_are_compared_with_the_reference) {
  std::uint64_t cpus = 0;
  std::uint64_t machines = 0;
  for (const Subject& subject : subjects()) {
    cpus += subject.target->name().starts_with("cpu:") ? 1 : 0;
    machines += subject.target->name().starts_with("machine:") ? 1 : 0;
  }
  EXPECT_GE(cpus, 1U);
  EXPECT_GE(machines, 1U);
}

}  // namespace
}  // namespace heliodor::agree
