// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ntt: a negacyclic transform prepared for one modulus, with its twiddle factors in the order of
// use. Each kernel table makes its own kind. Immutable, so many threads may share one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/ring/reference.h"
#include "heliodor/targets/cpu/ahead.h"
#include "heliodor/targets/cpu/kernel_modulus.h"

namespace heliodor::cpu {

/// What a kernel may leave in its result. Lazy words are congruent to the result only in their low
/// 52 bits, and are fit only for the dot kernel of the same table.
enum class Range : std::uint8_t { canonical, lazy };

/// A constant factor folded into the last stage of an inverse transform: c/N for the sums, c*w/N
/// for the products (w is the twiddle factor of that stage), each with the companion that the
/// transform's own arithmetic wants.
struct InverseScale {
  Word sum, sum_companion;
  Word product, product_companion;
};

class Ntt {
 public:
  virtual ~Ntt() = default;

  // in: degree() words in [0, q). out: standard order (ring/modulus.h). in == out is allowed, other
  // overlap is not. 64-byte alignment is not required. Constant time.

  /// Coefficients to evaluations. A transform that has no lazy form returns canonical words; one
  /// that has no time to spare fetches nothing.
  virtual void forward(const Word* in, Word* out, Range range,
                       const Ahead& ahead) const noexcept = 0;
  void forward(const Word* in, Word* out, Range range = Range::canonical) const noexcept {
    forward(in, out, range, {});
  }

  /// Whether forward_lifted() takes words of `source`.
  virtual bool lifts_from(const KernelModulus& /*source*/) const noexcept { return false; }
  /// forward() of words that are first lifted from another modulus (ring::reference::reduce).
  /// Requires lifts_from(source).
  virtual void forward_lifted(const KernelModulus& /*source*/, ring::Lift /*lift*/,
                              const Word* /*in*/, Word* /*out*/, Range /*range*/,
                              const Ahead& /*ahead*/) const noexcept {}

  /// Evaluations to coefficients, times the constant of `scale`; canonical.
  virtual void inverse(const Word* in, Word* out, const InverseScale& scale) const noexcept = 0;
  void inverse(const Word* in, Word* out) const noexcept { inverse(in, out, unit_scale_); }

  /// The scale that multiplies by c < q.
  virtual InverseScale scale(Word c) const noexcept = 0;

 protected:
  InverseScale unit_scale_{};  ///< scale(1), set by the constructor of each kind
};

}  // namespace heliodor::cpu
