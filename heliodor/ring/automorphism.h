// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The automorphism X -> X^g of Z[X]/(X^N+1), g odd, and the permutation it causes in each domain.
//
// Coefficients: a_i X^i goes to a_i X^(i*g), so it lands at i*g mod N, negated when i*g mod 2N
// is at least N.
// Evaluations: slot i holds the value at psi^e, e = 2*bitrev(i)+1; the result's slot i is the
// source's value at psi^(e*g).
//
// Every function that takes a degree throws Error{out_of_range} unless it is a power of two in
// [2, Modulus::kMaxDegree].
#pragma once

#include <cstdint>
#include <vector>

namespace heliodor::ring {

/// The Galois element (an odd number below 2*degree) of a rotation by `steps` of the two rows of
/// degree/2 slots: 5^steps mod 2*degree; negative steps rotate the other way. Error{out_of_range}
/// unless |steps| < degree/2.
std::uint64_t galois_element_of_rotation(std::int64_t steps, std::uint64_t degree);

/// 2*degree - 1: swaps the two rows (complex conjugation in CKKS).
std::uint64_t galois_element_of_conjugation(std::uint64_t degree);

/// The element that undoes g modulo 2*degree. Error{out_of_range} unless g is odd and below
/// 2*degree.
std::uint64_t inverse_galois_element(std::uint64_t g, std::uint64_t degree);

/// Where each coefficient of the result comes from.
struct CoeffSource {
  std::uint32_t index;
  bool negate;

  bool operator==(const CoeffSource&) const = default;
};

/// result[j] = (negate ? -1 : 1) * source[index]. Error{out_of_range} unless g is odd and below
/// 2*degree.
std::vector<CoeffSource> automorphism_coeff_sources(std::uint64_t g, std::uint64_t degree);

/// result[i] = source[sources[i]] in evaluation order. Error{out_of_range} unless g is odd and
/// below 2*degree.
std::vector<std::uint32_t> automorphism_eval_sources(std::uint64_t g, std::uint64_t degree);

/// The low `bits` bits of i in reverse order.
std::uint32_t bit_reverse(std::uint32_t i, unsigned bits) noexcept;

}  // namespace heliodor::ring
