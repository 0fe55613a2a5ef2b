// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/residues.h"

#include <fmt/format.h>

#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/base/wipe.h"
#include "heliodor/ring/reference.h"

namespace heliodor::formats {

ring::Modulus checked_modulus(std::uint64_t q, std::uint64_t degree,
                              std::optional<std::uint64_t> psi, std::string_view where) {
  try {
    return psi ? ring::Modulus(q, degree, *psi) : ring::Modulus(q, degree);
  } catch (const Error& error) {
    throw Error(ErrorCode::malformed_file, fmt::format("{}: {}", where, error.what()));
  }
}

void check_description(const rlwe::Parameters::Description& description, std::string_view where) {
  rlwe::Parameters::Description toy = description;
  toy.security = rlwe::SecurityLevel::none;
  try {
    rlwe::Parameters parameters(std::move(toy));
  } catch (const Error& error) {
    throw Error(ErrorCode::malformed_file, fmt::format("{}: {}", where, error.what()));
  }
}

void check_residues(const ring::Modulus& modulus, std::span<const std::uint64_t> words,
                    std::string_view where) {
  std::uint64_t outside = 0;
  for (const std::uint64_t word : words) {
    outside |= static_cast<std::uint64_t>(word >= modulus.value());
  }
  if (outside == 0) return;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] >= modulus.value()) {
      throw Error(ErrorCode::malformed_file,
                  fmt::format("{}: word {} is {}, not below the modulus {}", where, i, words[i],
                              modulus.value()));
    }
  }
}

namespace {

base::SecretVector<std::int8_t> ternary_coefficients(const ring::Modulus& modulus,
                                                     std::span<const std::uint64_t> evaluations,
                                                     std::string_view where) {
  check_residues(modulus, evaluations, where);
  base::SecretVector<std::uint64_t> residues(evaluations.size());
  ring::reference::intt(modulus, evaluations, residues);
  base::SecretVector<std::int8_t> coefficients(residues.size());
  int others = 0;
  for (std::size_t i = 0; i < residues.size(); ++i) {
    const int zero = static_cast<int>(residues[i] == 0);
    const int one = static_cast<int>(residues[i] == 1);
    const int minus_one = static_cast<int>(residues[i] == modulus.value() - 1);
    coefficients[i] = static_cast<std::int8_t>(one - minus_one);
    others |= 1 ^ zero ^ one ^ minus_one;
  }
  if (others != 0) {
    throw Error(ErrorCode::malformed_file, fmt::format("{}: the secret is not ternary", where));
  }
  return coefficients;
}

}  // namespace

rlwe::SecretKey checked_secret(const rlwe::Parameters& parameters,
                               const rlwe::SecretLimbs& evaluations, std::string_view where) {
  rlwe::SecretKey secret(parameters,
                         ternary_coefficients(parameters.q()[0], evaluations.limb(0, 0), where));
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < evaluations.limb_count(); ++i) {
    for (std::size_t k = 0; k < parameters.degree(); ++k) {
      difference |= evaluations.limb(0, i)[k] ^ secret.limb(i)[k];
    }
  }
  if (difference != 0) {
    throw Error(ErrorCode::malformed_file,
                fmt::format("{}: the secret differs from modulus to modulus", where));
  }
  return secret;
}

}  // namespace heliodor::formats
