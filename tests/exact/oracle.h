// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests here share: polynomials as big integers (GMP), made from limbs by the plainest
// Chinese remainder theorem and ring::reference, parameters of any security, targets by name.
#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/ring/primes.h"
#include "heliodor/ring/reference.h"
#include "heliodor/rlwe/context.h"
#include "heliodor/rlwe/keys.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::exact {

using Limb = std::vector<std::uint64_t>;
using Integers = std::vector<mpz_class>;  // coefficients

/// The largest `count` moduli of a size.
inline std::vector<ring::Modulus> moduli(unsigned bits, std::uint64_t degree, std::size_t count) {
  std::vector<ring::Modulus> result;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, count)) {
    result.emplace_back(q, degree);
  }
  return result;
}

inline mpz_class product(std::span<const ring::Modulus> moduli) {
  mpz_class result = 1;
  for (const auto& q : moduli) result *= static_cast<unsigned long>(q.value());
  return result;
}

/// The integers in (-Q/2, Q/2) with residues limbs[i][k] modulo moduli[i].
inline Integers centred_integers(std::span<const ring::Modulus> moduli,
                                 const std::vector<Limb>& limbs) {
  const mpz_class q = product(moduli);
  Integers result(limbs.front().size());
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    const mpz_class modulus = static_cast<unsigned long>(moduli[i].value());
    const mpz_class cofactor = q / modulus;
    mpz_class inverse;
    mpz_invert(inverse.get_mpz_t(), cofactor.get_mpz_t(), modulus.get_mpz_t());
    for (std::size_t k = 0; k < result.size(); ++k) {
      result[k] += cofactor * (inverse * static_cast<unsigned long>(limbs[i][k]) % modulus);
    }
  }
  for (mpz_class& v : result) {
    v %= q;
    if (2 * v > q) v -= q;
  }
  return result;
}

inline Limb residues(const ring::Modulus& q, const Integers& values) {
  Limb result;
  for (const mpz_class& v : values) result.push_back(mpz_fdiv_ui(v.get_mpz_t(), q.value()));
  return result;
}

inline Limb ntt(const ring::Modulus& q, std::span<const std::uint64_t> coefficients) {
  Limb result(coefficients.size());
  ring::reference::ntt(q, coefficients, result);
  return result;
}

inline Limb intt(const ring::Modulus& q, std::span<const std::uint64_t> evaluations) {
  Limb result(evaluations.size());
  ring::reference::intt(q, evaluations, result);
  return result;
}

inline Limb add(const ring::Modulus& q, const Limb& x, const Limb& y) {
  Limb result(x.size());
  ring::reference::add(q, x, y, result);
  return result;
}

inline Limb mul(const ring::Modulus& q, std::span<const std::uint64_t> x,
                std::span<const std::uint64_t> y) {
  Limb result(x.size());
  ring::reference::mul(q, x, y, result);
  return result;
}

/// A small polynomial X -> X^g, evaluated modulo q.
inline Limb evaluations(const ring::Modulus& q, std::span<const std::int8_t> small,
                        std::uint64_t g = 1) {
  Limb coefficients(small.size());
  for (std::size_t k = 0; k < small.size(); ++k) {
    coefficients[k] =
        small[k] < 0 ? q.value() - static_cast<std::uint64_t>(-small[k]) : std::uint64_t(small[k]);
  }
  Limb moved(small.size());
  ring::reference::permute(q, g, ring::Domain::coeff, coefficients, moved);
  return ntt(q, moved);
}

inline mpz_class largest(const Integers& values) {
  mpz_class result = 0;
  for (const mpz_class& v : values) result = std::max(result, mpz_class(abs(v)));
  return result;
}

inline rlwe::ContextPtr context(rlwe::Parameters::Description description,
                                std::string_view target = "cpu") {
  description.security = rlwe::SecurityLevel::none;
  return std::make_shared<const rlwe::Context>(rlwe::Parameters(std::move(description)),
                                               registry::make_target(target));
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

}  // namespace heliodor::exact
