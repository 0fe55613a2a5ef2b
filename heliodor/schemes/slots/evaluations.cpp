// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/slots/evaluations.h"

#include <fmt/format.h>

#include "heliodor/base/error.h"
#include "heliodor/rlwe/transform.h"

namespace heliodor::slots {

rlwe::SecretLimbs residues(const rlwe::Context& context, const Plaintext& plaintext,
                           std::size_t limb_count) {
  const ring::RnsBase q = context.parameters().q().prefix(limb_count);
  if (plaintext.coefficients.size() != q.degree()) {
    throw Error(ErrorCode::mismatch, fmt::format("plaintext of degree {}, the context has {}",
                                                 plaintext.coefficients.size(), q.degree()));
  }
  rlwe::SecretLimbs limbs(1, limb_count, q.degree());
  for (std::size_t i = 0; i < limb_count; ++i) lift(plaintext, q[i], limbs.limb(0, i));
  return limbs;
}

rlwe::LimbMatrix evaluations(const rlwe::Context& context, const Plaintext& plaintext,
                             std::size_t limb_count) {
  return rlwe::to_evaluations(context, residues(context, plaintext, limb_count));
}

rlwe::NoiseBound norm_bound(const Plaintext& plaintext) {
  ring::Uint128 sum = 0;
  for (const std::int64_t coefficient : plaintext.coefficients)
    sum += static_cast<std::uint64_t>(coefficient < 0 ? -coefficient : coefficient);
  return rlwe::NoiseBound::of(static_cast<double>(sum));
}

}  // namespace heliodor::slots
