// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Profile: where the cycles of a program go, as plain tables for reports, traces and plots.
//
//   const Profile profile = profile_program(description, program);
//   profile.seconds, profile.units[0].busy, profile.spans ...
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/lower.h"
#include "heliodor/targets/machine/micro_op.h"
#include "heliodor/targets/machine/timeline.h"

namespace heliodor::machine {

/// Time buckets of occupancies.
inline constexpr std::size_t kProfileBuckets = 200;

struct UnitProfile {
  std::string name;  ///< "dram" for off-chip memory, the last
  std::uint64_t operations = 0;
  double busy = 0;                        ///< fraction of the program's time, over all copies
  std::array<double, kStalls> stalled{};  ///< fractions, by Stall
  std::vector<double> occupancy;          ///< busy fraction in each of kProfileBuckets equal parts

  // Roofline, in modular multiplications (a butterfly is one); 0 for off-chip memory.
  double multiplications = 0;
  double peak_per_second = 0;      ///< what its lanes (and networks) can do
  double attained_per_second = 0;  ///< over the program's time
};

/// Consecutive operations of one unit for one instruction of the program.
struct Span {
  std::uint32_t unit = 0;         ///< index into Profile::units
  std::uint32_t instruction = 0;  ///< of the LimbProgram; its instruction_count for copies
  MicroCode code = MicroCode::fence;
  std::uint64_t begin = 0, end = 0;  ///< machine cycles: first enters, last leaves the unit's input
  std::uint64_t operations = 0;
  std::uint64_t busy = 0;  ///< of these cycles, those in which the unit takes in words

  bool operator==(const Span&) const = default;
};

/// A value's stay in the scratchpad.
struct Stay {
  program::ValueId value = 0;
  std::uint32_t first_row = 0, rows = 0;
  std::uint64_t begin = 0, end = 0;  ///< machine cycles

  bool operator==(const Stay&) const = default;
};

/// Time that units spend on one kind of instruction ("ntt", "dot_scalar", "transfer").
struct KindCost {
  std::string kind;
  std::uint64_t operations = 0;
  std::vector<std::uint64_t> busy_cycles;  ///< machine cycles, by unit
};

struct Profile {
  std::string machine;
  std::string program;
  std::uint32_t clock_mhz = 0;
  std::uint64_t cycles = 0;
  double seconds = 0;
  std::uint64_t micro_operations = 0;
  std::vector<UnitProfile> units;
  std::array<std::uint64_t, kTraffics> bytes{};  ///< off-chip, by Traffic
  double bandwidth = 0;                          ///< of off-chip memory, bytes per second
  std::uint64_t scratchpad_reads = 0, scratchpad_writes = 0;  ///< row accesses
  double scratchpad_busy = 0;                                 ///< fraction of port cycles
  std::uint64_t rows = 0,
                rows_used = 0;  ///< of the scratchpad, and the most that the program names
  std::vector<Span> spans;      ///< by begin
  std::vector<Stay> stays;      ///< by begin
  std::vector<KindCost> kinds;
  std::vector<std::string> instructions;  ///< their text, by index
  std::vector<std::string> values;        ///< their names, by id
};

/// Lowers, counts cycles and keeps what happened. Throws Error{unsupported} as lower().
Profile profile_program(const MachineDescription& description, const program::LimbProgram& program,
                        const Residency& residency = {});

/// The same for a program that was lowered, or for a hand-written one (no `source`).
/// Throws Error{invalid_program} with the fault if the machine cannot run it.
Profile profile_micro_program(const MachineDescription& description, const MicroProgram& program,
                              const program::LimbProgram* source = nullptr);

/// An operation on ciphertexts that a workload does `repeats` times.
struct WorkloadPart {
  std::string name;  ///< "multiply", "rotate by 1"
  std::shared_ptr<const program::LimbProgram> program;
  std::uint64_t repeats = 1;
};

struct PartProfile {
  std::string name;
  std::uint64_t repeats = 1;
  std::shared_ptr<const Profile> profile;  ///< shared by parts with equal programs: timed once
};

struct WorkloadProfile {
  std::vector<PartProfile> parts;
  std::uint64_t cycles = 0;  ///< parts run one after the other, each from an idle machine
  double seconds = 0;
};

/// Throws as profile_program.
WorkloadProfile profile_workload(const MachineDescription& description,
                                 const std::vector<WorkloadPart>& parts,
                                 const Residency& residency = {});

/// The spans as Chrome's trace event format (JSON), a track for each unit; times in microseconds.
std::string to_chrome_trace(const Profile& profile);

}  // namespace heliodor::machine
