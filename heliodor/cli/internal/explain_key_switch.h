// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which way to switch keys, and why: the planner's candidates at every limb_count.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <vector>

#include "heliodor/cli/bench_workloads.h"
#include "heliodor/program/target.h"
#include "heliodor/rlwe/keyswitch/planner.h"

namespace heliodor::cli {

struct ExplainedChoice {
  std::size_t limb_count;
  rlwe::KeySwitchChoice candidates;  ///< the cheapest first
};

/// For parameters of the size's degree, bits, limbs and digits with special primes and gadgets as
/// rlwe::choose_moduli takes them, limb counts from all to 1. Errors as choose_moduli's.
std::vector<ExplainedChoice> explain_key_switch(std::shared_ptr<const program::Target> target,
                                                const WorkloadSize& size);

/// A table: a row per candidate, the cheapest of a limb_count first.
void write_choices(std::ostream& out, const std::vector<ExplainedChoice>& choices);

}  // namespace heliodor::cli
