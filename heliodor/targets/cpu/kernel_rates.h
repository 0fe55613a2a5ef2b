// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// KernelRates: what the kernels of one table cost on this machine. Plain data: measured by
// calibrate() (calibration.h), kept by rate_cache.h, read by cost_model.h. Times are in ns.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cpu {

enum class TransformKind : std::uint8_t { forward, forward_lazy, inverse };

/// Kernels that wait for memory in the same way. Sums are known with few and with many terms: the
/// more limbs are read in step, the less a CPU foresees.
enum class AccessPattern : std::uint8_t {
  transform,
  pointwise,
  dot_few,
  dot_many,
  conversion_few,
  conversion_many
};

struct KernelRates {
  /// Kernels differ by the size of moduli; a modulus belongs to the first class that holds it.
  static constexpr std::array<unsigned, 5> kClassBits = {30, 46, 48, 50, 60};
  /// Transforms of other degrees are interpolated; beyond the ends the cost per butterfly stays.
  static constexpr std::array<unsigned, 8> kLogDegrees = {6, 8, 10, 12, 13, 14, 15, 16};
  static constexpr std::array<unsigned, 8> kLogDistances = {19, 20, 21, 22, 23, 24, 25, 26};
  static constexpr std::size_t kTransformKinds = 3;
  static constexpr std::size_t kAccessPatterns = 6;
  static constexpr std::size_t kFewTerms = 3, kManyTerms = 14;

  /// Per word, operands in the L2 cache; transforms per butterfly.
  struct SizeClass {
    double add = 0;  ///< also sub, neg, add_scalar
    double mul = 0;
    double mul_scalar = 0;
    double reduce = 0;
    /// Of a call with i + 1 targets, for all of them together.
    std::array<double, KernelTable::kMaxDotTargets> dot_term{};
    std::array<double, KernelTable::kMaxDotTargets> dot_output{};
    std::array<double, KernelTable::kMaxTargets> conversion_term{};
    std::array<double, KernelTable::kMaxTargets> conversion_output{};
    std::array<std::array<double, kLogDegrees.size()>, kTransformKinds> transform{};

    bool operator==(const SizeClass&) const = default;
  };
  std::array<SizeClass, kClassBits.size()> classes;

  double quotient_term = 0;  ///< per word
  double permute_eval = 0;   ///< per word
  double permute_coeff = 0;  ///< per word
  double uniform = 0;        ///< per word

  double run = 0;   ///< per run of a plan
  double call = 0;  ///< per kernel call of a plan, besides the kernel

  /// By AccessPattern and distance: ns per byte, on top of the kernel's cost, of what has not been
  /// touched while 2^kLogDistances[i] other bytes were.
  std::array<std::array<double, kLogDistances.size()>, kAccessPatterns> waits{};

  const SizeClass& of_bits(unsigned bits) const noexcept;
  /// ns per butterfly. Requires log_degree >= 1.
  double butterfly(TransformKind kind, unsigned bits, unsigned log_degree) const noexcept;
  /// ns per byte; 0 up to half of the least known distance, interpolated, constant beyond the last.
  double wait(AccessPattern pattern, std::size_t distance) const noexcept;
  /// The same for a sum of `terms`; `few` is dot_few or conversion_few.
  double wait_of_sum(AccessPattern few, std::size_t terms, std::size_t distance) const noexcept;

  bool operator==(const KernelRates&) const = default;
};

/// Calls visit(name, number) for every number of `rates`, always in the same order; names contain
/// no blanks.
template <typename Rates, typename Visit>
void for_each_rate(Rates& rates, Visit visit) {
  const auto each = [&](const std::string& name, auto& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      visit(name + "." + std::to_string(i), numbers[i]);
  };
  for (std::size_t c = 0; c < rates.classes.size(); ++c) {
    auto& of_class = rates.classes[c];
    const std::string prefix = std::to_string(KernelRates::kClassBits[c]) + "-bit.";
    visit(prefix + "add", of_class.add);
    visit(prefix + "mul", of_class.mul);
    visit(prefix + "mul_scalar", of_class.mul_scalar);
    visit(prefix + "reduce", of_class.reduce);
    each(prefix + "dot_term", of_class.dot_term);
    each(prefix + "dot_output", of_class.dot_output);
    each(prefix + "conversion_term", of_class.conversion_term);
    each(prefix + "conversion_output", of_class.conversion_output);
    for (std::size_t k = 0; k < KernelRates::kTransformKinds; ++k)
      each(prefix + "transform." + std::to_string(k), of_class.transform[k]);
  }
  visit("quotient_term", rates.quotient_term);
  visit("permute_eval", rates.permute_eval);
  visit("permute_coeff", rates.permute_coeff);
  visit("uniform", rates.uniform);
  visit("run", rates.run);
  visit("call", rates.call);
  for (std::size_t p = 0; p < KernelRates::kAccessPatterns; ++p)
    each("wait." + std::to_string(p), rates.waits[p]);
}

}  // namespace heliodor::cpu
