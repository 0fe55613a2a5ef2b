// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Running a plan on limbs that stand in matrices.
#pragma once

#include <span>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/ciphertext.h"

namespace heliodor::rlwe {

/// One execution: all limbs of each matrix, part by part, are the program's operands and outputs in
/// their order.
struct Job {
  std::vector<const LimbMatrix*> inputs;
  std::vector<LimbMatrix*> outputs;
};

/// Runs a batch. Throws what Plan::run throws, and Error{unsupported} with the reason if a
/// simulated machine stops.
void run(const program::Plan& plan, std::span<const program::Binding> batch,
         const program::SharedBinding& shared);

/// All jobs as one batch that shares the keys that the plan loaded.
void run(const program::Plan& plan, std::span<const Job> jobs, const program::LoadedShared& keys);
void run(const program::Plan& plan, const Job& job, const program::LoadedShared& keys);
void run(const program::Plan& plan, const Job& job);

}  // namespace heliodor::rlwe
