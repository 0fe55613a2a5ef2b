// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters of a ring-LWE cryptosystem: moduli, gadgets, the error scale, the security verdict.
// Nothing here knows a scheme: BGV sets error_scale to its plaintext modulus, BFV and CKKS leave 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heliodor/ring/rns_base.h"
#include "heliodor/rlwe/noise_bound.h"
#include "heliodor/rlwe/security.h"

namespace heliodor::rlwe {

/// How a polynomial is cut into digits for key switching, and how many special primes the key has.
/// An evaluation key is made for one gadget and serves all ciphertexts of at most max_limb_count
/// limbs. special_count 0 is BV: digit_size must be 1.
struct Gadget {
  std::size_t digit_size;      ///< alpha, in limbs, at least 1
  std::size_t special_count;   ///< k: the first k primes of P
  std::size_t max_limb_count;  ///< at most |Q|

  std::size_t digit_count(std::size_t limb_count) const noexcept {
    return (limb_count + digit_size - 1) / digit_size;
  }
  bool operator==(const Gadget&) const = default;
};

/// How residues modulo one base become integers for another (Halevi-Polyakov-Shoup, ePrint
/// 2018/117). Both give the digit's residues; they differ by a multiple of its modulus, that is in
/// noise only.
enum class DigitLift : std::uint8_t {
  fast,   ///< the unsigned sum without correction, as OpenFHE: |D| < digit_size * Q_j
  exact,  ///< the centred representative by a rounded quotient: |D| <= Q_j / 2 (1 + 2^-40)
};

/// log2 of the product of moduli; 0 for none.
double log2_product(std::span<const ring::Modulus> moduli) noexcept;

class Parameters {
 public:
  struct Description {
    std::vector<ring::Modulus> q;   ///< in the order in which limbs are kept: the last goes first
    std::vector<ring::Modulus> p;   ///< special primes; empty if all gadgets are BV
    std::vector<Gadget> gadgets;    ///< the alternatives of key switching, first the default
    std::uint64_t error_scale = 1;  ///< tau: errors are multiples of it
    DigitLift lift = DigitLift::fast;
    double sigma = 3.2;                               ///< of errors
    std::optional<std::size_t> secret_weight;         ///< Hamming weight; uniform ternary without
    SecurityLevel security = SecurityLevel::bits128;  ///< at least this, or Error
  };

  /// Throws Error{mismatch} if degrees differ or a modulus occurs twice, Error{out_of_range} for a
  /// gadget outside its bounds, an empty Q, an error scale of 0 or not coprime to every modulus, a
  /// weight of 0 or above the degree or a sigma outside [0.5, 15]; Error{insecure} if the verdict
  /// is below `security` (the message names log2(QP), the limit, and `security = none`).
  explicit Parameters(Description description);

  std::uint64_t degree() const noexcept { return q_.degree(); }
  const ring::RnsBase& q() const noexcept { return q_; }
  std::span<const ring::Modulus> p() const noexcept { return description_.p; }
  std::span<const Gadget> gadgets() const noexcept { return description_.gadgets; }
  std::uint64_t error_scale() const noexcept { return description_.error_scale; }
  DigitLift lift() const noexcept { return description_.lift; }
  double sigma() const noexcept { return description_.sigma; }
  std::optional<std::size_t> secret_weight() const noexcept { return description_.secret_weight; }

  double log_q() const noexcept;   ///< log2 of Q
  double log_qp() const noexcept;  ///< log2 of QP, all special primes
  /// The verdict, whatever was asked for. A fixed weight, or a sigma below 3.19, has none.
  SecurityLevel security() const noexcept { return security_; }

  /// Throws Error{out_of_range} unless digit_size is in [1, |Q|] (1 for BV), special_count at most
  /// |P| and max_limb_count in [1, |Q|].
  void check(const Gadget& gadget) const;

  /// Below Q/2 for the first `limb_count` moduli: no phase may reach it. Error{out_of_range} unless
  /// limb_count is in [1, |Q|].
  NoiseBound phase_limit(std::size_t limb_count) const;

  const Description& description() const noexcept { return description_; }

 private:
  Description description_;
  ring::RnsBase q_;
  SecurityLevel security_;
};

/// Moduli for a chain of limbs whose sizes are known; schemes compute the sizes from depth and
/// precision.
struct ModuliRequest {
  std::uint64_t degree;
  std::vector<unsigned> q_bits;   ///< of each limb, first to last, in [20, 60]
  std::size_t digit_count = 3;    ///< dnum at the top: digits of ceil(|Q| / dnum) limbs
  std::uint64_t error_scale = 1;  ///< moduli avoid its prime factors
  std::uint64_t factor = 1;       ///< all moduli are 1 modulo it
};

/// Q as asked, each limb the largest prime of its size that is left. P: as few primes of at most 47
/// bits, which the fastest kernels take, as have a product no smaller than that of any digit. Then
/// up to three gadgets: with all of P, half of it and a quarter, digits as large as those special
/// primes cover, and each up to the largest limb_count at which it takes fewer transforms than the
/// gadgets before it (low limb counts should not pay for all of P).
/// Throws Error{out_of_range} for an empty q_bits, a size outside [20, 60], a digit_count of 0, or
/// if so many primes of a size do not exist.
Parameters::Description choose_moduli(const ModuliRequest& request);

/// The smallest degree in [1024, 131072] that reaches `level` with log2(QP) of `log_qp` bits.
/// Throws Error{out_of_range} if none does (names the largest and its limit).
std::uint64_t smallest_degree(SecurityLevel level, double log_qp);

}  // namespace heliodor::rlwe
