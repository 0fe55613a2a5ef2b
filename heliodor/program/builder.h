// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Builder: how emitters write LimbPrograms.
//
//   Builder b({q0, q1}, "multiply");
//   const ValueId x = b.operand("x", 0, Domain::eval), y = b.operand("y", 0, Domain::eval);
//   b.output("z", b.intt(b.mul(x, y)));
//   const LimbProgram program = b.build();
//
// Result types follow from the operands wherever they can. Every method throws Error{out_of_range}
// for a value or modulus index that does not exist; all other faults are found by build().
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/limb_program.h"

namespace heliodor::program {

class Builder {
 public:
  /// As LimbProgram's constructor.
  explicit Builder(std::vector<ring::Modulus> moduli, std::string name = "program");

  /// `modulus` is an index into the program's moduli.
  ValueId operand(std::string name, std::uint32_t modulus, Domain domain);
  ValueId key(std::string name, std::uint32_t modulus, Domain domain);
  ValueId constant(std::string name, std::uint32_t modulus, Domain domain);
  ValueId seed(std::string name);

  ValueId add(ValueId x, ValueId y);
  ValueId sub(ValueId x, ValueId y);
  ValueId neg(ValueId x);
  ValueId mul(ValueId x, ValueId y);
  ValueId add_scalar(ValueId x, std::uint64_t c);
  ValueId mul_scalar(ValueId x, std::uint64_t c);
  ValueId dot(std::span<const std::pair<ValueId, ValueId>> pairs);
  /// Coefficients unless every source has modulus `modulus`; then the domain of the first source.
  ValueId dot_scalar(std::uint32_t modulus, std::span<const ValueId> sources,
                     std::span<const std::uint64_t> c);
  ValueId quotient(std::uint32_t modulus, ring::Rounding rounding,
                   std::span<const ValueId> sources);
  ValueId reduce(std::uint32_t modulus, ring::Lift lift, ValueId x);
  ValueId ntt(ValueId x);
  ValueId intt(ValueId x);
  /// x itself if it is in that domain, else its transform.
  ValueId coefficients(ValueId x);
  ValueId evaluations(ValueId x);
  ValueId permute(std::uint64_t galois_element, ValueId x);
  ValueId uniform(ValueId seed, std::uint64_t stream, std::uint32_t modulus, Domain domain);

  void output(std::string name, ValueId value);

  const ring::Modulus& modulus(std::uint32_t index) const;
  ValueType type(ValueId value) const;

  /// The finished program; the builder is empty afterwards. Throws Error{invalid_program} with
  /// every diagnostic.
  LimbProgram build();

 private:
  ValueId like(LimbOp op, std::span<const ValueId> operands,
               std::span<const std::uint64_t> scalars = {}, std::uint64_t parameter = 0);

  LimbProgram program_;
};

}  // namespace heliodor::program
