// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/machine_figures.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/base/random.h"
#include "heliodor/cli/bench_programs.h"
#include "heliodor/cli/internal/machine_programs.h"
#include "heliodor/cli/internal/simulate_data.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/keyswitch/planner.h"
#include "heliodor/targets/machine/analytic.h"
#include "heliodor/targets/machine/machine_target.h"
#include "heliodor/targets/machine/shipped_machines.h"
#include "heliodor/targets/machine/simulator.h"

namespace heliodor::cli {
namespace {

using machine::Activity;
using machine::MachineDescription;
using machine::Operation;
using machine::Residency;
using program::LimbProgram;
using rlwe::KeySwitchMethod;
using rlwe::KeySwitchShape;

constexpr Residency kOnChip = {.operands = true, .keys = true, .constants = true, .outputs = true};
constexpr Residency kKeysStreamed = {.operands = true, .outputs = true};

Activity activity_of(const MachineDescription& description, const LimbProgram& program,
                     const Residency& residency) {
  return estimate(description, lower(description, program, residency)).activity;
}

double microseconds(const MachineDescription& description, const Activity& activity) {
  return static_cast<double>(activity.cycles) / description.clock_mhz;
}

const Activity::UnitActivity& unit_of(const MachineDescription& description,
                                      const Activity& activity, Operation operation) {
  const auto unit = description.unit_for(operation) - description.units.data();
  return activity.units[static_cast<std::size_t>(unit)];
}

double accesses(const Activity& activity) {
  return static_cast<double>(activity.scratchpad_reads + activity.scratchpad_writes);
}

/// Galois elements, of `count` random ones, whose automorphism meets a bank or network conflict.
double conflicts(const MachineDescription& description, std::size_t count) {
  base::RandomStream random(base::TestSeed(1), "galois elements");
  double found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const LimbProgram program = rotation((random.next() | 1) % (2 * kFigureDegree));
    const auto micro = lower(description, program);
    if (differs_from_reference(description, micro, program, i)) ++found;
  }
  return found;
}

/// With room for a key of 416 limbs beside everything else.
MachineDescription roomy_basalisc() {
  return machine::parse_description(machine::shipped_text("basalisc"),
                                    {{"memory.scratchpad.capacity_words", "67108864"}})
      .value();
}

double live_megabytes(const MachineDescription& description, const LimbProgram& program) {
  std::uint64_t frames = std::numeric_limits<std::uint64_t>::max();
  for (const machine::TaskOrder order : machine::kTaskOrders) {
    frames = std::min(frames, live_frames(description, program,
                                          make_tasks(program, description, order), kOnChip));
  }
  return static_cast<double>(frames * program.degree() * description.word_bits / 8) / 1e6;
}

template <typename Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

KeySwitchPoint point_of(const rlwe::KeySwitchChoice& choice, std::size_t limb_count) {
  KeySwitchPoint point{.limb_count = limb_count};
  for (const rlwe::KeySwitchCandidate& candidate : choice) {
    const bool hybrid = candidate.shape.method == KeySwitchMethod::hybrid;
    (hybrid ? point.hybrid_ms : point.klss_ms) = candidate.predicted_seconds * 1e3;
  }
  point.chosen_ms = choice.front().predicted_seconds * 1e3;
  point.chosen = choice.front().shape.method;
  return point;
}

/// most, most - step, .. down to 1.
std::vector<std::size_t> every_limb_count(std::size_t most, std::size_t step) {
  std::vector<std::size_t> limb_counts;
  for (std::size_t l = most; l >= 1; l -= std::min(step, l)) limb_counts.push_back(l);
  return limb_counts;
}

}  // namespace

std::vector<MachineFigure> basalisc_figures(std::size_t automorphisms) {
  const MachineDescription chip = machine::shipped_description("basalisc");
  const MachineDescription roomy = roomy_basalisc();
  const Activity ntt = activity_of(chip, transforms(80), kOnChip);
  const Activity kernel =
      activity_of(chip, conversion_program(kFigureBits, kFigureDegree, 12, 40), kOnChip);
  const Activity naive = activity_of(chip, naive_conversion(12, 40), kOnChip);
  const Activity streamed =
      activity_of(chip, basalisc_key_switch(rlwe::KeyForm::seeded), kKeysStreamed);
  const Activity resident = activity_of(roomy, basalisc_key_switch(rlwe::KeyForm::stored), kOnChip);
  const auto multiply_adds =
      static_cast<double>(unit_of(chip, kernel, Operation::arithmetic).operations);
  const double busy =
      static_cast<double>(streamed.off_chip().busy_cycles) / static_cast<double>(streamed.cycles);
  const std::string name = chip.name;
  return {
      {name, "NTT of a ciphertext, 80 limbs on chip", microseconds(chip, ntt), "us", 9.18, 11.22},
      {name, "base conversion 12 -> 40, accesses per operation",
       100 * accesses(kernel) / multiply_adds, "%", 10.1, 11.1},
      {name, "base conversion 12 -> 40, accesses of the naive form",
       accesses(naive) / accesses(kernel), "x", 40},
      {name, "key switch, seeded key streamed", microseconds(chip, streamed) / 1e3, "ms", 1.0, 1.2},
      {name, "key switch, seeded key streamed, DRAM busy", 100 * busy, "%", 95},
      {name, "key switch, key on chip", microseconds(roomy, resident), "us", 0, 143},
      {name, fmt::format("automorphisms with a conflict, of {}", automorphisms),
       conflicts(chip, automorphisms), "", 0, 0},
  };
}

std::vector<MachineFigure> u280_buffer_figures() {
  const MachineDescription board = machine::shipped_description("u280_adaptive");
  const FittedSet set;
  return {
      {board.name, "KLSS mod_up buffer", live_megabytes(board, raised_digit(set)), "MB", 11.7,
       14.3},
      {board.name, "KLSS recovery buffer", live_megabytes(board, recovered(set)), "MB", 34.2, 41.8},
      {board.name, "KLSS recovery buffer, fused with mod_down",
       live_megabytes(board, recovered_and_divided(set)), "MB", 17.1, 20.9},
  };
}

std::vector<KeySwitchPoint> key_switch_points(const rlwe::Parameters& parameters,
                                              std::shared_ptr<const program::Target> target,
                                              std::span<const std::size_t> limb_counts) {
  const rlwe::KeySwitchPlanner planner(
      std::make_shared<const rlwe::Context>(parameters, std::move(target)));
  std::vector<KeySwitchPoint> points;
  for (const std::size_t l : limb_counts) {
    const auto emit = [&](const KeySwitchShape& shape) {
      return key_switch_program(parameters, shape, l);
    };
    points.push_back(point_of(planner.choose("keyswitch", l, emit), l));
  }
  return points;
}

std::vector<KeySwitchCurve> u280_curves(std::size_t step) {
  const auto target =
      std::make_shared<const machine::MachineTarget>(machine::shipped_description("u280_adaptive"));
  return {{"Set-1", "N = 2^14, 9 + 3 limbs",
           key_switch_points(bench_parameters(kFigureBits, 1 << 14, 9, 3, 3), target,
                             every_limb_count(9, 1))},
          {"Set-2", "N = 2^16, 48 + 3 limbs",
           key_switch_points(bench_parameters(kFigureBits, kFigureDegree, 48, 3, 3), target,
                             every_limb_count(48, step))}};
}

std::vector<MachineFigure> curve_figures(const std::vector<KeySwitchCurve>& curves) {
  double set_1 = std::numeric_limits<double>::infinity(), worst = 0;
  for (const KeySwitchPoint& p : curves.at(0).points) {
    set_1 = std::min(set_1, p.klss_ms / p.hybrid_ms);
  }
  std::size_t crossover = 0;
  for (const KeySwitchPoint& p : curves.at(1).points) {
    if (p.hybrid_ms <= p.klss_ms) crossover = std::max(crossover, p.limb_count);
  }
  for (const KeySwitchCurve& curve : curves) {
    for (const KeySwitchPoint& p : curve.points) {
      worst = std::max(worst, p.chosen_ms / std::min(p.hybrid_ms, p.klss_ms));
    }
  }
  const KeySwitchPoint& top = curves[1].points.front();
  const std::string board = "u280_adaptive";
  return {
      {board, "Set-1, KLSS / hybrid, least of all limb counts", set_1, "x", 1.7},
      {board, "Set-2, hybrid / KLSS at 48 limbs", top.hybrid_ms / top.klss_ms, "x", 1.2, 1.5},
      {board, "Set-2, hybrid is as fast up to limbs", static_cast<double>(crossover), "", 1, 47},
      {board, "adaptive / the better of both, at worst", worst, "x", 0, 1},
  };
}

std::vector<MachineFigure> simulation_figures() {
  const MachineDescription board = machine::shipped_description("u280_adaptive");
  const MachineDescription chip = machine::shipped_description("basalisc");
  const rlwe::Parameters parameters = bench_parameters(kFigureBits, kFigureDegree, 48, 3, 3);
  const LimbProgram largest =
      key_switch_program(parameters, {KeySwitchMethod::hybrid, parameters.gadgets().front()}, 48);
  const double cycles_only = seconds_of([&] { activity_of(board, largest, {}); });
  const LimbProgram seeded = basalisc_key_switch(rlwe::KeyForm::seeded);
  const auto micro = lower(chip, seeded, kKeysStreamed);
  std::optional<std::string> difference;
  const double with_data =
      seconds_of([&] { difference = differs_from_reference(chip, micro, seeded, 1); });
  if (difference) throw Error(ErrorCode::mismatch, *difference);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {
      {board.name, "simulating a key switch, cycles only", cycles_only, "s", 0, 5},
      {chip.name, "simulating a key switch with data, and the reference", with_data, "s", 0, 60},
      {"all", "memory of this process at most", static_cast<double>(usage.ru_maxrss) / 1e6, "GB", 0,
       4},
  };
}

}  // namespace heliodor::cli
