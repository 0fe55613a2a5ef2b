// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/bench_programs.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/ring/rns_base.h"
#include "heliodor/rlwe/evaluator_programs.h"

namespace heliodor::cli {
namespace {

using program::Builder;
using program::LimbProgram;
using program::ValueId;
using ring::Domain;
using ring::Modulus;
using ring::RnsBase;

std::vector<Modulus> make_moduli(unsigned bits, std::uint64_t degree, std::size_t count) {
  std::vector<Modulus> moduli;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, count))
    moduli.emplace_back(q, degree);
  return moduli;
}

std::uint32_t index(std::size_t i) { return static_cast<std::uint32_t>(i); }

}  // namespace

rlwe::Parameters bench_parameters(unsigned bits, std::uint64_t degree, std::size_t limbs,
                                  std::size_t special, std::size_t digit_size) {
  const std::vector<Modulus> moduli = make_moduli(bits, degree, limbs + special);
  const auto first_special = moduli.begin() + static_cast<std::ptrdiff_t>(limbs);
  rlwe::Parameters::Description description;
  description.q.assign(moduli.begin(), first_special);
  description.p.assign(first_special, moduli.end());
  description.gadgets = {{digit_size, special, limbs}};
  description.security = rlwe::SecurityLevel::none;
  return rlwe::Parameters(std::move(description));
}

LimbProgram transform_program(unsigned bits, std::uint64_t degree, bool forward) {
  Builder b(make_moduli(bits, degree, 1), forward ? "ntt" : "intt");
  const ValueId x = b.operand("x", 0, forward ? Domain::coeff : Domain::eval);
  b.output("y", forward ? b.ntt(x) : b.intt(x));
  return b.build();
}

LimbProgram dot_program(unsigned bits, std::uint64_t degree, std::size_t terms) {
  Builder b(make_moduli(bits, degree, 1), "dot");
  std::vector<std::pair<ValueId, ValueId>> pairs;
  for (std::size_t k = 0; k < terms; ++k) {
    pairs.emplace_back(b.operand(fmt::format("x[{}]", k), 0, Domain::eval),
                       b.key(fmt::format("key[{}]", k), 0, Domain::eval));
  }
  b.output("y", b.dot(pairs));
  return b.build();
}

LimbProgram conversion_program(unsigned bits, std::uint64_t degree, std::size_t sources,
                               std::size_t targets) {
  const std::vector<Modulus> moduli = make_moduli(bits, degree, sources + targets);
  const RnsBase from({moduli.begin(), moduli.begin() + static_cast<std::ptrdiff_t>(sources)});
  Builder b(moduli, "conversion");
  std::vector<ValueId> y;
  for (std::size_t s = 0; s < sources; ++s)
    y.push_back(b.operand(fmt::format("y[{}]", s), index(s), Domain::coeff));
  for (std::size_t t = sources; t < sources + targets; ++t) {
    std::vector<std::uint64_t> factors;
    for (std::size_t s = 0; s < sources; ++s) factors.push_back(from.cofactor_mod(s, moduli[t]));
    b.output(fmt::format("x[{}]", t - sources), b.dot_scalar(index(t), y, factors));
  }
  return b.build();
}

LimbProgram evalmult_bv_program(unsigned bits, std::uint64_t degree, std::size_t limbs) {
  const rlwe::Parameters p = bench_parameters(bits, degree, limbs, 0, 1);
  return rlwe::multiply_program(p, {rlwe::KeySwitchMethod::bv, p.gadgets().front()}, limbs, 0);
}

LimbProgram keyswitch_hybrid_program(unsigned bits, std::uint64_t degree, std::size_t limbs,
                                     std::size_t special, std::size_t digits) {
  const rlwe::Parameters p =
      bench_parameters(bits, degree, limbs, special, (limbs + digits - 1) / digits);
  return rlwe::key_switch_program(p, {rlwe::KeySwitchMethod::hybrid, p.gadgets().front()}, limbs);
}

}  // namespace heliodor::cli
