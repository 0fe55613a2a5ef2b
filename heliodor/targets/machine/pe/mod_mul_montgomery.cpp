// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/mod_mul_montgomery.h"

namespace heliodor::machine::pe {
namespace {

__extension__ typedef unsigned __int128 Uint128;

constexpr unsigned kRound = kModMulMontgomeryRoundBits;

std::uint64_t one_round(std::uint64_t t, std::uint64_t q, std::uint64_t q_high) {
  return (t >> kRound) + q - (t & ((std::uint64_t{1} << kRound) - 1)) * q_high;
}

}  // namespace

std::uint32_t mod_mul_montgomery_modulus(std::uint32_t q_high) noexcept {
  return (q_high << kRound) + 1;
}

std::uint32_t mod_mul_montgomery_form(std::uint32_t a, std::uint32_t q) noexcept {
  return static_cast<std::uint32_t>((Uint128{a} << (2 * kRound)) % q);
}

bool mod_mul_montgomery_accepts(const ModMulMontgomeryOperands& operands) noexcept {
  const auto& [a, b, q_high] = operands;
  const std::uint32_t q = mod_mul_montgomery_modulus(q_high);
  return 0 < q_high && q_high < (1u << kModMulMontgomeryHighWidth) && a < q && b < q;
}

std::uint32_t mod_mul_montgomery(const ModMulMontgomeryOperands& operands) noexcept {
  const auto& [a, b, q_high] = operands;
  const std::uint64_t q = mod_mul_montgomery_modulus(q_high);
  const std::uint64_t r = one_round(one_round(std::uint64_t{a} * b, q, q_high), q, q_high);
  return static_cast<std::uint32_t>(r < q ? r : r - q);
}

}  // namespace heliodor::machine::pe
