// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What `heliodor bench` prints.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "heliodor/cli/bench_measure.h"

namespace heliodor::cli {

/// {"machine": {..}, "rows": [..]}, as docs/reference/benchmarks.md says.
nlohmann::ordered_json to_json(const BenchResults& results, const cpu::KernelTable& kernels);

/// A table, then the rates of the machine.
void print(const BenchResults& results, const cpu::KernelTable& kernels, std::ostream& out);

}  // namespace heliodor::cli
