// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/rlwe/internal/test_moduli.h"

namespace heliodor::rlwe {
namespace {

using internal::error_of;
using ::testing::StartsWith;

/// Does nothing, and counts what it is asked to plan.
class IdleTarget final : public program::Target {
 public:
  std::string name() const override { return "idle"; }
  std::optional<std::string> refusal(const program::LimbProgram& program) const override {
    if (program.name() == "refused") return "it is refused";
    return std::nullopt;
  }
  program::Cost predict(const program::LimbProgram&) const override { return {}; }

  mutable std::atomic<int> planned = 0;

 private:
  class IdlePlan final : public program::Plan {
   public:
    explicit IdlePlan(std::shared_ptr<const program::LimbProgram> program)
        : Plan(std::move(program)) {}
    std::string describe() const override { return "idle"; }

   private:
    program::RunReport do_run(std::span<const program::Binding>,
                              const program::SharedBinding&) const override {
      return {};
    }
  };

  std::unique_ptr<const program::Plan> do_plan(
      std::shared_ptr<const program::LimbProgram> program) const override {
    ++planned;
    return std::make_unique<const IdlePlan>(std::move(program));
  }
};

Parameters parameters() {
  Parameters::Description d;
  d.q = internal::moduli(30, 16, 1);
  d.security = SecurityLevel::none;
  return Parameters(d);
}

program::LimbProgram program(const Parameters& given, std::string name) {
  program::Builder b({given.q()[0]}, std::move(name));
  b.output("z", b.neg(b.operand("x", 0, program::Domain::eval)));
  return b.build();
}

class ContextTest : public testing::Test {
 protected:
  std::shared_ptr<IdleTarget> target_ = std::make_shared<IdleTarget>();
  Context context_{parameters(), target_};

  const program::Plan& plan(const std::string& name) const {
    return context_.plan(name, [&] { return program(context_.parameters(), name); });
  }
};

TEST_F(ContextTest, parameters_and_target_are_the_given_ones) {
  EXPECT_EQ(&context_.target(), target_.get());
  EXPECT_EQ(context_.parameters().degree(), 16U);
}

TEST_F(ContextTest, a_plan_is_made_once_for_each_name) {
  const auto& first = plan("first");
  const auto& second = plan("second");
  EXPECT_EQ(&plan("first"), &first);
  EXPECT_EQ(&plan("second"), &second);
  EXPECT_NE(&first, &second);
  EXPECT_EQ(first.program().name(), "first");
  EXPECT_EQ(target_->planned, 2);
}

TEST_F(ContextTest, a_plan_that_fails_is_asked_for_again) {
  EXPECT_THAT(error_of([&] { plan("refused"); }), StartsWith("unsupported"));
  EXPECT_THAT(error_of([&] { plan("refused"); }), StartsWith("unsupported"));
  EXPECT_EQ(target_->planned, 0);
}

TEST_F(ContextTest, threads_that_ask_at_once_get_the_same_plan) {
  std::array<const program::Plan*, 8> seen{};
  {
    std::vector<std::jthread> threads;
    for (auto& slot : seen) threads.emplace_back([&slot, this] { slot = &plan("shared"); });
  }
  EXPECT_THAT(seen, testing::Each(&plan("shared")));
}

TEST_F(ContextTest, a_context_has_a_target) {
  EXPECT_THAT(error_of([] { Context(parameters(), nullptr); }), StartsWith("out_of_range"));
}

}  // namespace
}  // namespace heliodor::rlwe
