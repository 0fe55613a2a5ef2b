// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor_bench_peers: our operations and those of the libraries that were found, in turns on one
// thread, so that both meet the same machine; medians and their ratios.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/peers/peers.h"
#include "heliodor/cli/table.h"
#include "heliodor/targets/cpu/rate_cache.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::peers {
namespace {

struct Peer {
  const char* name;
  std::function<std::vector<cli::Operation>(const cli::OperationSet&)> operations;
};

std::vector<Peer> present_peers() {
  std::vector<Peer> peers;
#ifdef HELIODOR_OPENFHE
  peers.push_back({"OpenFHE", openfhe_operations});
#endif
#ifdef HELIODOR_SEAL
  peers.push_back({"SEAL", seal_operations});
#endif
  return peers;
}

struct Comparison {
  const char* peer;
  cli::OperationRow ours, theirs;
};

std::vector<Comparison> compare(const Peer& peer, const cli::OperationSet& set,
                                std::size_t rounds) {
  std::vector<cli::Operation> operations = peer.operations(set);
  if (operations.empty()) return {};
  const std::size_t count = operations.size();
  for (cli::Operation& ours : cli::operations_of(set, registry::make_target("cpu", 1), 1)) {
    operations.push_back(std::move(ours));
  }
  const std::vector<cli::OperationRow> rows = cli::time_operations(operations, rounds, [] {});
  std::vector<Comparison> comparisons;
  for (std::size_t i = 0; i < count; ++i)
    comparisons.push_back({peer.name, rows[count + i], rows[i]});
  return comparisons;
}

void print(const std::vector<Comparison>& comparisons) {
  cli::Table table({"operation", "N", "ours: log Q", "time", "peer", "log Q", "time", "ratio"});
  for (const auto& [peer, ours, theirs] : comparisons) {
    table.add_row({fmt::format("{} {}, {} limbs", ours.scheme, ours.operation, ours.limbs),
                   std::to_string(ours.degree), fmt::format("{:.0f}", ours.log_q),
                   cli::format_seconds(ours.ms / 1e3), peer, fmt::format("{:.0f}", theirs.log_q),
                   cli::format_seconds(theirs.ms / 1e3),
                   fmt::format("{:.2f}", theirs.ms / ours.ms)});
  }
  table.write(std::cout);
}

nlohmann::ordered_json to_json(const std::vector<Comparison>& comparisons) {
  nlohmann::ordered_json json = {{"machine", {{"cpu", cpu::cpu_model()}}},
                                 {"rows", nlohmann::ordered_json::array()}};
  for (const auto& [peer, ours, theirs] : comparisons) {
    json["rows"].push_back({{"scheme", ours.scheme},
                            {"op", ours.operation},
                            {"n", ours.degree},
                            {"limbs", ours.limbs},
                            {"log_q", ours.log_q},
                            {"ms", ours.ms},
                            {"peer", peer},
                            {"peer_limbs", theirs.limbs},
                            {"peer_log_q", theirs.log_q},
                            {"peer_ms", theirs.ms},
                            {"ratio", theirs.ms / ours.ms}});
  }
  return json;
}

int run(int argc, char** argv) {
  CLI::App app("Compare operations of the schemes with other libraries, in one run");
  std::size_t rounds = 20;
  bool json = false;
  app.add_option("--rounds", rounds, "Times that each operation is timed")
      ->check(CLI::Range(1, 10000));
  app.add_flag("--json", json, "Print JSON");
  CLI11_PARSE(app, argc, argv);
  // The peers allocate in every operation: memory that is kept costs them no page faults.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, 256 << 20);
  std::vector<Comparison> comparisons;
  for (const cli::OperationSet& set : cli::usual_operation_sets()) {
    for (const Peer& peer : present_peers()) {
      for (Comparison& comparison : compare(peer, set, rounds)) {
        comparisons.push_back(std::move(comparison));
      }
    }
  }
  if (json) {
    std::cout << to_json(comparisons).dump(2) << '\n';
  } else {
    print(comparisons);
  }
  return 0;
}

}  // namespace
}  // namespace heliodor::peers

int main(int argc, char** argv) { return heliodor::peers::run(argc, argv); }
