// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Twin model of rtl/modmul/heliodor_mod_mul_montgomery.sv: p = a*b / R mod q for
// q = h*2^17 + 1 < 2^32, R = 2^34.
//
// As q = 1 mod 2^17, T = (T mod 2^17) * q modulo 2^17, so T - (T mod 2^17)*q is divisible by 2^17.
// One round, with q added to stay positive:
//   T <- floor(T / 2^17) + q - (T mod 2^17) * h
// Two rounds take a*b < q^2 below 2q (proof: rtl/modmul/README.md). Source of the idea: A. C. Mert,
// E. Ozturk, E. Savas, "Design and implementation of encryption/decryption architectures for BFV
// homomorphic encryption scheme", IEEE TVLSI 2020.

#pragma once

#include <cstdint>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"
#include "heliodor/targets/machine/pe/pipelined_element.h"

namespace heliodor::machine::pe {

// One operand set: a and b any 32 bits on their ports, q_high below 2^15.
struct ModMulMontgomeryOperands {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t q_high = 0;  // h = (q - 1) / 2^17
};

std::uint32_t mod_mul_montgomery_modulus(std::uint32_t q_high) noexcept;

// a * 2^34 mod q: a constant factor in the form that makes the product a*b. q as the hardware
// requires, a < q.
std::uint32_t mod_mul_montgomery_form(std::uint32_t a, std::uint32_t q) noexcept;

// The preconditions of the hardware: 0 < q_high < 2^15, a < q, b < q.
bool mod_mul_montgomery_accepts(const ModMulMontgomeryOperands& operands) noexcept;

// a*b / 2^34 mod q in [0, q) if the operands are accepted. Otherwise a value without meaning.
std::uint32_t mod_mul_montgomery(const ModMulMontgomeryOperands& operands) noexcept;

using ModMulMontgomery = PipelinedElement<ModMulMontgomeryOperands, std::uint32_t,
                                          mod_mul_montgomery, kModMulMontgomeryLatency>;

}  // namespace heliodor::machine::pe
