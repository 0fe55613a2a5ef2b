// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What `heliodor simulate` runs: a program file, a micro-program file, or a built-in workload made
// for the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "heliodor/cli/internal/workload_options.h"
#include "heliodor/cli/report/report.h"
#include "heliodor/program/limb_program.h"
#include "heliodor/rlwe/keyswitch/key_switch.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::cli {

/// All but the name is for built-in workloads; the last two for keyswitch and evalmult.
struct WorkloadRequest {
  std::string name;  ///< of a file or a built-in workload
  std::optional<std::uint64_t> degree;
  std::optional<unsigned> bits;  ///< of the primes; at most the machine's words where not given
  WorkloadOptions size;
  std::optional<rlwe::KeySwitchMethod> method;
  bool seeded_key = false;  ///< the uniform half of the key is generated on the machine
};

struct SimulatedWorkload {
  std::string name;
  std::shared_ptr<const program::LimbProgram> program;  ///< null for a micro-program
  std::optional<machine::MicroProgram> micro;           ///< a hand-written one
  std::optional<Security> security;
};

/// Throws as load_program and make_program; Error{malformed_file} with every diagnostic of a
/// micro-program; Error{out_of_range} for a method or a seeded key where there is no key switch,
/// Error{unsupported} for a seeded key of klss. The block size of klss is the cheapest on the
/// machine.
SimulatedWorkload make_workload(const WorkloadRequest& request,
                                const machine::MachineDescription& machine);

}  // namespace heliodor::cli
