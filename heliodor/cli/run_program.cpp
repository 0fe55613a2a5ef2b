// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor run: one program on one target, compared with another.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "heliodor/base/error.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/internal/target_run.h"
#include "heliodor/cli/program_file.h"
#include "heliodor/cli/table.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

struct RunOptions {
  std::string program;
  std::string target = "cpu";
  std::string verify = "reference";
  std::uint64_t seed = 1;
  unsigned threads = 1;
  bool json = false;
};

TargetRun run_or_throw(const program::Target& target, const program::LimbProgram& program,
                       const reference::RunInputs& inputs) {
  TargetRun run = run_on(target, program, inputs, 1);
  if (run.refusal) {
    throw Error(ErrorCode::unsupported, fmt::format("target {}: {}", run.name, *run.refusal));
  }
  return run;
}

std::string describe_failures(const program::LimbProgram& program, const TargetRun& run,
                              const std::optional<reference::Difference>& difference) {
  if (run.fault) {
    return fmt::format("{}: fault in cycle {} at instruction {}: {}\n", run.name, run.fault->cycle,
                       run.fault->instruction, run.fault->reason);
  }
  if (!difference) return "";
  return fmt::format("{}: output \"{}\", word {}: expected {}, got {}\n", run.name,
                     program.outputs()[difference->output].name, difference->word,
                     difference->expected, difference->actual);
}

void run_program(const RunOptions& options, Context& context) {
  const program::LimbProgram program = load_program(options.program);
  const auto target = registry::make_target(options.target, options.threads);
  const auto verifier = registry::make_target(options.verify, options.threads);
  reference::UniformSource source(options.seed);
  const reference::RunInputs inputs(program, 1, source);

  const TargetRun expected = run_or_throw(*verifier, program, inputs);
  TargetRun actual = run_or_throw(*target, program, inputs);
  std::optional<reference::Difference> difference;
  if (expected.right() && actual.right()) difference = compare(expected, actual);
  if (!expected.right() || !actual.right()) context.result = ExitCode::wrong_result;

  context.err << describe_failures(program, expected, std::nullopt)
              << describe_failures(program, actual, difference);
  if (options.json) {
    const nlohmann::ordered_json json = {
        {"command", "run"},          {"program", program.name()},
        {"data_seed", options.seed}, {"verify", to_json(expected)},
        {"target", to_json(actual)}, {"equal", actual.equal.value_or(false)}};
    context.out << json.dump(2) << '\n';
    return;
  }
  context.out << fmt::format(
      "program \"{}\": {} instructions, degree {}, {} outputs; random inputs from test seed {}\n\n",
      program.name(), program.instruction_count(), program.degree(), program.outputs().size(),
      options.seed);
  Table table(table_header());
  table.add_row(table_row(expected));
  table.add_row(table_row(actual));
  table.write(context.out);
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Run a program on random inputs and compare two targets.");
  command->add_option("PROGRAM", options->program, "Program in text or binary form")->required();
  command->add_option("--target", options->target, "Target to run on, as doctor lists them")
      ->capture_default_str();
  command->add_option("--verify", options->verify, "Target to compare with")->capture_default_str();
  command->add_option("--data-seed,--seed", options->seed, "Test seed of the inputs")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Threads of CPU targets, 0 for all")
      ->check(whole_number())
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &context] { run_program(*options, context); });
}

}  // namespace heliodor::cli
