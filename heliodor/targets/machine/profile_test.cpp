// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Profiles against what their parts must add up to.
#include "heliodor/targets/machine/profile.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "heliodor/base/error.h"
#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/targets/machine/internal/test_machine.h"
#include "heliodor/targets/machine/machine_target.h"

namespace heliodor::machine {
namespace {

using program::Builder;
using program::Domain;
using program::LimbProgram;

// (ntt(x) * key) back in coefficients, N words.
LimbProgram product_with_key(std::uint64_t degree) {
  Builder b({ring::Modulus(ring::generate_primes(30, degree, 1)[0], degree)}, "product");
  const auto product = b.mul(b.ntt(b.operand("x", 0, Domain::coeff)), b.key("k", 0, Domain::eval));
  b.output("y", b.intt(product));
  return b.build();
}

TEST(ProfileTest, agrees_with_what_the_target_predicts) {
  const MachineDescription machine = internal::awkward_machine();
  const LimbProgram program = product_with_key(256);
  const Profile profile = profile_program(machine, program);
  const program::Cost cost = MachineTarget(machine).predict(program);
  EXPECT_EQ(profile.cycles, *cost.cycles);
  EXPECT_DOUBLE_EQ(profile.seconds, cost.seconds);
}

TEST(ProfileTest, busy_and_stalled_fractions_of_every_unit_make_the_whole) {
  const Profile profile = profile_program(internal::small_machine(), product_with_key(64));
  ASSERT_EQ(profile.units.size(), 5u);
  for (const UnitProfile& unit : profile.units) {
    const double stalled = std::accumulate(unit.stalled.begin(), unit.stalled.end(), 0.0);
    EXPECT_NEAR(unit.busy + stalled, 1, 1e-9) << unit.name;
  }
}

TEST(ProfileTest, occupancy_over_time_averages_to_the_busy_fraction) {
  const Profile profile = profile_program(internal::small_machine(), product_with_key(64));
  for (const UnitProfile& unit : profile.units) {
    ASSERT_EQ(unit.occupancy.size(), kProfileBuckets);
    const double mean = std::accumulate(unit.occupancy.begin(), unit.occupancy.end(), 0.0) /
                        static_cast<double>(kProfileBuckets);
    EXPECT_NEAR(mean, unit.busy, 1e-9) << unit.name;
  }
}

TEST(ProfileTest, spans_hold_every_operation_once_and_do_not_overlap_on_a_unit) {
  const Profile profile = profile_program(internal::small_machine(), product_with_key(64));
  std::map<std::uint32_t, std::uint64_t> operations, free_from, busy;
  for (const Span& span : profile.spans) {
    EXPECT_GE(span.begin, free_from[span.unit]);
    EXPECT_LT(span.begin, span.end);
    EXPECT_LE(span.busy, span.end - span.begin);
    busy[span.unit] += span.busy;
    free_from[span.unit] = span.end;
    operations[span.unit] += span.operations;
  }
  for (std::uint32_t unit = 0; unit < profile.units.size(); ++unit) {
    EXPECT_EQ(operations[unit], profile.units[unit].operations) << profile.units[unit].name;
    std::uint64_t expected = 0;
    for (const KindCost& kind : profile.kinds) expected += kind.busy_cycles[unit];
    EXPECT_EQ(busy[unit], expected) << profile.units[unit].name;
  }
}

TEST(ProfileTest, traffic_is_each_limb_once) {
  const Profile profile = profile_program(internal::small_machine(), product_with_key(64));
  const std::uint64_t limb = 64 * 8;
  EXPECT_EQ(profile.bytes, (std::array<std::uint64_t, kTraffics>{limb, limb, 0, limb, 0}));
}

TEST(ProfileTest, multiplications_are_products_and_butterflies) {
  const Profile profile = profile_program(internal::small_machine(), product_with_key(64));
  EXPECT_EQ(profile.units[0].multiplications, 64);          // mul
  EXPECT_EQ(profile.units[1].multiplications, 2 * 32 * 6);  // ntt and intt: N/2 log2 N
  for (const UnitProfile& unit : profile.units) {
    EXPECT_LE(unit.attained_per_second, unit.peak_per_second) << unit.name;
  }
}

TEST(ProfileTest, two_values_never_stay_in_one_row_at_once) {
  const Profile profile = profile_program(internal::small_machine(), product_with_key(64));
  ASSERT_FALSE(profile.stays.empty());
  for (const Stay& a : profile.stays) {
    EXPECT_LT(a.begin, a.end);
    EXPECT_LE(a.first_row + a.rows, profile.rows_used);
    for (const Stay& b : profile.stays) {
      if (&a == &b || a.value == b.value) continue;
      const bool rows_apart =
          a.first_row + a.rows <= b.first_row || b.first_row + b.rows <= a.first_row;
      // In place, a result begins while its operand's later chunks are read.
      const bool one_after_the_other =
          a.end <= b.begin || b.end <= a.begin || (a.begin < b.begin) == (a.end <= b.end);
      EXPECT_TRUE(rows_apart || one_after_the_other);
    }
  }
}

TEST(ProfileTest, parts_of_a_workload_with_equal_programs_are_timed_once) {
  const MachineDescription machine = internal::small_machine();
  const auto first = std::make_shared<const LimbProgram>(product_with_key(64));
  const auto second = std::make_shared<const LimbProgram>(product_with_key(64));
  const auto other = std::make_shared<const LimbProgram>(product_with_key(32));
  const WorkloadProfile workload =
      profile_workload(machine, {{"a", first, 3}, {"b", second, 1}, {"c", other, 2}});
  ASSERT_EQ(workload.parts.size(), 3u);
  EXPECT_EQ(workload.parts[0].profile, workload.parts[1].profile);
  EXPECT_NE(workload.parts[0].profile, workload.parts[2].profile);
  EXPECT_EQ(workload.cycles, 4 * profile_program(machine, *first).cycles +
                                 2 * profile_program(machine, *other).cycles);
}

TEST(ProfileTest, a_trace_is_json_with_a_track_for_each_unit_and_an_event_for_each_span) {
  const Profile profile = profile_program(internal::small_machine(), product_with_key(64));
  const auto trace = nlohmann::json::parse(to_chrome_trace(profile));
  std::size_t tracks = 0, events = 0;
  double end = 0;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") == "M" && event.at("name") == "thread_name") ++tracks;
    if (event.at("ph") != "X") continue;
    ++events;
    end = std::max(end, event.at("ts").get<double>() + event.at("dur").get<double>());
  }
  EXPECT_EQ(tracks, profile.units.size());
  EXPECT_EQ(events, profile.spans.size());
  EXPECT_LE(end, profile.seconds * 1e6);
}

TEST(ProfileTest, what_the_machine_cannot_run_is_an_error) {
  MicroProgram program;
  program.layout = {2, 2};
  program.rows = 1000;
  EXPECT_THROW(profile_micro_program(internal::small_machine(), program), Error);
}

}  // namespace
}  // namespace heliodor::machine
