// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/ring/automorphism.h"

#include <fmt/format.h>

#include <bit>

#include "heliodor/base/error.h"
#include "heliodor/ring/modulus.h"

namespace heliodor::ring {
namespace {

void check_galois_element(std::uint64_t g, std::uint64_t degree) {
  Modulus::check_degree(degree);
  if (g % 2 == 0 || g >= 2 * degree) {
    throw Error(
        ErrorCode::out_of_range,
        fmt::format("Galois element {} is not an odd number below 2*degree = {}", g, 2 * degree));
  }
}

}  // namespace

std::uint64_t galois_element_of_rotation(std::int64_t steps, std::uint64_t degree) {
  Modulus::check_degree(degree);
  const auto row = static_cast<std::int64_t>(degree / 2);
  if (steps <= -row || steps >= row) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("rotation by {} steps is not within +-{} of degree/2 = {} slots", steps,
                            row - 1, row));
  }
  // 5 has order degree/2 modulo 2*degree.
  std::uint64_t element = 1;
  for (std::int64_t i = steps < 0 ? steps + row : steps; i > 0; --i) {
    element = element * 5 % (2 * degree);
  }
  return element;
}

std::uint64_t galois_element_of_conjugation(std::uint64_t degree) {
  Modulus::check_degree(degree);
  return 2 * degree - 1;
}

std::uint64_t inverse_galois_element(std::uint64_t g, std::uint64_t degree) {
  check_galois_element(g, degree);
  // g^degree = 1: the odd residues modulo 2*degree form a group of `degree` elements.
  std::uint64_t inverse = 1;
  std::uint64_t power = g;
  for (std::uint64_t exponent = degree - 1; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) inverse = inverse * power % (2 * degree);
    power = power * power % (2 * degree);
  }
  return inverse;
}

std::vector<CoeffSource> automorphism_coeff_sources(std::uint64_t g, std::uint64_t degree) {
  const std::uint64_t inverse = inverse_galois_element(g, degree);
  std::vector<CoeffSource> sources(degree);
  for (std::uint64_t j = 0; j < degree; ++j) {
    // X^e with e = j/g lands on X^j; where e >= N that is -X^(e-N).
    const std::uint64_t e = j * inverse % (2 * degree);
    sources[j] = {static_cast<std::uint32_t>(e % degree), e >= degree};
  }
  return sources;
}

std::vector<std::uint32_t> automorphism_eval_sources(std::uint64_t g, std::uint64_t degree) {
  check_galois_element(g, degree);
  const auto log_degree = static_cast<unsigned>(std::countr_zero(degree));
  std::vector<std::uint32_t> sources(degree);
  for (std::uint32_t i = 0; i < degree; ++i) {
    const std::uint64_t e = (2 * std::uint64_t{bit_reverse(i, log_degree)} + 1) * g % (2 * degree);
    sources[i] = bit_reverse(static_cast<std::uint32_t>(e / 2), log_degree);
  }
  return sources;
}

std::uint32_t bit_reverse(std::uint32_t i, unsigned bits) noexcept {
  std::uint32_t reversed = 0;
  for (unsigned b = 0; b < bits; ++b) reversed |= (i >> b & 1) << (bits - 1 - b);
  return reversed;
}

}  // namespace heliodor::ring
