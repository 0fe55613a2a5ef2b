// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/transform.h"

#include <fmt/format.h>

#include "heliodor/base/error.h"
#include "heliodor/program/builder.h"
#include "heliodor/rlwe/internal/run_data.h"

namespace heliodor::rlwe {
namespace {

using ring::Domain;

program::LimbProgram transform_program(std::span<const ring::Modulus> moduli, Domain from) {
  program::Builder b({moduli.begin(), moduli.end()}, "transform");
  for (std::uint32_t i = 0; i < moduli.size(); ++i) {
    const program::ValueId x = b.operand(fmt::format("x[{}]", i), i, from);
    b.output(fmt::format("y[{}]", i), from == Domain::coeff ? b.ntt(x) : b.intt(x));
  }
  return b.build();
}

LimbMatrix transform(const Context& context, const LimbMatrix& x, Domain from) {
  const ring::RnsBase& q = context.parameters().q();
  if (x.limb_count() < 1 || x.limb_count() > q.size()) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("limb_count {} is not in [1, {}]", x.limb_count(), q.size()));
  }
  const std::string name = fmt::format(
      "{}/l{}", from == Domain::coeff ? "to_evaluations" : "to_coefficients", x.limb_count());
  const program::Plan& plan =
      context.plan(name, [&] { return transform_program(q.moduli().first(x.limb_count()), from); });
  LimbMatrix result(x.parts(), x.limb_count(), x.degree(), base::Fill::nothing);
  for (std::size_t part = 0; part < x.parts(); ++part) {
    internal::RunData data;
    for (std::size_t i = 0; i < x.limb_count(); ++i)
      data.binding.operands.push_back(x.limb(part, i));
    data.output(result, part, 1);
    internal::run(plan, data);
  }
  return result;
}

}  // namespace

LimbMatrix to_evaluations(const Context& context, const LimbMatrix& coefficients) {
  return transform(context, coefficients, Domain::coeff);
}

LimbMatrix to_coefficients(const Context& context, const LimbMatrix& evaluations) {
  return transform(context, evaluations, Domain::eval);
}

}  // namespace heliodor::rlwe
