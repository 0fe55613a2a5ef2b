// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ntt: a negacyclic transform prepared for one modulus, with its twiddle factors in the order of use. Each kernel table
// makes its own kind. Immutable, so many threads may share one.
#pragma once

#include <cstdint>

namespace heliodor::cpu {

using Word = std::uint64_t;

class Ntt {
 public:
  virtual ~Ntt() = default;

  // in: degree() words in [0, q). out: canonical, standard order (ring/modulus.h). in == out is allowed, other overlap
  // is not. 64-byte alignment is not required. Constant time.
  virtual void forward(const Word* in, Word* out) const noexcept = 0;  ///< coefficients to evaluations
  virtual void inverse(const Word* in, Word* out) const noexcept = 0;  ///< evaluations to coefficients
};

}  // namespace heliodor::cpu
