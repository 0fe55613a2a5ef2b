// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The RTL of the session core under the scenarios that its model passes
// (heliodor/targets/stream/internal/session_scenarios.cpp, session_failures.cpp), both compared in
// every clock; and as a target.

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"
#include "heliodor/targets/stream/internal/session_bench.h"
#include "heliodor/targets/stream/status_word.h"
#include "rtl/top/session_openfhe.h"

namespace heliodor::stream::internal {

std::unique_ptr<SessionCore> make_core_under_test() {
  return std::make_unique<rtl_bench::ComparedSession>();
}

}  // namespace heliodor::stream::internal

namespace heliodor::rtl_bench {
namespace {

namespace pe = machine::pe;
using stream::Reason;

// The driver's constants are those of the RTL.
static_assert(stream::kModulusBits == pe::kModMulBarrettWidth);
static_assert(stream::SessionModel::kMultiplierLatency == pe::kModMulBarrettLatency);
static_assert(stream::kProfileTag == pe::kSessionProfileTag);
static_assert(stream::kPairTag == pe::kSessionPairTag);
static_assert(stream::kStatusTag == pe::kSessionStatusTag);
static_assert(stream::kMaxPairs == pe::kSessionMaxPairs);
static_assert(stream::kMaxBatch == pe::kSessionMaxBatch);
static_assert(stream::kMaxDigits == pe::kSessionMaxDigits);
static_assert(stream::kMaxDegree == pe::kSessionMaxDegree);
constexpr bool is(Reason reason, unsigned constant) {
  return static_cast<unsigned>(reason) == constant;
}
static_assert(is(Reason::unknown_command, pe::kSessionReasonUnknownCommand));
static_assert(is(Reason::short_frame, pe::kSessionReasonShortFrame));
static_assert(is(Reason::long_frame, pe::kSessionReasonLongFrame));
static_assert(is(Reason::degree, pe::kSessionReasonDegree));
static_assert(is(Reason::pair_count, pe::kSessionReasonPairCount));
static_assert(is(Reason::modulus, pe::kSessionReasonModulus));
static_assert(is(Reason::reciprocal, pe::kSessionReasonReciprocal));
static_assert(is(Reason::no_session, pe::kSessionReasonNoSession));
static_assert(is(Reason::digit_count, pe::kSessionReasonDigitCount));
static_assert(is(Reason::batch, pe::kSessionReasonBatch));
static_assert(is(Reason::shape_changed, pe::kSessionReasonShapeChanged));
static_assert(is(Reason::pair_order, pe::kSessionReasonPairOrder));
static_assert(is(Reason::operand, pe::kSessionReasonOperand));
static_assert(is(Reason::restarted, pe::kSessionReasonRestarted));

TEST(BvSessionTarget, programs_on_the_rtl_give_the_references_words_in_the_predicted_cycles) {
  for (const std::size_t limbs : {1U, 4U, 12U}) {
    for (const std::size_t batch : {1U, 3U, 64U, 66U}) {
      const auto program =
          stream::internal::sample_program(stream::internal::sample_moduli(8, limbs), 3);
      const stream::internal::SampleData data(program, 3, batch, 10 * limbs + batch);
      EXPECT_EQ(run_and_check(program, data), rtl_target().predict_batch(program, batch).cycles);
    }
  }
}

TEST(BvSessionTarget, three_products_of_openfhe_are_openfhes_limb_for_limb) {
  check_openfhe_products(OpenfheCase("tests/vectors/openfhe/bgv_bv_n1024_l4"), 5);
}

// Streams that are neither right nor broken in one place: tags, counts, moduli, residues and noise
// in any order. The core and its model must agree on every clock of the nonsense.
TEST(BvSessionNonsense, a_million_clocks_of_random_words_keep_core_and_model_together) {
  ComparedSession core;
  std::mt19937_64 random(1);
  const stream::Profile profile = stream::make_profile(1073692673, 1073668097);
  const std::uint64_t q = stream::pack_word(profile.q[1], profile.q[0]);
  const std::uint64_t mu = stream::pack_word(profile.mu[1], profile.mu[0]);
  // Most sequences follow the grammar for a while, so that all states are met.
  const std::vector<std::uint64_t> grammar = {stream::command_word(stream::kProfileTag),
                                              stream::pack_word(1, 1),
                                              q,
                                              mu,
                                              stream::command_word(stream::kPairTag),
                                              stream::pack_word(1, 1),
                                              stream::pack_word(1, 0)};
  std::size_t next = 0;
  std::uint64_t word = grammar[0];
  bool last = false;
  std::uint64_t results = 0;
  std::uint64_t statuses = 0;
  for (unsigned clock = 0; clock < 1'000'000 && !::testing::Test::HasFailure(); ++clock) {
    const stream::CoreOutputs shown = core.outputs();
    const bool valid = random() % 8 != 0;
    const bool ready = random() % 8 != 0;
    core.clock({.rst_n = true,
                .degree = static_cast<std::uint32_t>(1 + (random() % 64 == 0 ? random() % 3 : 0)),
                .in_valid = valid,
                .in_data = word,
                .in_last = last,
                .out_ready = ready});
    if (shown.out_valid && ready) {
      ++(stream::decode_status(shown.out_data) ? statuses : results);
    }
    if (!valid || !shown.in_ready) continue;
    ++next;
    if (random() % 64 == 0) next = 4 * (random() % 2);
    // Seven words of payload follow the header of N = B = D = 1.
    if (next >= grammar.size() + 7) next = random() % 4 == 0 ? 4 : 0;
    word = next < grammar.size() ? grammar[next]
                                 : stream::pack_word(static_cast<std::uint32_t>(random() >> 35),
                                                     static_cast<std::uint32_t>(random() >> 35));
    last = next == 3 || next == grammar.size() + 6;
    if (random() % 64 == 0) word ^= std::uint64_t{1} << random() % 64;
    if (random() % 128 == 0) word = random();
    if (random() % 128 == 0) last = !last;
  }
  EXPECT_GT(results, 10'000U);
  EXPECT_GT(statuses, 10'000U);
}

}  // namespace
}  // namespace heliodor::rtl_bench
