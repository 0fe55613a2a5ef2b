// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Between real coefficients and residues, exactly and without big integers.
//
// Reals become integers of any size as signed pieces in base 2^50, x = sum_j piece_j * 2^(50j):
// each piece is found by a rounded addition, every difference is exact in doubles, and only the
// last piece rounds. Branches and addresses depend on the number of pieces alone, that is on the
// largest magnitude in steps of 2^50.
//
// Back come the centred mixed radix digits of rlwe::Decryptor: v = sum_i d_i * q_0*..*q_{i-1}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/ring/modulus.h"
#include "heliodor/rlwe/ciphertext.h"

namespace heliodor::ckks {

class IntegerPieces {
 public:
  /// Rounds to the nearest integers, ties to even. Error{out_of_range} unless all are below 2^1000
  /// in absolute value.
  explicit IntegerPieces(std::span<const double> reals);

  std::size_t size() const noexcept { return size_; }

  /// out[k * stride] = integer k modulo q, for k < size(); the other words stay. Requires
  /// out.size() > (size() - 1) * stride.
  void to_residues(const ring::Modulus& q, std::span<std::uint64_t> out, std::size_t stride) const;

 private:
  std::size_t size_;
  std::vector<std::int64_t> pieces_;  // piece j of integer k at j * size_ + k
};

/// out[k] = v_{k * stride}, by Horner's rule from the top digit. Partial sums are exact below 2^53,
/// and above they lose at most one bit to the next digit once: |d_i| <= q_i/2 makes the sum at
/// least half of its first term. Relative error at most 4 * (limb_count + 1) * 2^-53; infinite or
/// not a number beyond the range of doubles, which only a wrong key leads to.
void from_digits(const rlwe::LimbMatrix& digits, std::span<const ring::Modulus> moduli,
                 std::span<double> out, std::size_t stride);

}  // namespace heliodor::ckks
