// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Twin model of rtl/modmul/heliodor_mod_mul_barrett.sv: p = a*b mod q with a reciprocal known
// beforehand.
//
// With W = kModMulBarrettWidth, D = kModMulBarrettDroppedBits, z = a*b and mu = floor(2^(2W) / q):
//   t = floor(floor(z / 2^D) * mu / 2^(2W - D))      the quotient estimate, 0 or 1 too small
//   r = z - t*q                                      in [0, 2q)
//   p = r or r - q                                   in [0, q)
// The proof is in rtl/modmul/README.md. Source of the method: P. Barrett, "Implementing the Rivest
// Shamir and Adleman public key encryption algorithm on a standard digital signal processor",
// CRYPTO '86; the dropped low bits are ours.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"

namespace heliodor::machine::pe {

// One operand set. Each value fits its port: a, b, q below 2^W, mu below 2^(W+1).
struct ModMulBarrettOperands {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t q = 0;
  std::uint32_t mu = 0;
};

// The quotient estimate t for any even width W and dropped_bits D, so that small widths can be
// checked exhaustively. z < 2^(2W), mu = floor(2^(2W) / q), 2 <= width <= 32, dropped_bits <
// 2*width.
std::uint64_t barrett_quotient_estimate(std::uint64_t z, std::uint64_t mu, unsigned width,
                                        unsigned dropped_bits) noexcept;

// mu = floor(2^(2W) / q), for 2^(W-1) < q < 2^W.
std::uint32_t mod_mul_barrett_reciprocal(std::uint32_t q) noexcept;

// The preconditions of the hardware: 2^(W-1) < q < 2^W, a < q, b < q, mu the reciprocal of q.
bool mod_mul_barrett_accepts(const ModMulBarrettOperands& operands) noexcept;

// a*b mod q in [0, q) if the operands are accepted. Otherwise the bits that the hardware gives: a
// defined value without meaning.
std::uint32_t mod_mul_barrett(const ModMulBarrettOperands& operands) noexcept;

// The multiplier clock by clock. Latency kLatency, initiation interval 1, no back-pressure.
class ModMulBarrett {
 public:
  static constexpr unsigned kLatency = kModMulBarrettLatency;

  struct Inputs {
    bool rst_n = true;  // low: every valid bit in flight is cleared at once
    bool valid = false;
    ModMulBarrettOperands operands;
  };

  struct Outputs {
    bool valid = false;
    std::uint32_t p = 0;  // has meaning where valid is set
  };

  // One clock: the outputs during this clock, then the edge that takes the inputs. What enters at
  // step n leaves from step n + kLatency. Data moves in every clock, valid or not, as in the
  // hardware.
  Outputs step(const Inputs& inputs) noexcept;

 private:
  std::array<Outputs, kLatency> in_flight_{};
  std::size_t oldest_ = 0;
};

}  // namespace heliodor::machine::pe
