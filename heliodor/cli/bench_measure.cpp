// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/bench_measure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "heliodor/cli/internal/progress_bar.h"
#include "heliodor/targets/cpu/cpu_target.h"
#include "heliodor/targets/cpu/stopwatch.h"
#include "heliodor/targets/reference/run_data.h"

namespace heliodor::cli {
namespace {

// One target for each number of threads, so that plans share their tables.
class Targets {
 public:
  explicit Targets(const cpu::KernelTable& kernels) : kernels_(kernels) {}

  const cpu::CpuTarget& with_threads(unsigned threads) {
    auto& target = targets_[threads];
    if (!target) target = std::make_unique<cpu::CpuTarget>(kernels_, threads);
    return *target;
  }

 private:
  const cpu::KernelTable& kernels_;
  std::map<unsigned, std::unique_ptr<cpu::CpuTarget>> targets_;
};

// A batch that occupies every thread is split by binding, and each thread runs its own alone.
double predict_ns(Targets& targets, const BenchCase& of, const program::LimbProgram& program) {
  const bool split = of.batch >= of.threads;
  const double seconds =
      targets.with_threads(split ? 1 : of.threads).predict(program).seconds * 1e9;
  if (!split) return seconds;
  const std::size_t longest = (of.batch + of.threads - 1) / of.threads;
  return seconds * static_cast<double>(longest) / static_cast<double>(of.batch);
}

// A third-level cache keeps what is read again and again only after about ten times: a dot of 12
// terms at N = 2^16 takes 1.1 ms at first, then 0.5, 0.3, .. down to 0.21. What takes longer than
// this in all brings its own bytes from memory anyway.
constexpr double kWarmNs = 2e7;
constexpr std::size_t kMaxWarmRuns = 12;

class RunningCase {
 public:
  RunningCase(const BenchCase& of, Targets& targets, reference::InputSource& source,
              double sample_ns)
      : of_(of),
        plan_(targets.with_threads(of.threads).plan(make_program(of.workload, of.size))),
        work_(count_work(of.workload, of.size)),
        inputs_(plan_->program(), of.batch, source),
        keys_(plan_->load(inputs_.shared())),
        outputs_(plan_->program(), of.batch),
        bindings_(bind(inputs_, outputs_)),
        predicted_ns_(predict_ns(targets, of, plan_->program())) {
    const double once = sample(1) * static_cast<double>(of.batch);
    const auto runs_in = [&](double ns, std::size_t most) {
      return static_cast<std::size_t>(
          std::clamp(std::ceil(ns / std::max(once, 1.0)), 1.0, static_cast<double>(most)));
    };
    repetitions_ = runs_in(sample_ns, 10000);
    warm_runs_ = runs_in(kWarmNs, kMaxWarmRuns);
  }

  void measure(const cpu::KernelTable& kernels, const cpu::OperationRates& operations,
               const cpu::ReadRates& reads) {
    times_.push_back(sample(repetitions_));
    const auto floor =
        floor_of(work_, of_.size.bits, traffic(), *kernels.rate_loops, operations, reads);
    if (!floor) return;
    floor_by_ = floor->by;
    floors_.push_back(floor->ns / of_.threads);
  }

  BenchRow row(const cpu::KernelTable& kernels) const {
    std::optional<Floor> floor;
    if (!floors_.empty()) floor = {median(floors_), floor_by_};
    return {of_, median(times_), predicted_ns_, floor,
            count_multiplies(work_, of_.size.bits, *kernels.rate_loops)};
  }

 private:
  // After runs that bring back to the caches what the other cases have displaced.
  double sample(std::size_t repetitions) const {
    for (std::size_t i = 0; i < warm_runs_; ++i) plan_->run(bindings_, *keys_);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < repetitions; ++i) plan_->run(bindings_, *keys_);
    return cpu::elapsed_ns(start) / static_cast<double>(repetitions * of_.batch);
  }

  Traffic traffic() const {
    const program::LimbProgram& program = plan_->program();
    const std::size_t shared = inputs_.shared().limbs.size();
    const std::size_t own = program.inputs().size() + program.outputs().size() - shared;
    const double footprint =
        static_cast<double>((shared + of_.batch * own) * program.degree() * sizeof(std::uint64_t));
    return {footprint / static_cast<double>(of_.batch), footprint};
  }

  BenchCase of_;
  std::unique_ptr<const program::Plan> plan_;
  WorkCount work_;
  reference::RunInputs inputs_;
  std::unique_ptr<const program::LoadedShared> keys_;
  reference::RunOutputs outputs_;
  std::vector<program::Binding> bindings_;
  double predicted_ns_;
  std::size_t repetitions_ = 1;
  std::size_t warm_runs_ = 1;
  std::vector<double> times_;
  std::vector<double> floors_;
  std::string_view floor_by_;
};

}  // namespace

double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

BenchResults measure(const std::vector<BenchCase>& cases, const cpu::KernelTable& kernels,
                     std::size_t rounds, double sample_ns, std::uint64_t seed,
                     ProgressBar& progress) {
  Targets targets(kernels);
  reference::UniformSource source(seed);
  std::vector<std::unique_ptr<RunningCase>> running;
  for (const BenchCase& of : cases)
    running.push_back(std::make_unique<RunningCase>(of, targets, source, sample_ns));
  const cpu::ReadRateMeter meter(kernels);
  std::vector<double> multiply, add, l2, l3, memory;
  for (std::size_t round = 0; round < rounds; ++round) {
    const cpu::ReadRates reads = meter.measure();
    l2.push_back(reads.l2_ns);
    l3.push_back(reads.l3_ns);
    memory.push_back(reads.memory_ns);
    for (const auto& running_case : running) {
      const cpu::OperationRates operations = measure_operation_rates(kernels);
      multiply.push_back(operations.multiply_ns);
      add.push_back(operations.add_ns);
      running_case->measure(kernels, operations, reads);
      progress.advance(1);
    }
  }
  BenchResults results;
  for (const auto& running_case : running) results.rows.push_back(running_case->row(kernels));
  results.operations = {median(multiply), median(add)};
  results.reads = {median(l2), median(l3), median(memory)};
  return results;
}

}  // namespace heliodor::cli
