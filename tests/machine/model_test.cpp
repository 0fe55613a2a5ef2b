// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Key switches as rlwe emits them on shipped machines: simulation against the analytic model, and
// the model against ratios of hybrid and KLSS that were derived from operation counts alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/keyswitch/klss.h"
#include "heliodor/targets/machine/analytic.h"
#include "heliodor/targets/machine/shipped_machines.h"
#include "heliodor/targets/machine/simulator.h"

namespace heliodor::machine {
namespace {

using program::LimbProgram;
using rlwe::KeySwitchMethod;
using rlwe::KeySwitchShape;
using rlwe::Parameters;

constexpr Residency kOnChip = {.operands = true, .keys = true, .constants = true, .outputs = true};

/// `limbs` + `special` primes of 32 bits, digits of `digit_size` limbs.
Parameters make_parameters(std::uint64_t degree, std::size_t limbs, std::size_t special,
                           std::size_t digit_size) {
  Parameters::Description d;
  for (const std::uint64_t prime : ring::generate_primes(32, degree, limbs + special)) {
    (d.q.size() < limbs ? d.q : d.p).emplace_back(prime, degree);
  }
  d.gadgets = {{digit_size, special, limbs}};
  d.security = rlwe::SecurityLevel::none;
  return Parameters(std::move(d));
}

KeySwitchShape hybrid(const Parameters& parameters) {
  return {KeySwitchMethod::hybrid, parameters.gadgets().front()};
}

KeySwitchShape klss(const Parameters& parameters, std::size_t block_size) {
  return {KeySwitchMethod::klss, parameters.gadgets().front(), block_size, 60};
}

double simulated_cycles(const MachineDescription& machine, const LimbProgram& program,
                        const Residency& residency = {}) {
  const MicroProgram micro = lower(machine, program, residency);
  return static_cast<double>(estimate(machine, micro).activity.cycles);
}

/// Simulation takes as long as the model says, or longer by that factor at most.
void expect_within(double factor, const MachineDescription& machine, const LimbProgram& program,
                   const Residency& residency = {}) {
  const double model = analytic_cost(machine, program, residency).cycles();
  const double cycles = simulated_cycles(machine, program, residency);
  EXPECT_GE(cycles, model) << machine.name << ", " << program.name();
  EXPECT_LE(cycles, factor * model) << machine.name << ", " << program.name();
}

TEST(MachineModelTest, transforms_take_their_accesses_and_one_pipeline) {
  const Parameters parameters = make_parameters(1 << 16, 20, 0, 1);
  const auto q = parameters.q().moduli();
  program::Builder b({q.begin(), q.end()}, "transforms");
  for (std::uint32_t i = 0; i < q.size(); ++i) {
    const auto x = b.operand(fmt::format("x{}", i), i, ring::Domain::coeff);
    b.output(fmt::format("y{}", i), b.ntt(x));
  }
  const LimbProgram program = b.build();
  expect_within(1.05, shipped_description("basalisc"), program, kOnChip);
  expect_within(1.05, shipped_description("u280_adaptive"), program, kOnChip);
}

TEST(MachineModelTest, key_switches_that_stream_their_key_take_its_bytes) {
  const MachineDescription machine = shipped_description("basalisc");
  const Parameters parameters = make_parameters(1 << 16, 40, 12, 12);
  KeySwitchShape shape = hybrid(parameters);
  expect_within(1.05, machine, key_switch_program(parameters, shape, 40));
  shape.key_form = rlwe::KeyForm::seeded;
  expect_within(1.05, machine, key_switch_program(parameters, shape, 40),
                {.operands = true, .outputs = true});
}

TEST(MachineModelTest, key_switches_on_chip_lose_a_third_at_most) {
  const auto machine = parse_description(shipped_text("basalisc"),
                                         {{"memory.scratchpad.capacity_words", "67108864"}});
  const Parameters parameters = make_parameters(1 << 16, 40, 12, 12);
  expect_within(4.0 / 3, *machine, key_switch_program(parameters, hybrid(parameters), 40), kOnChip);
}

TEST(MachineModelTest, key_switches_on_one_array_keep_it_busy) {
  const MachineDescription machine = shipped_description("u280_adaptive");
  const Parameters parameters = make_parameters(1 << 14, 9, 3, 3);
  for (const std::size_t limb_count : {9U, 5U, 1U}) {
    expect_within(1.1, machine, key_switch_program(parameters, hybrid(parameters), limb_count));
    expect_within(1.1, machine, key_switch_program(parameters, klss(parameters, 7), limb_count));
  }
}

// Below the crossover hybrid is faster, above it KLSS.
TEST(MachineModelTest, klss_wins_at_the_top_of_a_set_with_small_digits_and_loses_below) {
  const MachineDescription machine = shipped_description("u280_adaptive");
  const Parameters parameters = make_parameters(1 << 16, 48, 3, 3);
  const auto ratio = [&](std::size_t limb_count) {
    const auto by_hybrid = key_switch_program(parameters, hybrid(parameters), limb_count);
    const auto by_klss = key_switch_program(parameters, klss(parameters, 9), limb_count);
    return simulated_cycles(machine, by_hybrid) / simulated_cycles(machine, by_klss);
  };
  const double top = ratio(48);
  EXPECT_GE(top, 1.2);
  EXPECT_LE(top, 1.5);
  EXPECT_LT(ratio(24), 1);
}

/// klss over T of the first `t_count` primes of 60 bits, whether or not they suffice: its time.
LimbProgram klss_over(const Parameters& parameters, const KeySwitchShape& shape,
                      std::size_t t_count) {
  const std::size_t l = parameters.q().size();
  std::vector<ring::Modulus> t;
  for (const std::uint64_t prime : ring::generate_primes(60, parameters.degree(), t_count)) {
    t.emplace_back(prime, parameters.degree());
  }
  const rlwe::ProgramRing ring(parameters, l, shape.gadget.special_count, t);
  program::Builder b(ring.moduli(), "klss");
  rlwe::Limbs d;
  for (std::uint32_t i = 0; i < l; ++i) {
    d.push_back(b.operand(fmt::format("d{}", i), i, ring::Domain::eval));
  }
  const auto digits = emit_digits(b, ring, shape, d);
  const auto result = emit_switched(b, ring, shape, digits, declare_key(b, ring, shape, "key"));
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t i = 0; i < l; ++i) b.output(fmt::format("o{}.{}", c, i), result[c][i]);
  }
  return b.build();
}

// Hybrid against KLSS by operation counts (butterflies on 512 or 256 lanes, multiply-adds alike) at
// N = 2^16, 32-bit limbs, digits of 3 and 3 special primes, T of 62-bit primes with the block size
// that is best at each limb count. The counts leave out scalings and quotients.
TEST(MachineModelTest, ratios_of_hybrid_and_klss_follow_their_operation_counts) {
  struct Row {
    std::size_t limb_count, block_size, t_count;
    double ratio;
  };
  const MachineDescription machine = shipped_description("u280_adaptive");
  for (const Row& row : {Row{48, 6, 5, 1.35}, Row{36, 4, 4, 1.14}, Row{24, 4, 4, 0.91},
                         Row{12, 4, 4, 0.61}, Row{6, 3, 4, 0.40}}) {
    const Parameters parameters = make_parameters(1 << 16, row.limb_count, 3, 3);
    const auto by_hybrid = key_switch_program(parameters, hybrid(parameters), row.limb_count);
    const auto by_klss = klss_over(parameters, klss(parameters, row.block_size), row.t_count);
    const double ratio = analytic_cost(machine, by_hybrid).unit_cycles.front() /
                         analytic_cost(machine, by_klss).unit_cycles.front();
    EXPECT_NEAR(ratio, row.ratio, 0.03 * row.ratio) << row.limb_count << " limbs";
  }
}

}  // namespace
}  // namespace heliodor::machine
