// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor doctor: what this machine offers and what Heliodor makes of it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "heliodor/base/cpu_features.h"
#include "heliodor/base/error.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/targets/cpu/kernel_table.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::cli {
namespace {

struct Findings {
  std::string cpu_features;
  std::vector<std::string> kernel_tables;
  std::string chosen_kernel_table;  // empty if HELIODOR_CPU names none
  std::string huge_pages;
  unsigned threads = 0;
  std::vector<std::string> targets;
  std::string problem;  // why something above is missing
};

// The kernel's setting, "always", "madvise" or "never"; "unknown" where it does not say.
std::string transparent_huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string word;
  while (file >> word) {
    if (word.starts_with('[') && word.ends_with(']')) return word.substr(1, word.size() - 2);
  }
  return "unknown";
}

Findings examine() {
  Findings findings;
  findings.cpu_features = base::to_string(base::cpu_features());
  for (const cpu::KernelTable* table : cpu::supported_kernel_tables()) {
    findings.kernel_tables.emplace_back(table->name);
  }
  findings.huge_pages = transparent_huge_pages();
  findings.threads = std::thread::hardware_concurrency();
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

void print(const Findings& findings, std::ostream& out) {
  const auto line = [&](const char* what, const std::string& value) {
    out << fmt::format("{:<15}{}\n", what, value);
  };
  line("CPU features", findings.cpu_features);
  line("kernel tables", fmt::format("{}", fmt::join(findings.kernel_tables, ", ")));
  line("chosen", findings.chosen_kernel_table.empty() ? "none" : findings.chosen_kernel_table);
  line("huge pages", findings.huge_pages);
  line("threads", std::to_string(findings.threads));
  line("targets", fmt::format("{}", fmt::join(findings.targets, ", ")));
}

void doctor(bool json, Context& context) {
  const Findings findings = examine();
  if (json) {
    const nlohmann::ordered_json report = {{"command", "doctor"},
                                           {"version", HELIODOR_VERSION},
                                           {"cpu_features", findings.cpu_features},
                                           {"kernel_tables", findings.kernel_tables},
                                           {"chosen_kernel_table", findings.chosen_kernel_table},
                                           {"huge_pages", findings.huge_pages},
                                           {"threads", findings.threads},
                                           {"targets", findings.targets},
                                           {"problem", findings.problem}};
    context.out << report.dump(2) << '\n';
  } else {
    print(findings, context.out);
  }
  if (findings.problem.empty()) return;
  context.err << "heliodor: " << findings.problem << '\n';
  context.result = ExitCode::not_available;
}

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("doctor", "Show CPU features, kernel tables, threads and targets.");
  command->add_flag("--json", *json, "Print JSON");
  command->callback([json, &context] { doctor(*json, context); });
}

}  // namespace heliodor::cli
