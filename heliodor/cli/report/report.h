// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Report: what `heliodor simulate` found, and its three forms: a page, JSON, text. All say the same
// numbers; equal reports give equal bytes.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/rlwe/security.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/profile.h"

namespace heliodor::cli {

/// What degree and moduli are worth, for workloads whose ciphertext moduli are known.
struct Security {
  double log_qp = 0;
  rlwe::SecurityLevel level = rlwe::SecurityLevel::none;
};

/// One program on one machine.
struct MachineRun {
  std::string name;           ///< of the workload
  std::uint64_t repeats = 1;  ///< of the program in the workload
  std::uint64_t degree = 0;
  std::shared_ptr<const program::LimbProgram> source;  ///< null for a hand-written micro-program
  machine::Profile profile;
  std::string description;  ///< the machine's text, as read
  std::vector<machine::Override> overrides;
  std::optional<Security> security;
  std::optional<bool> equal;  ///< to the reference's limbs; nothing if it was not run with data
};

struct SweepPoint {
  std::string value;  ///< as in the description
  std::uint64_t cycles = 0;
  double seconds = 0;
  std::string bound;
};

struct Sweep {
  std::string key;
  std::vector<SweepPoint> points;
};

struct Report {
  bool comparison = false;       ///< of alternatives; else the runs follow one another
  std::vector<MachineRun> runs;  ///< at least one
  std::optional<Sweep> sweep;
};

/// "keyswitch on basalisc"
std::string title_of(const MachineRun& run);

/// "dram bounds it, 99.1 % busy", or which unit is busiest and what it waits for.
std::string bound_of(const machine::Profile& profile);

/// "for operands, 12.0 %": what it waits for most; "-" if it never waits.
std::string main_stall(const machine::UnitProfile& unit);

/// One self-contained page: no scripts, nothing from elsewhere.
std::string to_html(const Report& report);

nlohmann::ordered_json to_json(const Report& report);

void write_text(std::ostream& out, const Report& report);

}  // namespace heliodor::cli
