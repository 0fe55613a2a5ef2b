// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor bench: the built-in workloads against the limits of this machine.
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/cli/bench_machine.h"
#include "heliodor/cli/bench_measure.h"
#include "heliodor/cli/bench_operations.h"
#include "heliodor/cli/bench_report.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/internal/progress_bar.h"
#include "heliodor/cli/internal/workload_options.h"
#include "heliodor/targets/cpu/cpu_target.h"

namespace heliodor::cli {
namespace {

constexpr std::size_t kRounds = 31, kQuickRounds = 5;
constexpr std::size_t kOperationRounds = 11, kQuickOperationRounds = 3;
constexpr double kSampleNs = 300e3, kQuickSampleNs = 100e3;
constexpr std::size_t kMaxBatch = 4096, kMaxThreads = 1024;

struct BenchOptions {
  std::string name;
  std::vector<std::uint64_t> degrees;
  std::vector<unsigned> bits;
  WorkloadOptions size;
  std::vector<std::size_t> batches;
  std::vector<unsigned> threads;
  std::string kernels;
  std::uint64_t seed = 1;
  std::string html;
  bool quick = false;
  bool json = false;
};

template <typename Number>
std::vector<Number> chosen(const std::vector<Number>& given, std::vector<Number> usual) {
  return given.empty() ? std::move(usual) : given;
}

void check_counts(const BenchOptions& options) {
  const auto check = [](const char* name, std::size_t value, std::size_t most) {
    if (value >= 1 && value <= most) return;
    throw Error(ErrorCode::out_of_range,
                fmt::format("{} {} is outside [1, {}]", name, value, most));
  };
  for (const std::size_t batch : options.batches) check("batch", batch, kMaxBatch);
  for (const unsigned threads : options.threads) check("threads", threads, kMaxThreads);
}

std::vector<Workload> workloads_of(const std::string& name) {
  if (name == "ntt") return {Workload::ntt, Workload::intt};
  const auto workload = workload_named(name);
  if (workload && *workload != Workload::intt) return {*workload};
  throw Error(ErrorCode::out_of_range,
              fmt::format("'{}' is not a benchmark; there are ntt, dot, baseconv, keyswitch, "
                          "evalmult, ops and machine",
                          name));
}

std::vector<BenchCase> make_cases(const BenchOptions& options) {
  const std::vector<Workload> workloads = workloads_of(options.name);
  const bool ntt = workloads[0] == Workload::ntt, evalmult = workloads[0] == Workload::evalmult;
  const WorkloadSize usual = options.size.applied_to(usual_size(workloads[0]));
  const auto degrees =
      chosen(options.degrees, ntt ? std::vector<std::uint64_t>{4096, 8192, 16384, 32768, 65536}
                                  : std::vector{usual.degree});
  const auto bits =
      chosen(options.bits, ntt ? std::vector{30U, 46U, 48U, 50U, 60U} : std::vector{usual.bits});
  const auto batches = chosen(
      options.batches, evalmult ? std::vector<std::size_t>{1, 64} : std::vector<std::size_t>{1});
  const auto threads = chosen(options.threads, evalmult ? std::vector{1U, 2U} : std::vector{1U});
  std::vector<BenchCase> cases;
  for (const Workload workload : workloads) {
    for (const unsigned b : bits) {
      for (const std::uint64_t degree : degrees) {
        WorkloadSize size = usual;
        size.bits = b;
        size.degree = degree;
        for (const std::size_t batch : batches) {
          for (const unsigned t : threads) cases.push_back({workload, size, batch, t});
        }
      }
    }
  }
  return cases;
}

void print_report_json(nlohmann::ordered_json report, const BenchOptions& options,
                       Context& context) {
  report["test_seed"] = options.seed;
  context.out << report.dump(2) << '\n';
}

void refuse_sizes(const BenchOptions& options) {
  const WorkloadSize none;
  if (!options.degrees.empty() || !options.bits.empty() || !options.batches.empty() ||
      !options.threads.empty() || options.size.applied_to(none) != none) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("{} takes no sizes, batches or threads", options.name));
  }
}

void bench_machines(const BenchOptions& options, Context& context) {
  refuse_sizes(options);
  const MachineBench results = measure_machines(options.quick);
  if (!options.html.empty()) {
    std::ofstream file(options.html, std::ios::binary);
    file << to_html(results);
    if (!file.flush()) throw Error(ErrorCode::io, "cannot write " + options.html);
  }
  if (options.json) {
    context.out << to_json(results).dump(2) << '\n';
  } else {
    print(results, context.out);
  }
}

void bench_operations(const BenchOptions& options, const cpu::KernelTable& kernels,
                      Context& context) {
  refuse_sizes(options);
  const auto target = std::make_shared<cpu::CpuTarget>(kernels, 1);
  const std::size_t rounds = options.quick ? kQuickOperationRounds : kOperationRounds;
  const auto sets = usual_operation_sets();
  double work = 0;
  for (const OperationSet& set : sets) work += work_of(set);
  ProgressBar progress(context.terminal, "bench", work);
  const auto rows = measure_operations(sets, target, rounds, options.seed, progress);
  progress.finish();
  if (options.json) {
    print_report_json(to_json(rows, *target), options, context);
  } else {
    print(rows, context.out);
  }
}

void bench(const BenchOptions& options, Context& context) {
  check_counts(options);
  announce_test_seed(options.seed, context);
  if (options.name == "machine") return bench_machines(options, context);
  if (!options.html.empty()) {
    throw Error(ErrorCode::out_of_range, fmt::format("{} writes no page", options.name));
  }
  const cpu::KernelTable& kernels =
      options.kernels.empty() ? cpu::chosen_kernel_table() : cpu::kernel_table(options.kernels);
  if (options.name == "ops") return bench_operations(options, kernels, context);
  const std::vector<BenchCase> cases = make_cases(options);
  const std::size_t rounds = options.quick ? kQuickRounds : kRounds;
  ProgressBar progress(context.terminal, "bench", static_cast<double>(rounds * cases.size()));
  const BenchResults results = measure(
      cases, kernels, rounds, options.quick ? kQuickSampleNs : kSampleNs, options.seed, progress);
  progress.finish();
  if (options.json) {
    print_report_json(to_json(results, kernels), options, context);
  } else {
    print(results, kernels, context.out);
  }
}

}  // namespace

void add_bench(CLI::App& app, Context& context) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "Measure built-in workloads against the machine's limits.");
  command
      ->add_option("NAME", options->name, "ntt, dot, baseconv, keyswitch, evalmult, ops or machine")
      ->required();
  const auto list = [&](const char* name, auto& values, const char* help) {
    command->add_option(name, values, help)
        ->delimiter(',')
        ->check(whole_number())
        ->option_text("A,B,..");
  };
  list("--degree", options->degrees, "Ring degrees N");
  list("--bits", options->bits, "Sizes of the primes");
  options->size.add_to(*command);
  list("--batch", options->batches, "Bindings per run");
  list("--threads", options->threads, "Threads");
  command->add_option("--kernels", options->kernels, "Kernel table, as doctor lists them");
  command->add_option("--html", options->html, "Write a page with the curves (machine)");
  command->add_flag("--quick", options->quick, "Fewer repetitions");
  add_seed(*command, options->seed);
  add_json(*command, options->json);
  command->callback([options, &context] { bench(*options, context); });
}

}  // namespace heliodor::cli
