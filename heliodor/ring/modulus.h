// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Modulus: a word-sized prime q = 1 mod 2N with its reduction constants and its primitive 2N-th
// root psi.
//
// The scalar arithmetic here serves tables, references and portable kernels. Except where stated,
// functions neither branch on nor divide by nor index with their data, so they may be used on
// secrets.
#pragma once

#include <cstdint>

namespace heliodor::ring {

/// Coefficient or evaluation representation. Evaluation slot i holds the value at
/// psi^(2*bitrev(i)+1), where bitrev reverses log2(N) bits: the order of OpenFHE and SEAL.
enum class Domain : std::uint8_t { coeff, eval };

__extension__ using Uint128 = unsigned __int128;

class Modulus {
 public:
  static constexpr unsigned kMaxBits = 60;
  static constexpr std::uint64_t kMaxDegree = std::uint64_t{1} << 17;

  /// With the smallest primitive 2N-th root as psi. Throws Error{out_of_range} unless degree is a
  /// power of two in [2, kMaxDegree] and q < 2^kMaxBits; Error{invalid_modulus} unless q is a prime
  /// with q = 1 mod 2*degree. Costs about `degree` multiplications.
  Modulus(std::uint64_t q, std::uint64_t degree);

  /// With a root given from outside; also throws Error{invalid_modulus} unless psi^degree = -1 mod
  /// q, psi < q.
  Modulus(std::uint64_t q, std::uint64_t degree, std::uint64_t psi);

  /// Throws Error{out_of_range} unless degree is a power of two in [2, kMaxDegree].
  static void check_degree(std::uint64_t degree);

  std::uint64_t value() const noexcept { return q_; }
  unsigned bits() const noexcept { return bits_; }  ///< smallest b with q < 2^b
  std::uint64_t degree() const noexcept { return degree_; }
  std::uint64_t psi() const noexcept { return psi_; }

  // For a, b in [0, q): results in [0, q).
  std::uint64_t add(std::uint64_t a, std::uint64_t b) const noexcept {
    return subtract_once(a + b);
  }
  std::uint64_t sub(std::uint64_t a, std::uint64_t b) const noexcept {
    return subtract_once(a + q_ - b);
  }
  std::uint64_t neg(std::uint64_t a) const noexcept { return subtract_once(q_ - a); }
  std::uint64_t mul(std::uint64_t a, std::uint64_t b) const noexcept {
    return reduce_product(Uint128{a} * b);
  }
  /// Not constant time in the exponent.
  std::uint64_t pow(std::uint64_t a, std::uint64_t exponent) const noexcept;
  /// Requires a != 0.
  std::uint64_t inverse(std::uint64_t a) const noexcept;

  /// Any 64-bit word modulo q, without a division: hardware dividers take longer for some operands
  /// than for others.
  std::uint64_t reduce(std::uint64_t a) const noexcept {
    return subtract_once(mul_shoup_lazy(a, 1, one_shoup_));
  }

  /// z mod q for z < 2^(2*bits()), by Barrett: with mu = floor(2^(2b)/q) the estimate
  /// floor(floor(z/2^(b-1)) * mu / 2^(b+1)) is at most 2 too small (Handbook of Applied
  /// Cryptography, 14.42).
  std::uint64_t reduce_product(Uint128 z) const noexcept {
    const auto top = static_cast<std::uint64_t>(z >> (bits_ - 1));
    const auto estimate = static_cast<std::uint64_t>((Uint128{top} * barrett_) >> (bits_ + 1));
    const std::uint64_t r = static_cast<std::uint64_t>(z) - estimate * q_;
    return subtract_once(subtract_once(r));
  }

  /// floor(2^(2*bits())/q), below 2^(bits()+1).
  std::uint64_t barrett() const noexcept { return barrett_; }
  /// floor(w * 2^64 / q) for w < q: the Shoup companion of a constant factor. Divides: for public
  /// constants.
  std::uint64_t shoup(std::uint64_t w) const noexcept {
    return static_cast<std::uint64_t>((Uint128{w} << 64) / q_);
  }
  /// w*a mod q in [0, 2q) for any 64-bit a, given w < q and shoup(w) (Harvey, 2014, section 3).
  std::uint64_t mul_shoup_lazy(std::uint64_t a, std::uint64_t w,
                               std::uint64_t w_shoup) const noexcept {
    const auto estimate = static_cast<std::uint64_t>((Uint128{a} * w_shoup) >> 64);
    return a * w - estimate * q_;
  }
  /// -q^-1 mod 2^64, for Montgomery reduction with R = 2^64.
  std::uint64_t montgomery_inverse() const noexcept { return montgomery_inverse_; }
  /// 2^128 mod q: montgomery_reduce(a * r2) is a's Montgomery form.
  std::uint64_t montgomery_r2() const noexcept { return montgomery_r2_; }
  /// z * 2^-64 mod q in [0, q) for z < q * 2^64.
  std::uint64_t montgomery_reduce(Uint128 z) const noexcept {
    const std::uint64_t m = static_cast<std::uint64_t>(z) * montgomery_inverse_;
    const auto t = static_cast<std::uint64_t>((z + Uint128{m} * q_) >> 64);
    return subtract_once(t);
  }

  bool operator==(const Modulus& other) const noexcept {
    return q_ == other.q_ && degree_ == other.degree_ && psi_ == other.psi_;
  }

 private:
  // a - q from q on, else a; for a < 2^63. The borrow is a mask: of a comparison, compilers make a
  // branch.
  std::uint64_t subtract_once(std::uint64_t a) const noexcept {
    const std::uint64_t difference = a - q_;
    return difference + (q_ & (std::uint64_t{0} - (difference >> 63)));
  }

  std::uint64_t q_;
  std::uint64_t degree_;
  std::uint64_t psi_;
  std::uint64_t barrett_;
  std::uint64_t one_shoup_;
  std::uint64_t montgomery_inverse_;
  std::uint64_t montgomery_r2_;
  unsigned bits_;
};

}  // namespace heliodor::ring
