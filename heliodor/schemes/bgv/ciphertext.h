// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A BGV ciphertext: its phase is plaintext_factor * m modulo t, as long as it stays below Q/2.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/rlwe/ciphertext.h"

namespace heliodor::bgv {

struct Ciphertext {
  rlwe::Ciphertext rlwe;
  std::uint64_t plaintext_factor = 1;  ///< in [0, t), coprime to t; dropping q divides it by q

  std::size_t parts() const noexcept { return rlwe.parts(); }
  std::size_t limb_count() const noexcept { return rlwe.limb_count(); }
};

}  // namespace heliodor::bgv
