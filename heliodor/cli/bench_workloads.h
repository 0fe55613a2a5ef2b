// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The built-in workloads of `heliodor bench` and `heliodor plan`: names, sizes, programs, and the
// arithmetic that each cannot do without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heliodor/program/limb_program.h"

namespace heliodor::cli {

enum class Workload : std::uint8_t { ntt, intt, dot, baseconv, keyswitch, evalmult };

/// Nothing for other names.
std::optional<Workload> workload_named(std::string_view name);
std::string_view to_string(Workload workload);

/// What a workload does not use is zero.
struct WorkloadSize {
  std::uint64_t degree = 0;
  unsigned bits = 0;        ///< of the primes
  std::size_t limbs = 0;    ///< of Q; sources of baseconv
  std::size_t special = 0;  ///< limbs of P; targets of baseconv
  std::size_t digits = 0;   ///< of the decomposition; terms of dot

  bool operator==(const WorkloadSize&) const = default;
};

WorkloadSize usual_size(Workload workload);

/// Throws Error{out_of_range} if a size is 0 that the workload uses, if there are more digits than
/// limbs, or if there are no such primes.
program::LimbProgram make_program(Workload workload, const WorkloadSize& size);

/// Words that go through each kind of arithmetic, in one run.
struct WorkCount {
  double butterflies = 0;
  double terms = 0;     ///< products that are added up
  double outputs = 0;   ///< sums that are reduced
  double scalings = 0;  ///< products with constants
};

/// The counts of docs/reference/benchmarks.md, for sizes that make_program takes.
WorkCount count_work(Workload workload, const WorkloadSize& size);

}  // namespace heliodor::cli
