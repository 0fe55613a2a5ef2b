// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sampling of ring elements. Small elements are signed integers, one per coefficient; spread()
// brings them to a modulus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/ring/modulus.h"

namespace heliodor::ring {

/// Independent uniform residues in [0, q).
void sample_uniform(const Modulus& modulus, base::RandomStream& random,
                    std::span<std::uint64_t> out);

/// Independent uniform values in {-1, 0, 1}. No branch or address depends on the result (words are
/// rejected before any value is derived from them).
void sample_ternary(base::RandomStream& random, std::span<std::int8_t> out);

/// Exactly `weight` nonzero coefficients, each +1 or -1, at uniformly random places; constant-time
/// selection in O(N log^2 N) by sorting random tags. Error{out_of_range} if weight exceeds
/// out.size().
void sample_ternary_fixed_weight(base::RandomStream& random, std::size_t weight,
                                 std::span<std::int8_t> out);

/// Discrete Gaussian of standard deviation sigma over the integers, cut at +-ceil(8*sigma), by
/// constant-time scan of a cumulative table of 63-bit probabilities (total variation distance from
/// the ideal below 2^-45 for sigma 3.2).
class GaussianSampler {
 public:
  static constexpr double kDefaultSigma = 3.2;  ///< HomomorphicEncryption.org standard, 2018

  /// Error{out_of_range} unless 0.5 <= sigma <= 15.
  explicit GaussianSampler(double sigma = kDefaultSigma);

  void sample(base::RandomStream& random, std::span<std::int8_t> out) const;
  /// |value| <= bound().
  int bound() const noexcept { return static_cast<int>(cumulative_.size()) / 2; }
  /// Entry x is P(value <= x - bound()) * 2^63, for x = 0 .. 2*bound(): the exact distribution of
  /// the samples.
  std::span<const std::uint64_t> cumulative() const noexcept { return cumulative_; }
  /// s with E exp(lambda*x) <= exp(s^2*lambda^2/2) for a sample x and every real lambda: sigma and,
  /// for what rounds the table, a little more (below 2^-12 of it for sigma 3.2).
  double sub_gaussian_parameter() const noexcept { return sub_gaussian_parameter_; }

 private:
  std::vector<std::uint64_t> cumulative_;
  double sub_gaussian_parameter_;
};

/// Small signed coefficients as residues in [0, q), without branches. Error{mismatch} unless the
/// sizes are equal.
void spread(const Modulus& modulus, std::span<const std::int8_t> small,
            std::span<std::uint64_t> out);

}  // namespace heliodor::ring
