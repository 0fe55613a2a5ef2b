// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor demo: one polynomial product on every target present.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/internal/schoolbook.h"
#include "heliodor/cli/internal/target_run.h"
#include "heliodor/cli/table.h"
#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

constexpr std::uint32_t kLimbCount = 3;
constexpr std::size_t kCheckedCoefficients = 8;  // of each limb, by the schoolbook formula
constexpr int kRepetitions = 3;

struct DemoOptions {
  std::uint64_t degree = 4096;
  std::string machine;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  bool json = false;
};

using Targets = std::vector<std::unique_ptr<program::Target>>;

void check_degree(std::uint64_t degree) {
  if (std::has_single_bit(degree) && degree >= 2 && degree <= ring::Modulus::kMaxDegree) return;
  throw Error(ErrorCode::out_of_range, fmt::format("degree {} is not a power of two in [2, {}]",
                                                   degree, ring::Modulus::kMaxDegree));
}

program::LimbProgram product_program(std::uint64_t degree, unsigned bits) {
  std::vector<ring::Modulus> moduli;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, kLimbCount)) {
    moduli.emplace_back(q, degree);
  }
  program::Builder b(moduli, "product");
  for (std::uint32_t i = 0; i < kLimbCount; ++i) {
    const auto x = b.operand(fmt::format("x{}", i), i, program::Domain::coeff);
    const auto y = b.operand(fmt::format("y{}", i), i, program::Domain::coeff);
    const auto x_eval = b.ntt(x);
    b.output(fmt::format("z{}", i), b.intt(b.mul(x_eval, b.ntt(y))));
  }
  return b.build();
}

// With the largest primes that every target takes, or the largest of all if there are none such.
program::LimbProgram product_program_for(const Targets& targets, std::uint64_t degree) {
  constexpr std::array kBits = {50U, 45U, 40U, 36U, 30U};
  for (const unsigned bits : kBits) {
    program::LimbProgram program = product_program(degree, bits);
    const auto takes = [&](const auto& target) { return !target->refusal(program).has_value(); };
    if (std::ranges::all_of(targets, takes)) return program;
  }
  return product_program(degree, kBits.front());
}

// Whether a few coefficients of each limb are what the schoolbook formula says.
bool schoolbook_agrees(const program::LimbProgram& program, const reference::RunInputs& inputs,
                       const reference::RunOutputs& outputs) {
  const std::uint64_t degree = program.degree();
  for (std::uint32_t i = 0; i < kLimbCount; ++i) {
    const auto x = inputs.operands(0)[2 * i];
    const auto y = inputs.operands(0)[2 * i + 1];
    for (std::size_t c = 0; c < kCheckedCoefficients; ++c) {
      // Spread from the first coefficient to the last.
      const std::uint64_t k = c * (degree - 1) / (kCheckedCoefficients - 1);
      const std::uint64_t q = program.moduli()[i].value();
      if (negacyclic_coefficient(x, y, k, q) != outputs.limb(0, i)[k]) return false;
    }
  }
  return true;
}

struct DemoReport {
  program::LimbProgram program;
  std::vector<TargetRun> runs;  // the reference first
  bool schoolbook = false;

  bool right() const {
    return schoolbook && std::ranges::all_of(
                             runs, [](const TargetRun& run) { return run.right() || run.refusal; });
  }
};

DemoReport multiply_everywhere(const Targets& targets, const DemoOptions& options) {
  DemoReport report{.program = product_program_for(targets, options.degree), .runs = {}};
  reference::UniformSource source(options.seed);
  const reference::RunInputs inputs(report.program, 1, source);
  for (const auto& target : targets) {
    TargetRun run = run_on(*target, report.program, inputs, kRepetitions);
    if (report.runs.empty()) {
      report.schoolbook = schoolbook_agrees(report.program, inputs, *run.outputs);
      run.equal = report.schoolbook;
    } else if (!run.refusal && !run.fault) {
      compare(report.runs.front(), run);
    }
    report.runs.push_back(std::move(run));
  }
  return report;
}

void print_json(const DemoReport& report, const DemoOptions& options, std::ostream& out) {
  nlohmann::ordered_json json = {{"command", "demo"},
                                 {"degree", options.degree},
                                 {"test_seed", options.seed},
                                 {"threads", options.threads},
                                 {"moduli", nlohmann::ordered_json::array()},
                                 {"targets", nlohmann::ordered_json::array()}};
  for (const ring::Modulus& q : report.program.moduli()) json["moduli"].push_back(q.value());
  for (const TargetRun& run : report.runs) json["targets"].push_back(to_json(run));
  json["schoolbook"] = {{"coefficients", kLimbCount * kCheckedCoefficients},
                        {"equal", report.schoolbook}};
  json["equal"] = report.right();
  out << json.dump(2) << '\n';
}

void print_table(const DemoReport& report, const DemoOptions& options, std::ostream& out) {
  const auto moduli = report.program.moduli();
  out << fmt::format(
      "Product of two random polynomials modulo X^{} + 1 and Q, as one LimbProgram of {} "
      "instructions.\nQ = {} * {} * {}, {} bits each. Inputs from test seed {}.\n\n",
      options.degree, report.program.instruction_count(), moduli[0].value(), moduli[1].value(),
      moduli[2].value(), moduli[0].bits(), options.seed);
  Table table(table_header());
  for (const TargetRun& run : report.runs) table.add_row(table_row(run));
  table.write(out);
  out << '\n';
  for (const TargetRun& run : report.runs) {
    if (run.refusal) out << fmt::format("{} refused: {}\n", run.name, *run.refusal);
    if (run.fault) {
      out << fmt::format("{}: fault in cycle {} at instruction {}: {}\n", run.name,
                         run.fault->cycle, run.fault->instruction, run.fault->reason);
    }
  }
  out << fmt::format("{} coefficients of the reference by the schoolbook formula: {}\n",
                     kLimbCount * kCheckedCoefficients, report.schoolbook ? "equal" : "NOT EQUAL")
      << (report.right() ? "Every word of every target is equal.\n" : "Results differ.\n");
}

void demo(const DemoOptions& options, Context& context) {
  check_degree(options.degree);
  Targets targets = registry::present_targets(options.threads);
  if (!options.machine.empty()) {
    targets.push_back(registry::make_machine(options.machine));
  }
  const DemoReport report = multiply_everywhere(targets, options);
  if (options.json) {
    print_json(report, options, context.out);
  } else {
    print_table(report, options, context.out);
  }
  if (!report.right()) {
    context.result = ExitCode::wrong_result;
  } else if (!options.machine.empty() && report.runs.back().refusal) {
    context.result = ExitCode::not_available;  // the machine that was asked for took no part
  }
}

}  // namespace

void add_demo(CLI::App& app, Context& context) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command =
      app.add_subcommand("demo", "Multiply two polynomials on every target and compare.");
  command->add_option("--degree", options->degree, "Ring degree N, a power of two")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--machine", options->machine, "Description (TOML) of one more machine");
  command->add_option("--seed", options->seed, "Test seed of the inputs")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Threads of CPU targets, 0 for all")
      ->check(whole_number())
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &context] { demo(*options, context); });
}

}  // namespace heliodor::cli
