// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bfv/scaling.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/base/wipe.h"
#include "heliodor/program/builder.h"
#include "heliodor/rlwe/run.h"
#include "heliodor/schemes/slots/evaluations.h"

namespace heliodor::bfv {
namespace {

using program::Builder;
using program::ValueId;
using slots::PlaintextModulus;

// Q mod t.
std::uint64_t product_mod(const ring::RnsBase& q, const PlaintextModulus& t) {
  std::uint64_t product = t.reduce(1);
  for (const ring::Modulus& modulus : q.moduli())
    product = t.multiply(product, t.factor(t.reduce(modulus.value())));
  return product;
}

// c -> -c * t^-1 in evaluations.
program::LimbProgram scale_up_program(const ring::RnsBase& q, std::uint64_t t) {
  Builder b({q.moduli().begin(), q.moduli().end()}, "bfv_scale_up");
  for (std::uint32_t i = 0; i < q.size(); ++i) {
    const ValueId c = b.operand(fmt::format("c[{}]", i), i, ring::Domain::coeff);
    const std::uint64_t factor = q[i].neg(q[i].inverse(q[i].reduce(t)));
    b.output(fmt::format("m[{}]", i), b.mul_scalar(b.ntt(c), factor));
  }
  return b.build();
}

// v -> r_0 .. r_{l-1}, round(sum r_i/q_i).
program::LimbProgram scale_down_program(const ring::RnsBase& q, std::uint64_t t) {
  Builder b({q.moduli().begin(), q.moduli().end()}, "bfv_scale_down");
  std::vector<ValueId> r;
  for (std::uint32_t i = 0; i < q.size(); ++i) {
    const ValueId v = b.operand(fmt::format("v[{}]", i), i, ring::Domain::coeff);
    const std::uint64_t factor = q[i].mul(q[i].reduce(t), q.inverse_cofactor(i));
    r.push_back(b.mul_scalar(v, factor));
    b.output(fmt::format("r[{}]", i), r.back());
  }
  b.output("rounded", b.quotient(0, ring::Rounding::nearest, r));
  return b.build();
}

}  // namespace

void check_plaintext(const Context& context, const slots::Plaintext& message) {
  const Parameters& parameters = context.parameters();
  if (message.t == parameters.t() && message.coefficients.size() == parameters.degree()) return;
  throw Error(ErrorCode::mismatch,
              fmt::format("plaintext of degree {} modulo {}, the parameters have {} and {}",
                          message.coefficients.size(), message.t.value(), parameters.degree(),
                          parameters.t().value()));
}

rlwe::SecretLimbs scale_up(const Context& context, const slots::Plaintext& message,
                           std::size_t limb_count) {
  check_plaintext(context, message);
  const ring::RnsBase q = context.parameters().rlwe().q().prefix(limb_count);
  const PlaintextModulus& t = context.parameters().t();
  const PlaintextModulus::Factor factor = t.factor(product_mod(q, t));
  slots::Plaintext c = message;
  for (std::int64_t& coefficient : c.coefficients)
    coefficient = t.centred(t.multiply(t.residue(coefficient), factor));
  const rlwe::SecretLimbs residues = slots::residues(*context.rlwe(), c, limb_count);
  base::wipe(std::span(c.coefficients));

  const auto& plan = context.rlwe()->plan(fmt::format("bfv/scale_up/l{}", limb_count),
                                          [&] { return scale_up_program(q, t.value()); });
  rlwe::SecretLimbs scaled(1, limb_count, q.degree());
  rlwe::run(plan, {{&residues}, {&scaled}});
  return scaled;
}

slots::Plaintext scale_down(const Context& context, const rlwe::LimbMatrix& phase) {
  const std::size_t limb_count = phase.limb_count();
  const ring::RnsBase q = context.parameters().rlwe().q().prefix(limb_count);
  const PlaintextModulus& t = context.parameters().t();
  const auto& plan = context.rlwe()->plan(fmt::format("bfv/scale_down/l{}", limb_count),
                                          [&] { return scale_down_program(q, t.value()); });
  rlwe::SecretLimbs fractions(1, limb_count + 1, q.degree());  // r_i, then the rounded sum
  rlwe::run(plan, {{&phase}, {&fractions}});

  base::SecretVector<std::uint64_t> message(q.degree());
  const auto rounded = fractions.limb(0, limb_count);
  for (std::size_t k = 0; k < message.size(); ++k) message[k] = t.reduce(rounded[k]);
  for (std::size_t i = 0; i < limb_count; ++i) {
    const auto r = fractions.limb(0, i);
    const std::uint64_t inverse = t.inverse(q[i].value());
    const PlaintextModulus::Factor factor =
        t.factor(t.residue(-static_cast<std::int64_t>(inverse)));
    for (std::size_t k = 0; k < message.size(); ++k)
      message[k] = t.add(message[k], t.multiply(r[k], factor));
  }
  return slots::from_residues(t, message);
}

}  // namespace heliodor::bfv
