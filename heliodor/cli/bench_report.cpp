// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/bench_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <thread>

#include "heliodor/base/cpu_features.h"
#include "heliodor/cli/table.h"
#include "heliodor/targets/cpu/rate_cache.h"

namespace heliodor::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string_view to_string(cpu::Multiplier multiplier) {
  switch (multiplier) {
    case cpu::Multiplier::scalar_64:
      return "scalar_64";
    case cpu::Multiplier::vector_32:
      return "vector_32";
    case cpu::Multiplier::vector_52:
      break;
  }
  return "vector_52";
}

bool is_transform(Workload workload) {
  return workload == Workload::ntt || workload == Workload::intt;
}

// Short workloads are reported in ns.
bool in_ns(Workload workload) { return is_transform(workload) || workload == Workload::dot; }

std::string_view bench_name(Workload workload) {
  return is_transform(workload) ? "ntt" : to_string(workload);
}

// Throughput against the row that differs only in having one thread.
std::optional<double> speedup(const BenchResults& results, const BenchRow& row) {
  if (row.of.threads == 1) return std::nullopt;
  for (const BenchRow& other : results.rows) {
    if (other.of.threads == 1 && other.of.batch == row.of.batch &&
        other.of.workload == row.of.workload && other.of.size == row.of.size) {
      return other.ns / row.ns;
    }
  }
  return std::nullopt;
}

std::optional<double> cycles_per_multiply(const BenchResults& results, const BenchRow& row) {
  if (row.of.workload != Workload::baseconv || !row.multiplies) return std::nullopt;
  return row.ns / (*row.multiplies * results.operations.multiply_ns);
}

Json row_json(const BenchResults& results, const BenchRow& row) {
  const auto& [workload, size, batch, threads] = row.of;
  Json json = {{"bench", bench_name(workload)}, {"n", size.degree}, {"prime_bits", size.bits}};
  if (is_transform(workload)) json["direction"] = workload == Workload::ntt ? "forward" : "inverse";
  if (size.limbs > 0) json["limbs"] = size.limbs;
  if (size.special > 0) json["special"] = size.special;
  if (size.digits > 0) json["digits"] = size.digits;
  if (workload == Workload::keyswitch) json["method"] = "hybrid";
  if (workload == Workload::evalmult) json["method"] = "bv";
  json["batch"] = batch;
  json["threads"] = threads;
  constexpr double kMs = 1e6;
  const bool ns = in_ns(workload);
  json[ns ? "ns" : "ms"] = ns ? row.ns : row.ns / kMs;
  json["predicted_ms"] = row.predicted_ns / kMs;
  Json& floor = json[ns ? "floor_ns" : "floor_ms"];
  if (row.floor) floor = ns ? row.floor->ns : row.floor->ns / kMs;
  Json& by = json["floor_by"];
  if (row.floor) by = row.floor->by;
  Json& ratio = json["ratio"];
  if (row.floor) ratio = *row.ratio();
  if (const auto cycles = cycles_per_multiply(results, row)) json["cycles_per_ifma"] = *cycles;
  if (const auto gain = speedup(results, row)) json["speedup"] = *gain;
  return json;
}

double gigabytes_per_second(double ns_per_byte) { return 1 / ns_per_byte; }

std::string sizes_text(const BenchRow& row) {
  const auto& [workload, size, batch, threads] = row.of;
  std::string text = fmt::format("{} N={} {} bits", to_string(workload), size.degree, size.bits);
  if (size.limbs > 0) text += fmt::format(", {} limbs", size.limbs);
  if (size.special > 0)
    text += fmt::format(" {} {}", workload == Workload::baseconv ? "to" : "+", size.special);
  if (size.digits > 0)
    text += fmt::format(", {} {}", size.digits, workload == Workload::dot ? "terms" : "digits");
  if (batch > 1) text += fmt::format(", batch {}", batch);
  if (threads > 1) text += fmt::format(", {} threads", threads);
  return text;
}

std::string factor_text(std::optional<double> factor) {
  return factor ? fmt::format("{:.2f}", *factor) : "-";
}

}  // namespace

Json to_json(const BenchResults& results, const cpu::KernelTable& kernels) {
  Json json = {{"machine",
                {{"cpu", cpu::cpu_model()},
                 {"cpu_features", base::to_string(base::cpu_features())},
                 {"cpus", std::thread::hardware_concurrency()},
                 {"kernels", kernels.name},
                 {"multiplier", to_string(kernels.rate_loops->multiplier)},
                 {"lanes", kernels.rate_loops->lanes},
                 {"multiply_ns", results.operations.multiply_ns},
                 {"add_ns", results.operations.add_ns},
                 {"l2_bytes", cpu::cache_sizes().l2},
                 {"l3_bytes", cpu::cache_sizes().l3},
                 {"l2_gb_per_s", gigabytes_per_second(results.reads.l2_ns)},
                 {"l3_gb_per_s", gigabytes_per_second(results.reads.l3_ns)},
                 {"memory_gb_per_s", gigabytes_per_second(results.reads.memory_ns)}}},
               {"rows", Json::array()}};
  for (const BenchRow& row : results.rows) json["rows"].push_back(row_json(results, row));
  return json;
}

void print(const BenchResults& results, const cpu::KernelTable& kernels, std::ostream& out) {
  Table table({"workload", "time", "predicted", "floor", "by", "ratio"});
  for (const BenchRow& row : results.rows) {
    constexpr double kSecond = 1e9;
    table.add_row({sizes_text(row), format_seconds(row.ns / kSecond),
                   format_seconds(row.predicted_ns / kSecond),
                   row.floor ? format_seconds(row.floor->ns / kSecond) : "-",
                   row.floor ? std::string(row.floor->by) : "-", factor_text(row.ratio())});
  }
  table.write(out);
  out << '\n';
  for (const BenchRow& row : results.rows) {
    if (const auto cycles = cycles_per_multiply(results, row)) {
      out << fmt::format(
          "{}: {:.2f} cycles per {}\n", sizes_text(row), *cycles,
          kernels.rate_loops->multiplier == cpu::Multiplier::vector_52 ? "IFMA" : "multiplication");
    }
    if (const auto gain = speedup(results, row)) {
      out << fmt::format("{}: {:.2f} times the throughput of one\n", sizes_text(row), *gain);
    }
  }
  out << fmt::format(
      "kernels {}: {} multiplications of {} lanes at {:.3f} ns, additions at {:.3f} ns\n"
      "reads in GB/s: L2 {:.0f}, L3 {:.0f}, memory {:.1f}\n"
      "Times are medians per binding of runs interleaved with the measurement of these rates.\n",
      kernels.name, to_string(kernels.rate_loops->multiplier), kernels.rate_loops->lanes,
      results.operations.multiply_ns, results.operations.add_ns,
      gigabytes_per_second(results.reads.l2_ns), gigabytes_per_second(results.reads.l3_ns),
      gigabytes_per_second(results.reads.memory_ns));
}

}  // namespace heliodor::cli
