// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/machine_programs.h"

#include <fmt/format.h>

#include <utility>

#include "heliodor/program/builder.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/keyswitch/inner_product.h"
#include "heliodor/rlwe/keyswitch/klss.h"

namespace heliodor::cli {
namespace {

using program::Builder;
using program::LimbProgram;
using program::ValueId;
using ring::Domain;
using rlwe::Limbs;

std::string indexed(std::string_view name, std::size_t i) { return fmt::format("{}{}", name, i); }

ring::Modulus one_modulus() {
  return bench_parameters(kFigureBits, kFigureDegree, 1, 0, 1).q().moduli()[0];
}

/// An operand that the program gives back: it stays until the end.
ValueId kept(Builder& b, const std::string& name, std::uint32_t modulus) {
  const ValueId value = b.operand(name, modulus, Domain::coeff);
  b.output(name, value);
  return value;
}

rlwe::Convertible block_sum(Builder& b, const FittedSet& set, std::size_t component) {
  Limbs v;
  for (std::size_t i = 0; i < set.ring.t().size(); ++i) {
    v.push_back(kept(b, fmt::format("v{}.{}", component, i), set.ring.t_index(i)));
  }
  return from_scaled(b, set.ring.t(), std::move(v), rlwe::DigitLift::exact);
}

}  // namespace

LimbProgram transforms(std::size_t limbs) {
  const rlwe::Parameters parameters = bench_parameters(kFigureBits, kFigureDegree, limbs, 0, 1);
  const auto q = parameters.q().moduli();
  Builder b({q.begin(), q.end()}, "transforms");
  for (std::uint32_t i = 0; i < limbs; ++i) {
    b.output(indexed("y", i), b.ntt(b.operand(indexed("x", i), i, Domain::coeff)));
  }
  return b.build();
}

LimbProgram naive_conversion(std::size_t from, std::size_t to) {
  Builder b({one_modulus()}, "naive conversion");
  Limbs scaled;
  for (std::size_t i = 0; i < from; ++i) {
    scaled.push_back(b.mul_scalar(b.operand(indexed("x", i), 0, Domain::coeff), 3));
  }
  for (std::size_t i = 0; i < to; ++i) {
    ValueId sum = b.mul_scalar(scaled[0], i);
    for (std::size_t k = 1; k < from; ++k) sum = b.add(sum, b.mul_scalar(scaled[k], i));
    b.output(indexed("y", i), sum);
  }
  return b.build();
}

LimbProgram rotation(std::uint64_t galois_element) {
  Builder b({one_modulus()}, "automorphism");
  b.output("y", b.permute(galois_element, b.operand("x", 0, Domain::eval)));
  return b.build();
}

LimbProgram basalisc_key_switch(rlwe::KeyForm form) {
  const rlwe::Parameters parameters = bench_parameters(kFigureBits, kFigureDegree, 40, 12, 12);
  rlwe::KeySwitchShape shape{rlwe::KeySwitchMethod::hybrid, parameters.gadgets().front()};
  shape.key_form = form;
  return key_switch_program(parameters, shape, 40);
}

LimbProgram raised_digit(const FittedSet& set) {
  Builder b(set.ring.moduli(), "mod_up");
  Limbs d;
  for (std::uint32_t i = 0; i < set.ring.limb_count(); ++i) {
    d.push_back(i < set.shape.gadget.digit_size ? kept(b, indexed("d", i), i) : ValueId{});
  }
  const rlwe::DigitSource digit =
      emit_digit_source(b, set.ring, set.shape.gadget, d, 0, set.ring.lift());
  for (std::size_t i = 0; i < set.ring.t().size(); ++i) {
    b.output(indexed("y", i), convert(b, digit.integer, set.ring.t_index(i)));
  }
  return b.build();
}

LimbProgram recovered(const FittedSet& set) {
  Builder b(set.ring.moduli(), "recover");
  for (std::size_t c = 0; c < 2; ++c) {
    const rlwe::Convertible sum = block_sum(b, set, c);
    for (std::size_t i = 0; i < set.ring.qp_size(); ++i) {
      b.output(fmt::format("a{}.{}", c, i), convert(b, sum, set.ring.qp_index(i)));
    }
  }
  return b.build();
}

LimbProgram recovered_and_divided(const FittedSet& set) {
  Builder b(set.ring.moduli(), "recover and mod_down");
  const Limbs o = emit_klss_mod_down(b, set.ring, set.shape.block_size, {block_sum(b, set, 0)});
  for (std::size_t i = 0; i < o.size(); ++i) b.output(indexed("o", i), o[i]);
  return b.build();
}

}  // namespace heliodor::cli
