// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/relinearize_target.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heliodor/base/error.h"
#include "heliodor/targets/stream/internal/relinearize_sample.h"
#include "heliodor/targets/stream/relinearize_cycles.h"

namespace heliodor::stream {
namespace {

using internal::relinearize_sample;
using internal::RelinearizeBindings;
using internal::RelinearizeData;
using program::RunReport;
using testing::HasSubstr;

void expect_right(const RelinearizeData& data, const RelinearizeBindings& bound) {
  for (std::size_t slot = 0; slot < data.shape().batch; ++slot) {
    for (std::size_t limb = 0; limb < data.shape().limbs; ++limb) {
      const auto expected = data.expected_limb(slot, limb);
      for (std::size_t component = 0; component < 2; ++component) {
        ASSERT_EQ(bound.output(slot, 2 * limb + component), expected[component])
            << "slot " << slot << ", limb " << limb << ", c" << component;
      }
    }
  }
}

class Shapes : public testing::TestWithParam<RelinearizeShape> {};

TEST_P(Shapes, outputs_are_the_references_and_cycles_the_predicted_ones) {
  const RelinearizeData data(GetParam(), 17);
  const program::LimbProgram program = relinearize_sample(data.moduli());
  const RelinearizeTarget target;
  ASSERT_EQ(target.refusal(program), std::nullopt);
  const RelinearizeBindings bound(data);
  const RunReport report = target.plan(program)->run(bound.bindings(), bound.shared());
  ASSERT_FALSE(report.fault) << report.fault->reason;
  expect_right(data, bound);
  EXPECT_EQ(report.cost.cycles, target.predict_batch(program, data.shape().batch).cycles);
}

INSTANTIATE_TEST_SUITE_P(RelinearizeTargetTest, Shapes,
                         testing::Values(RelinearizeShape{3, 2, 1}, RelinearizeShape{4, 3, 2},
                                         RelinearizeShape{6, 12, 3}, RelinearizeShape{5, 16, 1},
                                         RelinearizeShape{3, 2, 64}, RelinearizeShape{12, 4, 2}),
                         [](const auto& test) {
                           return fmt::format("degree{}_limbs{}_batch{}", test.param.degree(),
                                              test.param.limbs, test.param.batch);
                         });

TEST(RelinearizeTargetTest, more_bindings_than_a_session_holds_take_several) {
  const RelinearizeData even({3, 2, 64}, 1);
  const program::LimbProgram program = relinearize_sample(even.moduli());
  const RelinearizeBindings bound(even);
  std::vector<program::Binding> bindings(bound.bindings().begin(), bound.bindings().end());
  // 66 of them: two write the same outputs again.
  bindings.push_back(bindings[0]);
  bindings.push_back(bindings[1]);
  const RelinearizeTarget target;
  const RunReport report = target.plan(program)->run(bindings, bound.shared());
  ASSERT_FALSE(report.fault) << report.fault->reason;
  expect_right(even, bound);
  EXPECT_EQ(report.cost.cycles,
            relinearize_cycles({3, 2, 64}).total + relinearize_cycles({3, 2, 2}).total);
}

TEST(RelinearizeTargetTest, it_is_named_and_predicts_one_binding) {
  const RelinearizeData data({6, 4, 1}, 2);
  const program::LimbProgram program = relinearize_sample(data.moduli());
  const RelinearizeTarget target;
  EXPECT_EQ(target.name(), "stream:relinearize");
  EXPECT_EQ(target.predict(program).cycles, relinearize_cycles({6, 4, 1}).total);
  EXPECT_DOUBLE_EQ(target.predict(program).seconds,
                   static_cast<double>(relinearize_cycles({6, 4, 1}).total) / 100e6);
}

TEST(RelinearizeTargetTest, another_program_is_refused_with_the_reason) {
  program::Builder b(RelinearizeData({4, 2, 1}, 3).moduli());
  b.output("y", b.neg(b.operand("x", 0, program::Domain::eval)));
  try {
    RelinearizeTarget().plan(b.build());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_THAT(error.what(), HasSubstr("target stream:relinearize: '%1 = neg %0"));
  }
}

#ifndef HELIODOR_CHECKED
TEST(RelinearizeTargetTest, an_operand_that_is_no_residue_is_a_fault_with_its_place) {
  const RelinearizeData data({4, 2, 3}, 5);
  const program::LimbProgram program = relinearize_sample(data.moduli());
  RelinearizeBindings bound(data);
  std::vector<std::uint64_t> wrong(16, 1);
  wrong[5] = std::uint64_t{1} << 40;
  bound.bindings()[2].operands[2] = wrong;  // a1 of limb 0, alone in group 1
  const RunReport report = RelinearizeTarget().plan(program)->run(bound.bindings(), bound.shared());
  ASSERT_TRUE(report.fault);
  EXPECT_EQ(report.fault->reason, "group 1, word 7: a residue is not below its modulus");
}
#endif

TEST(RelinearizeTargetTest, describe_names_limbs_words_and_cycles) {
  const RelinearizeData data({3, 2, 1}, 2);
  const std::string text = RelinearizeTarget().plan(relinearize_sample(data.moduli()))->describe();
  EXPECT_THAT(text, HasSubstr("limb q1: c0[1] and c1[1], 2 digits"));
  EXPECT_THAT(text, HasSubstr("session of 64: 4167 words in, 1024 words out"));
}

}  // namespace
}  // namespace heliodor::stream
