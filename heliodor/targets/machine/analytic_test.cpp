// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The model against figures that others derived from the papers: BASALISC's cycle model (ePrint
// 2022/657) and the primitives of arXiv 2609.09423.
#include "heliodor/targets/machine/analytic.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/targets/machine/internal/test_machine.h"
#include "heliodor/targets/machine/shipped_machines.h"

namespace heliodor::machine {
namespace {

using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

constexpr std::uint64_t kDegree = 1 << 16;
constexpr Residency kAllResident = {
    .operands = true, .keys = true, .constants = true, .outputs = true};

std::vector<ring::Modulus> moduli(unsigned bits, std::size_t count,
                                  std::uint64_t degree = kDegree) {
  std::vector<ring::Modulus> moduli;
  for (const std::uint64_t prime : ring::generate_primes(bits, degree, count)) {
    moduli.emplace_back(prime, degree);
  }
  return moduli;
}

double unit_cycles_of(const AnalyticCost& cost, const MachineDescription& machine,
                      Operation operation) {
  const auto unit = machine.unit_for(operation) - machine.units.data();
  return cost.unit_cycles[static_cast<std::size_t>(unit)];
}

std::uint64_t bytes_of(const AnalyticCost& cost, Traffic traffic) {
  return cost.bytes[static_cast<std::size_t>(traffic)];
}

/// One operand of each modulus, turned into an output of the same.
LimbProgram each_limb(const std::vector<ring::Modulus>& moduli, Domain domain,
                      const std::function<ValueId(Builder&, ValueId)>& operation) {
  Builder b(moduli);
  for (std::uint32_t i = 0; i < moduli.size(); ++i) {
    const ValueId x = b.operand("x" + std::to_string(i), i, domain);
    b.output("y" + std::to_string(i), operation(b, x));
  }
  return b.build();
}

/// A fast base conversion: a weighted sum for each target.
LimbProgram base_extension(std::uint32_t from, std::uint32_t to) {
  Builder b(moduli(32, from + to));
  std::vector<ValueId> sources;
  for (std::uint32_t i = 0; i < from; ++i) {
    sources.push_back(b.operand("x" + std::to_string(i), i, Domain::coeff));
  }
  const std::vector<std::uint64_t> weights(from, 3);
  for (std::uint32_t i = 0; i < to; ++i) {
    b.output("y" + std::to_string(i), b.dot_scalar(from + i, sources, weights));
  }
  return b.build();
}

/// The same work as products and sums of two limbs.
LimbProgram naive_base_extension(std::uint32_t from, std::uint32_t to) {
  Builder b(moduli(32, 1));
  std::vector<ValueId> sources;
  for (std::uint32_t i = 0; i < from; ++i) {
    sources.push_back(b.mul_scalar(b.operand("x" + std::to_string(i), 0, Domain::coeff), 3));
  }
  for (std::uint32_t i = 0; i < to; ++i) {
    ValueId sum = b.mul_scalar(sources[0], i);
    for (std::uint32_t k = 1; k < from; ++k) sum = b.add(sum, b.mul_scalar(sources[k], i));
    b.output("y" + std::to_string(i), sum);
  }
  return b.build();
}

class BasaliscModelTest : public testing::Test {
 protected:
  AnalyticCost cost(const LimbProgram& program) const {
    return analytic_cost(machine_, program, kAllResident);
  }

  MachineDescription machine_ = shipped_description("basalisc");
};

TEST_F(BasaliscModelTest, a_transform_of_one_limb_takes_128_accesses_of_the_single_port) {
  const auto ntt = [](Builder& b, ValueId x) { return b.ntt(x); };
  const AnalyticCost one = cost(each_limb(moduli(32, 1), Domain::coeff, ntt));
  EXPECT_EQ(one.scratchpad_reads, 64u);
  EXPECT_EQ(one.scratchpad_writes, 64u);
  EXPECT_EQ(one.cycles(), 128);  // 128 ns
  EXPECT_EQ(unit_cycles_of(one, machine_, Operation::ntt), 64);
  EXPECT_EQ(cost(each_limb(moduli(32, 80), Domain::coeff, ntt)).cycles(), 10240);
}

TEST_F(BasaliscModelTest, automorphisms_and_additions_take_two_and_three_accesses_a_chunk) {
  const auto rotated =
      each_limb(moduli(32, 1), Domain::eval, [](Builder& b, ValueId x) { return b.permute(5, x); });
  EXPECT_EQ(cost(rotated).cycles(), 64);
  Builder b(moduli(32, 80));
  for (std::uint32_t i = 0; i < 80; ++i) {
    const ValueId x = b.operand("x" + std::to_string(i), i, Domain::eval);
    const ValueId y = b.operand("y" + std::to_string(i), i, Domain::eval);
    b.output("z" + std::to_string(i), b.add(x, y));
  }
  EXPECT_EQ(cost(b.build()).cycles(), 7680);
}

TEST_F(BasaliscModelTest, a_base_extension_is_bound_by_arithmetic_and_saves_44_of_45_accesses) {
  const AnalyticCost kernel = cost(base_extension(12, 40));
  EXPECT_EQ(kernel.port_cycles, 32 * (12 + 40));
  EXPECT_NEAR(kernel.cycles(), 32 * (12 + 480) / 1.5, 1e-6);  // 10.5 us
  const AnalyticCost naive = cost(naive_base_extension(12, 40));
  EXPECT_EQ(naive.port_cycles, 32 * 2304);
  EXPECT_NEAR(naive.port_cycles / kernel.port_cycles, 44.3, 0.05);
}

TEST_F(BasaliscModelTest, key_limbs_are_streamed_at_the_bandwidth) {
  Builder b(moduli(32, 52));
  for (std::uint32_t i = 0; i < 52; ++i) {
    std::vector<std::pair<ValueId, ValueId>> pairs;
    for (int j = 0; j < 4; ++j) {
      const std::string name = std::to_string(i) + "_" + std::to_string(j);
      pairs.emplace_back(b.operand("d" + name, i, Domain::eval),
                         b.key("k" + name, i, Domain::eval));
    }
    b.output("o" + std::to_string(i), b.dot(pairs));
  }
  const AnalyticCost streamed =
      analytic_cost(machine_, b.build(), {.operands = true, .outputs = true});
  EXPECT_EQ(bytes_of(streamed, Traffic::key), 208u * 65536 * 4);
  EXPECT_EQ(bytes_of(streamed, Traffic::operand), 0u);
  EXPECT_DOUBLE_EQ(streamed.unit_cycles.back(), 208 * 65536 * 4 / 51.2);  // 1.06 ms
  EXPECT_EQ(streamed.cycles(), streamed.unit_cycles.back());
}

TEST(AnalyticTest, butterflies_and_products_fill_the_lanes_of_an_adaptive_array) {
  const MachineDescription machine = shipped_description("u280_adaptive");
  const auto ntt = [](Builder& b, ValueId x) { return b.ntt(x); };
  const auto square = [](Builder& b, ValueId x) { return b.mul(x, x); };
  const auto cycles = [&](unsigned bits, Domain domain, const auto& operation) {
    return analytic_cost(machine, each_limb(moduli(bits, 1), domain, operation), kAllResident)
        .cycles();
  };
  EXPECT_EQ(cycles(32, Domain::coeff, ntt), 32768 * 16 / 512);
  EXPECT_EQ(cycles(60, Domain::coeff, ntt), 32768 * 16 / 256);
  EXPECT_EQ(cycles(32, Domain::eval, square), 65536 / 512);
  EXPECT_EQ(cycles(60, Domain::eval, square), 65536 / 256);
}

TEST(AnalyticTest, off_chip_bytes_are_packed_words) {
  const MachineDescription machine = internal::wide_machine();
  std::vector<ring::Modulus> two = moduli(32, 1, 16);
  two.push_back(moduli(60, 1, 16).front());
  Builder b(two);
  const ValueId narrow = b.operand("n", 0, Domain::coeff), wide = b.constant("w", 1, Domain::coeff);
  b.output("r", b.neg(narrow));
  b.output("s", b.neg(wide));
  const LimbProgram program = b.build();
  const AnalyticCost streamed = analytic_cost(machine, program);
  EXPECT_EQ(bytes_of(streamed, Traffic::operand), 16u * 32 / 8);
  EXPECT_EQ(bytes_of(streamed, Traffic::constant), 16u * 60 / 8);
  EXPECT_EQ(bytes_of(streamed, Traffic::key), 0u);
  EXPECT_EQ(bytes_of(streamed, Traffic::output), 16u * (32 + 60) / 8);
  EXPECT_EQ(streamed.scratchpad_writes, 2u * (4 + 8));  // loads and results, two rows where wide
  const AnalyticCost resident = analytic_cost(machine, program, kAllResident);
  EXPECT_EQ(resident.unit_cycles.back(), 0);
  EXPECT_EQ(resident.scratchpad_writes, 4u + 8);
}

// Chunks of 4 words, 4 lanes or 2 wide ones, N = 16: 4 cycles a narrow step, 8 a wide one.
TEST(AnalyticTest, steps_are_wide_where_an_operand_a_result_or_a_quotient_is) {
  const MachineDescription machine = internal::wide_machine();
  std::vector<ring::Modulus> all = moduli(32, 2, 16);
  all.push_back(moduli(60, 1, 16).front());
  const auto cycles = [&](const std::function<ValueId(Builder&, ValueId, ValueId)>& operation) {
    Builder b(all);
    const ValueId narrow = b.operand("n", 0, Domain::coeff);
    const ValueId wide = b.operand("w", 2, Domain::coeff);
    b.output("r", operation(b, narrow, wide));
    b.output("n", narrow);
    b.output("w", wide);
    return unit_cycles_of(analytic_cost(machine, b.build(), kAllResident), machine,
                          Operation::arithmetic);
  };
  const std::uint64_t factors[] = {1, 1};
  EXPECT_EQ(cycles([&](Builder& b, ValueId n, ValueId) {
              return b.dot_scalar(1, std::vector{n, n}, factors);
            }),
            4 + 4);
  EXPECT_EQ(cycles([&](Builder& b, ValueId n, ValueId w) {
              return b.dot_scalar(1, std::vector{n, w}, factors);
            }),
            4 + 8);
  EXPECT_EQ(cycles([&](Builder& b, ValueId n, ValueId) {
              return b.dot_scalar(2, std::vector{n, n}, factors);
            }),
            8 + 8);
  EXPECT_EQ(cycles([&](Builder& b, ValueId n, ValueId) {
              return b.quotient(0, ring::Rounding::nearest, std::vector{n, n});
            }),
            8 + 8 + 8);
  EXPECT_EQ(
      cycles([&](Builder& b, ValueId, ValueId w) { return b.reduce(0, ring::Lift::plain, w); }), 8);
}

/// a_i = -x_i for all i first, then the sums a_0 + a_1 + .. : all a_i live at once.
LimbProgram many_live(int limbs) {
  Builder b(moduli(30, 1, 16));
  std::vector<ValueId> negated;
  for (int i = 0; i < limbs; ++i) {
    negated.push_back(b.neg(b.operand("x" + std::to_string(i), 0, Domain::coeff)));
  }
  ValueId sum = negated[0];
  for (int i = 1; i < limbs; ++i) sum = b.add(sum, negated[static_cast<std::size_t>(i)]);
  b.output("s", sum);
  return b.build();
}

TEST(AnalyticTest, live_frames_depend_on_the_order_of_tasks) {
  const MachineDescription machine = internal::small_machine();
  const auto live = [&](const LimbProgram& program, TaskOrder order, const Residency& residency) {
    return live_frames(machine, program, make_tasks(program, machine, order), residency);
  };
  EXPECT_EQ(live(many_live(20), TaskOrder::kernelwise, {}), 2u);
  EXPECT_EQ(live(many_live(20), TaskOrder::kernelwise, {.operands = true}), 20u);
  Builder b(moduli(30, 2, 16));
  const std::array<ValueId, 2> x{b.neg(b.operand("x", 0, Domain::coeff)),
                                 b.neg(b.operand("y", 0, Domain::coeff))};
  for (std::uint64_t i = 0; i < 10; ++i) {
    const ValueId sum = b.dot_scalar(1, x, std::array<std::uint64_t, 2>{i, 1});
    b.output("z" + std::to_string(i), b.ntt(sum));
  }
  const LimbProgram conversion = b.build();
  EXPECT_EQ(live(conversion, TaskOrder::kernelwise, {}), 10u);  // all sums
  EXPECT_EQ(live(conversion, TaskOrder::limbwise, {}), 3u);
}

TEST(AnalyticTest, only_what_no_order_can_keep_on_chip_is_spilled) {
  const LimbProgram program = many_live(20);  // of 4 rows; the machine has room for 16
  EXPECT_EQ(bytes_of(analytic_cost(internal::small_machine(), program), Traffic::spill), 0u);
  Builder b(moduli(30, 1, 16));
  std::vector<ValueId> kept;
  for (int i = 0; i < 20; ++i) {
    const ValueId x = b.operand("x" + std::to_string(i), 0, Domain::coeff);
    kept.push_back(kept.empty() ? x : b.add(kept.back(), x));
  }
  ValueId sum = kept.back();
  for (int i = 19; i-- > 1;) sum = b.mul(sum, kept[static_cast<std::size_t>(i)]);
  b.output("s", sum);
  // When the last sum is made, it and 18 others live.
  const AnalyticCost cost = analytic_cost(internal::small_machine(), b.build());
  EXPECT_EQ(bytes_of(cost, Traffic::spill), 2u * (19 - 16) * 16 * 8);
}

}  // namespace
}  // namespace heliodor::machine
