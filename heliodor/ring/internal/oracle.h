// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of this component share: integers of GMP in and out, seeded random limbs, and the
// text of an error.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/base/random.h"
#include "heliodor/ring/modulus.h"
#include "heliodor/ring/primes.h"

namespace heliodor::ring::oracle {

using Limb = std::vector<std::uint64_t>;

inline mpz_class integer(Uint128 z) {
  mpz_class high = static_cast<unsigned long>(z >> 64);
  return (high << 64) + static_cast<unsigned long>(z);
}

/// The remainder in [0, q), of negative numbers too.
inline std::uint64_t modulo(const mpz_class& z, std::uint64_t q) {
  return mpz_fdiv_ui(z.get_mpz_t(), q);
}

inline mpz_class floor_quotient(const mpz_class& numerator, const mpz_class& denominator) {
  mpz_class result;
  mpz_fdiv_q(result.get_mpz_t(), numerator.get_mpz_t(), denominator.get_mpz_t());
  return result;
}

inline mpz_class product(const std::vector<Modulus>& moduli) {
  mpz_class result = 1;
  for (const Modulus& q : moduli) result *= static_cast<unsigned long>(q.value());
  return result;
}

/// The largest `count` moduli of a size.
inline std::vector<Modulus> moduli(unsigned bits, std::uint64_t degree, std::size_t count) {
  std::vector<Modulus> result;
  for (const std::uint64_t q : generate_primes(bits, degree, count)) result.emplace_back(q, degree);
  return result;
}

/// Random residues; the first two are 0 and q - 1.
inline Limb random_limb(const Modulus& q, base::RandomStream& random) {
  Limb limb(q.degree());
  for (std::uint64_t& word : limb) word = random.below(q.value());
  limb[0] = 0;
  limb[1] = q.value() - 1;
  return limb;
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

}  // namespace heliodor::ring::oracle
