// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// `heliodor bench ops`: whole operations of the schemes, through their evaluators, on sets of
// parameters that other libraries were measured with. Keys and ciphertexts are random limbs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/keyswitch/key_switch.h"

namespace heliodor::cli {

class ProgressBar;

struct OperationRow {
  std::string scheme;     ///< "ckks", "bgv", "bfv"
  std::string operation;  ///< "relinearize", "rotate", "multiply_rescale", "multiply"
  std::uint64_t degree = 0;
  double log_q = 0;  ///< of the limbs present
  double log_p = 0;  ///< of the special primes that the chosen key uses
  std::size_t limbs = 0;
  std::size_t digits = 0;
  rlwe::KeySwitchMethod method{};
  double ms = 0;  ///< median of the rounds, one operation per round
};

enum class Scheme : std::uint8_t { bgv, bfv, ckks };

/// Parameters and what is measured with them: relinearize, rotate and multiply_rescale of CKKS,
/// multiply (with relinearization) of the others.
struct OperationSet {
  Scheme scheme;
  std::uint64_t degree;
  std::size_t limbs;
  unsigned bits;                         ///< of each limb
  std::size_t digits;                    ///< as many as limbs: BV, without special primes
  std::vector<std::size_t> limb_counts;  ///< of the operands
};

/// Those of docs/reference/benchmarks.md.
std::vector<OperationSet> usual_operation_sets();

struct Operation {
  OperationRow row;  ///< but for its time
  std::function<void()> run;
};

/// The operations of a set, on limbs from the seed.
std::vector<Operation> operations_of(const OperationSet& set,
                                     const std::shared_ptr<const program::Target>& target,
                                     std::uint64_t seed);

/// Times every operation once in each of `rounds` >= 1 rounds, after one that is not timed.
std::vector<OperationRow> time_operations(const std::vector<Operation>& operations,
                                          std::size_t rounds,
                                          const std::function<void()>& after_round);

/// What measuring a set takes beside the others.
double work_of(const OperationSet& set);

/// time_operations of every set in turn. Each advances `progress` by work_of(set).
std::vector<OperationRow> measure_operations(const std::vector<OperationSet>& sets,
                                             const std::shared_ptr<const program::Target>& target,
                                             std::size_t rounds, std::uint64_t seed,
                                             ProgressBar& progress);

/// {"machine": {..}, "rows": [..]}, as docs/reference/benchmarks.md says.
nlohmann::ordered_json to_json(const std::vector<OperationRow>& rows,
                               const program::Target& target);

void print(const std::vector<OperationRow>& rows, std::ostream& out);

}  // namespace heliodor::cli
