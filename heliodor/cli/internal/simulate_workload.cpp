// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/simulate_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/base/error.h"
#include "heliodor/cli/bench_programs.h"
#include "heliodor/cli/program_file.h"
#include "heliodor/rlwe/context.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/keyswitch/planner.h"
#include "heliodor/targets/machine/machine_target.h"
#include "heliodor/targets/machine/micro_binary.h"
#include "heliodor/targets/machine/micro_text.h"

namespace heliodor::cli {
namespace {

using rlwe::KeySwitchMethod;

constexpr std::string_view kMicroMagic = "HLDMIC";
constexpr std::string_view kMicroWord = "micro ";

// The first line that is neither empty nor a comment starts with "micro".
bool is_micro_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (!line.empty() && line[0] != '#') return line.starts_with(kMicroWord);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

std::optional<machine::MicroProgram> micro_program(const std::string& path,
                                                   const std::string& bytes) {
  const bool binary = bytes.starts_with(kMicroMagic);
  if (!binary && !is_micro_text(bytes)) return std::nullopt;
  auto parsed = binary ? machine::decode_micro_binary(
                             {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()})
                       : machine::parse_micro_text(bytes);
  if (!parsed) {
    throw Error(ErrorCode::malformed_file, base::to_string(parsed.diagnostics(), path));
  }
  return std::move(parsed).value();
}

// The block size of klss is the cheapest on the machine.
rlwe::KeySwitchShape shape_of(const rlwe::Parameters& parameters, KeySwitchMethod method,
                              const machine::MachineDescription& machine) {
  if (method != KeySwitchMethod::klss) return {method, parameters.gadgets().front()};
  rlwe::KeySwitchPlanner planner(std::make_shared<const rlwe::Context>(
      parameters, std::make_shared<machine::MachineTarget>(machine)));
  planner.force(method);
  return planner.shapes(parameters.q().size()).front();
}

// Hybrid and klss in digits of equal size, with as many special primes where the size names none.
rlwe::Gadget gadget(const WorkloadSize& size, KeySwitchMethod method) {
  constexpr std::size_t kUsualDigits = 3;
  if (method == KeySwitchMethod::bv) return {1, 0, size.limbs};
  const std::size_t digits =
      std::clamp<std::size_t>(size.digits == 0 ? kUsualDigits : size.digits, 1, size.limbs);
  const std::size_t digit_size = (size.limbs + digits - 1) / digits;
  return {digit_size, size.special == 0 ? digit_size : size.special, size.limbs};
}

SimulatedWorkload key_switching(Workload workload, const WorkloadSize& size,
                                const WorkloadRequest& request,
                                const machine::MachineDescription& machine) {
  make_program(workload, size);  // refuses sizes that cannot be
  const KeySwitchMethod method = request.method.value_or(
      workload == Workload::keyswitch ? KeySwitchMethod::hybrid : KeySwitchMethod::bv);
  const rlwe::Gadget g = gadget(size, method);
  const rlwe::Parameters p =
      bench_parameters(size.bits, size.degree, size.limbs, g.special_count, g.digit_size);
  rlwe::KeySwitchShape shape = shape_of(p, method, machine);
  if (request.seeded_key) shape.key_form = rlwe::KeyForm::seeded;
  SimulatedWorkload made;
  made.name = fmt::format("{}, {}", to_string(workload), to_string(method));
  made.program = std::make_shared<const program::LimbProgram>(
      workload == Workload::keyswitch ? rlwe::key_switch_program(p, shape, size.limbs)
                                      : rlwe::multiply_program(p, shape, size.limbs, 0));
  made.security = Security{p.log_qp(), p.security()};
  return made;
}

void refuse_key_options(const WorkloadRequest& request) {
  if (!request.method && !request.seeded_key) return;
  throw Error(ErrorCode::out_of_range,
              fmt::format("{} is for keyswitch and evalmult, not for {}",
                          request.method ? "--method" : "--seeded-key", request.name));
}

SimulatedWorkload built_in(Workload workload, const WorkloadRequest& request,
                           const machine::MachineDescription& machine) {
  WorkloadSize size = request.size.applied_to(usual_size(workload));
  size.degree = request.degree.value_or(size.degree);
  size.bits = request.bits.value_or(std::min(size.bits, machine.word_bits));
  if (workload == Workload::keyswitch || workload == Workload::evalmult) {
    return key_switching(workload, size, request, machine);
  }
  refuse_key_options(request);
  return {std::string(to_string(workload)),
          std::make_shared<const program::LimbProgram>(make_program(workload, size)),
          {},
          {}};
}

SimulatedWorkload from_file(const WorkloadRequest& request) {
  refuse_key_options(request);
  if (auto micro = micro_program(request.name, read_file(request.name))) {
    return {std::filesystem::path(request.name).stem().string(), nullptr, std::move(micro), {}};
  }
  auto program = std::make_shared<const program::LimbProgram>(load_program(request.name));
  return {program->name(), program, {}, {}};
}

}  // namespace

SimulatedWorkload make_workload(const WorkloadRequest& request,
                                const machine::MachineDescription& machine) {
  const auto workload = workload_named(request.name);
  return workload ? built_in(*workload, request, machine) : from_file(request);
}

}  // namespace heliodor::cli
