// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor demo: keys, encryption, a product on every target, decryption.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/internal/demo_product.h"
#include "heliodor/cli/internal/progress_bar.h"
#include "heliodor/cli/internal/target_run.h"
#include "heliodor/cli/table.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

constexpr int kRepetitions = 3;
constexpr std::size_t kShownSlots = 4;

struct DemoOptions {
  std::uint64_t degree = 8192;
  std::string machine;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  bool json = false;
};

struct DemoReport {
  const DemoProduct& product;
  std::vector<TargetRun> runs;           // the reference first
  std::vector<std::uint64_t> decrypted;  // of the reference, whose limbs all others must have
  std::size_t right_slots = 0;

  bool decrypts() const { return right_slots == decrypted.size(); }
  bool right() const {
    return decrypts() && std::ranges::all_of(
                             runs, [](const TargetRun& run) { return run.right() || run.refusal; });
  }
};

DemoReport multiply_everywhere(const DemoProduct& product, const Targets& targets,
                               std::ostream* terminal) {
  double seconds = 0;
  for (const auto& target : targets) seconds += expected_seconds(*target, product.program());
  ProgressBar progress(terminal, "demo", seconds);
  DemoReport report{product, {}, {}};
  for (const auto& target : targets) {
    TargetRun run = run_on(*target, product.program(), product.inputs(), kRepetitions);
    progress.advance(expected_seconds(*target, product.program()));
    if (report.runs.empty()) {
      report.decrypted = product.decrypt(*run.outputs);
      report.right_slots = product.right_slots(report.decrypted);
      run.equal = report.decrypts();
    } else if (!run.refusal && !run.fault) {
      compare(report.runs.front(), run);
    }
    report.runs.push_back(std::move(run));
  }
  return report;
}

void print_json(const DemoReport& report, const DemoOptions& options, std::ostream& out) {
  const bgv::Parameters& parameters = report.product.parameters();
  nlohmann::ordered_json json = {{"command", "demo"},
                                 {"scheme", "bgv"},
                                 {"degree", parameters.degree()},
                                 {"plaintext_modulus", parameters.t().value()},
                                 {"log_qp", parameters.rlwe().log_qp()},
                                 {"security", rlwe::to_string(parameters.rlwe().security())},
                                 {"test_seed", options.seed},
                                 {"threads", options.threads},
                                 {"moduli", nlohmann::ordered_json::array()},
                                 {"targets", nlohmann::ordered_json::array()}};
  for (const ring::Modulus& q : report.product.program().moduli())
    json["moduli"].push_back(q.value());
  for (const TargetRun& run : report.runs) json["targets"].push_back(to_json(run));
  json["decrypted"] = {{"slots", report.decrypted.size()}, {"right", report.right_slots}};
  json["equal"] = report.right();
  out << json.dump(2) << '\n';
}

void print_parameters(const DemoReport& report, const DemoOptions& options, std::ostream& out) {
  const DemoProduct& product = report.product;
  const rlwe::Parameters& parameters = product.parameters().rlwe();
  const bool toy = parameters.security() == rlwe::SecurityLevel::none;
  out << fmt::format(
      "BGV, N = {}, t = {}: {} limbs and {} special primes, log2(QP) = {:.1f}. Security: {}{}.\n"
      "Keys and ciphertexts come from test seed {}: repeatable, for demonstration only.\n"
      "The product of two encrypted vectors, relinearized (hybrid, {} digits), is one LimbProgram "
      "of "
      "{} instructions.\n\n",
      parameters.degree(), product.parameters().t().value(), parameters.q().size(),
      parameters.p().size(), parameters.log_qp(), rlwe::to_string(parameters.security()),
      toy ? " - TOY PARAMETERS, NOTHING IS SECRET" : " (2024 guidelines, classical)", options.seed,
      product.digit_count(), product.program().instruction_count());
}

void print_slots(const DemoReport& report, std::ostream& out) {
  const std::size_t shown = std::min(kShownSlots, report.decrypted.size());
  for (std::size_t i = 0; i < shown; ++i) {
    out << fmt::format("  slot {}: {} * {} = {} modulo {}\n", i, report.product.x()[i],
                       report.product.y()[i], report.decrypted[i],
                       report.product.parameters().t().value());
  }
  out << fmt::format("{} of {} slots decrypt to the product: {}\n", report.right_slots,
                     report.decrypted.size(), report.decrypts() ? "right" : "WRONG");
}

void print_report(const DemoReport& report, const DemoOptions& options, std::ostream& out) {
  print_parameters(report, options, out);
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
  print_slots(report, out);
  out << (report.right() ? "Every word of every target is equal.\n" : "Results differ.\n");
}

void demo(const DemoOptions& options, Context& context) {
  announce_test_seed(options.seed, context);
  Targets targets = registry::present_targets(options.threads);
  if (!options.machine.empty()) {
    targets.push_back(registry::make_machine(options.machine));
  }
  const DemoProduct product(demo_parameters(options.degree, targets),
                            registry::make_target("cpu", options.threads), options.seed);
  const DemoReport report = multiply_everywhere(product, targets, context.terminal);
  if (options.json) {
    print_json(report, options, context.out);
  } else {
    print_report(report, options, context.out);
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
  CLI::App* command = app.add_subcommand("demo", "Multiply encrypted vectors on every target.");
  command->add_option("--degree", options->degree, "Ring degree N, a power of two")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--machine", options->machine, "Description (TOML) of one more machine");
  add_seed(*command, options->seed);
  add_threads(*command, options->threads);
  add_json(*command, options->json);
  command->callback([options, &context] { demo(*options, context); });
}

}  // namespace heliodor::cli
