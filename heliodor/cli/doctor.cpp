// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor doctor: what this machine offers, what Heliodor makes of it, and whether it computes
// right.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "heliodor/base/cpu_features.h"
#include "heliodor/base/error.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/internal/machine_facts.h"
#include "heliodor/cli/internal/progress_bar.h"
#include "heliodor/cli/internal/self_test.h"
#include "heliodor/cli/table.h"
#include "heliodor/targets/cpu/kernel_table.h"
#include "heliodor/targets/cpu/rate_cache.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

struct Findings {
  std::string cpu;
  std::string cpu_features;
  std::vector<std::string> kernel_tables;
  std::string chosen_kernel_table;  // empty if HELIODOR_CPU names none
  unsigned threads = 0;
  std::optional<Memory> memory_bytes;
  std::string huge_pages;
  std::vector<std::string> gpu_names;
  std::string verilator;  // its path, empty without
  std::vector<std::string> targets;
  std::string problem;  // why something above is missing
  std::vector<SelfTestResult> self_tests;

  bool healthy() const {
    return std::ranges::all_of(self_tests, &std::string::empty, &SelfTestResult::problem);
  }
};

Findings examine() {
  Findings findings;
  findings.cpu = cpu::cpu_model();
  findings.cpu_features = base::to_string(base::cpu_features());
  for (const cpu::KernelTable* table : cpu::supported_kernel_tables()) {
    findings.kernel_tables.emplace_back(table->name);
  }
  findings.threads = std::thread::hardware_concurrency();
  findings.memory_bytes = memory();
  findings.huge_pages = transparent_huge_pages();
  findings.gpu_names = gpus();
  const char* path = std::getenv("PATH");
  findings.verilator = find_program("verilator", path == nullptr ? "" : path).value_or("").string();
  try {
    findings.chosen_kernel_table = cpu::chosen_kernel_table().name;
    for (const auto& target : registry::present_targets()) {
      findings.targets.push_back(target->name());
    }
  } catch (const Error& error) {
    findings.problem = error.what();
  }
  return findings;
}

std::vector<SelfTestResult> test_this_machine(unsigned threads, Context& context) {
  const auto tests = self_tests(registry::make_target("cpu", threads));
  ProgressBar progress(context.terminal, "self-tests", static_cast<double>(tests.size()));
  std::vector<SelfTestResult> results;
  for (const SelfTest& test : tests) {
    results.push_back(run_self_test(test));
    progress.advance(1);
  }
  return results;
}

nlohmann::ordered_json to_json(const Findings& findings) {
  nlohmann::ordered_json report = {{"command", "doctor"},
                                   {"version", HELIODOR_VERSION},
                                   {"cpu", findings.cpu},
                                   {"cpu_features", findings.cpu_features},
                                   {"kernel_tables", findings.kernel_tables},
                                   {"chosen_kernel_table", findings.chosen_kernel_table},
                                   {"threads", findings.threads},
                                   {"memory_bytes", nullptr},
                                   {"huge_pages", findings.huge_pages},
                                   {"gpus", findings.gpu_names},
                                   {"verilator", findings.verilator},
                                   {"targets", findings.targets},
                                   {"problem", findings.problem},
                                   {"self_tests", nlohmann::ordered_json::array()}};
  if (findings.memory_bytes) {
    report["memory_bytes"] = {{"total", findings.memory_bytes->total},
                              {"available", findings.memory_bytes->available}};
  }
  for (const SelfTestResult& result : findings.self_tests) {
    report["self_tests"].push_back({{"name", result.name},
                                    {"passed", result.problem.empty()},
                                    {"problem", result.problem},
                                    {"seconds", result.seconds}});
  }
  return report;
}

std::string gibibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}

void print(const Findings& findings, std::ostream& out) {
  const auto line = [&](const char* what, const std::string& value, const char* without) {
    out << fmt::format("{:<15}{}\n", what, value.empty() ? without : value);
  };
  line("CPU", findings.cpu, "unknown");
  line("CPU features", findings.cpu_features, "none");
  line("kernel tables", fmt::format("{}", fmt::join(findings.kernel_tables, ", ")), "none");
  line("chosen", findings.chosen_kernel_table, "none");
  line("threads", std::to_string(findings.threads), "");
  const auto& memory = findings.memory_bytes;
  line("memory",
       memory
           ? fmt::format("{}, {} available", gibibytes(memory->total), gibibytes(memory->available))
           : "",
       "unknown");
  line("huge pages", findings.huge_pages, "unknown");
  line("GPU", fmt::format("{}", fmt::join(findings.gpu_names, ", ")), "none seen");
  line("Verilator", findings.verilator, "not found: RTL cannot be simulated");
  line("targets", fmt::format("{}", fmt::join(findings.targets, ", ")), "none");
  if (findings.self_tests.empty()) return;
  out << '\n';
  Table table({"self-test", "time", "result"});
  for (const SelfTestResult& result : findings.self_tests) {
    table.add_row({result.name, format_seconds(result.seconds),
                   result.problem.empty() ? "passed" : "FAILED"});
  }
  table.write(out);
}

void doctor(bool json, unsigned threads, Context& context) {
  Findings findings = examine();
  if (findings.problem.empty()) findings.self_tests = test_this_machine(threads, context);
  if (json) {
    context.out << to_json(findings).dump(2) << '\n';
  } else {
    print(findings, context.out);
  }
  for (const SelfTestResult& result : findings.self_tests) {
    if (!result.problem.empty())
      context.err << fmt::format("heliodor: {}: {}\n", result.name, result.problem);
  }
  if (!findings.healthy()) context.result = ExitCode::wrong_result;
  if (findings.problem.empty()) return;
  context.err << "heliodor: " << findings.problem << '\n';
  context.result = ExitCode::not_available;
}

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
  auto json = std::make_shared<bool>(false);
  auto threads = std::make_shared<unsigned>(1);
  CLI::App* command =
      app.add_subcommand("doctor", "Show what this machine offers; run self-tests.");
  add_threads(*command, *threads);
  add_json(*command, *json);
  command->callback([json, threads, &context] { doctor(*json, *threads, context); });
}

}  // namespace heliodor::cli
