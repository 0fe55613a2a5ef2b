// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/keys.h"

#include <fmt/format.h>

#include <bit>

#include "heliodor/base/error.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/ring/sampler.h"

namespace heliodor::rlwe {
namespace {

/// Coefficients to evaluations in place, without branches or addresses that depend on them
/// (Cooley-Tukey with merged powers of psi; Longa, Naehrig, ePrint 2016/504, algorithm 1). A key
/// exists before any target is chosen, so no plan can do it.
void transform(const ring::Modulus& q, std::span<std::uint64_t> a) {
  const auto log_degree = static_cast<unsigned>(std::countr_zero(a.size()));
  std::vector<std::uint64_t> powers(a.size());  // psi^i
  powers[0] = 1;
  for (std::size_t i = 1; i < a.size(); ++i) powers[i] = q.mul(powers[i - 1], q.psi());
  std::size_t half = a.size() / 2;
  for (std::size_t blocks = 1; blocks < a.size(); blocks *= 2, half /= 2) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::uint64_t w =
          powers[ring::bit_reverse(static_cast<std::uint32_t>(blocks + block), log_degree)];
      for (std::size_t i = 2 * half * block; i < 2 * half * block + half; ++i) {
        const std::uint64_t product = q.mul(a[i + half], w);
        a[i + half] = q.sub(a[i], product);
        a[i] = q.add(a[i], product);
      }
    }
  }
}

void check_ternary(std::span<const std::int8_t> coefficients) {
  unsigned wrong = 0;  // read to the end, so that time tells nothing of a key
  for (const std::int8_t c : coefficients) {
    wrong |= static_cast<unsigned>(static_cast<std::uint8_t>(c + 1)) > 2U ? 1U : 0U;
  }
  if (wrong != 0) throw Error(ErrorCode::out_of_range, "a secret coefficient is not in {-1, 0, 1}");
}

}  // namespace

SecretKey::SecretKey(const Parameters& parameters, std::span<const std::int8_t> coefficients)
    : coefficients_(coefficients.begin(), coefficients.end()),
      limbs_(1, parameters.q().size() + parameters.p().size(), parameters.degree()) {
  if (coefficients.size() != parameters.degree()) {
    throw Error(ErrorCode::mismatch, fmt::format("{} secret coefficients, the degree is {}",
                                                 coefficients.size(), parameters.degree()));
  }
  check_ternary(coefficients);
  const std::size_t q_size = parameters.q().size();
  for (std::size_t i = 0; i < limb_count(); ++i) {
    const ring::Modulus& q = i < q_size ? parameters.q()[i] : parameters.p()[i - q_size];
    ring::spread(q, coefficients_, limbs_.limb(0, i));
    transform(q, limbs_.limb(0, i));
  }
}

}  // namespace heliodor::rlwe
