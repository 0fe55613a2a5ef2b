// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// How precision and room go down a chain of products, by the rules of Evaluator, without computing
// anything.
#pragma once

#include <cstddef>
#include <vector>

#include "heliodor/rlwe/noise_growth.h"
#include "heliodor/schemes/ckks/parameters.h"

namespace heliodor::ckks {

struct LevelNoise {
  rlwe::NoiseBudget budget;  ///< noise: the phase, message included
  double slot_error;         ///< bound, absolute
};

/// Of ciphertexts of degree/2 slots of at most value_bound, encrypted under the public key and
/// multiplied with their equals 0, 1, .. depth() times, with the noisiest gadget. Fewer entries if
/// a phase reaches Q/2 before.
std::vector<LevelNoise> level_noise(const Parameters& parameters);

}  // namespace heliodor::ckks
