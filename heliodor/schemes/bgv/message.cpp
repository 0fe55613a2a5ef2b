// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bgv/message.h"

#include <fmt/format.h>

#include "heliodor/base/error.h"
#include "heliodor/schemes/slots/evaluations.h"

namespace heliodor::bgv {

rlwe::LimbMatrix to_message(const Context& context, const slots::Plaintext& plaintext,
                            std::uint64_t factor, std::size_t limb_count) {
  const slots::PlaintextModulus& t = context.parameters().t();
  if (!(plaintext.t == t)) {
    throw Error(ErrorCode::mismatch, fmt::format("a plaintext modulo {}, the parameters have {}",
                                                 plaintext.t.value(), t.value()));
  }
  if (factor == 1) return slots::evaluations(*context.rlwe(), plaintext, limb_count);
  slots::Plaintext scaled = plaintext;
  const auto by = t.factor(factor);
  for (std::int64_t& c : scaled.coefficients) c = t.centred(t.multiply(t.residue(c), by));
  return slots::evaluations(*context.rlwe(), scaled, limb_count);
}

}  // namespace heliodor::bgv
