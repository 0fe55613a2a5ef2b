// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// `heliodor bench machine`: the simulated machines against what papers say of their originals.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "heliodor/cli/machine_figures.h"

namespace heliodor::cli {

struct MachineBench {
  std::vector<MachineFigure> figures;
  std::vector<KeySwitchCurve> curves;
};

/// quick: fewer limb counts and automorphisms.
MachineBench measure_machines(bool quick);

/// {"figures": [..], "curves": [..]}, as docs/reference/benchmarks.md says.
nlohmann::ordered_json to_json(const MachineBench& bench);

/// A table of the figures, then one of each curve.
void print(const MachineBench& bench, std::ostream& out);

/// A self-contained page: the figures, and a picture of each curve over limb_count.
std::string to_html(const MachineBench& bench);

}  // namespace heliodor::cli
