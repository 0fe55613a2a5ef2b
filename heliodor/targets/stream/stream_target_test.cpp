// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/stream_target.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heliodor/base/error.h"
#include "heliodor/targets/stream/internal/session_sample.h"
#include "heliodor/targets/stream/session_cycles.h"
#include "heliodor/targets/stream/session_model.h"

namespace heliodor::stream {
namespace {

using internal::sample_moduli;
using internal::sample_program;
using internal::SampleData;
using program::LimbProgram;
using program::RunReport;
using testing::HasSubstr;

void expect_right(const LimbProgram& program, const SampleData& data) {
  for (std::size_t slot = 0; slot < data.bindings().size(); ++slot) {
    for (std::size_t i = 0; i < program.outputs().size(); ++i) {
      ASSERT_EQ(data.output(slot, i), data.expected(slot, i))
          << "slot " << slot << ", " << program.outputs()[i].name;
    }
  }
}

class Batches : public testing::TestWithParam<std::tuple<std::size_t, std::size_t, std::size_t>> {};

TEST_P(Batches, outputs_are_the_references_and_cycles_the_predicted_ones) {
  const auto [limbs, digits, batch] = GetParam();
  const LimbProgram program = sample_program(sample_moduli(16, limbs), digits);
  const StreamTarget target;
  ASSERT_EQ(target.refusal(program), std::nullopt);
  const auto plan = target.plan(program);
  const SampleData data(program, digits, batch, 100 * limbs + batch);
  const RunReport report = plan->run(data.bindings(), data.shared());
  ASSERT_FALSE(report.fault) << report.fault->reason;
  expect_right(program, data);
  EXPECT_EQ(report.cost.cycles, target.predict_batch(program, batch).cycles);
  EXPECT_DOUBLE_EQ(report.cost.seconds, static_cast<double>(*report.cost.cycles) / 100e6);
}

INSTANTIATE_TEST_SUITE_P(StreamTargetTest, Batches,
                         testing::Combine(testing::Values(1, 2, 3, 12), testing::Values(1, 4, 12),
                                          testing::Values(1, 2, 5, 64, 65, 130)),
                         [](const auto& test) {
                           return fmt::format("limbs{}_digits{}_batch{}", std::get<0>(test.param),
                                              std::get<1>(test.param), std::get<2>(test.param));
                         });

TEST(StreamTargetTest, it_is_named_and_predicts_one_binding) {
  const LimbProgram program = sample_program(sample_moduli(64, 4), 4);
  const StreamTarget target;
  EXPECT_EQ(target.name(), "stream:session");
  EXPECT_EQ(target.predict(program).cycles, session_cycles({64, 2, 4, 1}).total);
}

TEST(StreamTargetTest, a_batch_of_64_costs_less_for_each_binding_than_one_alone) {
  const LimbProgram program = sample_program(sample_moduli(64, 2), 12);
  const StreamTarget target;
  const double alone = target.predict(program).seconds;
  EXPECT_LT(target.predict_batch(program, 64).seconds, 64 * 0.5 * alone);
}

TEST(StreamTargetTest, another_program_is_refused_with_the_reason) {
  program::Builder b(sample_moduli(16, 1));
  b.output("y", b.neg(b.operand("x", 0, program::Domain::eval)));
  try {
    StreamTarget().plan(b.build());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_THAT(error.what(), HasSubstr("target stream:session: '%1 = neg %0"));
  }
}

#ifndef HELIODOR_CHECKED
TEST(StreamTargetTest, an_operand_that_is_no_residue_is_a_fault_with_its_place) {
  const LimbProgram program = sample_program(sample_moduli(16, 2), 1);
  SampleData data(program, 1, 3, 5);
  data.operand(2, 1)[4] = program.moduli()[0].value();  // a1 of limb 0, slot 2, coefficient 4
  const auto plan = StreamTarget().plan(program);
  const RunReport report = plan->run(data.bindings(), data.shared());
  ASSERT_TRUE(report.fault);
  // 3 header words, 4 coefficients of 4*3 + 1*(3 + 2) words, 2 slots of 4 words, a0.
  EXPECT_EQ(report.fault->reason, "pair 0, word 80: a residue is not below its modulus");
  data.operand(2, 1)[4] = std::uint64_t{1} << 40;
  EXPECT_THAT(plan->run(data.bindings(), data.shared()).fault->reason, HasSubstr("word 80"));
  data.operand(2, 1)[4] = 0;
  EXPECT_FALSE(plan->run(data.bindings(), data.shared()).fault);
  expect_right(program, data);
}
#endif

// A core that answers nothing, or takes nothing.
class DeadCore final : public SessionCore {
 public:
  explicit DeadCore(bool takes) : takes_(takes) {}
  CoreOutputs outputs() const override { return {.in_ready = takes_}; }
  void clock(const CoreInputs&) override {}

 private:
  bool takes_;
};

StreamTarget dead_target(bool takes) {
  return StreamTarget("stream:dead", [=] {
    return std::make_unique<ClockedTransport>(std::make_unique<DeadCore>(takes));
  });
}

TEST(StreamTargetTest, a_core_that_answers_nothing_is_a_fault) {
  const LimbProgram program = sample_program(sample_moduli(16, 2), 1);
  const SampleData data(program, 1, 1, 5);
  const RunReport report = dead_target(true).plan(program)->run(data.bindings(), data.shared());
  ASSERT_TRUE(report.fault);
  EXPECT_EQ(report.fault->reason, "the core returned 0 words instead of 32");
}

TEST(StreamTargetTest, a_core_that_takes_nothing_is_an_io_error) {
  const LimbProgram program = sample_program(sample_moduli(16, 2), 1);
  const SampleData data(program, 1, 1, 5);
  try {
    dead_target(false).plan(program)->run(data.bindings(), data.shared());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
  }
}

TEST(StreamTargetTest, describe_names_limbs_lanes_words_and_cycles) {
  const LimbProgram program = sample_program(sample_moduli(4096, 12), 12);
  const std::string text = StreamTarget().plan(program)->describe();
  EXPECT_THAT(text, HasSubstr("limb q3 in lane 1 of pair 1: c0[3] and c1[3], 12 digits"));
  EXPECT_THAT(text, HasSubstr("session of 64: 25755680 words in, 3145728 words out"));
  EXPECT_THAT(text, HasSubstr("(0 waiting)"));
}

}  // namespace
}  // namespace heliodor::stream
