// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The RTL of the complete core under the scenarios that its model passes
// (heliodor/targets/stream/internal/relinearize_scenarios.cpp, relinearize_failures.cpp), both
// compared in every clock; and as a target.

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"
#include "heliodor/targets/machine/pe/ntt_unit.h"
#include "heliodor/targets/stream/internal/relinearize_bench.h"
#include "heliodor/targets/stream/internal/relinearize_sequencer.h"
#include "heliodor/targets/stream/status_word.h"
#include "rtl/top/relinearize_openfhe.h"

namespace heliodor::stream::internal {

std::unique_ptr<SessionCore> make_relinearize_core_under_test() {
  return std::make_unique<rtl_bench::ComparedRelinearize>();
}

}  // namespace heliodor::stream::internal

namespace heliodor::rtl_bench {
namespace {

namespace pe = machine::pe;
using stream::Reason;

// The driver's constants are those of the RTL.
static_assert(stream::RelinearizeModel::kMultiplierLatency == pe::kModMulBarrettLatency);
static_assert(stream::RelinearizeModel::kStages == pe::kRelinearizeStages);
static_assert(stream::RelinearizeModel::kFillStage == pe::kRelinearizeSumStage + 1);
static_assert(stream::RelinearizeModel::kQueueWords == pe::kStreamFifoDepth);
static_assert(stream::kRelinearizeProfileTag == pe::kRelinearizeProfileTag);
static_assert(stream::kRelinearizeGroupTag == pe::kRelinearizeGroupTag);
static_assert(stream::kRelinearizeMinLogDegree == pe::kRelinearizeMinLogDegree);
static_assert(stream::kRelinearizeMaxLogDegree == pe::kRelinearizeMaxLogDegree);
static_assert(stream::kRelinearizeMinLimbs == pe::kRelinearizeMinLimbs);
static_assert(stream::kRelinearizeMaxLimbs == pe::kRelinearizeMaxLimbs);
static_assert(stream::kGroupSize == pe::kNttChannels);
static_assert(stream::kDigitRows == pe::kRelinearizeDigitRows);
static_assert(stream::kRowWords == pe::kNttLanes);
static_assert(stream::internal::kPages == pe::kNttPages);
constexpr bool is(Reason reason, unsigned constant) {
  return static_cast<unsigned>(reason) == constant;
}
static_assert(is(Reason::limb_count, pe::kSessionReasonLimbCount));
static_assert(is(Reason::root, pe::kSessionReasonRoot));
static_assert(is(Reason::group, pe::kSessionReasonGroup));

TEST(BvRelinearizeModel, transforms_take_as_many_clocks_as_those_of_the_ntt_unit) {
  for (std::uint32_t log_degree = 3; log_degree <= 12; ++log_degree) {
    EXPECT_EQ(stream::internal::transform_clocks(log_degree), pe::ntt_unit_clocks(log_degree));
  }
}

TEST(BvRelinearizeTarget, programs_on_the_rtl_give_the_references_words_in_the_predicted_cycles) {
  for (const stream::RelinearizeShape shape :
       {stream::RelinearizeShape{3, 2, 66}, {4, 12, 3}, {8, 3, 2}, {12, 2, 1}}) {
    const stream::internal::RelinearizeData data({shape.log_degree, shape.limbs, 3}, shape.limbs);
    const auto program = stream::internal::relinearize_sample(data.moduli());
    const stream::internal::RelinearizeBindings bound(data);
    const auto target = relinearize_rtl_target();
    std::vector<program::Binding> bindings;
    for (std::size_t i = 0; i < shape.batch; ++i) bindings.push_back(bound.bindings()[i % 3]);
    const auto report = target.plan(program)->run(bindings, bound.shared());
    ASSERT_FALSE(report.fault) << report.fault->reason;
    EXPECT_EQ(report.cost.cycles, target.predict_batch(program, shape.batch).cycles);
    for (std::size_t slot = 0; slot < std::min<std::size_t>(3, shape.batch); ++slot) {
      for (std::size_t limb = 0; limb < shape.limbs; ++limb) {
        const auto expected = data.expected_limb(slot, limb);
        ASSERT_TRUE(bound.output(slot, 2 * limb) == expected[0]);
        ASSERT_TRUE(bound.output(slot, 2 * limb + 1) == expected[1]);
      }
    }
  }
}

TEST(BvRelinearizeTarget, openfhes_ciphertexts_and_keys_give_openfhes_limbs) {
  check_relinearized_products(OpenfheCase("tests/vectors/openfhe/bgv_bv_n1024_l4"), 3);
}

// Streams that are neither right nor broken in one place: tags, counts, moduli, residues and noise
// in any order. The core and its model must agree on every clock of the nonsense.
TEST(BvRelinearizeNonsense, half_a_million_clocks_of_random_words_keep_core_and_model_together) {
  ComparedRelinearize core;
  std::mt19937_64 random(1);
  const stream::internal::RelinearizeData data({3, 2, 1}, 1);
  const auto frames = data.frames();
  std::vector<std::uint64_t> grammar = frames[0];
  grammar.insert(grammar.end(), frames[1].begin(), frames[1].end());
  std::size_t next = 0;
  std::uint64_t results = 0;
  std::uint64_t statuses = 0;
  std::uint64_t word = grammar[0];
  bool last = false;
  for (unsigned clock = 0; clock < 500'000 && !::testing::Test::HasFailure(); ++clock) {
    const stream::CoreOutputs shown = core.outputs();
    const bool valid = random() % 8 != 0;
    const bool ready = random() % 8 != 0;
    core.clock({.rst_n = true,
                .degree = 0,
                .in_valid = valid,
                .in_data = word,
                .in_last = last,
                .out_ready = ready});
    if (shown.out_valid && ready) {
      ++(stream::decode_status(shown.out_data) ? statuses : results);
    }
    if (!valid || !shown.in_ready) continue;
    next = next + 1 == grammar.size() ? 0 : next + 1;
    if (random() % 256 == 0) next = random() % grammar.size();
    word = grammar[next];
    last = next + 1 == frames[0].size() || next + 1 == grammar.size();
    if (random() % 256 == 0) word ^= std::uint64_t{1} << random() % 64;
    if (random() % 512 == 0) word = random();
    if (random() % 512 == 0) last = !last;
  }
  EXPECT_GT(results, 4'000U);
  EXPECT_GT(statuses, 400U);
}

}  // namespace
}  // namespace heliodor::rtl_bench
