// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/relinearize_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "heliodor/targets/stream/internal/relinearize_sample.h"
#include "heliodor/targets/stream/internal/session_sample.h"

namespace heliodor::stream {
namespace {

using internal::relinearize_sample;
using internal::RelinearizeValues;
using internal::sample_moduli;
using program::Builder;
using program::ValueId;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(RelinearizeProgramTest, inputs_and_outputs_have_their_roles) {
  const RelinearizeMatch match = match_relinearize(relinearize_sample(sample_moduli(16, 3)));
  ASSERT_TRUE(match.program) << match.refusal;
  EXPECT_EQ(match.program->shape(5), (RelinearizeShape{4, 3, 5}));
  const RelinearizeRoles& limb = match.program->limbs[1];
  EXPECT_EQ(limb.modulus, 1U);
  EXPECT_THAT(limb.parts, ElementsAre(1, 4, 7, 10));
  EXPECT_THAT(limb.key_b, ElementsAre(6, 8, 10));
  EXPECT_THAT(limb.key_a, ElementsAre(7, 9, 11));
  EXPECT_THAT(limb.outputs, ElementsAre(2, 3));
}

TEST(RelinearizeProgramTest, order_and_nesting_of_sums_do_not_matter) {
  Builder b(sample_moduli(8, 2));
  const RelinearizeValues x(b, 2);
  for (std::size_t i = 2; i-- > 0;) {
    ValueId c0 = b.mul(x.key_b[i][1], x.digit[i][1]);
    c0 = b.add(c0, b.mul(x.b0[i], x.a0[i]));
    ValueId c1 = b.add(b.mul(x.b0[i], x.a1[i]), b.mul(x.digit[i][1], x.key_a[i][1]));
    c1 = b.add(b.mul(x.digit[i][0], x.key_a[i][0]), c1);
    b.output(fmt::format("c1[{}]", i), b.add(c1, b.mul(x.a0[i], x.b1[i])));
    b.output(fmt::format("c0[{}]", i), b.add(b.mul(x.digit[i][0], x.key_b[i][0]), c0));
  }
  const RelinearizeMatch match = match_relinearize(b.build());
  ASSERT_TRUE(match.program) << match.refusal;
  const RelinearizeRoles& limb = match.program->limbs[0];
  EXPECT_EQ(limb.modulus, 1U);
  EXPECT_THAT(limb.outputs, ElementsAre(1, 0));
  EXPECT_THAT(limb.key_b, ElementsAre(6, 4)) << "digits count in the order of limbs";
}

TEST(RelinearizeProgramTest, squares_match_with_both_factors_the_same) {
  Builder b(sample_moduli(8, 2));
  std::vector<ValueId> a0, a1, c2;
  for (std::uint32_t i = 0; i < 2; ++i) {
    a0.push_back(b.operand(fmt::format("a0[{}]", i), i, program::Domain::eval));
    a1.push_back(b.operand(fmt::format("a1[{}]", i), i, program::Domain::eval));
    c2.push_back(b.mul(a1[i], a1[i]));
  }
  for (std::uint32_t i = 0; i < 2; ++i) {
    const ValueId other = b.ntt(b.reduce(i, ring::Lift::centred, b.intt(c2[1 - i])));
    const ValueId sums[2] = {b.mul(a0[i], a0[i]), b.add(b.mul(a0[i], a1[i]), b.mul(a1[i], a0[i]))};
    for (std::size_t c = 0; c < 2; ++c) {
      ValueId sum = sums[c];
      for (const ValueId digit : {c2[i], other}) {
        const std::string name = fmt::format("key[{}][{}][{}]", i, c, digit);
        sum = b.add(sum, b.mul(digit, b.key(name, i, program::Domain::eval)));
      }
      b.output(fmt::format("c{}[{}]", c, i), sum);
    }
  }
  const RelinearizeMatch match = match_relinearize(b.build());
  ASSERT_TRUE(match.program) << match.refusal;
  EXPECT_THAT(match.program->limbs[0].parts, ElementsAre(0, 1, 0, 1));
}

std::string refusal_of(const std::vector<ring::Modulus>& moduli,
                       const std::function<void(Builder&, RelinearizeValues&)>& change,
                       ring::Lift lift = ring::Lift::centred) {
  Builder b(moduli);
  RelinearizeValues x(b, moduli.size(), lift);
  change(b, x);
  x.outputs(b);
  return match_relinearize(b.build()).refusal;
}

void nothing(Builder&, RelinearizeValues&) {}

TEST(RelinearizeProgramTest, sizes_that_do_not_fit_the_core_are_refused) {
  EXPECT_EQ(refusal_of(sample_moduli(8, 2), nothing), "");
  EXPECT_THAT(refusal_of(sample_moduli(8, 1), nothing),
              HasSubstr("limb count 1 is not in [2, 16]"));
  EXPECT_THAT(refusal_of(sample_moduli(8, 17), nothing), HasSubstr("more than 16 digits"));
  EXPECT_THAT(refusal_of(sample_moduli(4, 2), nothing), HasSubstr("log2 of the degree 2"));
  EXPECT_THAT(refusal_of(sample_moduli(8192, 2), nothing), HasSubstr("log2 of the degree 13"));
  EXPECT_THAT(refusal_of(sample_moduli(4096, 13), nothing),
              HasSubstr("limb count times degree 53248 is not in [1, 49152]"));
  EXPECT_THAT(refusal_of(sample_moduli(8, 2, 40), nothing), HasSubstr("modulus q0 has 40 bits"));
}

// Another product in both sums of limb 0.
void add_digit(Builder& b, RelinearizeValues& x, ValueId digit) {
  x.digit[0].push_back(digit);
  x.key_b[0].push_back(b.key("more_b", 0, program::Domain::eval));
  x.key_a[0].push_back(b.key("more_a", 0, program::Domain::eval));
}

TEST(RelinearizeProgramTest, digits_that_the_core_would_not_make_are_refused) {
  const auto moduli = sample_moduli(8, 3);
  const char* no_digit = "has no digit of a1*b1 in limb q";
  EXPECT_THAT(refusal_of(moduli, nothing, ring::Lift::plain), HasSubstr(no_digit));
  const auto refusal = [&](const std::function<void(Builder&, RelinearizeValues&)>& change) {
    return refusal_of(moduli, change);
  };
  EXPECT_THAT(
      refusal([](Builder& b, RelinearizeValues& x) { x.digit[0][1] = b.neg(x.digit[0][1]); }),
      HasSubstr(no_digit));
  EXPECT_THAT(refusal([](Builder&, RelinearizeValues& x) { std::swap(x.a0, x.a1); }),
              HasSubstr(no_digit));
  EXPECT_THAT(refusal([](Builder& b, RelinearizeValues& x) { add_digit(b, x, x.digit[0][1]); }),
              HasSubstr("has 4 digits, not 3"));
  EXPECT_THAT(refusal([](Builder& b, RelinearizeValues& x) { add_digit(b, x, x.a0[0]); }),
              HasSubstr("neither two operands nor a digit and a key"));
  EXPECT_THAT(refusal([](Builder& b, RelinearizeValues& x) {
                b.output("more", b.add(b.mul(x.a0[0], x.b0[0]), x.inner(b, 0, x.key_b)));
              }),
              HasSubstr("limb q0 has 3 outputs, not 2"));
}

TEST(RelinearizeProgramTest, the_session_cores_program_is_refused) {
  const auto match = match_relinearize(internal::sample_program(sample_moduli(8, 2), 2));
  EXPECT_THAT(match.refusal, HasSubstr("neither two operands nor a digit and a key"));
}

}  // namespace
}  // namespace heliodor::stream
