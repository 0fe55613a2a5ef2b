// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What papers say of accelerators, and what comes of it on the simulated machines: the rows of
// `heliodor bench machine`. docs/reference/benchmarks.md names the sources of the bars.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/keyswitch/key_switch.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::cli {

struct MachineFigure {
  std::string machine;
  std::string what;
  double value = 0;
  std::string unit;  ///< "us", "%", "x" for ratios, "" for counts
  double least = -std::numeric_limits<double>::infinity();  ///< the bar, both ends included
  double most = std::numeric_limits<double>::infinity();

  bool holds() const noexcept { return value >= least && value <= most; }
};

/// ePrint 2022/657 at N = 2^16, 40 + 12 limbs of 32 bits, 4 digits; automorphisms of
/// `automorphisms` random Galois elements.
std::vector<MachineFigure> basalisc_figures(std::size_t automorphisms);

/// Buffers of arXiv 2609.09423 for the parameter set that fits its figures: N = 2^16, 24 + 8 limbs
/// of 32 bits, digits of 8 limbs, key blocks of 32.
std::vector<MachineFigure> u280_buffer_figures();

/// One key switch of `limb_count` limbs by the best shape of each method and by the planner's
/// choice.
struct KeySwitchPoint {
  std::size_t limb_count = 0;
  double hybrid_ms = 0;
  double klss_ms = 0;
  double chosen_ms = 0;
  rlwe::KeySwitchMethod chosen{};
};

struct KeySwitchCurve {
  std::string name;  ///< "Set-1"
  std::string sizes;
  std::vector<KeySwitchPoint> points;  ///< by limb_count, descending
};

/// Predicted by the target for each of the limb counts; the parameters have one gadget with special
/// primes.
std::vector<KeySwitchPoint> key_switch_points(const rlwe::Parameters& parameters,
                                              std::shared_ptr<const program::Target> target,
                                              std::span<const std::size_t> limb_counts);

/// The two sets of arXiv 2609.09423 as far as they are known, on u280_adaptive: Set-1 (N = 2^14, 9
/// + 3 limbs of 32 bits, digits of 3) at every limb count, Set-2 (N = 2^16, 48 + 3, digits of 3) at
/// every `step`-th from the top.
std::vector<KeySwitchCurve> u280_curves(std::size_t step);

/// Speeds of the methods against each other.
std::vector<MachineFigure> curve_figures(const std::vector<KeySwitchCurve>& curves);

/// Seconds and memory of this computer that simulations of key switches at N = 2^16 take.
std::vector<MachineFigure> simulation_figures();

}  // namespace heliodor::cli
