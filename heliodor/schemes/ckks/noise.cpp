// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/ckks/noise.h"

#include "heliodor/schemes/ckks/encryption.h"

namespace heliodor::ckks {
namespace {

using rlwe::Bounds;
using rlwe::NoiseBound;

Bounds fresh(const Parameters& parameters) {
  const double largest =
      parameters.value_bound() * parameters.scale(parameters.limb_count()).value();
  const NoiseBound encoding = Encoder::encoding_error(parameters.max_slots(), largest);
  const NoiseBound encryption = rlwe::encryption_error(parameters.rlwe());
  // With the room that Encryptor::encrypt leaves for the rounding of bounds.
  const NoiseBound message = NoiseBound::of(largest * (1 + 0x1p-30)) + encoding;
  return {message + encryption, encryption + encoding};
}

// Relinearized and rescaled.
Bounds squared(const rlwe::Parameters& parameters, const Bounds& a, std::size_t limb_count) {
  const Bounds switched = rlwe::with_error(rlwe::product_bounds(a, a),
                                           rlwe::noisiest_key_switch_error(parameters, limb_count));
  return rlwe::with_error(rlwe::quotient_bounds(switched, parameters.q()[limb_count - 1].value()),
                          rlwe::mod_switch_error(parameters, 2));
}

}  // namespace

std::vector<LevelNoise> level_noise(const Parameters& parameters) {
  std::vector<LevelNoise> levels;
  Bounds bounds = fresh(parameters);
  for (std::size_t l = parameters.limb_count();; --l) {
    const rlwe::NoiseBudget budget{l, bounds.phase, parameters.rlwe().phase_limit(l)};
    if (!(budget.noise < budget.limit)) break;
    levels.push_back(
        {budget, slot_error_bound(bounds, parameters.scale(l), parameters.max_slots(), l)});
    if (l == parameters.base_limbs()) break;
    bounds = squared(parameters.rlwe(), bounds, l);
  }
  return levels;
}

}  // namespace heliodor::ckks
