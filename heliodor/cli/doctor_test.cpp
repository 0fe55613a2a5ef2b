// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/cli/internal/self_test.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(DoctorTest, lists_the_machine_and_passes_a_self_test_of_each_part) {
  const Outcome outcome = heliodor_command({"doctor"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("reference, cpu:"));
  for (const char* part : {"memory", "GPU", "Verilator", "transforms, portable",
                           "bgv: ", "bfv: ", "ckks: ", "file: "}) {
    EXPECT_THAT(outcome.out, testing::ContainsRegex(std::string("\n") + part));
  }
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("FAILED")));
}

TEST(DoctorTest, json_holds_the_same) {
  const Outcome outcome = heliodor_command({"doctor", "--json", "--threads", "2"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["kernel_tables"][0], "portable");
  EXPECT_EQ(json["problem"], "");
  EXPECT_TRUE(json["gpus"].is_array());
  EXPECT_EQ(json["self_tests"].size(), json["kernel_tables"].size() + 4);
  for (const auto& test : json["self_tests"]) EXPECT_EQ(test["passed"], true) << test;
}

TEST(DoctorTest, says_which_forced_kernel_table_is_missing) {
  const char* old = std::getenv("HELIODOR_CPU");
  const std::string saved = old == nullptr ? "" : old;
  setenv("HELIODOR_CPU", "abacus", 1);
  const Outcome outcome = heliodor_command({"doctor"});
  if (old == nullptr) {
    unsetenv("HELIODOR_CPU");
  } else {
    setenv("HELIODOR_CPU", saved.c_str(), 1);
  }
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("CPU features"));
  EXPECT_THAT(outcome.err, HasSubstr("abacus"));
}

// The portable transform with one word changed.
class FaultyNtt : public cpu::Ntt {
 public:
  FaultyNtt(std::unique_ptr<const cpu::Ntt> right, bool forward)
      : right_(std::move(right)), forward_(forward) {
    unit_scale_ = right_->scale(1);
  }

  void forward(const cpu::Word* in, cpu::Word* out, cpu::Range range,
               const cpu::Ahead& ahead) const noexcept override {
    right_->forward(in, out, range, ahead);
    if (forward_) out[17] ^= 1;
  }
  void inverse(const cpu::Word* in, cpu::Word* out,
               const cpu::InverseScale& scale) const noexcept override {
    right_->inverse(in, out, scale);
    if (!forward_) out[17] ^= 1;
  }
  cpu::InverseScale scale(cpu::Word c) const noexcept override { return right_->scale(c); }

 private:
  std::unique_ptr<const cpu::Ntt> right_;
  bool forward_;
};

TEST(SelfTestTest, one_wrong_word_of_a_transform_is_found) {
  cpu::KernelTable table = cpu::kernel_table("portable");
  EXPECT_EQ(test_transforms(table), "");
  table.make_ntt = [](const ring::Modulus& q) -> std::unique_ptr<const cpu::Ntt> {
    return std::make_unique<FaultyNtt>(cpu::kernel_table("portable").make_ntt(q), true);
  };
  EXPECT_THAT(test_transforms(table), HasSubstr("the transform modulo"));
  table.make_ntt = [](const ring::Modulus& q) -> std::unique_ptr<const cpu::Ntt> {
    return std::make_unique<FaultyNtt>(cpu::kernel_table("portable").make_ntt(q), false);
  };
  EXPECT_THAT(test_transforms(table), HasSubstr("the inverse transform modulo"));
}

// Runs programs rightly but for one word of the first output.
class FaultyTarget : public program::Target {
 public:
  std::string name() const override { return "faulty"; }
  std::optional<std::string> refusal(const program::LimbProgram& program) const override {
    return right_->refusal(program);
  }
  program::Cost predict(const program::LimbProgram& program) const override {
    return right_->predict(program);
  }

 private:
  class FaultyPlan : public program::Plan {
   public:
    explicit FaultyPlan(std::unique_ptr<const program::Plan> right)
        : Plan(std::make_shared<program::LimbProgram>(right->program())),
          right_(std::move(right)) {}
    std::string describe() const override { return ""; }

   private:
    program::RunReport do_run(std::span<const program::Binding> batch,
                              const program::SharedBinding& shared) const override {
      const auto report = right_->run(batch, shared);
      for (const program::Binding& binding : batch) binding.outputs[0][3] = 0;
      return report;
    }
    std::unique_ptr<const program::Plan> right_;
  };

  std::unique_ptr<const program::Plan> do_plan(
      std::shared_ptr<const program::LimbProgram> program) const override {
    return std::make_unique<FaultyPlan>(right_->plan(*program));
  }

  std::unique_ptr<program::Target> right_ = registry::make_target("cpu");
};

TEST(SelfTestTest, one_wrong_word_of_a_target_fails_every_scheme) {
  for (const SelfTest& test : self_tests(std::make_shared<FaultyTarget>())) {
    if (test.name.find("multiply") == std::string::npos) continue;
    EXPECT_NE(run_self_test(test).problem, "") << test.name;
  }
}

TEST(SelfTestTest, an_exception_is_a_problem) {
  const SelfTestResult result =
      run_self_test({"x", []() -> std::string { throw std::runtime_error("no luck"); }});
  EXPECT_EQ(result.problem, "no luck");
  EXPECT_EQ(run_self_test({"y", [] { return std::string(); }}).problem, "");
}

}  // namespace
}  // namespace heliodor::cli
