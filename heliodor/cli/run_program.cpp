// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor run: one program on one target, compared with another.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/cli/bench_workloads.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/internal/multiply_files.h"
#include "heliodor/cli/internal/progress_bar.h"
#include "heliodor/cli/internal/target_run.h"
#include "heliodor/cli/program_file.h"
#include "heliodor/cli/run_evalmult.h"
#include "heliodor/cli/run_rtl.h"
#include "heliodor/cli/table.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

struct RunOptions {
  std::string program;
  std::string target = "cpu";
  std::string verify;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  std::size_t limbs = usual_size(Workload::evalmult).limbs;
  std::vector<std::string> in;
  std::string key, out;
  std::string security = "128";
  bool rtl = false;
  bool json = false;
};

program::LimbProgram program_of(const RunOptions& options) {
  if (options.program != to_string(Workload::evalmult)) return load_program(options.program);
  const WorkloadSize size = usual_size(Workload::evalmult);
  return evalmult_for(options.target, size.bits, size.degree, options.limbs);
}

std::unique_ptr<program::Target> target_of(const RunOptions& options) {
  if (options.rtl) return make_rtl_target(options.target);
  return registry::make_target(options.target, options.threads);
}

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

// Ciphertexts of files in place of random limbs. The reference would take minutes for many, so
// nothing is compared unless asked.
void run_on_files(const RunOptions& options, Context& context) {
  if (options.program != to_string(Workload::evalmult) || options.key.empty()) {
    throw Error(ErrorCode::out_of_range, "--in is for evalmult and needs --key");
  }
  const auto target = target_of(options);
  const auto verifier =
      options.verify.empty() ? nullptr : registry::make_target(options.verify, options.threads);
  multiply_files(
      {options.in, options.key, options.out, security_named(options.security), options.json},
      *target, verifier.get(), context);
}

void run_program(const RunOptions& options, Context& context) {
  announce_test_seed(options.seed, context);
  const program::LimbProgram program = program_of(options);
  const auto target = target_of(options);
  const auto verifier =
      registry::make_target(options.verify.empty() ? "reference" : options.verify, options.threads);
  reference::UniformSource source(options.seed);
  const reference::RunInputs inputs(program, 1, source);

  const double seconds = expected_seconds(*verifier, program);
  ProgressBar progress(context.terminal, "run", seconds + expected_seconds(*target, program));
  const TargetRun expected = run_or_throw(*verifier, program, inputs);
  progress.advance(seconds);
  TargetRun actual = run_or_throw(*target, program, inputs);
  progress.finish();
  std::optional<reference::Difference> difference;
  if (expected.right() && actual.right()) difference = compare(expected, actual);
  if (!expected.right() || !actual.right()) context.result = ExitCode::wrong_result;

  context.err << describe_failures(program, expected, std::nullopt)
              << describe_failures(program, actual, difference);
  if (options.json) {
    const nlohmann::ordered_json json = {
        {"command", "run"},          {"program", program.name()},
        {"test_seed", options.seed}, {"verify", to_json(expected)},
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
  CLI::App* command = app.add_subcommand("run", "Run a program on a target; compare two.");
  command
      ->add_option("PROGRAM", options->program, "Program file, or evalmult: a relinearized product")
      ->required();
  command->add_option("--target", options->target, "Target to run on, as doctor lists them")
      ->capture_default_str();
  command->add_option("--verify", options->verify,
                      "Target to compare with [reference; none with --in]");
  command->add_option("--in", options->in, "Factors of evalmult: pairs of files");
  command->add_option("--key", options->key, "File with the relinearization key");
  command->add_option("--out", options->out, "Container for the products");
  command->add_option("--security", options->security, "Least that files need: 128, 192, 256, none")
      ->capture_default_str();
  add_seed(*command, options->seed);
  add_threads(*command, options->threads);
  command->add_option("--limbs", options->limbs, "Limbs of evalmult")
      ->check(whole_number())
      ->capture_default_str();
  command->add_flag("--rtl", options->rtl, "Run the Verilated RTL of a stream target");
  add_json(*command, options->json);
  command->callback([options, &context] {
    options->in.empty() ? run_program(*options, context) : run_on_files(*options, context);
  });
}

}  // namespace heliodor::cli
