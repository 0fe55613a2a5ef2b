// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/bench_operations.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <random>
#include <span>
#include <utility>

#include "heliodor/cli/bench_measure.h"
#include "heliodor/cli/internal/progress_bar.h"
#include "heliodor/cli/table.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/schemes/bfv/evaluator.h"
#include "heliodor/schemes/ckks/evaluator.h"
#include "heliodor/targets/cpu/rate_cache.h"

namespace heliodor::cli {
namespace {

using Description = rlwe::Parameters::Description;
using Target = std::shared_ptr<const program::Target>;

class RandomLimbs {
 public:
  explicit RandomLimbs(std::uint64_t seed) : random_(seed) {}

  rlwe::LimbMatrix draw(std::size_t parts, std::span<const ring::Modulus> moduli) {
    rlwe::LimbMatrix limbs(parts, moduli.size(), moduli[0].degree());
    for (std::size_t part = 0; part < parts; ++part) {
      for (std::size_t i = 0; i < moduli.size(); ++i) {
        for (std::uint64_t& word : limbs.limb(part, i)) word = moduli[i].reduce(random_());
      }
    }
    return limbs;
  }

  rlwe::Ciphertext ciphertext(const rlwe::Parameters& parameters, std::size_t parts,
                              std::size_t limb_count) {
    return {draw(parts, parameters.q().moduli().first(limb_count)), {}};
  }

  // One for each gadget.
  rlwe::EvaluationKeys keys(const rlwe::Parameters& parameters) {
    rlwe::EvaluationKeys keys;
    for (const rlwe::Gadget& gadget : parameters.gadgets()) {
      const auto q = parameters.q().moduli().first(gadget.max_limb_count);
      const auto p = parameters.p().first(gadget.special_count);
      std::vector<ring::Modulus> qp(q.begin(), q.end());
      qp.insert(qp.end(), p.begin(), p.end());
      keys.push_back(
          {gadget, draw(2 * gadget.digit_count(gadget.max_limb_count), qp), std::nullopt});
    }
    return keys;
  }

 private:
  std::mt19937_64 random_;
};

double log2_of(std::span<const ring::Modulus> moduli) {
  double sum = 0;
  for (const ring::Modulus& q : moduli) sum += std::log2(static_cast<double>(q.value()));
  return sum;
}

using Emit = std::function<program::LimbProgram(const rlwe::KeySwitchShape&)>;

// `emit` writes the program that the evaluator runs, so that the planner's choice is the same.
OperationRow describe(const char* scheme, const char* operation, const rlwe::Parameters& parameters,
                      const rlwe::KeySwitchPlanner& planner, std::size_t limbs, const Emit& emit) {
  const rlwe::KeySwitchShape shape =
      planner.choose(fmt::format("bench/{}", operation), limbs, emit).front().shape;
  OperationRow row;
  row.scheme = scheme;
  row.operation = operation;
  row.degree = parameters.degree();
  row.log_q = log2_of(parameters.q().moduli().first(limbs));
  row.log_p = log2_of(parameters.p().first(shape.gadget.special_count));
  row.limbs = limbs;
  row.digits = shape.gadget.digit_count(limbs);
  row.method = shape.method;
  return row;
}

// BV where there are as many digits as limbs. No security is asked for: seed sets have none.
Description describe_moduli(const OperationSet& set) {
  Description description =
      rlwe::choose_moduli({set.degree, std::vector(set.limbs, set.bits), set.digits});
  description.security = rlwe::SecurityLevel::none;
  if (set.digits == set.limbs) {
    description.p.clear();
    description.gadgets = {{1, 0, set.limbs}};
  }
  return description;
}

std::vector<Operation> ckks_operations(const OperationSet& set, const Target& target,
                                       std::uint64_t seed) {
  const auto context = ckks::make_context(
      ckks::Parameters(describe_moduli(set), ckks::Scale::power_of_two(47)), target);
  const rlwe::Parameters& parameters = context->rlwe()->parameters();
  RandomLimbs random(seed);
  const std::uint64_t element = ring::galois_element_of_rotation(1, set.degree);
  const auto evaluator = std::make_shared<ckks::Evaluator>(
      context, rlwe::RelinearizationKeys{random.keys(parameters)},
      rlwe::GaloisKeys{{{element, random.keys(parameters)}}}, rlwe::Matching::exact);
  std::vector<Operation> operations;
  for (const std::size_t l : set.limb_counts) {
    const auto draw = [&](std::size_t parts) {
      return std::make_shared<const ckks::Ciphertext>(
          ckks::Ciphertext{random.ciphertext(parameters, parts, l), {}, set.degree / 2});
    };
    const auto add = [&](const char* name, std::function<void()> run, const Emit& emit) {
      operations.push_back(
          {describe("ckks", name, parameters, evaluator->planner(), l, emit), std::move(run)});
    };
    const auto x = draw(2), y = draw(2), three = draw(3);
    add(
        "relinearize", [=] { evaluator->relinearize(*three); },
        [&](const auto& shape) { return relinearize_program(parameters, shape, l); });
    add(
        "rotate", [=] { evaluator->rotate(*x, 1); },
        [&](const auto& shape) {
          return automorphisms_program(parameters, shape, l, std::span(&element, 1));
        });
    add(
        "multiply_rescale", [=] { evaluator->multiply(*x, *y); },
        [&](const auto& shape) { return multiply_program(parameters, shape, l, 1); });
  }
  return operations;
}

// BGV's product is that of the phases, with errors that are multiples of t.
std::vector<Operation> bgv_operations(const OperationSet& set, const Target& target,
                                      std::uint64_t seed) {
  Description description = describe_moduli(set);
  description.error_scale = 257;
  const auto context =
      std::make_shared<const rlwe::Context>(rlwe::Parameters(std::move(description)), target);
  const rlwe::Parameters& parameters = context->parameters();
  RandomLimbs random(seed);
  const auto evaluator = std::make_shared<rlwe::Evaluator>(
      context, rlwe::RelinearizationKeys{random.keys(parameters)});
  std::vector<Operation> operations;
  for (const std::size_t l : set.limb_counts) {
    const auto x = std::make_shared<const rlwe::Ciphertext>(random.ciphertext(parameters, 2, l));
    const auto y = std::make_shared<const rlwe::Ciphertext>(random.ciphertext(parameters, 2, l));
    operations.push_back(
        {describe("bgv", "multiply", parameters, evaluator->planner(), l,
                  [&](const auto& shape) { return multiply_program(parameters, shape, l, 0); }),
         [=] { evaluator->multiply(*x, *y); }});
  }
  return operations;
}

std::vector<Operation> bfv_operations(const OperationSet& set, const Target& target,
                                      std::uint64_t seed) {
  const auto context =
      std::make_shared<const bfv::Context>(bfv::Parameters(describe_moduli(set), 65537), target);
  const bfv::Parameters& parameters = context->parameters();
  RandomLimbs random(seed);
  const auto evaluator = std::make_shared<bfv::Evaluator>(
      context, rlwe::RelinearizationKeys{random.keys(parameters.rlwe())}, rlwe::GaloisKeys{},
      rlwe::Matching::exact);
  std::vector<Operation> operations;
  for (const std::size_t l : set.limb_counts) {
    const auto draw = [&] {
      return std::make_shared<const bfv::Ciphertext>(random.ciphertext(parameters.rlwe(), 2, l));
    };
    const auto x = draw(), y = draw();
    operations.push_back({describe("bfv", "multiply", parameters.rlwe(), evaluator->planner(), l,
                                   [&](const auto& shape) {
                                     return bfv::multiply_program(parameters, bfv::Factors::two,
                                                                  shape, l);
                                   }),
                          [=] { evaluator->multiply(*x, *y); }});
  }
  return operations;
}

nlohmann::ordered_json row_json(const OperationRow& row) {
  return {{"scheme", row.scheme}, {"op", row.operation},
          {"n", row.degree},      {"log_q", row.log_q},
          {"log_p", row.log_p},   {"limbs", row.limbs},
          {"digits", row.digits}, {"method", to_string(row.method)},
          {"ms", row.ms}};
}

}  // namespace

std::vector<OperationSet> usual_operation_sets() {
  return {{Scheme::ckks, 65536, 27, 47, 3, {27, 3}}, {Scheme::ckks, 32768, 16, 47, 8, {16}},
          {Scheme::ckks, 32768, 16, 43, 4, {16}},    {Scheme::bgv, 4096, 12, 30, 12, {12}},
          {Scheme::bfv, 8192, 3, 40, 2, {3}},        {Scheme::bfv, 32768, 13, 46, 3, {13}}};
}

std::vector<Operation> operations_of(const OperationSet& set, const Target& target,
                                     std::uint64_t seed) {
  switch (set.scheme) {
    case Scheme::bgv:
      return bgv_operations(set, target, seed);
    case Scheme::bfv:
      return bfv_operations(set, target, seed);
    case Scheme::ckks:
      break;
  }
  return ckks_operations(set, target, seed);
}

std::vector<OperationRow> time_operations(const std::vector<Operation>& operations,
                                          std::size_t rounds,
                                          const std::function<void()>& after_round) {
  std::vector<std::vector<double>> times(operations.size());
  for (const Operation& operation : operations) operation.run();
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const auto start = std::chrono::steady_clock::now();
      operations[i].run();
      const std::chrono::duration<double, std::milli> elapsed =
          std::chrono::steady_clock::now() - start;
      times[i].push_back(elapsed.count());
    }
    after_round();
  }
  std::vector<OperationRow> rows;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    rows.push_back(operations[i].row);
    rows.back().ms = median(times[i]);
  }
  return rows;
}

// The transforms of key switching lead: those of every limb for every digit.
double work_of(const OperationSet& set) {
  double work = 0;
  for (const std::size_t l : set.limb_counts)
    work += static_cast<double>(set.degree * l * set.digits);
  return work;
}

std::vector<OperationRow> measure_operations(const std::vector<OperationSet>& sets,
                                             const Target& target, std::size_t rounds,
                                             std::uint64_t seed, ProgressBar& progress) {
  std::vector<OperationRow> rows;
  for (const OperationSet& set : sets) {
    const std::vector<OperationRow> timed =
        time_operations(operations_of(set, target, seed), rounds,
                        [&] { progress.advance(work_of(set) / static_cast<double>(rounds)); });
    rows.insert(rows.end(), timed.begin(), timed.end());
  }
  return rows;
}

nlohmann::ordered_json to_json(const std::vector<OperationRow>& rows,
                               const program::Target& target) {
  nlohmann::ordered_json json = {
      {"machine", {{"cpu", cpu::cpu_model()}, {"target", target.name()}}},
      {"rows", nlohmann::ordered_json::array()}};
  for (const OperationRow& row : rows) json["rows"].push_back(row_json(row));
  return json;
}

void print(const std::vector<OperationRow>& rows, std::ostream& out) {
  Table table({"operation", "N", "limbs", "log Q", "log P", "digits", "method", "time"});
  for (const OperationRow& row : rows) {
    table.add_row({row.scheme + " " + row.operation, std::to_string(row.degree),
                   std::to_string(row.limbs), fmt::format("{:.0f}", row.log_q),
                   fmt::format("{:.0f}", row.log_p), std::to_string(row.digits),
                   std::string(to_string(row.method)), format_seconds(row.ms / 1e3)});
  }
  table.write(out);
}

}  // namespace heliodor::cli
