// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bfv/evaluator_programs.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "heliodor/schemes/bfv/multiply.h"

namespace heliodor::bfv {
namespace {

using program::Builder;
using program::LimbProgram;
using rlwe::Limbs;
using rlwe::ProgramRing;

using Factor = std::array<Limbs, 2>;

// A program over a ring and, after its moduli, the auxiliary base.
class ProductProgram {
 public:
  ProductProgram(const Parameters& parameters, const ProgramRing& ring, std::string name)
      : t_(parameters.t().value()),
        q_(ring.q()),
        r_{parameters.auxiliary_base(ring.limb_count()),
           static_cast<std::uint32_t>(ring.moduli().size())},
        b_(all_moduli(ring, r_), std::move(name)) {}

  Builder& builder() noexcept { return b_; }

  std::array<Limbs, 3> emit(Factors factors) {
    const Factor x = declare("a");
    return emit_multiply(b_, q_, r_, t_, x, factors == Factors::equal ? x : declare("b"));
  }

  Limbs evaluations(const Limbs& coefficients) {
    Limbs result;
    for (const program::ValueId limb : coefficients) result.push_back(b_.ntt(limb));
    return result;
  }

  void output(std::size_t part, const Limbs& limbs) {
    for (std::size_t i = 0; i < limbs.size(); ++i)
      b_.output(fmt::format("c{}[{}]", part, i), limbs[i]);
  }

 private:
  static std::vector<ring::Modulus> all_moduli(const ProgramRing& ring, const AuxiliaryBase& r) {
    std::vector<ring::Modulus> moduli = ring.moduli();
    moduli.insert(moduli.end(), r.base.moduli().begin(), r.base.moduli().end());
    return moduli;
  }

  Factor declare(std::string_view name) {
    Factor parts;
    for (std::size_t part = 0; part < 2; ++part) {
      for (std::uint32_t i = 0; i < q_.size(); ++i) {
        parts[part].push_back(
            b_.operand(fmt::format("{}{}[{}]", name, part, i), i, ring::Domain::eval));
      }
    }
    return parts;
  }

  std::uint64_t t_;
  ring::RnsBase q_;
  AuxiliaryBase r_;
  Builder b_;
};

}  // namespace

LimbProgram tensor_program(const Parameters& parameters, Factors factors, std::size_t limb_count) {
  ProductProgram program(parameters, ProgramRing(parameters.rlwe(), limb_count), "bfv_tensor");
  const std::array<Limbs, 3> c = program.emit(factors);
  for (std::size_t part = 0; part < 3; ++part) program.output(part, program.evaluations(c[part]));
  return program.builder().build();
}

LimbProgram multiply_program(const Parameters& parameters, Factors factors,
                             const rlwe::KeySwitchShape& shape, std::size_t limb_count) {
  const ProgramRing ring = rlwe::key_switch_ring(parameters.rlwe(), shape, limb_count);
  ProductProgram program(parameters, ring, "bfv_multiply");
  Builder& b = program.builder();
  const std::array<Limbs, 3> c = program.emit(factors);
  const rlwe::KeyValues key = rlwe::declare_key(b, ring, shape, "key");
  const rlwe::Digits digits = rlwe::emit_digits(b, ring, shape, c[2]);
  const std::array<Limbs, 2> switched =
      rlwe::emit_switched(b, ring, shape, digits, key, std::array{c[0], c[1]});
  for (std::size_t part = 0; part < 2; ++part) program.output(part, switched[part]);
  return b.build();
}

}  // namespace heliodor::bfv
