// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The slow, obvious meaning of every limb instruction. These functions are the definition: every
// target must return the same words. They use the plainest arithmetic there is and are checked
// against big-integer polynomials.
//
// All limbs have N = degree() words, else Error{mismatch}. Inputs are canonical, in [0, q) of their
// modulus; so are results. Results must not overlap inputs. Checked builds throw
// Error{range_violation} for inputs out of range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "heliodor/base/random.h"
#include "heliodor/ring/modulus.h"

namespace heliodor::ring {

/// How `quotient` turns a sum of fractions into an integer.
enum class Rounding : std::uint8_t { floor, nearest };

/// How `reduce` reads a residue x in [0, q): as the integer x, or as x - q where x > floor(q/2).
enum class Lift : std::uint8_t { plain, centred };

}  // namespace heliodor::ring

namespace heliodor::ring::reference {

using In = std::span<const std::uint64_t>;
using Out = std::span<std::uint64_t>;

void add(const Modulus& q, In a, In b, Out result);
void sub(const Modulus& q, In a, In b, Out result);
void neg(const Modulus& q, In a, Out result);
void mul(const Modulus& q, In a, In b, Out result);
/// Adds c < q to every word.
void add_scalar(const Modulus& q, In a, std::uint64_t c, Out result);
/// Multiplies every word by c < q.
void mul_scalar(const Modulus& q, In a, std::uint64_t c, Out result);

/// sum_k a[k] * b[k] mod q, word by word. Error{mismatch} unless a and b have the same size,
/// Error{out_of_range} if that is 0.
void dot(const Modulus& q, std::span<const In> a, std::span<const In> b, Out result);

/// sum_k x[k] * c[k] mod q, where the words of x[k] are integers in [0, sources[k]) and c[k] < q.
/// Errors as dot.
void dot_scalar(const Modulus& q, std::span<const Modulus> sources, std::span<const In> x,
                std::span<const std::uint64_t> c, Out result);

/// Fractional bits of the fixed-point quotients.
inline constexpr unsigned kQuotientBits = 48;
/// At most this many sources, so that the sum of fractions stays far below 2^64.
inline constexpr std::size_t kMaxQuotientSources = 1024;

/// The integer v near sum_k x[k] / q_k, by a fixed-point formula that is part of the definition.
/// With b_k the bit length of q_k, r_k = floor(2^(b_k + 48) / q_k) and K the number of sources:
///
///     S = sum_k floor(x[k] * r_k / 2^b_k)     each term short of 2^48 * x/q by less than 2
///     floor:    v = floor((S + 2K) / 2^48)
///     nearest:  v = floor((S + K + 2^47) / 2^48)
///
/// The floor is exact unless the true fraction is within 2K/2^48 below 1, the nearest integer
/// unless it is within K/2^48 of 1/2. 0 <= v <= K. Error{out_of_range} unless K is in [1,
/// kMaxQuotientSources]; Error{mismatch} unless x has size K. The degree is that of sources[0].
void quotient(std::span<const Modulus> sources, std::span<const In> x, Rounding rounding,
              Out result);

/// The integer that `lift` reads from x in [0, source), modulo q.
void reduce(const Modulus& source, const Modulus& q, Lift lift, In x, Out result);

/// Coefficients to evaluations: slot i is the value at psi^(2*bitrev(i)+1). O(N log N), recursive.
void ntt(const Modulus& q, In coefficients, Out evaluations);
void intt(const Modulus& q, In evaluations, Out coefficients);

/// X -> X^g (automorphism.h). Error{out_of_range} unless g is odd and below 2N.
void permute(const Modulus& q, std::uint64_t g, Domain domain, In a, Out result);

/// N uniform residues: the words of chacha20_words(seed, stream, 0, ..) masked to bits() bits,
/// those below q, in order.
void uniform(const Modulus& q, const base::PublicSeed& seed, std::uint64_t stream, Out result);

}  // namespace heliodor::ring::reference
