// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Target and Plan: what every back end implements. program/ declares them, targets/* implement
// them, so no algorithm names a target.
//
//   const auto plan = target.plan(program);
//   const RunReport report = plan->run(batch, shared);
//   const auto keys = plan->load(shared);          // for many runs
//   const RunReport again = plan->run(batch, *keys);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/limb_arena.h"
#include "heliodor/base/random.h"
#include "heliodor/program/limb_program.h"

namespace heliodor::program {

/// The data of one execution: spans of degree() words each, inputs canonical. Outputs may not
/// overlap anything.
struct Binding {
  std::vector<std::span<const std::uint64_t>>
      operands;  ///< one per input of kind operand, in program order
  std::vector<std::span<std::uint64_t>> outputs;  ///< one per output, in program order
};

/// What the whole batch shares.
struct SharedBinding {
  std::vector<std::span<const std::uint64_t>>
      limbs;                            ///< one per input of kind key or constant, in program order
  std::vector<base::PublicSeed> seeds;  ///< one per input of kind seed, in program order
};

class Plan;

/// What many batches share, as the plan that loaded it reads it fastest: packed words, or a
/// device's memory. The limbs must stay where and as they are while it lives.
class LoadedShared {
 public:
  explicit LoadedShared(SharedBinding binding) : binding_(std::move(binding)) {}
  virtual ~LoadedShared() = default;
  LoadedShared(const LoadedShared&) = delete;
  LoadedShared& operator=(const LoadedShared&) = delete;

  const SharedBinding& binding() const noexcept { return binding_; }

 private:
  friend class Plan;
  SharedBinding binding_;
  const Plan* plan_ = nullptr;  // that loaded it
};

/// Time that a program takes, for one binding; cycles on targets that count them.
struct Cost {
  double seconds = 0;
  std::optional<std::uint64_t> cycles;
};

/// Why a simulated machine stopped. A fault is an outcome to test for, not an exception.
struct Fault {
  std::uint64_t cycle = 0;
  std::size_t instruction = 0;  ///< of the LimbProgram
  std::string reason;
};

struct RunReport {
  Cost cost;                   ///< of the whole batch
  std::optional<Fault> fault;  ///< outputs are unspecified if there is one
};

/// A program prepared for a target. Immutable; run() may be called from many threads at once.
class Plan {
 public:
  virtual ~Plan() = default;

  const LimbProgram& program() const noexcept { return *program_; }

  /// Runs every binding of the batch. Throws Error{mismatch} if the number or length of spans is
  /// wrong (the message names the input); checked builds throw Error{range_violation} for input
  /// words not below their modulus.
  RunReport run(std::span<const Binding> batch, const SharedBinding& shared = {}) const;

  /// For what many runs share, keys above all: checked and put in order once. Errors as run().
  std::unique_ptr<const LoadedShared> load(SharedBinding shared) const;
  /// Throws Error{mismatch} also if another plan loaded `shared`.
  RunReport run(std::span<const Binding> batch, const LoadedShared& shared) const;

  /// For people: what the target made of the program. One line per step.
  virtual std::string describe() const = 0;

 protected:
  explicit Plan(std::shared_ptr<const LimbProgram> program) : program_(std::move(program)) {}

 private:
  virtual RunReport do_run(std::span<const Binding> batch, const SharedBinding& shared) const = 0;
  virtual std::unique_ptr<LoadedShared> do_load(SharedBinding shared) const {
    return std::make_unique<LoadedShared>(std::move(shared));
  }
  virtual RunReport do_run_loaded(std::span<const Binding> batch,
                                  const LoadedShared& shared) const {
    return do_run(batch, shared.binding());
  }
  void check_batch(std::span<const Binding> batch) const;

  std::shared_ptr<const LimbProgram> program_;
};

class Target {
 public:
  virtual ~Target() = default;

  /// Unique among the targets present: "reference", "cpu:portable", "cpu:avx512ifma",
  /// "machine:tutorial".
  virtual std::string name() const = 0;

  /// Why this target cannot run a well-formed program ("modulus q1 has 60 bits, words hold 32");
  /// nothing if it can.
  virtual std::optional<std::string> refusal(const LimbProgram& program) const = 0;

  /// Expected cost of one run. Requires a program that is well formed and not refused.
  virtual Cost predict(const LimbProgram& program) const = 0;

  /// Throws Error{invalid_program} with all diagnostics if verify() finds any, Error{unsupported}
  /// with the refusal.
  std::unique_ptr<const Plan> plan(LimbProgram program) const;

  /// Bits of the widest moduli that it computes with as well as with narrower ones: what an
  /// algorithm takes that may choose its moduli (the auxiliary base of klss).
  virtual unsigned widest_fast_modulus_bits() const { return ring::Modulus::kMaxBits; }

  /// Memory that this target reads and writes fastest.
  virtual base::LimbArena allocate(std::size_t limb_count, std::uint64_t degree) const {
    return base::LimbArena(limb_count, degree);
  }

 private:
  virtual std::unique_ptr<const Plan> do_plan(std::shared_ptr<const LimbProgram> program) const = 0;
};

}  // namespace heliodor::program
