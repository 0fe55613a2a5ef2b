// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/rlwe/security.h"

namespace heliodor::slots {

/// What a computation modulo t asks of its parameters.
struct Requirements {
  std::uint64_t t;              ///< plaintext modulus; slots need a prime = 1 mod 2*degree
  std::size_t depth;            ///< multiplications in a row that decrypt right
  std::size_t summands = 1;     ///< ciphertexts added up before each of them
  std::size_t digit_count = 3;  ///< of key switching at the top
  rlwe::SecurityLevel security = rlwe::SecurityLevel::bits128;
  std::uint64_t min_degree = 1024;
};

}  // namespace heliodor::slots
