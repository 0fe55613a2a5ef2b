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
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/agree/compare.h"
#include "tests/agree/random_program.h"
#include "tests/agree/subjects.h"

namespace heliodor::agree {
namespace {

constexpr std::uint64_t kDefaultSeed = 1;
constexpr std::uint64_t kDefaultCount = 320;
constexpr std::uint64_t kShards = 4;   // CTest runs them side by side
constexpr std::uint64_t kFewest = 16;  // programs of a shard that some target surely takes

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

// Seeds first, first + stride, .. below `end`.
struct Seeds {
  std::uint64_t first, end, stride;
};

/// Programs that each subject has run. Machines with short words refuse wide moduli, and say so.
class Tally {
 public:
  void count(const std::string& label) { ++runs_[label]; }
  void refused(const std::string& label, const std::string& reason) {
    if (reason.find("words hold") != std::string::npos) {
      ++too_wide_[label];
    } else {
      last_refusal_ = label + ": " + reason;
    }
  }
  void expect_many(const std::vector<Subject>& targets, std::uint64_t programs) {
    for (const Subject& subject : targets) {
      const std::uint64_t compared = runs_[subject.label()];
      testing::Test::RecordProperty("programs on " + subject.label(), std::to_string(compared));
      const std::uint64_t fitting = programs - too_wide_[subject.label()];
      EXPECT_GT(fitting, 0U) << subject.label() << " meets wide moduli alone";
      EXPECT_GE(compared, (fitting + 3) / 4)
          << subject.label() << " refuses most programs that fit its words; " << last_refusal_;
    }
  }

 private:
  std::map<std::string, std::uint64_t> runs_, too_wide_;
  std::string last_refusal_;
};

void compare_program(std::uint64_t seed, const std::vector<Subject>& targets, Tally& tally) {
  const auto program = random_program(seed);
  std::map<std::string, std::unique_ptr<const program::Plan>> plans;
  for (const Subject& subject : targets) {
    if (const auto reason = subject.target->refusal(program)) {
      tally.refused(subject.label(), *reason);
      continue;
    }
    plans[subject.label()] = subject.target->plan(program);
    tally.count(subject.label());
  }
  for (const Fill fill : kAllFills) {
    const Trial trial{.seed = seed, .fill = fill, .batch = 1 + seed % 3};
    const Expectation expectation(program, trial);
    for (const Subject& subject : targets) {
      const auto plan = plans.find(subject.label());
      if (plan == plans.end() || !expectation.compare(*plan->second)) continue;
      FAIL() << subject.label() << "\n" << explain(program, *subject.target, trial) << rerun(seed);
    }
  }
}

void compare_programs(const Seeds& seeds, const std::vector<Subject>& targets) {
  Tally tally;
  std::uint64_t programs = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end; seed += seeds.stride, ++programs) {
    compare_program(seed, targets, tally);
    if (testing::Test::HasFatalFailure()) return;
  }
  if (programs < kFewest) return;  // a rerun of few seeds may meet only refusals
  tally.expect_many(targets, programs);
}

class RandomProgramsTest : public testing::TestWithParam<std::uint64_t> {
 protected:
  const std::uint64_t first_ = from_environment("HELIODOR_AGREE_SEED", kDefaultSeed);
  const std::uint64_t count_ = from_environment("HELIODOR_AGREE_COUNT", kDefaultCount);
};

TEST_P(RandomProgramsTest, every_target_returns_the_words_of_the_reference) {
  compare_programs({first_ + GetParam(), first_ + count_, kShards}, subjects_with_threads());
}

// There are many of them, so they take every fourth program.
TEST_P(RandomProgramsTest, every_cpu_target_returns_the_words_of_the_reference_without_fusions) {
  const std::uint64_t stride = count_ < kFewest ? 1 : 4;
  compare_programs({first_ + stride * GetParam(), first_ + count_, stride * kShards},
                   subjects_without_fusions());
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
