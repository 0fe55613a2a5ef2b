// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The canonical embedding between real polynomials and complex slots. Slot j of m is m(zeta^(5^j)),
// zeta = exp(i*pi/N): the order of OpenFHE and SEAL.
//
// With n = N/2 and w_k = m_k + i*m_{k+n}, slot j is sum_k w_k * zeta^(k*5^j), as zeta^(n*5^j) = i.
// A radix-2 decimation computes it: 5^(n/2) = 1 + 2n mod 4n, so slots j and j + n/2 are E_j +-
// zeta^(5^j)
// * O_j of the even and odd k (the "special FFT" of Cheon, Kim, Kim and Song, ePrint 2016/421).
//
// n may be any power of two up to degree/2: a vector of n slots is the polynomial m'(X^(N/2n))
// whose N/2 slots repeat it. Both directions have a relative error in the Euclidean norm of at most
// relative_error(n), and the embedding is sqrt(n) times a unitary map between the vectors w and z.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heliodor::ckks {

class Embedding {
 public:
  /// Tables of degree/2 roots. Error{out_of_range} unless degree is a power of two in [2, 2^17].
  explicit Embedding(std::uint64_t degree);

  std::size_t max_slots() const noexcept { return reversed_.size(); }

  /// n slots to 2n real coefficients. Error{out_of_range} unless n is a power of two up to
  /// max_slots(), Error{mismatch} for another number of coefficients.
  void to_coefficients(std::span<const std::complex<double>> slots,
                       std::span<double> coefficients) const;
  /// 2n real coefficients to n slots. Errors as above.
  void to_slots(std::span<const double> coefficients, std::span<std::complex<double>> slots) const;

  /// 7 * log2(n) * 2^-53: Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2, for
  /// roots rounded from long double (eta = mu + gamma_4 * (sqrt(2) + mu) < 7 * 2^-53).
  static double relative_error(std::size_t slots) noexcept;

 private:
  void check(std::size_t slots, std::size_t coefficients) const;
  /// Index i of a vector of n in reverse order of its log2(n) bits.
  std::size_t reversed(std::size_t i, std::size_t n) const noexcept {
    return reversed_[i] / (max_slots() / n);
  }

  // Entry h - 1 + j, for h = 1, 2, 4, .. and j < h: exp(2*pi*i * 5^j / 8h), the roots of the stage
  // that joins halves of h.
  std::vector<double> root_re_, root_im_;
  std::vector<std::uint32_t> reversed_;
};

}  // namespace heliodor::ckks
