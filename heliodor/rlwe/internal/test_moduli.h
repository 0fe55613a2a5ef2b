// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of this component share.
#pragma once

#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/ring/primes.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::rlwe::internal {

/// The largest `count` moduli of a size.
inline std::vector<ring::Modulus> moduli(unsigned bits, std::uint64_t degree, std::size_t count) {
  std::vector<ring::Modulus> result;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, count)) {
    result.emplace_back(q, degree);
  }
  return result;
}

/// "code: message" of the Error that f throws, or "no error".
template <typename Function>
std::string error_of(Function f) {
  try {
    f();
  } catch (const Error& error) {
    return std::string(base::to_string(error.code())) + ": " + error.what();
  }
  return "no error";
}

}  // namespace heliodor::rlwe::internal
