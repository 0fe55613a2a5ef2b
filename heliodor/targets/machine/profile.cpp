// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <tuple>

#include "heliodor/base/error.h"
#include "heliodor/program/text.h"
#include "heliodor/targets/machine/simulator.h"

namespace heliodor::machine {
namespace {

double fraction(double part, double whole) { return whole > 0 ? part / whole : 0; }

// Modular multiplications of one operation.
double multiplications(const MicroOp& op, const MicroProgram& program) {
  const double words = program.layout.chunk_words();
  switch (op.code) {
    case MicroCode::mul:
    case MicroCode::mul_imm:
    case MicroCode::mac:
    case MicroCode::mac_imm:
    case MicroCode::quotient_mac:
      return words;
    case MicroCode::ntt_pass:
    case MicroCode::intt_pass:
      return words / 2 * op.stages;
    default:
      return 0;
  }
}

// What the unit could do each second if nothing held it back.
double peak_per_second(const Unit& unit) {
  double per_cycle = 0;
  if (const auto& arithmetic = unit.can(Operation::arithmetic)) per_cycle = arithmetic->lanes;
  if (const auto& ntt = unit.can(Operation::ntt)) {
    const double stages = std::countr_zero(ntt->radix);
    per_cycle = std::max(per_cycle, ntt->lanes / 2.0 * stages);
  }
  return per_cycle * unit.count * unit.clock_mhz * 1e6;
}

std::string kind_of(const MicroOp& op) {
  const MicroCodeInfo& code = info(op.code);
  if (code.operation == Operation::transfer) return "transfer";
  switch (op.code) {
    case MicroCode::ntt_pass:
      return "ntt";
    case MicroCode::intt_pass:
      return "intt";
    case MicroCode::mac:
      return "dot";
    case MicroCode::mac_imm:
      return "dot_scalar";
    case MicroCode::quotient_mac:
    case MicroCode::quotient_round:
      return "quotient";
    case MicroCode::permute_eval:
    case MicroCode::permute_coeff:
    case MicroCode::unscramble:
      return "permute";
    default:
      return std::string(code.name);
  }
}

class Recorder {
 public:
  Recorder(const MicroProgram& program, std::size_t units)
      : program_(program),
        enters_(program.ops.size()),
        ends_(program.ops.size()),
        last_span_(units, kNone),
        multiplications_(units) {}

  void record(std::size_t index, const MicroOp& op, const MicroTiming& timing) {
    enters_[index] = timing.enter;
    ends_[index] = timing.end;
    if (op.resident || op.code == MicroCode::fence) return;
    std::size_t& last = last_span_[timing.unit];
    if (last == kNone || spans_[last].instruction != op.instruction ||
        spans_[last].code != op.code) {
      last = spans_.size();
      spans_.push_back({timing.unit, op.instruction, op.code, timing.enter, timing.leave});
    }
    spans_[last].end = timing.leave;
    ++spans_[last].operations;
    spans_[last].busy += timing.leave - timing.enter;
    multiplications_[timing.unit] += multiplications(op, program_);
    auto [kind, added] = kinds_.try_emplace(static_cast<std::size_t>(op.code));
    if (added) kind->second = {kind_of(op), 0, std::vector<std::uint64_t>(last_span_.size())};
    ++kind->second.operations;
    kind->second.busy_cycles[timing.unit] += timing.leave - timing.enter;
  }

  void finish(Profile& profile) {
    for (std::size_t unit = 0; unit < multiplications_.size(); ++unit) {
      profile.units[unit].multiplications = multiplications_[unit];
      profile.units[unit].attained_per_second = fraction(multiplications_[unit], profile.seconds);
    }
    for (auto& [code, cost] : kinds_) {
      const auto same = std::find_if(profile.kinds.begin(), profile.kinds.end(),
                                     [&](const KindCost& k) { return k.kind == cost.kind; });
      if (same == profile.kinds.end()) {
        profile.kinds.push_back(std::move(cost));
        continue;
      }
      same->operations += cost.operations;
      for (std::size_t i = 0; i < cost.busy_cycles.size(); ++i) {
        same->busy_cycles[i] += cost.busy_cycles[i];
      }
    }
    for (const Residence& residence : program_.residences) {
      profile.stays.push_back({residence.value, residence.first_row, residence.rows,
                               enters_[residence.first_op], ends_[residence.last_op]});
    }
    std::sort(profile.stays.begin(), profile.stays.end(), [](const Stay& a, const Stay& b) {
      return std::tie(a.begin, a.first_row) < std::tie(b.begin, b.first_row);
    });
    std::sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) {
      return std::tie(a.begin, a.unit) < std::tie(b.begin, b.unit);
    });
    profile.spans = std::move(spans_);
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  const MicroProgram& program_;
  std::vector<std::uint64_t> enters_, ends_;
  std::vector<Span> spans_;
  std::vector<std::size_t> last_span_;  // by unit
  std::vector<double> multiplications_;
  std::map<std::size_t, KindCost> kinds_;  // by code
};

// Busy cycles spread over the buckets that each span of them crosses.
class Occupancy {
 public:
  Occupancy(std::size_t units, std::uint64_t cycles)
      : bucket_(std::max(1.0, static_cast<double>(cycles)) / kProfileBuckets),
        busy_(units, std::vector<double>(kProfileBuckets)) {}

  void add(std::size_t unit, std::uint64_t begin, std::uint64_t end) {
    double from = static_cast<double>(begin);
    while (from < static_cast<double>(end)) {
      const auto bucket =
          std::min(kProfileBuckets - 1, static_cast<std::size_t>(from / bucket_ + 1e-9));
      double to = static_cast<double>(end);
      if (bucket + 1 < kProfileBuckets) {
        to = std::min(to, bucket_ * static_cast<double>(bucket + 1));
      }
      if (to <= from) break;
      busy_[unit][bucket] += (to - from) / bucket_;
      from = to;
    }
  }

  std::vector<double> take(std::size_t unit, double copies) {
    for (double& busy : busy_[unit]) busy = std::min(1.0, busy / copies);
    return std::move(busy_[unit]);
  }

 private:
  double bucket_;  // cycles
  std::vector<std::vector<double>> busy_;
};

void add_units(const MachineDescription& machine, const Activity& activity, Profile& profile) {
  for (std::size_t i = 0; i < activity.units.size(); ++i) {
    const Activity::UnitActivity& used = activity.units[i];
    const bool off_chip = i + 1 == activity.units.size();
    UnitProfile unit;
    unit.name = off_chip ? "dram" : machine.units[i].name;
    unit.operations = used.operations;
    const double cycles = static_cast<double>(activity.cycles);
    const double clocks =
        off_chip ? 1 : static_cast<double>(machine.units[i].clock_mhz) / machine.clock_mhz;
    const double copies = off_chip ? 1 : machine.units[i].count;
    unit.busy = fraction(static_cast<double>(used.busy_cycles), cycles * clocks * copies);
    for (std::size_t stall = 0; stall < kStalls; ++stall) {
      unit.stalled[stall] =
          fraction(static_cast<double>(used.stalled_cycles[stall]), cycles * copies);
    }
    if (!off_chip) unit.peak_per_second = peak_per_second(machine.units[i]);
    profile.units.push_back(std::move(unit));
  }
}

std::vector<std::string> value_names(const program::LimbProgram& program) {
  std::vector<std::string> names(program.value_count());
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = fmt::format("%{}", i);
  for (const program::Input& input : program.inputs()) names[input.value] = input.name;
  return names;
}

}  // namespace

Profile profile_micro_program(const MachineDescription& description, const MicroProgram& program,
                              const program::LimbProgram* source) {
  Recorder recorder(program, description.units.size() + 1);
  const Simulation simulation = estimate(
      description, program, [&](std::size_t index, const MicroOp& op, const MicroTiming& t) {
        recorder.record(index, op, t);
      });
  if (simulation.fault) {
    throw Error(ErrorCode::invalid_program,
                fmt::format("machine {} stops in cycle {}: {}", description.name,
                            simulation.fault->cycle, simulation.fault->reason));
  }
  const Activity& activity = simulation.activity;
  Profile profile;
  profile.machine = description.name;
  profile.clock_mhz = description.clock_mhz;
  profile.cycles = activity.cycles;
  profile.seconds = static_cast<double>(activity.cycles) / (1e6 * description.clock_mhz);
  profile.micro_operations = program.ops.size();
  profile.bytes = activity.bytes;
  profile.bandwidth = description.dram.bandwidth * 1e9;
  profile.scratchpad_reads = activity.scratchpad_reads;
  profile.scratchpad_writes = activity.scratchpad_writes;
  const Scratchpad& scratchpad = description.scratchpad;
  profile.scratchpad_busy =
      fraction(static_cast<double>(activity.scratchpad_reads + activity.scratchpad_writes),
               static_cast<double>(activity.cycles) * (scratchpad.ports + scratchpad.write_ports));
  profile.rows = scratchpad.rows();
  profile.rows_used = program.rows;
  add_units(description, activity, profile);
  recorder.finish(profile);

  // A second time: its buckets need the program's length.
  Occupancy occupancy(profile.units.size(), activity.cycles);
  estimate(description, program, [&](std::size_t, const MicroOp& op, const MicroTiming& timing) {
    if (!op.resident) occupancy.add(timing.unit, timing.enter, timing.leave);
  });
  for (std::size_t i = 0; i < profile.units.size(); ++i) {
    const double copies = i < description.units.size() ? description.units[i].count : 1;
    profile.units[i].occupancy = occupancy.take(i, copies);
  }
  if (source != nullptr) {
    profile.program = source->name();
    for (std::size_t i = 0; i < source->instruction_count(); ++i) {
      profile.instructions.push_back(program::to_text(*source, i));
    }
    profile.values = value_names(*source);
  }
  return profile;
}

Profile profile_program(const MachineDescription& description, const program::LimbProgram& program,
                        const Residency& residency) {
  return profile_micro_program(description, lower(description, program, residency), &program);
}

WorkloadProfile profile_workload(const MachineDescription& description,
                                 const std::vector<WorkloadPart>& parts,
                                 const Residency& residency) {
  WorkloadProfile workload;
  std::vector<const program::LimbProgram*> timed;  // by part
  for (const WorkloadPart& part : parts) {
    PartProfile profiled{part.name, part.repeats, nullptr};
    for (std::size_t i = 0; i < timed.size() && !profiled.profile; ++i) {
      if (*timed[i] == *part.program) profiled.profile = workload.parts[i].profile;
    }
    if (!profiled.profile) {
      profiled.profile =
          std::make_shared<const Profile>(profile_program(description, *part.program, residency));
    }
    workload.cycles += part.repeats * profiled.profile->cycles;
    timed.push_back(part.program.get());
    workload.parts.push_back(std::move(profiled));
  }
  workload.seconds = static_cast<double>(workload.cycles) / (1e6 * description.clock_mhz);
  return workload;
}

}  // namespace heliodor::machine
