// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor simulate: workloads on described machines, and where their cycles go.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/base/error.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/internal/simulate_data.h"
#include "heliodor/cli/internal/simulate_workload.h"
#include "heliodor/cli/internal/sweep_range.h"
#include "heliodor/cli/program_file.h"
#include "heliodor/cli/report/report.h"
#include "heliodor/targets/machine/lower.h"
#include "heliodor/targets/machine/profile.h"
#include "heliodor/targets/machine/shipped_machines.h"

namespace heliodor::cli {
namespace {

using machine::MachineDescription;

struct SimulateOptions {
  std::vector<std::string> workloads;  // NAME or NAME:REPEATS
  std::string machine = "tutorial";
  WorkloadRequest request;  // but its name
  std::string method;
  std::vector<std::string> set, resident, compare;
  std::string sweep, html, trace;
  bool with_data = false;
  std::uint64_t seed = 1;
  bool json = false;
};

// What a run needs besides the workload's name.
struct Setting {
  std::string machine;
  std::vector<machine::Override> overrides;
  machine::Residency residency;
  WorkloadRequest request;
  std::optional<std::uint64_t> data_seed;  // run with data
};

// A file by its path, or a shipped machine by its name.
std::string machine_text(const std::string& name) {
  const bool is_path = name.ends_with(".toml") || name.find('/') != std::string::npos;
  return is_path ? read_file(name) : std::string(machine::shipped_text(name));
}

MachineDescription description_of(const Setting& setting, const std::string& text) {
  auto parsed = machine::parse_description(text, setting.overrides);
  if (!parsed) {
    throw Error(ErrorCode::invalid_description,
                base::to_string(parsed.diagnostics(), setting.machine));
  }
  return std::move(parsed).value();
}

std::optional<rlwe::KeySwitchMethod> method_named(std::string_view name) {
  for (const auto method :
       {rlwe::KeySwitchMethod::bv, rlwe::KeySwitchMethod::hybrid, rlwe::KeySwitchMethod::klss}) {
    if (to_string(method) == name) return method;
  }
  return std::nullopt;
}

// "keyswitch:26" is keyswitch, 26 times.
std::pair<std::string, std::uint64_t> split_repeats(const std::string& workload) {
  const std::size_t colon = workload.rfind(':');
  const std::string digits = colon == std::string::npos ? "" : workload.substr(colon + 1);
  constexpr std::size_t kMostDigits = 12;
  const bool number = !digits.empty() && digits.size() <= kMostDigits &&
                      digits.find_first_not_of("0123456789") == std::string::npos;
  if (!number) return {workload, 1};
  return {workload.substr(0, colon), std::stoull(digits)};
}

MachineRun run_one(const Setting& setting, const std::string& workload, Context& context) {
  MachineRun run;
  run.description = machine_text(setting.machine);
  run.overrides = setting.overrides;
  const MachineDescription machine = description_of(setting, run.description);
  WorkloadRequest request = setting.request;
  std::tie(request.name, run.repeats) = split_repeats(workload);
  SimulatedWorkload made = make_workload(request, machine);
  run.name = std::move(made.name);
  run.source = made.program;
  run.security = made.security;
  const machine::MicroProgram micro =
      made.micro ? std::move(*made.micro) : machine::lower(machine, *run.source, setting.residency);
  run.degree = micro.degree();
  run.profile = machine::profile_micro_program(machine, micro, run.source.get());
  if (!setting.data_seed) return run;
  const auto wrong = run.source
                         ? differs_from_reference(machine, micro, *run.source, *setting.data_seed)
                         : fault_with_data(machine, micro, *setting.data_seed);
  if (run.source) run.equal = !wrong;
  if (wrong) {
    context.err << fmt::format("{}: {}\n", title_of(run), *wrong);
    context.result = ExitCode::wrong_result;
  }
  return run;
}

Sweep sweep_over(const SweepRange& range, Setting setting, const std::string& workload,
                 Context& context) {
  Sweep sweep{range.key, {}};
  setting.data_seed.reset();
  setting.overrides.emplace_back(range.key, "");
  for (const std::string& value : range.values) {
    setting.overrides.back().second = value;
    const machine::Profile profile = run_one(setting, workload, context).profile;
    sweep.points.push_back({value, profile.cycles, profile.seconds, bound_of(profile)});
  }
  return sweep;
}

// Two machines, or two methods on one.
std::vector<Setting> compared(const SimulateOptions& options, const Setting& setting) {
  std::vector<Setting> alternatives;
  const auto first = method_named(options.compare[0]), second = method_named(options.compare[1]);
  if (first.has_value() != second.has_value()) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("--compare takes two machines or two methods, not {} and {}",
                            options.compare[0], options.compare[1]));
  }
  for (const std::string& name : options.compare) {
    alternatives.push_back(setting);
    if (first) {
      alternatives.back().request.method = method_named(name);
    } else {
      alternatives.back().machine = name;
    }
  }
  return alternatives;
}

Setting setting_of(const SimulateOptions& options) {
  Setting setting{
      options.machine, {}, machine::residency_of(options.resident), options.request, {}};
  for (const std::string& text : options.set) setting.overrides.push_back(parse_setting(text));
  if (!options.method.empty()) {
    setting.request.method = method_named(options.method);
    if (!setting.request.method) {
      throw Error(ErrorCode::out_of_range,
                  fmt::format("--method {} is not bv, hybrid or klss", options.method));
    }
  }
  if (options.with_data) setting.data_seed = options.seed;
  return setting;
}

void require_one_workload(const SimulateOptions& options) {
  const auto check = [&](const char* name, bool given) {
    if (!given || options.workloads.size() == 1) return;
    throw Error(ErrorCode::out_of_range,
                fmt::format("{} takes one workload, not {}", name, options.workloads.size()));
  };
  check("--compare", !options.compare.empty());
  check("--sweep", !options.sweep.empty());
  check("--trace", !options.trace.empty());
  if (!options.compare.empty() && !(options.sweep.empty() && options.trace.empty())) {
    throw Error(ErrorCode::out_of_range, "--compare goes with neither --sweep nor --trace");
  }
}

Report report_of(const SimulateOptions& options, Context& context) {
  require_one_workload(options);
  const Setting setting = setting_of(options);
  Report report;
  if (!options.compare.empty()) {
    report.comparison = true;
    for (const Setting& alternative : compared(options, setting))
      report.runs.push_back(run_one(alternative, options.workloads.front(), context));
    return report;
  }
  for (const std::string& workload : options.workloads)
    report.runs.push_back(run_one(setting, workload, context));
  if (!options.sweep.empty()) {
    report.sweep =
        sweep_over(parse_sweep(options.sweep), setting, options.workloads.front(), context);
  }
  return report;
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) throw Error(ErrorCode::io, fmt::format("{}: cannot be written", path));
}

void simulate(const SimulateOptions& options, Context& context) {
  if (options.with_data) announce_test_seed(options.seed, context);
  const Report report = report_of(options, context);
  if (!options.html.empty()) write_file(options.html, to_html(report));
  if (!options.trace.empty())
    write_file(options.trace, machine::to_chrome_trace(report.runs.front().profile));
  if (options.json) {
    nlohmann::ordered_json json = to_json(report);
    if (options.with_data) json["test_seed"] = options.seed;
    context.out << json.dump(2) << '\n';
  } else {
    write_text(context.out, report);
  }
}

}  // namespace

void add_simulate(CLI::App& app, Context& context) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command =
      app.add_subcommand("simulate", "Run workloads on a simulated machine; time by unit.");
  command
      ->add_option("WORKLOAD", options->workloads,
                   "Files, or ntt, dot, baseconv, keyswitch, evalmult")
      ->required()
      ->option_text("..");
  command
      ->add_option("--machine", options->machine,
                   "Shipped, or a description's file; tutorial by default")
      ->option_text("NAME");
  command->add_option("--set", options->set, "Change a key of the description")
      ->option_text("KEY=VALUE");
  command
      ->add_option("--degree,--n", options->request.degree, "Ring degree N of built-in workloads")
      ->check(whole_number())
      ->option_text("N");
  command->add_option("--bits", options->request.bits, "Size of their primes")
      ->check(whole_number())
      ->option_text("BITS");
  options->request.size.add_to(*command);
  command->add_option("--method", options->method, "Key switching: bv, hybrid or klss");
  command->add_flag("--seeded-key", options->request.seeded_key,
                    "Generate the uniform half of keys on the machine");
  command
      ->add_option("--resident", options->resident,
                   "On chip all the time: operands, keys, constants, outputs")
      ->delimiter(',')
      ->option_text("KINDS");
  command->add_option("--compare", options->compare, "Two machines, or two methods, side by side")
      ->expected(2)
      ->option_text("A B");
  command
      ->add_option("--sweep", options->sweep, "Time over values of a key; A..B:STEPS, A..B:xFACTOR")
      ->option_text("KEY=A..B");
  command->add_option("--html", options->html, "Write a page with pictures")->option_text("FILE");
  command->add_option("--trace", options->trace, "Write a Chrome (Perfetto) trace")
      ->option_text("FILE");
  command->add_flag("--with-data", options->with_data,
                    "Move random limbs and compare with the reference");
  add_seed(*command, options->seed);
  add_json(*command, options->json);
  command->callback([options, &context] { simulate(*options, context); });
}

}  // namespace heliodor::cli
