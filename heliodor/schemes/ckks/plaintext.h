// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plaintext and Ciphertext of CKKS (Cheon, Kim, Kim, Song, ASIACRYPT 2017): a polynomial near
// scale * z under the canonical embedding, and its encryption.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/schemes/ckks/scale.h"

namespace heliodor::ckks {

using Slots = std::vector<std::complex<double>>;

/// Of `slots` values, a power of two up to degree/2; the degree/2 slots of the polynomial repeat
/// them.
struct Plaintext {
  rlwe::LimbMatrix limbs;  ///< one part, evaluations, moduli q_0 .. q_{limb_count-1}
  Scale scale;
  std::size_t slots = 1;
  rlwe::NoiseBound bound;  ///< on the polynomial, canonical norm
  rlwe::NoiseBound error;  ///< on the polynomial less scale * z, canonical norm

  std::size_t limb_count() const noexcept { return limbs.limb_count(); }
};

/// rlwe.bounds.error is on the phase less scale * z, z the exact result of the same operations on
/// slots.
struct Ciphertext {
  rlwe::Ciphertext rlwe;
  Scale scale;
  std::size_t slots = 1;

  std::size_t limb_count() const noexcept { return rlwe.limb_count(); }
};

}  // namespace heliodor::ckks
