// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Memory for runs of a program: the inputs of a batch, filled once and read by every target that is
// compared, and the outputs of one target.
//
//   const RunInputs inputs(program, batch, fill);
//   RunOutputs outputs(program, batch);
//   plan->run(bind(inputs, outputs), inputs.shared());
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heliodor/base/limb_arena.h"
#include "heliodor/base/random.h"
#include "heliodor/program/limb_program.h"
#include "heliodor/program/target.h"

namespace heliodor::reference {

/// Where input data comes from.
class InputSource {
 public:
  virtual ~InputSource() = default;

  /// Writes the words of one limb, each below q. `run` counts the batch; it is 0 for keys and
  /// constants.
  virtual void fill(const program::Input& input, const ring::Modulus& q, std::size_t run,
                    std::span<std::uint64_t> words) = 0;

  virtual base::PublicSeed seed(const program::Input& input) = 0;
};

/// Independent uniform residues and seeds from one test seed, drawn in program order.
class UniformSource : public InputSource {
 public:
  explicit UniformSource(std::uint64_t seed);

  void fill(const program::Input& input, const ring::Modulus& q, std::size_t run,
            std::span<std::uint64_t> words) override;
  base::PublicSeed seed(const program::Input& input) override;

 private:
  base::RandomStream random_;
};

/// The inputs of `batch` runs. Spans point into this object, which may be moved but must outlive
/// them.
class RunInputs {
 public:
  /// Asks `source` for every input, in program order, and for an operand run by run.
  RunInputs(const program::LimbProgram& program, std::size_t batch, InputSource& source);

  std::size_t batch() const noexcept { return operands_.size(); }
  std::span<const std::span<const std::uint64_t>> operands(std::size_t run) const noexcept {
    return operands_[run];
  }
  const program::SharedBinding& shared() const noexcept { return shared_; }

 private:
  base::LimbArena arena_;
  std::vector<std::vector<std::span<const std::uint64_t>>> operands_;  // by run
  program::SharedBinding shared_;
};

/// The outputs of `batch` runs; every word starts as ~0, which no result can be.
class RunOutputs {
 public:
  RunOutputs(const program::LimbProgram& program, std::size_t batch);

  std::span<std::uint64_t> limb(std::size_t run, std::size_t output) noexcept {
    return arena_.limb(run * output_count_ + output);
  }
  std::span<const std::uint64_t> limb(std::size_t run, std::size_t output) const noexcept {
    return arena_.limb(run * output_count_ + output);
  }
  std::size_t output_count() const noexcept { return output_count_; }

 private:
  std::size_t output_count_;
  base::LimbArena arena_;
};

/// One binding for each run. Requires that both were made for the same program and batch.
std::vector<program::Binding> bind(const RunInputs& inputs, RunOutputs& outputs);

/// The first word in which two results differ.
struct Difference {
  std::size_t run = 0;
  std::size_t output = 0;
  std::size_t word = 0;
  std::uint64_t expected = 0;
  std::uint64_t actual = 0;

  bool operator==(const Difference&) const = default;
};

/// By output first, then by run and word; nothing if all are equal. Requires equal shapes.
std::optional<Difference> first_difference(const RunOutputs& expected, const RunOutputs& actual,
                                           std::size_t batch);

}  // namespace heliodor::reference
