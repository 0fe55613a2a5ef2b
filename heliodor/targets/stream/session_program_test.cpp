// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/session_program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heliodor/targets/stream/internal/session_sample.h"

namespace heliodor::stream {
namespace {

using internal::Builder;
using internal::Domain;
using internal::sample_moduli;
using internal::sample_program;
using internal::SampleLimb;
using internal::ValueId;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal_of(Builder& b) { return match_session(b.build()).refusal; }

TEST(SessionProgramTest, the_sample_program_has_its_parts_in_their_roles) {
  const auto match = match_session(sample_program(sample_moduli(16, 3), 2));
  ASSERT_TRUE(match.program) << match.refusal;
  EXPECT_EQ(match.program->shape(5), (SessionShape{16, 2, 2, 5}));
  ASSERT_EQ(match.program->limbs.size(), 3U);
  const LimbRoles& limb = match.program->limbs[1];
  EXPECT_EQ(limb.modulus, 1U);
  EXPECT_THAT(limb.parts, ElementsAre(6, 7, 8, 9));
  EXPECT_THAT(limb.digits, ElementsAre(10, 11));
  EXPECT_THAT(limb.key_b, ElementsAre(4, 6));
  EXPECT_THAT(limb.key_a, ElementsAre(5, 7));
  EXPECT_THAT(limb.outputs, ElementsAre(2, 3));
}

TEST(SessionProgramTest, order_nesting_and_sides_of_products_do_not_matter) {
  Builder b(sample_moduli(16, 1));
  const SampleLimb x(b, 0, 3);
  ValueId c1 = b.mul(x.key_a[2], x.digit[2]);
  c1 = b.add(c1, b.mul(x.b0, x.a1));
  c1 = b.add(b.dot(std::array{std::pair{x.digit[0], x.key_a[0]}, std::pair{x.b1, x.a0}}), c1);
  c1 = b.add(c1, b.mul(x.digit[1], x.key_a[1]));
  b.output("c1", c1);
  b.output("c0",
           b.dot(std::array{std::pair{x.key_b[1], x.digit[1]}, std::pair{x.b0, x.a0},
                            std::pair{x.digit[2], x.key_b[2]}, std::pair{x.digit[0], x.key_b[0]}}));
  const auto match = match_session(b.build());
  ASSERT_TRUE(match.program) << match.refusal;
  const LimbRoles& limb = match.program->limbs[0];
  EXPECT_THAT(limb.parts, ElementsAre(2, 3, 0, 1)) << "a and b may change places";
  EXPECT_THAT(limb.digits, ElementsAre(5, 6, 4));
  EXPECT_THAT(limb.key_b, ElementsAre(2, 4, 0));
  EXPECT_THAT(limb.key_a, ElementsAre(3, 5, 1));
  EXPECT_THAT(limb.outputs, ElementsAre(1, 0));
}

TEST(SessionProgramTest, a_square_is_a_product_of_equal_factors) {
  Builder b(sample_moduli(16, 1));
  const ValueId a0 = b.operand("a0", 0, Domain::eval), a1 = b.operand("a1", 0, Domain::eval);
  const ValueId d = b.operand("d", 0, Domain::eval), k = b.constant("k", 0, Domain::eval);
  const ValueId inner = b.mul(d, k), cross = b.mul(a0, a1);
  b.output("c0", b.add(b.mul(a0, a0), inner));
  b.output("c1", b.add(b.add(cross, cross), inner));
  const auto match = match_session(b.build());
  ASSERT_TRUE(match.program) << match.refusal;
  EXPECT_THAT(match.program->limbs[0].parts, ElementsAre(0, 1, 0, 1));
}

TEST(SessionProgramTest, what_the_core_cannot_do_is_refused_with_the_reason) {
  const auto moduli = sample_moduli(16, 1);
  // Replaces c0 or c1 of the sample by what `make` returns.
  const auto refusal = [&](bool replace_c0, const auto& make) {
    Builder b(moduli);
    const SampleLimb x(b, 0, 1);
    const ValueId c0 = b.add(b.mul(x.a0, x.b0), x.inner(b, x.key_b));
    const ValueId c1 = b.add(b.add(b.mul(x.a0, x.b1), b.mul(x.a1, x.b0)), x.inner(b, x.key_a));
    const ValueId other = make(b, x, replace_c0 ? c0 : c1);
    b.output("c0", replace_c0 ? other : c0);
    b.output("c1", replace_c0 ? c1 : other);
    b.output("unused", b.add(c0, c1));
    // The extra output keeps every value in use; it is refused later than what is tested here.
    return refusal_of(b);
  };
  using B = Builder&;
  using X = const SampleLimb&;
  EXPECT_THAT(refusal(true, [](B b, X, ValueId c) { return b.ntt(b.intt(c)); }),
              HasSubstr("is not part of a sum of products"));
  EXPECT_THAT(refusal(true, [](B b, X, ValueId c) { return b.neg(c); }), HasSubstr("neg"));
  EXPECT_THAT(refusal(true, [](B b, X x, ValueId c) { return b.add(c, x.a0); }),
              HasSubstr("has a term that is no product"));
  EXPECT_THAT(refusal(true, [](B b, X x, ValueId c) { return b.mul(c, x.a0); }),
              HasSubstr("has a factor that is no input"));
  EXPECT_THAT(
      refusal(true, [](B b, X x, ValueId c) { return b.add(c, b.mul(x.key_a[0], x.key_b[0])); }),
      HasSubstr("product of two keys"));
  EXPECT_THAT(refusal(false, [](B b, X x, ValueId c) { return b.add(c, b.mul(x.a1, x.b1)); }),
              HasSubstr("more than 2 products of operands"));
  EXPECT_THAT(refusal(false,
                      [](B b, X, ValueId c) {
                        for (int i = 0; i < 40; ++i) c = b.add(c, c);
                        return c;
                      }),
              HasSubstr("too many products"));
}

TEST(SessionProgramTest, sums_that_only_resemble_a_relinearized_product_are_refused) {
  const auto refusal = [](std::size_t digits, const auto& outputs) {
    Builder b(sample_moduli(16, 1));
    const SampleLimb x(b, 0, digits);
    const auto [c0, c1] = outputs(b, x);
    b.output("c0", c0);
    if (c1 != c0) b.output("c1", c1);
    const auto program = b.build();
    return match_session(program).refusal;
  };
  using B = Builder&;
  using X = const SampleLimb&;
  const auto cross = [](B b, X x) { return b.add(b.mul(x.a0, x.b1), b.mul(x.a1, x.b0)); };
  EXPECT_THAT(refusal(1,
                      [&](B b, X x) {
                        return std::pair{b.add(b.mul(x.a0, x.b0), x.inner(b, x.key_b)),
                                         b.add(b.add(b.mul(x.a0, x.b1), b.mul(x.a1, x.b1)),
                                               x.inner(b, x.key_a))};
                      }),
              HasSubstr("are not a0*b0 and a0*b1 + a1*b0"));
  EXPECT_THAT(
      refusal(2,
              [&](B b, X x) {
                return std::pair{
                    b.add(b.mul(x.a0, x.b0), x.inner(b, x.key_b)),
                    b.add(cross(b, x), b.dot(std::array{std::pair{x.digit[0], x.key_a[0]},
                                                        std::pair{x.digit[0], x.key_a[1]}}))};
              }),
      HasSubstr("do not multiply the same digits by keys"));
  EXPECT_THAT(refusal(1,
                      [&](B b, X x) {
                        return std::pair{b.add(b.mul(x.a0, x.b0), x.inner(b, x.key_b)),
                                         b.dot(std::array{std::pair{x.a1, x.b1},
                                                          std::pair{x.digit[0], x.key_a[0]}})};
                      }),
              HasSubstr("outputs of 1 and 1 products of operands"));
  EXPECT_THAT(refusal(1,
                      [&](B b, X x) {
                        const ValueId keys = b.add(x.inner(b, x.key_b), x.inner(b, x.key_a));
                        const ValueId c0 = b.add(b.add(b.mul(x.a0, x.b0), cross(b, x)), keys);
                        return std::pair{c0, c0};
                      }),
              HasSubstr("more than 2 products of operands"));
  EXPECT_THAT(refusal(17,
                      [&](B b, X x) {
                        return std::pair{b.add(b.mul(x.a0, x.b0), x.inner(b, x.key_b)),
                                         b.add(cross(b, x), x.inner(b, x.key_a))};
                      }),
              HasSubstr("more than 16 digits"));
}

TEST(SessionProgramTest, limits_of_the_core_are_named) {
  EXPECT_THAT(match_session(sample_program(sample_moduli(16, 13), 1)).refusal,
              HasSubstr("13 limbs exceed 12"));
  EXPECT_THAT(match_session(sample_program(sample_moduli(16, 2, 29), 1)).refusal,
              HasSubstr("modulus q0 has 29 bits, not 30"));
  EXPECT_THAT(match_session(sample_program(sample_moduli(131072, 1), 1)).refusal,
              HasSubstr("degree 131072 exceeds 65536"));
  EXPECT_TRUE(match_session(sample_program(sample_moduli(65536, 1), 16)).program);
  Builder b(sample_moduli(16, 2));
  for (std::uint32_t limb = 0; limb < 2; ++limb) {
    const SampleLimb x(b, limb, 1 + limb);
    b.output(fmt::format("c0{}", limb), b.add(b.mul(x.a0, x.b0), x.inner(b, x.key_b)));
    b.output(fmt::format("c1{}", limb),
             b.add(b.add(b.mul(x.a0, x.b1), b.mul(x.a1, x.b0)), x.inner(b, x.key_a)));
  }
  EXPECT_THAT(refusal_of(b), HasSubstr("limb q1 has 2 digits, limb q0 has 1"));
}

TEST(SessionProgramTest, seeds_and_missing_keys_are_refused) {
  Builder b(sample_moduli(16, 1));
  const ValueId u = b.uniform(b.seed("s"), 0, 0, Domain::eval);
  b.output("c0", u);
  EXPECT_THAT(refusal_of(b), HasSubstr("input \"s\" is a seed"));
  Builder tensor(sample_moduli(16, 1));
  const SampleLimb x(tensor, 0, 0);
  tensor.output("c0", tensor.mul(x.a0, x.b0));
  tensor.output("c1", tensor.add(tensor.mul(x.a0, x.b1), tensor.mul(x.a1, x.b0)));
  EXPECT_THAT(refusal_of(tensor), HasSubstr("has no product with a key"));
}

TEST(SessionProgramTest, a_chain_of_a_hundred_thousand_sums_is_refused_without_recursion) {
  Builder b(sample_moduli(2, 1));
  const ValueId x = b.operand("x", 0, Domain::eval);
  ValueId sum = b.mul(x, x);
  for (int i = 0; i < 100'000; ++i) sum = b.add(sum, x);
  b.output("c0", sum);
  EXPECT_THAT(refusal_of(b), HasSubstr("too many products"));
}

}  // namespace
}  // namespace heliodor::stream
