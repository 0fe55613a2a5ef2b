// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor plan: what a target makes of a program, without running it.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/cli/bench_workloads.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/internal/explain_key_switch.h"
#include "heliodor/cli/internal/workload_options.h"
#include "heliodor/cli/program_file.h"
#include "heliodor/cli/table.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

struct PlanOptions {
  std::string program;
  std::string target = "cpu";
  unsigned threads = 1;
  std::optional<std::uint64_t> degree;
  std::optional<unsigned> bits;
  WorkloadOptions size;
  bool show = false;
  bool explain = false;
  bool json = false;
};

WorkloadSize find_size(const PlanOptions& options, Workload workload) {
  WorkloadSize size = options.size.applied_to(usual_size(workload));
  size.degree = options.degree.value_or(size.degree);
  size.bits = options.bits.value_or(size.bits);
  return size;
}

program::LimbProgram find_program(const PlanOptions& options) {
  const auto workload = workload_named(options.program);
  if (!workload) return load_program(options.program);
  return make_program(*workload, find_size(options, *workload));
}

nlohmann::ordered_json to_json(const std::vector<ExplainedChoice>& choices) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& [limb_count, candidates] : choices) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const rlwe::KeySwitchCandidate& candidate : candidates) {
      list.push_back({{"shape", to_string(candidate.shape)},
                      {"predicted_seconds", candidate.predicted_seconds}});
    }
    rows.push_back({{"limb_count", limb_count}, {"candidates", std::move(list)}});
  }
  return rows;
}

void explain(const PlanOptions& options, Context& context) {
  if (workload_named(options.program) != Workload::keyswitch) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("--explain takes keyswitch, not {}", options.program));
  }
  if (options.size.special) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("--special {} is not taken with --explain, which chooses P",
                            *options.size.special));
  }
  std::shared_ptr<const program::Target> target =
      registry::make_target(options.target, options.threads);
  const auto choices = explain_key_switch(target, find_size(options, Workload::keyswitch));
  if (options.json) {
    const nlohmann::ordered_json json = {{"command", "plan"},
                                         {"program", "keyswitch"},
                                         {"target", target->name()},
                                         {"choices", to_json(choices)}};
    context.out << json.dump(2) << '\n';
    return;
  }
  write_choices(context.out, choices);
}

void plan(const PlanOptions& options, Context& context) {
  const auto target = registry::make_target(options.target, options.threads);
  const auto plan = target->plan(find_program(options));
  const program::LimbProgram& program = plan->program();
  const program::Cost cost = target->predict(program);
  if (options.json) {
    nlohmann::ordered_json json = {{"command", "plan"},
                                   {"program", program.name()},
                                   {"target", target->name()},
                                   {"degree", program.degree()},
                                   {"moduli", program.moduli().size()},
                                   {"instructions", program.instruction_count()},
                                   {"predicted_seconds", cost.seconds}};
    if (cost.cycles) json["predicted_cycles"] = *cost.cycles;
    if (options.show) json["plan"] = plan->describe();
    context.out << json.dump(2) << '\n';
    return;
  }
  context.out << fmt::format("program \"{}\": {} instructions, degree {}, {} moduli\n",
                             program.name(), program.instruction_count(), program.degree(),
                             program.moduli().size())
              << fmt::format("target {}: predicted {}{}\n", target->name(),
                             format_seconds(cost.seconds),
                             cost.cycles ? fmt::format(", {} cycles", *cost.cycles) : "");
  if (options.show) context.out << '\n' << plan->describe();
}

}  // namespace

void add_plan(CLI::App& app, Context& context) {
  auto options = std::make_shared<PlanOptions>();
  CLI::App* command = app.add_subcommand("plan", "Show what a target makes of a program.");
  command
      ->add_option("PROGRAM", options->program,
                   "A file, or ntt, intt, dot, baseconv, keyswitch, evalmult")
      ->required();
  command->add_option("--target", options->target, "Target, as doctor lists them")
      ->capture_default_str();
  add_threads(*command, options->threads);
  command->add_option("--degree", options->degree, "Ring degree N of a built-in program")
      ->check(whole_number())
      ->option_text("N");
  command->add_option("--bits", options->bits, "Size of its primes")
      ->check(whole_number())
      ->option_text("BITS");
  options->size.add_to(*command);
  command->add_flag("--show", options->show, "Print the plan step by step");
  command->add_flag("--explain", options->explain, "Predicted time of each key-switching method");
  add_json(*command, options->json);
  command->callback([options, &context] {
    if (options->explain) {
      explain(*options, context);
    } else {
      plan(*options, context);
    }
  });
}

}  // namespace heliodor::cli
