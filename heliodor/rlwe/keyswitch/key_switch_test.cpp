// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The shape of the programs; tests/exact runs them.
#include "heliodor/rlwe/keyswitch/key_switch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/internal/test_moduli.h"
#include "heliodor/rlwe/keyswitch/key_limbs.h"
#include "heliodor/rlwe/keyswitch/klss.h"

namespace heliodor::rlwe {
namespace {

using internal::error_of;
using ::testing::StartsWith;

constexpr std::size_t kLimbs = 7, kSpecial = 3, kBlock = 4;
constexpr std::uint64_t kDegree = 16;
constexpr Gadget kBv = {1, 0, kLimbs}, kHybrid = {3, kSpecial, kLimbs};

Parameters make_parameters() {
  Parameters::Description d;
  const std::vector<ring::Modulus> all = internal::moduli(40, kDegree, kLimbs + kSpecial);
  d.q.assign(all.begin(), all.begin() + kLimbs);
  d.p.assign(all.begin() + kLimbs, all.end());
  d.gadgets = {kBv, kHybrid};
  d.security = SecurityLevel::none;
  return Parameters(std::move(d));
}

std::size_t count_transforms(const program::LimbProgram& program) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    const program::LimbOp op = program.instruction(i).op;
    if (op == program::LimbOp::ntt || op == program::LimbOp::intt) ++count;
  }
  return count;
}

std::size_t count_keys(const program::LimbProgram& program) {
  return static_cast<std::size_t>(
      std::ranges::count(program.inputs(), program::InputKind::key, &program::Input::kind));
}

TEST(KeySwitchTest, bv_takes_a_transform_per_digit_and_limb) {
  const Parameters parameters = make_parameters();
  for (std::size_t l = 2; l <= kLimbs; ++l) {
    const auto program = key_switch_program(parameters, {KeySwitchMethod::bv, kBv}, l);
    EXPECT_EQ(count_transforms(program), l + l * (l - 1));
    EXPECT_EQ(count_keys(program), 2 * l * l);
  }
  EXPECT_EQ(count_transforms(key_switch_program(parameters, {KeySwitchMethod::bv, kBv}, 1)), 0U);
}

// l + (beta * (l + k) - l) + 2k + 2l transforms.
TEST(KeySwitchTest, hybrid_leaves_the_digits_own_limbs_and_uses_present_limbs_alone) {
  const Parameters parameters = make_parameters();
  for (std::size_t l = 1; l <= kLimbs; ++l) {
    const auto program = key_switch_program(parameters, {KeySwitchMethod::hybrid, kHybrid}, l);
    const std::size_t beta = kHybrid.digit_count(l);
    EXPECT_EQ(count_transforms(program), beta * (l + kSpecial) + 2 * kSpecial + 2 * l);
    EXPECT_EQ(count_keys(program), 2 * beta * (l + kSpecial));
  }
}

// 3l transforms modulo Q, beta * |T| + 2 * blocks * |T| modulo T.
TEST(KeySwitchTest, klss_transforms_modulo_t_alone_between_digits_and_result) {
  const Parameters parameters = make_parameters();
  const std::size_t t = klss_base(parameters, kHybrid, kBlock).size();
  for (std::size_t l = 1; l <= kLimbs; ++l) {
    const KeySwitchShape shape{KeySwitchMethod::klss, kHybrid, kBlock};
    const auto program = key_switch_program(parameters, shape, l);
    const std::size_t beta = kHybrid.digit_count(l), blocks = (l + kSpecial + kBlock - 1) / kBlock;
    EXPECT_EQ(klss_block_count(shape, l), blocks);
    EXPECT_EQ(count_transforms(program), 3 * l + beta * t + 2 * blocks * t);
    EXPECT_EQ(count_keys(program), 2 * beta * blocks * t);
  }
}

TEST(KeySwitchTest, key_limbs_are_as_many_as_the_program_declares) {
  const Parameters parameters = make_parameters();
  const EvaluationKey bv{kBv, LimbMatrix(2 * kLimbs, kLimbs, kDegree), std::nullopt};
  const EvaluationKey hybrid{kHybrid, LimbMatrix(6, kLimbs + kSpecial, kDegree), std::nullopt};
  const auto t = klss_base(parameters, kHybrid, kBlock);
  const KlssKey klss{kHybrid, kBlock, t, LimbMatrix(6, 3 * t.size(), kDegree)};
  for (std::size_t l = 1; l <= kLimbs; ++l) {
    const auto keys = [&](const KeySwitchShape& shape) {
      return count_keys(key_switch_program(parameters, shape, l));
    };
    EXPECT_EQ(key_limbs(bv, l).size(), keys({KeySwitchMethod::bv, kBv}));
    EXPECT_EQ(key_limbs(hybrid, l).size(), keys({KeySwitchMethod::hybrid, kHybrid}));
    EXPECT_EQ(key_limbs(klss, l).size(), keys({KeySwitchMethod::klss, kHybrid, kBlock}));
  }
  EXPECT_EQ(key_limbs(hybrid, 2)[2].data(), hybrid.limbs.limb(0, kLimbs).data());
  for (const std::size_t l : {std::size_t{0}, kLimbs + 1}) {
    EXPECT_THAT(error_of([&] { key_limbs(hybrid, l); }), StartsWith("out_of_range: limb_count"));
    EXPECT_THAT(error_of([&] { key_limbs(klss, l); }), StartsWith("out_of_range: limb_count"));
  }
}

TEST(KeySwitchTest, rings_refuse_more_limbs_than_gadget_or_parameters_have) {
  const Parameters parameters = make_parameters();
  const KeySwitchShape low{KeySwitchMethod::hybrid, {1, 1, 3}};
  EXPECT_THAT(error_of([&] { key_switch_ring(parameters, low, 4); }),
              StartsWith("out_of_range: limb_count 4 exceeds 3"));
  EXPECT_THAT(error_of([&] { ProgramRing(parameters, 0); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_of([&] { ProgramRing(parameters, kLimbs + 1); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_of([&] { ProgramRing(parameters, 1, kSpecial + 1); }),
              StartsWith("out_of_range: special_count"));
  const ProgramRing bare(parameters, 1);
  EXPECT_THAT(error_of([&] { bare.p(); }), StartsWith("out_of_range"));
  EXPECT_THAT(error_of([&] { bare.t(); }), StartsWith("out_of_range"));
}

TEST(KeySwitchTest, programs_order_moduli_as_q_then_p_then_t) {
  const Parameters parameters = make_parameters();
  const auto t = klss_base(parameters, kHybrid, kBlock);
  const ProgramRing ring(parameters, 4, 2, t);
  const std::vector<ring::Modulus> moduli = ring.moduli();
  ASSERT_EQ(moduli.size(), 6 + t.size());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(moduli[ring.q_index(i)], parameters.q()[i]);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(moduli[ring.p_index(i)], parameters.p()[i]);
    EXPECT_EQ(ring.qp(4 + i), parameters.p()[i]);
    EXPECT_EQ(ring.qp_index(4 + i), ring.p_index(i));
  }
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_EQ(moduli[ring.t_index(i)], t[i]);
}

}  // namespace
}  // namespace heliodor::rlwe
