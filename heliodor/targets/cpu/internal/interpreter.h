// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Interpreter: a program executed by the definitions of ring/reference, one instruction after the
// other.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/program/limb_program.h"
#include "heliodor/ring/reference.h"
#include "heliodor/targets/cpu/internal/kernel_inputs.h"

namespace heliodor::cpu::internal {

/// The values of a program for one binding, by the definitions.
class Interpreter {
 public:
  Interpreter(const program::LimbProgram& program, const std::vector<Limb>& operands,
              const std::vector<Limb>& shared, const std::vector<base::PublicSeed>& seeds)
      : program_(program), values_(program.value_count(), Limb(program.degree())) {
    std::size_t operand = 0, limb = 0, seed = 0;
    for (const program::Input& input : program.inputs()) {
      switch (input.kind) {
        case program::InputKind::operand:
          values_[input.value] = operands[operand++];
          break;
        case program::InputKind::seed:
          seeds_[input.value] = seeds[seed++];
          break;
        default:
          values_[input.value] = shared[limb++];
      }
    }
    for (std::size_t i = 0; i < program.instruction_count(); ++i) execute(program.instruction(i));
  }

  std::vector<Limb> outputs() const {
    std::vector<Limb> result;
    for (const program::Output& output : program_.outputs()) {
      result.push_back(values_[output.value]);
    }
    return result;
  }

 private:
  void execute(const program::Instruction& in) {
    const ring::Modulus& q = program_.modulus(in.result);
    const auto x = [&](std::size_t k) -> const Limb& { return values_[in.operands[k]]; };
    Limb& z = values_[in.result];
    switch (in.op) {
      case program::LimbOp::add:
        return ring::reference::add(q, x(0), x(1), z);
      case program::LimbOp::sub:
        return ring::reference::sub(q, x(0), x(1), z);
      case program::LimbOp::neg:
        return ring::reference::neg(q, x(0), z);
      case program::LimbOp::mul:
        return ring::reference::mul(q, x(0), x(1), z);
      case program::LimbOp::add_scalar:
        return ring::reference::add_scalar(q, x(0), in.scalars[0], z);
      case program::LimbOp::mul_scalar:
        return ring::reference::mul_scalar(q, x(0), in.scalars[0], z);
      case program::LimbOp::dot:
        return dot(in, q, z);
      case program::LimbOp::dot_scalar:
        return dot_scalar(in, q, z);
      case program::LimbOp::quotient:
        return ring::reference::quotient(sources(in), limbs(in), in.rounding(), z);
      case program::LimbOp::reduce:
        return ring::reference::reduce(program_.modulus(in.operands[0]), q, in.lift(), x(0), z);
      case program::LimbOp::ntt:
        return ring::reference::ntt(q, x(0), z);
      case program::LimbOp::intt:
        return ring::reference::intt(q, x(0), z);
      case program::LimbOp::permute:
        return ring::reference::permute(q, in.parameter, program_.type(in.result).domain, x(0), z);
      case program::LimbOp::uniform:
        return ring::reference::uniform(q, seeds_.at(in.operands[0]), in.parameter, z);
    }
  }

  void dot(const program::Instruction& in, const ring::Modulus& q, Limb& z) const {
    std::vector<ring::reference::In> a, b;
    for (std::size_t k = 0; k < in.operands.size(); k += 2) {
      a.emplace_back(values_[in.operands[k]]);
      b.emplace_back(values_[in.operands[k + 1]]);
    }
    ring::reference::dot(q, a, b, z);
  }

  void dot_scalar(const program::Instruction& in, const ring::Modulus& q, Limb& z) const {
    ring::reference::dot_scalar(q, sources(in), limbs(in), in.scalars, z);
  }

  std::vector<ring::Modulus> sources(const program::Instruction& in) const {
    std::vector<ring::Modulus> result;
    for (const program::ValueId x : in.operands) result.push_back(program_.modulus(x));
    return result;
  }

  std::vector<ring::reference::In> limbs(const program::Instruction& in) const {
    std::vector<ring::reference::In> result;
    for (const program::ValueId x : in.operands) result.emplace_back(values_[x]);
    return result;
  }

  const program::LimbProgram& program_;
  std::vector<Limb> values_;
  std::map<program::ValueId, base::PublicSeed> seeds_;
};

}  // namespace heliodor::cpu::internal
